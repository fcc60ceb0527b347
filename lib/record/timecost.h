/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a kind of call takes, and how far off that may be.
 *
 * A clock of coarse steps, caches and the processor's frequency make single
 * calls differ by more than what is looked for.  So calls are timed in windows
 * of many; the middle of the windows is what a call takes, and the uncertainty
 * is how far they lie apart: at least what the clock's steps leave open.
 */
#ifndef HPM_RECORD_TIMECOST_H
#define HPM_RECORD_TIMECOST_H

#include <stddef.h>
#include <stdint.h>

enum { HPM_TIMECOST_CALLS = 32, HPM_TIMECOST_WINDOWS = 20 };

/* All windows of a calibration are of one moment, a millisecond at most.  At
 * another one, beside another program on the same core, with other lines in the
 * cache, calls take up to so much more or less: 1/8 (doc/design/overhead.md). */
enum { HPM_TIMECOST_MOMENTS = 8 };

/* What is timed. */
enum hpm_timed {
    HPM_TIMED_SELF,  /* an empty section's own reading */
    HPM_TIMED_PAIR,  /* a start and a stop, as a section around them sees it */
    HPM_TIMED_AGAIN, /* the same of a section that is open: recursion */
    HPM_N_TIMED,
};

/* In ticks a call. */
struct hpm_timecost {
    double middle;
    double least, most; /* of all windows, interrupted ones, too */
    double low, high;   /* between these it is elsewhere in the run, too */
};

/* Of `n` windows (they are sorted), each the sum of HPM_TIMECOST_CALLS calls,
 * by a clock that goes on by `step` at once.  The outermost tenth on each side
 * does not count: what was interrupted is no cost of a call. */
struct hpm_timecost hpm_timecost_of_windows(uint64_t *windows, size_t n,
                                            uint64_t step);

/* A call was timed otherwise, too: it may take that. */
void hpm_timecost_include(struct hpm_timecost *cost, double call);

/* What holds for a run at whose begin and end it was so: the middle, and all
 * that was met at either end. */
struct hpm_timecost hpm_timecost_between(struct hpm_timecost begin,
                                         struct hpm_timecost end);

/* How far off `n` calls are in all, where `each` is taken off for one.  Few
 * calls differ as single windows do, many as the windows: calls of one run
 * have their conditions in common, so their errors add up. */
double hpm_timecost_uncertainty(struct hpm_timecost cost, double each,
                                double n);

#endif
