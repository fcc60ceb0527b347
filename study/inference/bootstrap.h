/* SPDX-License-Identifier: BSD-3-Clause
 * The confidence interval of a ratio of medians, by the bootstrap (Efron and
 * Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13:
 * percentiles). */
#ifndef HPM_STUDY_INFERENCE_BOOTSTRAP_H
#define HPM_STUDY_INFERENCE_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of times that runs are drawn. */
enum { HPM_BOOTSTRAP_TIMES = 2000 };

/* With fewer runs there is no interval: even the range from the smallest to the
 * largest value contains less than 95 % of all medians (2 / 2^n are
 * outside). */
enum { HPM_BOOTSTRAP_LEAST = 6 };

/* The runs of two commands, or files of two programs; no value is NAN. */
struct hpm_bootstrap_pair {
    const double *a, *b;
    size_t n_a, n_b;
    bool is_paired; /* a[i] and b[i] were measured directly after each other and
                     * are drawn together; n_a is n_b */
};

/* The 95 % interval of median(b) / median(a); both NAN for too few runs, and
 * where a median of a is 0.  `room` has n_a + n_b + HPM_BOOTSTRAP_TIMES
 * elements.  The same seed gives the same interval. */
void hpm_bootstrap_ratio(const struct hpm_bootstrap_pair *pair, uint64_t seed,
                         double *room, double *ret_low, double *ret_high);

#endif
