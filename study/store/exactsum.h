/* SPDX-License-Identifier: BSD-3-Clause
 * A sum without any rounding: it is the same in whatever order its parts came,
 * and however they were grouped.
 *
 * The sum is a whole number in digits of 32 bits, of which the lowest has the
 * weight 2^(32 * first); all digits but the highest are not negative. */
#ifndef HPM_STUDY_STORE_EXACTSUM_H
#define HPM_STUDY_STORE_EXACTSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"

/* Start from {0}. */
struct hpm_exactsum {
    int64_t *digits;
    size_t n, capacity;
    int first;
    bool failed; /* memory ran out: the sum has no meaning */
};

void hpm_exactsum_free(struct hpm_exactsum *sum);

/* Add, or subtract, amount * 2^exponent. */
void hpm_exactsum_add(struct hpm_exactsum *sum, bool is_negative,
                      unsigned __int128 amount, int exponent);

/* Add a finite double, and the square of one. */
void hpm_exactsum_add_real(struct hpm_exactsum *sum, double value);
void hpm_exactsum_add_square(struct hpm_exactsum *sum, double value);

void hpm_exactsum_add_sum(struct hpm_exactsum *sum,
                          const struct hpm_exactsum *other);

/* The nearest doubles, or neighbours of them: of the sum; of the sum divided by
 * n > 0; and of the standard deviation of n > 0 numbers (divided by n) with
 * this sum and this sum of squares. */
double hpm_exactsum_to_real(const struct hpm_exactsum *sum);
double hpm_exactsum_mean(const struct hpm_exactsum *sum, uint64_t n);
double hpm_exactsum_deviation(const struct hpm_exactsum *sum,
                              const struct hpm_exactsum *squares, uint64_t n);

/* Is the sum a whole number from 0 to 2^64 - 1? */
bool hpm_exactsum_to_count(const struct hpm_exactsum *sum, uint64_t *ret_count);

/* Append the sum as text, "-0x1fp-8" for -31/256; equal sums have equal texts.
 * Read such a text: false if it is none, or too long. */
void hpm_exactsum_write(const struct hpm_exactsum *sum,
                        struct hpm_string *string);
bool hpm_exactsum_read(struct hpm_exactsum *sum, const char *text);

#endif
