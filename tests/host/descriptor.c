/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptors out of the program's way: above its own, never in the reserve,
 * and none with a number that another file of the library still uses. */
#include "host/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host/standard.h"
#include "tap.h"

static int
open_null(void)
{
    return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static bool
is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void
limit_to(rlim_t n)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = n;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void
test_move_up(void)
{
    int lowest = open_null(), moved = hpm_descriptor_move_up(lowest), next;

    ok(moved >= 768, "a descriptor moves to the upper quarter of 1024");
    ok(!is_open(lowest), "its old number is free again");
    ok(fcntl(moved, F_GETFD) & FD_CLOEXEC, "it is closed on exec");
    ok(!hpm_descriptor_is_reserved(moved), "it is not among the last ones");
    next = hpm_descriptor_move_up(open_null());
    ok(next > moved, "the next one comes after it");
    close(next);
    close(moved);
    errno = 77;
    ok(hpm_descriptor_move_up(-1) == -1 && errno == 77, "-1 is handed on");
}

/* The rest of the upper quarter is the reserve. */
static void
test_no_room_above(void)
{
    int low, moved;

    limit_to(64);
    low = open_null();
    errno = 77;
    moved = hpm_descriptor_move_up(low);
    ok(moved == low && errno == 77, "without room above it stays");
    close(moved);
    close(0);
    low = open_null();
    moved = hpm_descriptor_move_up(low);
    ok(low == 0 && moved > 2 && !is_open(0), "but not as 0, 1 or 2");
    close(moved);
    ok(hpm_descriptor_is_reserved(32) && !hpm_descriptor_is_reserved(31),
       "of few descriptors half are reserved");
    ok(hpm_descriptor_has_room(4) && !hpm_descriptor_has_room(40),
       "there is room for few, not for many");
    limit_to(1024);
    ok(hpm_descriptor_is_reserved(960) && !hpm_descriptor_is_reserved(959),
       "of many, 64 are reserved");
}

/* If the program closes a descriptor of the library, its number is not given to
 * another file of the library, whose counts would be read as those of the
 * first. */
static void
test_held(void)
{
    int first = hpm_descriptor_hold(open_null()), second, third;

    close(first);
    second = hpm_descriptor_hold(open_null());
    ok(second >= 0 && second != first, "a number that is held is not reused");
    hpm_descriptor_release(first);
    third = hpm_descriptor_hold(open_null());
    ok(third == first, "one that was released is");
    hpm_descriptor_release(second);
    hpm_descriptor_release(third);
    close(second);
    close(third);
    hpm_descriptor_release(-1);
}

static void
test_standard(void)
{
    struct hpm_standard_hold hold;
    int fd;

    close(0);
    hpm_standard_hold(&hold);
    fd = open_null();
    ok(fd > 2, "held, 0 is nobody's");
    close(fd);
    hpm_standard_release(&hold);
    ok(!is_open(0), "released, it is closed as before");
    ok(is_open(1) && is_open(2), "and what was open stays so");
}

int
main(void)
{
    limit_to(1024);
    test_move_up();
    test_no_room_above();
    test_held();
    test_standard();
    return done();
}
