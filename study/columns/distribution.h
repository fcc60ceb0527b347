/* SPDX-License-Identifier: BSD-3-Clause
 * How many values of one kind lie: number, extremes and whose they are, mean,
 * deviation, histogram.  All of it is the same in whatever order the values came
 * and however they were grouped, and takes bounded memory. */
#ifndef HPM_STUDY_COLUMNS_DISTRIBUTION_H
#define HPM_STUDY_COLUMNS_DISTRIBUTION_H

#include "study/columns/buckets.h"
#include "study/columns/study.h"
#include "study/store/exactsum.h"

/* Start from {0}. */
struct hpm_distribution {
    uint64_t n;
    struct hpm_study_extreme low, high;
    struct hpm_exactsum sum, squares; /* of times in ns */
    struct hpm_buckets buckets;       /* of times in ns */
};

void hpm_distribution_free(struct hpm_distribution *distribution);

/* The number of a column as it is summed up: of a column of times as
 * nanoseconds, of others as a count or a double. */
struct hpm_number hpm_distribution_settle(struct hpm_number number,
                                          bool is_time);

/* Add a settled number to an exact sum. */
void hpm_distribution_add_to(struct hpm_exactsum *sum,
                             struct hpm_number number);

/* An exact sum as the number of a column. */
struct hpm_number hpm_distribution_total(const struct hpm_exactsum *sum,
                                         bool is_time);

/* Add a settled value with whose it is; the host's name must stay. */
void hpm_distribution_add(struct hpm_distribution *distribution,
                          const struct hpm_study_extreme *value);

/* Add all that a spread says of a column; the host's name must stay.  False where
 * the spread is none: its texts cannot be read, or do not agree. */
bool hpm_distribution_add_spread(struct hpm_distribution *distribution,
                                 const struct hpm_study_spread *spread,
                                 bool is_time);

/* Fill the spread but for its row, column and what other sums it has; texts become
 * the study's own.  False when there is no memory. */
bool hpm_distribution_write(const struct hpm_distribution *distribution,
                            bool is_time, struct hpm_study *study,
                            struct hpm_study_spread *ret_spread);

#endif
