/* SPDX-License-Identifier: BSD-3-Clause
 * For LD_PRELOAD: the clock of the day is set all the time, forward by a day,
 * then back by two.  Clocks for durations are not changed, except a thread's
 * own: with WILD_THREAD=gone there is none, with WILD_THREAD=still it stands
 * still. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400 };

static time_t
shift(void)
{
    static atomic_uint n;

    return atomic_fetch_add(&n, 1) % 2 == 0 ? DAY : -DAY;
}

static int
spoil(struct timespec *ret_time)
{
    const char *fault = getenv("WILD_THREAD");

    if (fault != NULL && strcmp(fault, "still") == 0)
        *ret_time = (struct timespec){.tv_sec = 1};
    if (fault == NULL || strcmp(fault, "gone") != 0)
        return 0;
    errno = EINVAL;
    return -1;
}

int
clock_gettime(clockid_t clock, struct timespec *ret_time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, ret_time);

    if (result == 0 && clock == CLOCK_REALTIME)
        ret_time->tv_sec += shift();
    return result == 0 && clock == CLOCK_THREAD_CPUTIME_ID ? spoil(ret_time)
                                                           : result;
}

int
gettimeofday(struct timeval *restrict ret_time, void *restrict zone)
{
    int result = (int)syscall(SYS_gettimeofday, ret_time, zone);

    if (result == 0)
        ret_time->tv_sec += shift();
    return result;
}

time_t
time(time_t *ret_seconds)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (ret_seconds != NULL)
        *ret_seconds = now.tv_sec;
    return now.tv_sec;
}
