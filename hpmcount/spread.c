/* SPDX-License-Identifier: BSD-3-Clause
 * How values of several runs spread. */
#include "hpmcount/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/columns/combine.h"

double
spread_student(size_t freedom)
{
    static const double quantiles[] = {
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
        2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
        2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
        2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    const double z = 1.959964; /* of the normal distribution */
    double v = (double)freedom;

    if (freedom <= sizeof quantiles / sizeof quantiles[0])
        return quantiles[freedom - 1];
    /* Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5 */
    return z + (pow(z, 3) + z) / (4.0 * v) +
           (5.0 * pow(z, 5) + 16.0 * pow(z, 3) + 3.0 * z) / (96.0 * v * v);
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts them. */
static double
median_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return n % 2 == 1 ? values[n / 2]
                      : (values[n / 2 - 1] + values[n / 2]) / 2.0;
}

/* By the code that hpm mean has: who compares both finds the same. */
static bool
find_mean(struct spread *spread, const struct hpm_number *values,
          double divisor)
{
    struct hpm_combine_input *inputs =
        hpm_memory_new(spread->n, sizeof *inputs);
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
        half = spread_student(spread->n - 1) * spread->deviation / sqrt(n);
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
    struct hpm_combine_weighted middle[2] = {{.weight = 1}, {.weight = 1}};

    if (sorted == NULL)
        return false;
    memcpy(sorted, values, spread->n * sizeof *sorted);
    qsort(sorted, spread->n, sizeof *sorted, compare_numbers);
    middle[0].number = sorted[spread->n % 2 == 1 ? half : half - 1];
    middle[1].number = sorted[half];
    spread->exact_median = hpm_combine_average(middle, 2);
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
    unit = median_of(room, spread->n) / 0.6745;
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
    spread.median = median_of(room, n);
    spread.minimum = room[0];
    spread.maximum = room[n - 1];
    mark_outliers(&spread, is_outlier, values, divisor, room);
    hpm_memory_free(room);
    if (!find_mean(&spread, values, divisor) || !find_median(&spread, values))
        return false;
    *ret_spread = spread;
    return true;
}
