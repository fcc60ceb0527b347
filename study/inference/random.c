/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers that depend only on a seed. */
#include "study/inference/random.h"

uint64_t
hpm_random_next(struct hpm_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Draw from a range whose size is a multiple of n, so that all results have the
 * same probability. */
size_t
hpm_random_below(struct hpm_random *random, size_t n)
{
    uint64_t rest = (UINT64_MAX % n + 1) % n, drawn;

    do
        drawn = hpm_random_next(random);
    while (drawn > UINT64_MAX - rest);
    return (size_t)(drawn % n);
}

void
hpm_random_shuffle(struct hpm_random *random, size_t *numbers, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = hpm_random_below(random, i), last = numbers[i - 1];

        numbers[i - 1] = numbers[j];
        numbers[j] = last;
    }
}
