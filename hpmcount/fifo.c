/* SPDX-License-Identifier: BSD-3-Clause
 * A named pipe as the target of a report or a file. */
#include "hpmcount/fifo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/descriptor.h"
#include "hpmcount/deputy.h"

enum { STEP_MS = 5 };

bool
fifo_is(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* Try once; something else may have this name by now. */
static int
try_open(const char *path)
{
    int fd =
        open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    struct stat status;

    if (fd < 0)
        return -1;
    if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) &&
        fcntl(fd, F_SETFL, 0) == 0)
        return hpm_descriptor_move_up(fd);
    close(fd);
    errno = EINVAL;
    return -1;
}

/* A plain open(2) would wait for ever if no program reads the pipe. */
int
fifo_open(const char *path, struct hpm_error *err)
{
    const struct timespec step = {0, STEP_MS * 1000000L};
    unsigned long seconds = deputy_patience();
    unsigned long n_steps =
        seconds < ULONG_MAX / 1000 ? seconds * (1000 / STEP_MS) : ULONG_MAX;
    int fd = try_open(path);

    for (unsigned long i = 0;
         fd < 0 && errno == ENXIO && (seconds == 0 || i < n_steps); i++) {
        nanosleep(&step, NULL);
        fd = try_open(path);
    }
    if (fd < 0 && errno == ENXIO)
        hpm_error_set(err,
                      "no program has opened the pipe '%.200s' for reading in "
                      "%lu s; start one that does (HPM_TIMEOUT says how long "
                      "to wait)",
                      path, seconds);
    else if (fd < 0)
        hpm_error_set(err, "cannot write to the pipe '%.200s': %s", path,
                      strerror(errno));
    return fd;
}
