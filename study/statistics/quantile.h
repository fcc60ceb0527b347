/* SPDX-License-Identifier: BSD-3-Clause
 * Quantiles of n > 0 values, none of them NAN. */
#ifndef HPM_STUDY_STATISTICS_QUANTILE_H
#define HPM_STUDY_STATISTICS_QUANTILE_H

#include <stddef.h>

/* The smallest first. */
void hpm_quantile_sort(double *values, size_t n);

/* The value below which that part of the sorted values lies: 0 the smallest, 1
 * the largest, between two of them as the distance says (Hyndman and Fan's
 * definition 7). */
double hpm_quantile(const double *sorted, size_t n, double part);

/* The value in the middle of the sorted ones; of an even number the average of
 * the two in the middle. */
double hpm_quantile_median(const double *sorted, size_t n);

/* The 97.5 % quantile of Student's t with so many degrees of freedom (1 and
 * more), within 0.0001. */
double hpm_quantile_student(size_t freedom);

#endif
