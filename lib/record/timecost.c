/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a kind of call takes. */
#include "record/timecost.h"

#include <math.h>

/* fmin and fmax are in libm; a measured program loads libc only. */
static double
smaller(double a, double b)
{
    return a < b ? a : b;
}

static double
larger(double a, double b)
{
    return a > b ? a : b;
}

/* Compares as signed numbers: a window minus its known overhead may be below
 * 0. */
static int
compare(uint64_t left, uint64_t right)
{
    int64_t a = (int64_t)left, b = (int64_t)right;

    return (a > b) - (a < b);
}

static void
sort(uint64_t *windows, size_t n)
{
    for (size_t i = 1; i < n; i++) { /* insertion: qsort may call malloc */
        uint64_t window = windows[i];
        size_t j = i;

        for (; j > 0 && compare(windows[j - 1], window) > 0; j--)
            windows[j] = windows[j - 1];
        windows[j] = window;
    }
}

static double
a_call(uint64_t window)
{
    return (double)(int64_t)window / HPM_TIMECOST_CALLS;
}

struct hpm_timecost
hpm_timecost_of_windows(uint64_t *windows, size_t n, uint64_t step)
{
    double steps = (double)step / sqrt(12.0 * HPM_TIMECOST_CALLS);
    struct hpm_timecost cost = {.middle = 0};
    double off;

    if (n == 0)
        return cost;
    sort(windows, n);
    cost.middle = (a_call(windows[n / 2]) + a_call(windows[(n - 1) / 2])) / 2;
    cost.least = a_call(windows[0]);
    cost.most = a_call(windows[n - 1]);
    off = steps + larger(cost.middle, 0) / HPM_TIMECOST_MOMENTS;
    cost.low = smaller(a_call(windows[n / 10]), cost.middle - off);
    cost.high = larger(a_call(windows[n - 1 - n / 10]), cost.middle + off);
    return cost;
}

void
hpm_timecost_include(struct hpm_timecost *cost, double call)
{
    cost->low = smaller(cost->low, call);
    cost->high = larger(cost->high, call);
}

struct hpm_timecost
hpm_timecost_between(struct hpm_timecost begin, struct hpm_timecost end)
{
    return (struct hpm_timecost){.middle = (begin.middle + end.middle) / 2,
                                 .least = smaller(begin.least, end.least),
                                 .most = larger(begin.most, end.most),
                                 .low = smaller(begin.low, end.low),
                                 .high = larger(begin.high, end.high)};
}

double
hpm_timecost_uncertainty(struct hpm_timecost cost, double each, double n)
{
    double off = larger(cost.high - each, each - cost.low);

    return off * larger(n, sqrt(n * HPM_TIMECOST_CALLS));
}
