/* SPDX-License-Identifier: BSD-3-Clause
 * Quantiles of n > 0 values, none of them NAN. */
#ifndef HPM_STUDY_STATISTICS_QUANTILE_H
#define HPM_STUDY_STATISTICS_QUANTILE_H

#include <stddef.h>

/* Sort values, smallest first. */
void hpm_quantile_sort(double *values, size_t n);

/* The value below which this part of the sorted values is: 0 the smallest, 1
 * the largest, interpolated between two values (Hyndman and Fan's definition
 * 7). */
double hpm_quantile(const double *sorted, size_t n, double part);

/* The middle one of the sorted values; for an even number the mean of the two
 * middle ones. */
double hpm_quantile_median(const double *sorted, size_t n);

/* The 97.5 % quantile of Student's t with this number of degrees of freedom
 * (from 1 on), within 0.0001. */
double hpm_quantile_student(size_t freedom);

#endif
