/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a kind of call takes, and its uncertainty.
 *
 * A clock of coarse steps, caches and the processor's frequency make single
 * calls differ by more than the time to be measured.  So calls are timed in
 * windows of many; the median of the windows is the time of a call, and their
 * spread is its uncertainty: at least what the clock's steps leave open. */
#ifndef HPM_RECORD_TIMECOST_H
#define HPM_RECORD_TIMECOST_H

#include <stddef.h>
#include <stdint.h>

enum { HPM_TIMECOST_CALLS = 32, HPM_TIMECOST_WINDOWS = 20 };

/* All windows of a calibration are taken within a millisecond.  At another
 * moment, with another program on the same core, or other lines in the cache,
 * calls take up to this part more or less: 1/8 (doc/design/overhead.md). */
enum { HPM_TIMECOST_MOMENTS = 8 };

/* The kinds of calls that are timed. */
enum hpm_timed {
    HPM_TIMED_SELF,  /* an empty section's own reading */
    HPM_TIMED_PAIR,  /* a start and a stop, as a section around them sees it */
    HPM_TIMED_AGAIN, /* the same for a section that is open: recursion */
    HPM_N_TIMED,
};

/* Ticks per call. */
struct hpm_timecost {
    double middle;
    double least, most; /* of all windows, interrupted ones, too */
    double low, high;   /* at other moments of the run the time is between
                         * these, too */
};

/* The cost from `n` windows (they get sorted), each the sum of
 * HPM_TIMECOST_CALLS calls, by a clock with steps of `step` ticks.  The
 * outermost tenth on each side does not count: an interruption is no cost of a
 * call. */
struct hpm_timecost hpm_timecost_of_windows(uint64_t *windows, size_t n,
                                            uint64_t step);

/* Widen the range so that it contains this time of a call, which was measured
 * in another way. */
void hpm_timecost_include(struct hpm_timecost *cost, double call);

/* The cost for a run, from its costs at begin and end: the middle of both, and
 * a range that contains both. */
struct hpm_timecost hpm_timecost_between(struct hpm_timecost begin,
                                         struct hpm_timecost end);

/* How far off the sum of `n` calls may be, if `each` is subtracted for a call.
 * Few calls differ like single windows do, many like the windows: calls of one
 * run have the same conditions, so their errors add up. */
double hpm_timecost_uncertainty(struct hpm_timecost cost, double each,
                                double n);

#endif
