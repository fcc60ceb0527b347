/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers that depend only on a seed: SplitMix64 (Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", 2014). */
#ifndef HPM_STUDY_INFERENCE_RANDOM_H
#define HPM_STUDY_INFERENCE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The state; it starts as the seed. */
struct hpm_random {
    uint64_t state;
};

/* 64 random bits. */
uint64_t hpm_random_next(struct hpm_random *random);

/* A number from 0 to n - 1, all with the same probability; n > 0. */
size_t hpm_random_below(struct hpm_random *random, size_t n);

/* Shuffle n numbers; each order has the same probability. */
void hpm_random_shuffle(struct hpm_random *random, size_t *numbers, size_t n);

#endif
