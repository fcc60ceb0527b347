/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all of it, without a signal for the program. */
#include "base/write.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int
write_loop(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);

        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        } else if (n == 0) {
            return EIO;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* Take the signal of a failed write away, unless it was waiting before. */
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

/* The signals would end the program because of our output alone: they are
 * blocked meanwhile. */
int
hpm_write_all(int fd, const char *bytes, size_t length)
{
    int saved_errno = errno;
    sigset_t ours, before, pending;
    int error;

    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    sigpending(&pending);
    error = write_loop(fd, bytes, length);
    if (error == EFBIG)
        take_signal(SIGXFSZ, &pending);
    else if (error == EPIPE)
        take_signal(SIGPIPE, &pending);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved_errno;
    return error;
}
