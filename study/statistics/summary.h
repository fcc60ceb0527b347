/* SPDX-License-Identifier: BSD-3-Clause
 * The spread of a value: number, extremes, mean and deviation. */
#ifndef HPM_STUDY_STATISTICS_SUMMARY_H
#define HPM_STUDY_STATISTICS_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

/* Of n values; start from {0}.  Without values all other fields are 0. */
struct hpm_summary {
    size_t n;
    double min, max;
    double mean;
    double squares;          /* sum of squared distances from the mean */
    uint32_t min_at, max_at; /* `who` has them; of several the first */
};

/* Add the value of `who`; NAN is ignored. */
void hpm_summary_add(struct hpm_summary *summary, double value, uint32_t who);

/* Add it `n` times, for n things with this value. */
void hpm_summary_add_many(struct hpm_summary *summary, double value, size_t n,
                          uint32_t who);

/* Add the values of another summary. */
void hpm_summary_add_summary(struct hpm_summary *summary,
                             const struct hpm_summary *other);

/* The standard deviation of these n values (divided by n: they are the whole,
 * not a sample); NAN without values. */
double hpm_summary_deviation(const struct hpm_summary *summary);

/* The standard deviation estimated from a sample (divided by n - 1); NAN for
 * fewer than two values. */
double hpm_summary_sample_deviation(const struct hpm_summary *summary);

/* (max - mean) / max: the part of the slowest one's time that the others wait
 * on average; 0 where all are equal.  NAN without values, and where a value is
 * negative or the largest is 0. */
double hpm_summary_imbalance(const struct hpm_summary *summary);

#endif
