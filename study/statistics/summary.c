/* SPDX-License-Identifier: BSD-3-Clause
 * The spread of a value. */
#include "study/statistics/summary.h"

#include <math.h>
#include <stdbool.h>

void
hpm_summary_add(struct hpm_summary *summary, double value, uint32_t who)
{
    hpm_summary_add_many(summary, value, 1, who);
}

/* Welford's recurrence: values need not be kept. */
void
hpm_summary_add_many(struct hpm_summary *summary, double value, size_t n,
                     uint32_t who)
{
    double off = value - summary->mean;
    bool is_first = summary->n == 0;

    if (isnan(value))
        return;
    summary->n += n;
    summary->mean += (double)n * off / (double)summary->n;
    summary->squares += (double)n * off * (value - summary->mean);
    if (is_first || value < summary->min) {
        summary->min = value;
        summary->min_at = who;
    }
    if (is_first || value > summary->max) {
        summary->max = value;
        summary->max_at = who;
    }
}

void
hpm_summary_add_summary(struct hpm_summary *summary,
                        const struct hpm_summary *other)
{
    double n = (double)(summary->n + other->n);
    double off = other->mean - summary->mean;

    if (other->n == 0)
        return;
    if (summary->n == 0) {
        *summary = *other;
        return;
    }
    summary->squares +=
        other->squares + off * off * (double)summary->n * (double)other->n / n;
    summary->mean += off * (double)other->n / n;
    summary->n += other->n;
    if (other->min < summary->min) {
        summary->min = other->min;
        summary->min_at = other->min_at;
    }
    if (other->max > summary->max) {
        summary->max = other->max;
        summary->max_at = other->max_at;
    }
}

double
hpm_summary_deviation(const struct hpm_summary *summary)
{
    return summary->n > 0 ? sqrt(summary->squares / (double)summary->n) : NAN;
}

double
hpm_summary_sample_deviation(const struct hpm_summary *summary)
{
    return summary->n > 1 ? sqrt(summary->squares / (double)(summary->n - 1))
                          : NAN;
}

/* Never below 0: rounding may put the mean of equal values above the largest
 * one. */
double
hpm_summary_imbalance(const struct hpm_summary *summary)
{
    if (summary->n == 0 || summary->min < 0.0 || !(summary->max > 0.0))
        return NAN;
    return fmax(summary->max - summary->mean, 0.0) / summary->max;
}
