/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the calls of a section. */
#include "study/analysis/callvalues.h"

#include <math.h>
#include <stdlib.h>

#include "host/memory.h"
#include "study/inference/bootstrap.h"
#include "study/statistics/quantile.h"

/* ---- the calls of a column --------------------------------------------- */

static int
compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* Of equal values the earlier call first, so that the order is one. */
static int
compare_values(const void *first, const void *second)
{
    const struct hpm_callvalue *a = first, *b = second;
    int order = compare(a->value, b->value);

    return order != 0 ? order : compare(a->begin, b->begin);
}

static int
compare_begins(const void *first, const void *second)
{
    const struct hpm_callvalue *a = first, *b = second;
    int order = compare(a->begin, b->begin);

    return order != 0 ? order : compare(a->value, b->value);
}

bool
hpm_callvalues_init(struct hpm_callvalues *values,
                    const struct hpm_points *points)
{
    *values = (struct hpm_callvalues){
        .points = points,
        .all = hpm_memory_new(points->n + 1, sizeof *values->all)};
    return values->all != NULL;
}

void
hpm_callvalues_clear(struct hpm_callvalues *values)
{
    hpm_memory_free(values->all);
    *values = (struct hpm_callvalues){0};
}

static double
weight_of(const struct hpm_points *points, size_t point)
{
    const struct hpm_study_kept *draw =
        hpm_callstudy_draw(points->calls, points->all[point].place);

    return hpm_number_to_real(draw->n_made) / (double)draw->n;
}

void
hpm_callvalues_take(struct hpm_callvalues *values,
                    const struct hpm_points_column *column)
{
    values->column = column;
    values->n = 0;
    values->weight = 0.0;
    for (size_t i = 0; i < values->points->n; i++) {
        struct hpm_callvalue call = {column->values[i],
                                     weight_of(values->points, i),
                                     values->points->all[i].begin, i};

        if (isnan(call.value))
            continue;
        values->all[values->n++] = call;
        values->weight += call.weight;
    }
    qsort(values->all, values->n, sizeof *values->all, compare_values);
}

double
hpm_callvalues_quantile(const struct hpm_callvalues *values, double part)
{
    double sum = 0.0;

    for (size_t i = 0; i < values->n; i++) {
        sum += values->all[i].weight;
        if (sum >= part * values->weight * (1.0 - 1e-12))
            return values->all[i].value;
    }
    return values->all[values->n - 1].value;
}

double
hpm_callvalues_mean(const struct hpm_callvalues *values)
{
    double sum = 0.0;

    for (size_t i = 0; i < values->n; i++)
        sum += values->all[i].value * values->all[i].weight;
    return sum / values->weight;
}

/* ---- drift ------------------------------------------------------------- */

/* More of a third would not make its median known much better. */
enum { MOST_OF_THIRD = 2000 };

/* Of a third of the calls some that stand evenly in it. */
static size_t
take_third(const struct hpm_callvalue *calls, size_t n, double *room)
{
    size_t n_taken = n < MOST_OF_THIRD ? n : MOST_OF_THIRD;

    for (size_t i = 0; i < n_taken; i++)
        room[i] = calls[i * n / n_taken].value;
    return n_taken;
}

bool
hpm_callvalues_drift(struct hpm_callvalues *values,
                     struct hpm_calldrift *ret_drift)
{
    size_t third = values->n / 3;
    double *room =
        hpm_memory_new(4 * MOST_OF_THIRD + HPM_BOOTSTRAP_TIMES, sizeof *room);
    struct hpm_bootstrap_pair pair = {.a = room, .b = room + MOST_OF_THIRD};
    double *rest = room + 2 * MOST_OF_THIRD;

    *ret_drift = (struct hpm_calldrift){NAN, NAN, NAN, NAN, NAN};
    if (room == NULL)
        return false;
    qsort(values->all, values->n, sizeof *values->all, compare_begins);
    pair.n_a = take_third(values->all, third, room);
    pair.n_b = take_third(values->all + values->n - third, third,
                          room + MOST_OF_THIRD);
    hpm_bootstrap_ratio(&pair, 1, rest, &ret_drift->low, &ret_drift->high);
    if (isfinite(ret_drift->low)) {
        hpm_quantile_sort(room, pair.n_a);
        hpm_quantile_sort(room + MOST_OF_THIRD, pair.n_b);
        ret_drift->first = hpm_quantile_median(room, pair.n_a);
        ret_drift->last = hpm_quantile_median(room + MOST_OF_THIRD, pair.n_b);
        ret_drift->ratio = ret_drift->last / ret_drift->first;
    }
    hpm_memory_free(room);
    return true;
}

/* ---- the histogram ------------------------------------------------------ */

bool
hpm_callvalues_has_bins(const struct hpm_callvalues *values)
{
    return values->n >= HPM_CALLBINS_LEAST &&
           hpm_callvalues_quantile(values, 0.99) >
               hpm_callvalues_quantile(values, 0.01);
}

/* Few calls far from the others have bins of their own: the equal ones are between
 * the quantiles of 1 and 99 in 100. */
void
hpm_callvalues_bins(const struct hpm_callvalues *values,
                    struct hpm_callbins *ret_bins)
{
    double high = hpm_callvalues_quantile(values, 0.99);

    *ret_bins =
        (struct hpm_callbins){.low = hpm_callvalues_quantile(values, 0.01)};
    ret_bins->width = (high - ret_bins->low) / HPM_CALLBINS;
    for (size_t i = 0; i < values->n; i++) {
        double value = values->all[i].value;
        double place = floor((value - ret_bins->low) / ret_bins->width);
        size_t bin = value < ret_bins->low  ? 0
                     : value > high         ? HPM_CALLBINS + 1
                     : place < HPM_CALLBINS ? 1 + (size_t)place
                                            : HPM_CALLBINS;

        ret_bins->weights[bin] += values->all[i].weight;
    }
}

double
hpm_callbins_edge(const struct hpm_callbins *bins, size_t bin)
{
    return bins->low + bins->width * ((double)bin - 1.0);
}
