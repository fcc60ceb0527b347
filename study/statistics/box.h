/* SPDX-License-Identifier: BSD-3-Clause
 * The box plot of n > 0 sorted values, none of them NAN. */
#ifndef HPM_STUDY_STATISTICS_BOX_H
#define HPM_STUDY_STATISTICS_BOX_H

#include <stddef.h>

/* Tukey's box: from the lower to the upper quartile (hpm_quantile); the whiskers
 * end at the last values that are at most 1.5 heights of the box away from the
 * box.  Values beyond the whiskers are drawn one by one. */
struct hpm_box {
    double lower, median, upper; /* quartiles */
    double low, high;            /* ends of the whiskers */
    size_t n_below, n_above;     /* values beyond the whiskers */
};

struct hpm_box hpm_box_of(const double *sorted, size_t n);

#endif
