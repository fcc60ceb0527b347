/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all of it, without a signal for the program. */
#include "base/write.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
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

/* The signals would end the program because of our output alone: block them,
 * and take away the one that came, unless it was waiting before. */
int
hpm_write_all(int fd, const char *bytes, size_t length)
{
    int saved_errno = errno;
    sigset_t ours, before, pending;
    bool was_pending;
    int error;

    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGXFSZ) == 1 ||
                  sigismember(&pending, SIGPIPE) == 1;
    error = write_loop(fd, bytes, length);
    if ((error == EFBIG || error == EPIPE) && !was_pending)
        sigtimedwait(&ours, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved_errno;
    return error;
}
