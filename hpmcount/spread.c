/* SPDX-License-Identifier: BSD-3-Clause
 * The spread of values over several runs. */
#include "hpmcount/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/columns/average.h"
#include "study/columns/combine.h"
#include "study/statistics/quantile.h"

/* Uses the code of hpm mean, so that both give the same values. */
static bool
find_mean(struct spread *spread, const struct hpm_number *values,
          double divisor)
{
    struct hpm_operand *inputs = hpm_memory_new(spread->n, sizeof *inputs);
    double n = (double)spread->n, half;
    struct hpm_datum datum;

    if (inputs == NULL)
        return false;
    for (size_t i = 0; i < spread->n; i++) {
        inputs[i].datum.numbers[HPM_FIELD_VALUE] = values[i];
        inputs[i].n_calls = NAN;
    }
    hpm_combine_mean(inputs, spread->n, false, &datum);
    hpm_memory_free(inputs);
    spread->exact_mean = datum.numbers[HPM_FIELD_VALUE];
    spread->exact_minimum = datum.numbers[HPM_FIELD_MIN];
    spread->exact_maximum = datum.numbers[HPM_FIELD_MAX];
    spread->mean = hpm_number_to_real(datum.numbers[HPM_FIELD_VALUE]) / divisor;
    spread->deviation =
        hpm_number_to_real(datum.numbers[HPM_FIELD_DEV]) / divisor;
    spread->low = spread->high = NAN;
    if (spread->n > 1) {
        half =
            hpm_quantile_student(spread->n - 1) * spread->deviation / sqrt(n);
        spread->low = spread->mean - half;
        spread->high = spread->mean + half;
    }
    return true;
}

static int
compare_numbers(const void *a, const void *b)
{
    return hpm_number_compare(*(const struct hpm_number *)a,
                              *(const struct hpm_number *)b);
}

static bool
find_median(struct spread *spread, const struct hpm_number *values)
{
    struct hpm_number *sorted = hpm_memory_new(spread->n, sizeof *sorted);
    size_t half = spread->n / 2;
    struct hpm_weighted middle[2] = {{.weight = 1}, {.weight = 1}};

    if (sorted == NULL)
        return false;
    memcpy(sorted, values, spread->n * sizeof *sorted);
    qsort(sorted, spread->n, sizeof *sorted, compare_numbers);
    middle[0].number = sorted[spread->n % 2 == 1 ? half : half - 1];
    middle[1].number = sorted[half];
    spread->exact_median = hpm_average_of(middle, 2);
    hpm_memory_free(sorted);
    return true;
}

static void
mark_outliers(const struct spread *spread, bool *is_outlier,
              const struct hpm_number *values, double divisor, double *room)
{
    double sum = 0.0, unit;

    for (size_t i = 0; i < spread->n; i++) {
        room[i] =
            fabs(hpm_number_to_real(values[i]) / divisor - spread->median);
        sum += room[i];
        is_outlier[i] = false;
    }
    if (spread->n < SPREAD_OUTLIERS_FROM)
        return;
    hpm_quantile_sort(room, spread->n);
    unit = hpm_quantile_median(room, spread->n) / 0.6745;
    if (unit <= 0.0)
        unit = 1.253314 * sum / (double)spread->n;
    for (size_t i = 0; i < spread->n && unit > 0.0; i++)
        is_outlier[i] =
            fabs(hpm_number_to_real(values[i]) / divisor - spread->median) /
                unit >
            3.5;
}

bool
spread_find(struct spread *ret_spread, bool *is_outlier,
            const struct hpm_number *values, double divisor, size_t n)
{
    double *room = hpm_memory_new(n, sizeof *room);
    struct spread spread = {.n = n};

    if (room == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        room[i] = hpm_number_to_real(values[i]) / divisor;
    hpm_quantile_sort(room, n);
    spread.median = hpm_quantile_median(room, n);
    spread.minimum = room[0];
    spread.maximum = room[n - 1];
    mark_outliers(&spread, is_outlier, values, divisor, room);
    hpm_memory_free(room);
    if (!find_mean(&spread, values, divisor) || !find_median(&spread, values))
        return false;
    *ret_spread = spread;
    return true;
}
