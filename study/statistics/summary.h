/* SPDX-License-Identifier: BSD-3-Clause
 * How some values are spread: their number, extremes, mean and deviation. */
#ifndef HPM_STUDY_STATISTICS_SUMMARY_H
#define HPM_STUDY_STATISTICS_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

/* Of n values; start from {0}.  Without values everything else is 0. */
struct hpm_summary {
    size_t n;
    double min, max;
    double mean;
    double squares;          /* of the distances from the mean, summed */
    uint32_t min_at, max_at; /* who has them; of several the first */
};

/* Add the value that `who` has; NAN is none. */
void hpm_summary_add(struct hpm_summary *summary, double value, uint32_t who);

/* Add it `n` times: each of n has it. */
void hpm_summary_add_many(struct hpm_summary *summary, double value, size_t n,
                          uint32_t who);

/* The standard deviation of these n values (divided by n: they are all there
 * are, not a sample of them); NAN for none. */
double hpm_summary_deviation(const struct hpm_summary *summary);

/* The same of a sample, from which that of all is estimated (divided by n - 1);
 * NAN for fewer than two values. */
double hpm_summary_sample_deviation(const struct hpm_summary *summary);

/* (max - mean) / max: the part of the time of the slowest that the others wait
 * on average; 0 where all have the same.  NAN for none, and where a value is
 * negative or the largest is 0. */
double hpm_summary_imbalance(const struct hpm_summary *summary);

#endif
