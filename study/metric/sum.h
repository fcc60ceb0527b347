/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of several rows together. */
#ifndef HPM_STUDY_METRIC_SUM_H
#define HPM_STUDY_METRIC_SUM_H

#include "study/metric/slowest.h"
#include "study/metric/studymetrics.h"

/* Start with hpm_sum_init. */
struct hpm_sum {
    struct hpm_tally *tallies; /* per leaf; complete after hpm_sum_end */
    size_t *n_present;         /* per leaf: rows that have it */
    size_t n_rows;
    struct hpm_slowest slowest; /* of its threads' times */
    size_t n_leaves;
    const size_t *live; /* leaves of the studymetrics: no other has a count */
    size_t n_live;
};

bool hpm_sum_init(struct hpm_sum *sum,
                  const struct hpm_studymetrics *studymetrics,
                  struct hpm_error *err);
void hpm_sum_clear(struct hpm_sum *sum);

/* Empty it again. */
void hpm_sum_reset(struct hpm_sum *sum);

/* Add a row of the same thread: its time, too, comes on top.  What is counted
 * only inclusively has no exclusive count, unless nothing is inside. */
void hpm_sum_add_row(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics, uint32_t row,
                     enum hpm_span span, enum hpm_studymetrics_side side);

/* Add what belongs to the row alone: its exclusive counts, but of a root that
 * has none what it counted in all. */
void hpm_sum_add_own(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics, uint32_t row,
                     enum hpm_studymetrics_side side);

/* Add what other threads or tasks have: they ran at one time, of which the
 * longest counts (time::wall), with a doubt where threads change roles from run
 * to run (slowest.h).  `other` may be what `n_threads` have together:
 * nobody knows the longest of these, so their mean stands for it.  All else is
 * summed, the processors they may use (cpu::allowed) too, but for cpu::mhz and
 * cpu::count, which are the machine's: machines that differ have none together.
 */
void hpm_sum_add_sum(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics,
                     const struct hpm_sum *other, size_t n_threads);

/* Settle what has no sum, once all is added: what some rows have and others
 * lack becomes partial, and what counts the children of processes is of no use
 * in formulas where `has_twice` says that rows are of processes and of those
 * that forked them (columns/family.h). */
void hpm_sum_end(struct hpm_sum *sum,
                 const struct hpm_studymetrics *studymetrics, bool has_twice);

/* The same of all rows of a scope.  `seconds` is the wall clock time of the
 * whole program, which is no sum of its rows'; NAN where it is not known, as
 * that of a difference never is. */
void hpm_sum_end_whole(struct hpm_sum *sum,
                       const struct hpm_studymetrics *studymetrics, int scope,
                       double seconds);

#endif
