/* SPDX-License-Identifier: BSD-3-Clause
 * How long the slowest of several threads took in the mean of runs.
 *
 * A mean has each thread's mean.  The longest of these is no more than the mean
 * of what the slowest thread of each run took, and less where threads change
 * roles from run to run: two threads, one of which works for 2 s in turn, have
 * 1 s each.  What the files keep gives a bound, which says whether that matters.
 */
#ifndef HPM_STUDY_METRIC_SLOWEST_H
#define HPM_STUDY_METRIC_SLOWEST_H

#include "metric/binding.h"
#include "study/columns/study.h"

/* Of threads beside each other.  All 0 is none of them. */
struct hpm_slowest {
    double total;     /* the sum of their means, in seconds */
    double longest;   /* of their means */
    double least;     /* that this thread took in a run */
    double others;    /* most that any other took in a run */
    double deviation; /* over runs: the root of the sum of squares */
    double most;      /* that any took in a run */
    size_t n;
};

/* A record of the same thread: its time comes on top. */
void hpm_slowest_add_row(struct hpm_slowest *slowest,
                         const struct hpm_study *study, uint32_t row,
                         enum hpm_span span);

/* Other threads beside these. */
void hpm_slowest_add(struct hpm_slowest *slowest,
                     const struct hpm_slowest *others);

/* May the slowest have taken noticeably longer, by more than a twentieth, than
 * the longest mean? */
bool hpm_slowest_may_differ(const struct hpm_slowest *slowest);

#endif
