/* SPDX-License-Identifier: BSD-3-Clause
 * Bins of equal width for n > 0 sorted values, all finite. */
#ifndef HPM_STUDY_STATISTICS_HISTOGRAM_H
#define HPM_STUDY_STATISTICS_HISTOGRAM_H

#include <stddef.h>

/* Bin i holds the values from first + i * width to below first + (i + 1) *
 * width.  The width is 1, 2 or 5 times a power of ten, and edges are multiples
 * of the width, so that people can read them. */
struct hpm_histogram {
    double width;
    double first; /* lower edge of the first bin */
    size_t n_bins;
};

/* The smallest 1, 2 or 5 times a power of ten that is at least `width` > 0. */
double hpm_histogram_round(double width);

/* Choose bins by the rule of Freedman and Diaconis: at least as wide as twice the
 * distance of the quartiles divided by the cube root of n, and so wide that there
 * are at most `most` bins (2 or more).  Where more than half of the values are
 * equal, and the rule has no width, the range is divided by the square root of
 * n.  Equal values are in one bin. */
struct hpm_histogram hpm_histogram_of(const double *sorted, size_t n,
                                      size_t most);

/* The bin of a value between the smallest and the largest one. */
size_t hpm_histogram_bin(const struct hpm_histogram *histogram, double value);

/* The lower edge of a bin; of n_bins the upper edge of the last bin. */
double hpm_histogram_edge(const struct hpm_histogram *histogram, size_t bin);

#endif
