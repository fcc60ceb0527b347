/* SPDX-License-Identifier: BSD-3-Clause
 * How a value is spread. */
#include "study/survey/summary.h"

#include <math.h>

/* Welford's recurrence, so that the values need not be kept. */
void
hpm_summary_add(struct hpm_summary *summary, double value, uint32_t who)
{
    double off = value - summary->mean;

    if (isnan(value))
        return;
    summary->n++;
    summary->mean += off / (double)summary->n;
    summary->squares += off * (value - summary->mean);
    if (summary->n == 1 || value < summary->min) {
        summary->min = value;
        summary->min_at = who;
    }
    if (summary->n == 1 || value > summary->max) {
        summary->max = value;
        summary->max_at = who;
    }
}

double
hpm_summary_deviation(const struct hpm_summary *summary)
{
    return summary->n > 0 ? sqrt(summary->squares / (double)summary->n) : NAN;
}

/* Rounding may put the mean of equal values above the largest of them. */
double
hpm_summary_imbalance(const struct hpm_summary *summary)
{
    if (summary->n == 0 || summary->min < 0.0 || !(summary->max > 0.0))
        return NAN;
    return fmax(summary->max - summary->mean, 0.0) / summary->max;
}
