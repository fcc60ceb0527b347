/* SPDX-License-Identifier: BSD-3-Clause
 * The mean time, over runs, of the slowest of several threads. */
#include "study/metric/slowest.h"

#include <math.h>
#include <string.h>

static const double noticeable = 0.05;

static uint32_t
column_of(const struct hpm_study *study, enum hpm_span span)
{
    const char *name = span == HPM_SPAN_EXCLUSIVE ? "ExcSec" : "IncSec";

    return hpm_study_find_named(study, name);
}

static double
number_of(const struct hpm_study *study, uint32_t row, uint32_t column,
          enum hpm_field field)
{
    return hpm_number_to_real(hpm_study_number(study, row, column, field));
}

/* A mean that does not tell the spread of its runs may be a mean of any
 * runs. */
void
hpm_slowest_add_row(struct hpm_slowest *slowest, const struct hpm_study *study,
                    uint32_t row, enum hpm_span span)
{
    uint32_t column = column_of(study, span);
    double value, deviation = 0.0, least, most;

    if (column == HPM_NO_INDEX || study->kind == HPM_STUDY_DIFF)
        return;
    value = least = most = number_of(study, row, column, HPM_FIELD_VALUE);
    if (isnan(value))
        return;
    if (number_of(study, row, column, HPM_FIELD_RUNS) > 1.0) {
        deviation = number_of(study, row, column, HPM_FIELD_DEV);
        least = number_of(study, row, column, HPM_FIELD_MIN);
        most = number_of(study, row, column, HPM_FIELD_MAX);
    }
    slowest->total += value;
    slowest->longest += value;
    slowest->least += isnan(least) ? 0.0 : least;
    slowest->deviation += isnan(deviation) ? INFINITY : deviation;
    slowest->most += isnan(most) ? INFINITY : most;
    slowest->n = 1;
}

void
hpm_slowest_add(struct hpm_slowest *slowest, const struct hpm_slowest *others)
{
    bool is_longer = others->longest > slowest->longest;
    double most = is_longer ? slowest->most : others->most;

    slowest->others = fmax(most, fmax(slowest->others, others->others));
    if (is_longer) {
        slowest->longest = others->longest;
        slowest->least = others->least;
    }
    slowest->total += others->total;
    slowest->deviation = sqrt(slowest->deviation * slowest->deviation +
                              others->deviation * others->deviation);
    slowest->most = fmax(slowest->most, others->most);
    slowest->n += others->n;
}

/* The mean of a maximum is at most: the largest maximum; the sum of the means;
 * the largest mean plus sqrt((n - 1) / n) times the root of the sum of the
 * variances (Aven 1985); and the largest mean plus the longest time by which
 * another thread may have been slower in a run. */
bool
hpm_slowest_may_differ(const struct hpm_slowest *slowest)
{
    double n = (double)slowest->n, bound;

    if (slowest->n < 2)
        return false;
    bound = slowest->longest + sqrt((n - 1.0) / n) * slowest->deviation;
    bound = fmin(bound, slowest->longest +
                            fmax(slowest->others - slowest->least, 0.0));
    bound = fmin(bound, fmin(slowest->most, slowest->total));
    return bound > (1.0 + noticeable) * slowest->longest;
}
