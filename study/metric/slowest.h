/* SPDX-License-Identifier: BSD-3-Clause
 * The mean time, over runs, of the slowest of several threads.
 *
 * A mean has only each thread's mean.  The longest of these is at most the mean
 * time of the slowest thread of each run, and smaller where threads change
 * roles from run to run: if two threads take turns in working for 2 s, each has
 * a mean of 1 s.  The files keep enough for a bound, which tells whether this
 * matters.
 */
#ifndef HPM_STUDY_METRIC_SLOWEST_H
#define HPM_STUDY_METRIC_SLOWEST_H

#include "metric/binding.h"
#include "study/columns/study.h"

/* Times of threads that ran at the same time.  All 0: no threads. */
struct hpm_slowest {
    double total;     /* the sum of their means, in seconds */
    double longest;   /* the longest mean */
    double least;     /* smallest time of that thread in a run */
    double others;    /* longest time of any other in a run */
    double deviation; /* over runs: the root of the sum of squares */
    double most;      /* longest time of any in a run */
    size_t n;
};

/* Add a record of the same thread: times are added. */
void hpm_slowest_add_row(struct hpm_slowest *slowest,
                         const struct hpm_study *study, uint32_t row,
                         enum hpm_span span);

/* Add other threads, which ran at the same time. */
void hpm_slowest_add(struct hpm_slowest *slowest,
                     const struct hpm_slowest *others);

/* May the slowest thread have taken more than a twentieth longer than the
 * longest mean? */
bool hpm_slowest_may_differ(const struct hpm_slowest *slowest);

#endif
