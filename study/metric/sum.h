/* SPDX-License-Identifier: BSD-3-Clause
 * The total counts of several rows. */
#ifndef HPM_STUDY_METRIC_SUM_H
#define HPM_STUDY_METRIC_SUM_H

#include "study/metric/slowest.h"
#include "study/metric/studymetrics.h"

/* Start with hpm_sum_init. */
struct hpm_sum {
    struct hpm_tally *tallies; /* by leaf; complete after hpm_sum_end */
    size_t *n_present;         /* by leaf: rows that have it */
    size_t n_rows;
    struct hpm_slowest slowest; /* of its threads' times */
    size_t n_leaves;
    const size_t *live; /* the studymetrics's leaves that can have a count */
    size_t n_live;
};

bool hpm_sum_init(struct hpm_sum *sum,
                  const struct hpm_studymetrics *studymetrics,
                  struct hpm_error *err);
void hpm_sum_clear(struct hpm_sum *sum);

/* Make it empty again. */
void hpm_sum_reset(struct hpm_sum *sum);

/* Add a row of the same thread: its time is added, too.  A count without an
 * exclusive value is not used for the exclusive span, unless no section is
 * inside. */
void hpm_sum_add_row(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics, uint32_t row,
                     enum hpm_span span, enum hpm_studymetrics_side side);

/* Add what belongs to the row alone: its exclusive counts; for a root without
 * exclusive counts its inclusive counts. */
void hpm_sum_add_own(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics, uint32_t row,
                     enum hpm_studymetrics_side side);

/* Add other threads or tasks.  They ran at the same time, so the longest time
 * counts (time::wall), with a doubt where threads change roles from run to run
 * (slowest.h).  `other` may be the total of `n_threads` threads: then the
 * longest time is not known, and their mean is used.  All else is summed, also
 * the processors they may use (cpu::allowed), except cpu::mhz and cpu::count,
 * which belong to the machine: different machines have no common value.
 */
void hpm_sum_add_sum(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics,
                     const struct hpm_sum *other, size_t n_threads);

/* The sum is that of `n_threads` threads, the longest of whose times is known: it
 * becomes their time when hpm_sum_add_sum adds them. */
void hpm_sum_know_longest(struct hpm_sum *sum,
                          const struct hpm_studymetrics *studymetrics,
                          double seconds, size_t n_threads);

/* Finish after all is added: a count that some rows lack becomes partial.  With
 * `has_twice` the rows are of processes and of the processes that forked them
 * (columns/family.h): then counters that include child processes are not used
 * in formulas. */
void hpm_sum_end(struct hpm_sum *sum,
                 const struct hpm_studymetrics *studymetrics, bool has_twice);

/* The same for all rows of a scope.  `seconds` is the wall clock time of the
 * whole program, which is not the sum of its rows; NAN where it is not known,
 * always in a difference. */
void hpm_sum_end_whole(struct hpm_sum *sum,
                       const struct hpm_studymetrics *studymetrics, int scope,
                       double seconds);

#endif
