/* SPDX-License-Identifier: BSD-3-Clause
 * The descriptors 0, 1 and 2. */
#include "host/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void
hpm_standard_hold(struct hpm_standard_hold *hold)
{
    int saved_errno = errno;

    *hold = (struct hpm_standard_hold){0};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        /* open returns the lowest free number, which is fd */
        hold->is_held[fd] = open("/dev/null", O_RDWR | O_CLOEXEC) == fd;
    }
    errno = saved_errno;
}

void
hpm_standard_release(const struct hpm_standard_hold *hold)
{
    int saved_errno = errno;

    for (int fd = 0; fd < 3; fd++) {
        if (hold->is_held[fd])
            close(fd);
    }
    errno = saved_errno;
}
