/* SPDX-License-Identifier: BSD-3-Clause
 * File descriptors that the library keeps open in the measured program. */
#include "host/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    RESERVED = 64,  /* left to the program */
    HIGHEST = 3072, /* higher numbers would enlarge the kernel's table */
    ABOVE_STANDARD = 3,
    N_HELD = 1 << 16, /* higher numbers are not tracked */
    WORD_BITS = 64,
};

static atomic_ullong held[N_HELD / WORD_BITS];

/* ---- numbers --------------------------------------------------------- */

static rlim_t
limit_of_descriptors(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur
                                                 : RLIM_INFINITY;
}

bool
hpm_descriptor_is_reserved(int fd)
{
    rlim_t limit = limit_of_descriptors();
    rlim_t reserve = RESERVED;

    if (limit == RLIM_INFINITY)
        return false;
    if (reserve > limit / 2)
        reserve = limit / 2;
    return (rlim_t)fd >= limit - reserve;
}

static int
first_above(void)
{
    rlim_t limit = limit_of_descriptors();

    return limit > HIGHEST / 3 * 4 ? HIGHEST : (int)(limit / 4 * 3);
}

bool
hpm_descriptor_has_upper(void)
{
    return !hpm_descriptor_is_reserved(first_above());
}

/* Copy `fd` to the first free number from `first` on; -1 if only the numbers
 * reserved for the program are left. */
static int
copy_from(int fd, int first)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, first);

    if (copy >= 0 && first > ABOVE_STANDARD &&
        hpm_descriptor_is_reserved(copy)) {
        close(copy);
        copy = -1;
    }
    return copy;
}

int
hpm_descriptor_move_up(int fd)
{
    int saved_errno = errno;
    int moved;

    if (fd < 0)
        return fd;
    moved = copy_from(fd, first_above());
    if (moved < 0 && fd >= ABOVE_STANDARD) {
        errno = saved_errno;
        return fd;
    }
    if (moved < 0)
        moved = copy_from(fd, ABOVE_STANDARD);
    if (moved >= 0)
        errno = saved_errno;
    saved_errno = errno;
    close(fd);
    errno = saved_errno;
    return moved;
}

bool
hpm_descriptor_has_room(int n)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool has_room = fd >= 0 && !hpm_descriptor_is_reserved(fd);

    if (has_room && n > 1)
        has_room = hpm_descriptor_has_room(n - 1);
    if (fd >= 0)
        close(fd);
    return has_room;
}

/* ---- which numbers are held ------------------------------------------ */

static unsigned long long
bit_of(int fd)
{
    return 1ull << (fd % WORD_BITS);
}

static bool
claim(int fd)
{
    return fd >= N_HELD || (atomic_fetch_or(&held[fd / WORD_BITS], bit_of(fd)) &
                            bit_of(fd)) == 0;
}

void
hpm_descriptor_release(int fd)
{
    if (fd >= 0 && fd < N_HELD)
        atomic_fetch_and(&held[fd / WORD_BITS], ~bit_of(fd));
}

/* Another owner in the library still believes that this number is its own, and
 * would use our counter: leave the number, and take the next one. */
int
hpm_descriptor_hold(int fd)
{
    int number = hpm_descriptor_move_up(fd);

    while (number >= 0 && !claim(number)) {
        int next = fcntl(number, F_DUPFD_CLOEXEC, number + 1);
        int saved_errno = errno;

        close(number);
        /* fcntl says EINVAL for a number beyond the limit */
        errno = saved_errno == EINVAL ? EMFILE : saved_errno;
        number = next;
    }
    return number;
}
