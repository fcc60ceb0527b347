/* SPDX-License-Identifier: BSD-3-Clause
 * What was counted by chance, as samples are, and how well it is known. */
#ifndef HPM_STUDY_STATISTICS_POISSON_H
#define HPM_STUDY_STATISTICS_POISSON_H

#include <stdint.h>

/* Where the number that was to be expected lies with 95 %, when `n` were counted: those
 * from which n is no further than 1.96 of their standard deviations, which holds
 * for small numbers as well. */
void hpm_poisson_interval(uint64_t n, double *ret_low, double *ret_high);

/* Where b * scale_b - a * scale_a lies with 95 %, from the intervals of both: by the
 * distance of each from its count, squared and added (G. Y. Zou, A. Donner,
 * Statistics in Medicine 27, 2008, p. 1693). */
void hpm_poisson_difference(uint64_t a, double scale_a, uint64_t b,
                            double scale_b, double *ret_low, double *ret_high);

#endif
