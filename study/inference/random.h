/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers by chance that a seed fixes for ever: SplitMix64 (Steele, Lea and
 * Flood, "Fast splittable pseudorandom number generators", 2014). */
#ifndef HPM_STUDY_INFERENCE_RANDOM_H
#define HPM_STUDY_INFERENCE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Start from the seed. */
struct hpm_random {
    uint64_t state;
};

/* Any 64 bits. */
uint64_t hpm_random_next(struct hpm_random *random);

/* A number from 0 to n - 1, each as likely; n > 0. */
size_t hpm_random_below(struct hpm_random *random, size_t n);

/* Put n numbers into an order, each order as likely. */
void hpm_random_shuffle(struct hpm_random *random, size_t *numbers, size_t n);

#endif
