/* SPDX-License-Identifier: BSD-3-Clause
 * Repeated runs as one: the same sections, the mean of what was counted. */
#ifndef HPM_STUDY_COLUMNS_MEAN_H
#define HPM_STUDY_COLUMNS_MEAN_H

#include "study/columns/study.h"

struct hpm_mean_options {
    size_t most_bytes; /* of the result; 0: no bound */
    bool is_forced;    /* runs of different programs, too */
    /* For hpm_integrate: runs whose cycles or instructions are further from
     * the median of all than this part of it are flagged; 0: 0.05. */
    double tolerance;
};

/* The mean of n runs: every value with the number of its runs, their standard
 * deviation, smallest and largest.  A run that did not enter a section takes
 * part with 0; one of which that is not known does not (absence.h).
 * Means have the weight of their runs.  The
 * mean of one run is that run.  Recorded metrics are left out: they can only
 * be computed again.  NULL when the runs do not go together or there is no
 * memory. */
struct hpm_study *hpm_mean(const struct hpm_study *const *studies, size_t n,
                           const struct hpm_mean_options *options,
                           struct hpm_error *err);

/* Runs that counted different things as one that counted all of them.  What
 * several counted is their mean, with its spread, of those that counted it
 * best (see enum hpm_state); what did not enter a section counted 0 there, as
 * for hpm_mean.  A run whose cycles or instructions disagree with
 * the others is named, with the figure, in a problem of each of its tasks. */
struct hpm_study *hpm_integrate(const struct hpm_study *const *studies,
                                size_t n,
                                const struct hpm_mean_options *options,
                                struct hpm_error *err);

#endif
