/* SPDX-License-Identifier: BSD-3-Clause
 * File descriptors we keep open in the measured program. */
#include "host/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    RESERVED = 64,  /* for the program itself */
    HIGHEST = 3072, /* no need for a larger table of descriptors */
    ABOVE_STANDARD = 3,
    N_HELD = 1 << 16, /* numbers beyond it are not looked after */
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

/* A copy with the first free number from `first` on, -1 where there is none
 * but in the program's reserve. */
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

/* ---- who has which ---------------------------------------------------- */

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

/* Whoever held this number before would take our counter for its own: leave
 * it, and take the next one. */
int
hpm_descriptor_hold(int fd)
{
    int number = hpm_descriptor_move_up(fd);

    while (number >= 0 && !claim(number)) {
        int next = fcntl(number, F_DUPFD_CLOEXEC, number + 1);
        int saved_errno = errno;

        close(number);
        /* a number beyond the limit is "invalid" */
        errno = saved_errno == EINVAL ? EMFILE : saved_errno;
        number = next;
    }
    return number;
}
