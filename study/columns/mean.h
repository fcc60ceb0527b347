/* SPDX-License-Identifier: BSD-3-Clause
 * Repeated runs as one: the same sections, the mean of what was counted. */
#ifndef HPM_STUDY_COLUMNS_MEAN_H
#define HPM_STUDY_COLUMNS_MEAN_H

#include "study/columns/study.h"

struct hpm_mean_options {
    size_t most_bytes; /* of the result; 0: no bound */
    bool is_forced;    /* runs of different programs, too */
    /* For hpm_integrate: runs are flagged whose cycles or instructions are
     * further from the median of all runs than this part of the median; 0:
     * 0.05. */
    double tolerance;
};

/* The mean of n runs: every value with the number of its runs, their standard
 * deviation, smallest and largest.  A run that did not enter a section takes
 * part with 0; a run of which this is not known does not take part (absence.h).
 * Means have the weight of their runs.  The mean of one run is that run.
 * Recorded metrics are left out: they must be computed again.  NULL when the
 * runs do not belong together or there is no memory. */
struct hpm_study *hpm_mean(const struct hpm_study *const *studies, size_t n,
                           const struct hpm_mean_options *options,
                           struct hpm_error *err);

/* Combine runs that counted different things into one run that counted all of
 * them.  What several runs counted is the mean of those that counted it best
 * (see enum hpm_state), with its spread; a run that did not enter a section
 * counted 0 there, as for hpm_mean.  A run whose cycles or instructions
 * disagree with the others is named, with the figure, in a problem of each of
 * its tasks. */
struct hpm_study *hpm_integrate(const struct hpm_study *const *studies,
                                size_t n,
                                const struct hpm_mean_options *options,
                                struct hpm_error *err);

#endif
