/* SPDX-License-Identifier: BSD-3-Clause
 * How well a random count, such as a number of samples, is known. */
#ifndef HPM_STUDY_STATISTICS_POISSON_H
#define HPM_STUDY_STATISTICS_POISSON_H

#include <stdint.h>

/* The 95 % interval of the expected number, when `n` were counted: all numbers
 * from which n is at most 1.96 of their standard deviations away.  Also valid
 * for small n. */
void hpm_poisson_interval(uint64_t n, double *ret_low, double *ret_high);

/* The 95 % interval of b * scale_b - a * scale_a, from the intervals of both:
 * the distances of each from its count are squared and added (G.  Y.  Zou, A.
 * Donner, Statistics in Medicine 27, 2008, p. 1693). */
void hpm_poisson_difference(uint64_t a, double scale_a, uint64_t b,
                            double scale_b, double *ret_low, double *ret_high);

#endif
