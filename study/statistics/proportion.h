/* SPDX-License-Identifier: BSD-3-Clause
 * A part of things that were counted, and how well it is known. */
#ifndef HPM_STUDY_STATISTICS_PROPORTION_H
#define HPM_STUDY_STATISTICS_PROPORTION_H

#include <stdint.h>

/* Where the true part lies with 95 %, when `n` of `n_all` > 0 were found: by Wilson's
 * interval (E. B. Wilson, Journal of the American Statistical Association 22,
 * 1927, p. 209), which holds for small numbers as well, and is within 0 to 1. */
void hpm_proportion_interval(uint64_t n, uint64_t n_all, double *ret_low,
                             double *ret_high);

#endif
