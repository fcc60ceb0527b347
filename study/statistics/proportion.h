/* SPDX-License-Identifier: BSD-3-Clause
 * How well a counted proportion is known. */
#ifndef HPM_STUDY_STATISTICS_PROPORTION_H
#define HPM_STUDY_STATISTICS_PROPORTION_H

#include <stdint.h>

/* The 95 % interval of the true proportion, when `n` of `n_all` > 0 were found:
 * Wilson's interval (E.  B.  Wilson, Journal of the American Statistical
 * Association 22, 1927, p. 209), also valid for small numbers, and always
 * within 0 to 1. */
void hpm_proportion_interval(uint64_t n, uint64_t n_all, double *ret_low,
                             double *ret_high);

#endif
