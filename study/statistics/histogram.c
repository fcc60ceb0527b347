/* SPDX-License-Identifier: BSD-3-Clause
 * Bins of a histogram: D. Freedman, P. Diaconis, On the histogram as a density
 * estimator, Zeitschrift fuer Wahrscheinlichkeitstheorie 57, 1981. */
#include "study/statistics/histogram.h"

#include <float.h>
#include <math.h>

#include "study/statistics/quantile.h"

double
hpm_histogram_round(double width)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(width)));

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        /* a width that is one of the steps but for rounding stays */
        if (steps[i] * power >= width * (1 - 1e-9))
            return steps[i] * power;
    }
    return 10 * power;
}

static double
width_of(const double *sorted, size_t n, size_t most)
{
    double range = sorted[n - 1] - sorted[0];
    double quartiles =
        hpm_quantile(sorted, n, 0.75) - hpm_quantile(sorted, n, 0.25);
    double width = quartiles > 0 ? 2 * quartiles / cbrt((double)n)
                                 : range / sqrt((double)n);

    return fmax(width, range / (double)most);
}

/* Where edges are multiples of the width, the values may reach into one bin more
 * than the range has widths. */
static struct hpm_histogram
cover(double least, double largest, double width)
{
    struct hpm_histogram histogram = {.width = width};
    double first = floor(least / width);

    histogram.first = first * width;
    histogram.n_bins = (size_t)(floor(largest / width) - first) + 1;
    return histogram;
}

struct hpm_histogram
hpm_histogram_of(const double *sorted, size_t n, size_t most)
{
    double least = sorted[0], largest = sorted[n - 1];
    double size = fmax(fabs(least), fabs(largest));
    struct hpm_histogram histogram;
    double width;

    /* too near to each other for edges between them, or too far apart */
    if (!(largest - least > size * 1e-12) || size < DBL_MIN * 1e20 ||
        size > DBL_MAX / 1e20)
        return (struct hpm_histogram){size > 0 ? size : 1, least, 1};
    width = hpm_histogram_round(width_of(sorted, n, most));
    histogram = cover(least, largest, width);
    while (histogram.n_bins > most) {
        width = hpm_histogram_round(1.5 * width);
        histogram = cover(least, largest, width);
    }
    return histogram;
}

size_t
hpm_histogram_bin(const struct hpm_histogram *histogram, double value)
{
    double at = floor((value - histogram->first) / histogram->width);

    while (at + 1 < (double)histogram->n_bins &&
           value >= hpm_histogram_edge(histogram, (size_t)fmax(at, 0) + 1))
        at++;
    while (at > 0 && value < hpm_histogram_edge(histogram, (size_t)at))
        at--;
    if (!(at > 0))
        return 0;
    return at < (double)histogram->n_bins ? (size_t)at : histogram->n_bins - 1;
}

double
hpm_histogram_edge(const struct hpm_histogram *histogram, size_t bin)
{
    return histogram->first + (double)bin * histogram->width;
}
