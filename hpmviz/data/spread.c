/* SPDX-License-Identifier: BSD-3-Clause
 * How the values of a column are spread over its rows. */
#include "hpmviz/data/spread.h"

#include <math.h>

#include "study/statistics/quantile.h"

static void
count_verdicts(struct hpmviz_spread *spread, struct hpm_worst worst[2],
               const struct hpmviz_value *value, guint row)
{
    for (int i = 0; i < 2; i++) {
        enum hpm_verdict verdict = (enum hpm_verdict)value->verdicts[i];

        hpm_worst_add(&worst[i], verdict, value->excess[i], value->value, row);
        if (worst[i].verdict == HPM_VERDICT_BAD)
            spread->worst_at[i] = worst[i].who;
        spread->n_bad[i] += verdict == HPM_VERDICT_BAD;
        spread->n_good[i] += verdict == HPM_VERDICT_GOOD;
    }
}

static void
take_numbers(struct hpmviz_spread *spread, const struct hpm_summary *summary,
             double *values)
{
    hpm_quantile_sort(values, spread->n);
    spread->min = summary->min;
    spread->max = summary->max;
    spread->mean = summary->mean;
    spread->deviation = hpm_summary_deviation(summary);
    spread->min_at = summary->min_at;
    spread->max_at = summary->max_at;
    spread->low = hpm_quantile(values, spread->n, 0.05);
    spread->median = hpm_quantile_median(values, spread->n);
    spread->high = hpm_quantile(values, spread->n, 0.95);
    if (spread->min >= 0 && spread->mean > 0)
        spread->ratio = spread->max / spread->mean;
}

struct hpmviz_spread
hpmviz_spread_of(const struct hpmviz_sheet *sheet, guint column,
                 gboolean is_process)
{
    struct hpmviz_spread spread = {.min = NAN,
                                   .low = NAN,
                                   .median = NAN,
                                   .mean = NAN,
                                   .high = NAN,
                                   .max = NAN,
                                   .deviation = NAN,
                                   .ratio = NAN,
                                   .min_at = HPMVIZ_NONE,
                                   .max_at = HPMVIZ_NONE,
                                   .worst_at = {HPMVIZ_NONE, HPMVIZ_NONE}};
    struct hpm_summary summary = {0};
    struct hpm_worst worst[2] = {{0}, {0}};
    double *values = g_new(double, sheet->n_rows + 1);
    guint last = HPMVIZ_NONE; /* row; those of a task stand together */

    for (guint i = 0; i < sheet->n_rows; i++) {
        const struct hpmviz_value *value = hpmviz_sheet_value(sheet, i, column);

        if (hpmviz_sheet_is_process(sheet, i) != is_process)
            continue;
        spread.n_rows++;
        count_verdicts(&spread, worst, value, i);
        hpm_summary_add(&summary, value->value, i);
        if (isnan(value->value))
            continue;
        values[spread.n++] = value->value;
        if (last == HPMVIZ_NONE ||
            sheet->places[last].task != sheet->places[i].task)
            spread.n_tasks++;
        last = i;
    }
    if (spread.n > 0)
        take_numbers(&spread, &summary, values);
    g_free(values);
    return spread;
}
