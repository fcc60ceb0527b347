/* SPDX-License-Identifier: BSD-3-Clause
 * The interval of a ratio of medians, by the bootstrap (Efron and Tibshirani,
 * "An Introduction to the Bootstrap", 1993, chapter 13: percentiles). */
#ifndef HPM_STUDY_INFERENCE_BOOTSTRAP_H
#define HPM_STUDY_INFERENCE_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How often the runs are drawn anew. */
enum { HPM_BOOTSTRAP_TIMES = 2000 };

/* With fewer runs than this, from the smallest to the largest is less than 95 %
 * (2 / 2^n of all medians are outside): there is no interval. */
enum { HPM_BOOTSTRAP_LEAST = 6 };

/* Two commands, or files of two programs; no value is NAN. */
struct hpm_bootstrap_pair {
    const double *a, *b;
    size_t n_a, n_b;
    bool is_paired; /* a[i] and b[i] were measured one after the other: they are
                     * drawn together; n_a is n_b */
};

/* The 95 % interval of median(b) / median(a); both NAN for too few runs, and
 * where a median of a is 0.  `room` has n_a + n_b + HPM_BOOTSTRAP_TIMES places.
 * The same seed gives the same interval. */
void hpm_bootstrap_ratio(const struct hpm_bootstrap_pair *pair, uint64_t seed,
                         double *room, double *ret_low, double *ret_high);

#endif
