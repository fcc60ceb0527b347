/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all bytes, without a signal to the program. */
#include "host/write.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* `offset` < 0: at the descriptor's position. */
static int
write_loop(int fd, const char *bytes, size_t length, off_t offset,
           size_t *ret_written)
{
    *ret_written = 0;
    while (length > 0) {
        ssize_t n = offset < 0 ? write(fd, bytes, length)
                               : pwrite(fd, bytes, length, offset);

        if (n > 0) {
            bytes += n;
            *ret_written += (size_t)n;
            length -= (size_t)n;
            offset += offset < 0 ? 0 : (off_t)n;
        } else if (n == 0) {
            return EIO;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* Remove the signal that a failed write raised, unless it was pending
 * before. */
static void
take_signal(int number, const sigset_t *pending_before)
{
    sigset_t only;

    if (sigismember(pending_before, number) == 1)
        return;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigtimedwait(&only, NULL, &(struct timespec){0, 0});
}

/* Blocks the signals of a failed write: they would end the program only because
 * of our output. */
struct quiet {
    int saved_errno;
    sigset_t before, pending;
};

static void
begin_quiet(struct quiet *quiet)
{
    sigset_t ours;

    quiet->saved_errno = errno;
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &ours, &quiet->before);
    sigpending(&quiet->pending);
}

static int
end_quiet(const struct quiet *quiet, int error)
{
    if (error == EFBIG)
        take_signal(SIGXFSZ, &quiet->pending);
    else if (error == EPIPE)
        take_signal(SIGPIPE, &quiet->pending);
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
    errno = quiet->saved_errno;
    return error;
}

int
hpm_write_counted(int fd, const char *bytes, size_t length, size_t *ret_written)
{
    struct quiet quiet;

    begin_quiet(&quiet);
    return end_quiet(&quiet, write_loop(fd, bytes, length, -1, ret_written));
}

int
hpm_write_all(int fd, const char *bytes, size_t length)
{
    size_t written;

    return hpm_write_counted(fd, bytes, length, &written);
}

int
hpm_write_all_at(int fd, const char *bytes, size_t length, uint64_t offset)
{
    struct quiet quiet;
    size_t written;

    begin_quiet(&quiet);
    return end_quiet(&quiet,
                     write_loop(fd, bytes, length, (off_t)offset, &written));
}

/* A file system that cannot reserve returns EOPNOTSUPP or EINVAL where the C
 * library does not write zeroes instead; neither is an error here. */
int
hpm_write_reserve(int fd, uint64_t offset, uint64_t length)
{
    struct quiet quiet;
    int error;

    begin_quiet(&quiet);
    do
        error = posix_fallocate(fd, (off_t)offset, (off_t)length);
    while (error == EINTR);
    if (error == EOPNOTSUPP || error == EINVAL)
        error = 0;
    return end_quiet(&quiet, error);
}
