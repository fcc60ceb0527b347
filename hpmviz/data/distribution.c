/* SPDX-License-Identifier: BSD-3-Clause
 * How values are distributed over places. */
#include "hpmviz/data/distribution.h"

#include <math.h>

struct pair {
    double value;
    guint row;
};

static int
compare(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static gboolean
is_whole_process(const struct hpmviz_sheet *sheet, guint row)
{
    return sheet->places[row].tid == -1;
}

static gboolean
has_threads(const struct hpmviz_sheet *sheet)
{
    for (guint i = 0; i < sheet->n_rows; i++) {
        if (!is_whole_process(sheet, i))
            return TRUE;
    }
    return FALSE;
}

/* The values in their order, with the rows that have them. */
static void
sort_rows(struct hpmviz_distribution *distribution)
{
    const struct hpmviz_sheet *sheet = distribution->sheet;
    g_autofree struct pair *pairs = g_new(struct pair, sheet->n_rows + 1);

    for (guint i = 0; i < sheet->n_rows; i++) {
        const struct hpmviz_value *value =
            hpmviz_sheet_value(sheet, i, distribution->column);

        distribution->ranks[i] = HPMVIZ_NONE;
        if (!hpmviz_distribution_has_row(distribution, i))
            continue;
        distribution->n_places++;
        if (!isfinite(value->value))
            continue;
        distribution->n_derived +=
            hpmviz_distribution_is_derived(distribution, i) ? 1 : 0;
        pairs[distribution->n++] = (struct pair){value->value, i};
    }
    qsort(pairs, distribution->n, sizeof *pairs, compare);
    for (guint i = 0; i < distribution->n; i++) {
        distribution->values[i] = pairs[i].value;
        distribution->rows[i] = pairs[i].row;
        distribution->ranks[pairs[i].row] = i;
    }
}

/* Their values cannot be told apart. */
static void
count_summed(struct hpmviz_distribution *distribution)
{
    const struct hpmviz_sheet *sheet = distribution->sheet;

    for (guint i = 0; i < sheet->n_rows; i++) {
        if (sheet->places[i].tid < 0 && !is_whole_process(sheet, i))
            distribution->n_summed += sheet->places[i].n_threads;
    }
}

static void
count_bins(struct hpmviz_distribution *distribution)
{
    distribution->histogram = hpm_histogram_of(
        distribution->values, distribution->n, HPMVIZ_MOST_BINS);
    distribution->counts = g_new0(guint, distribution->histogram.n_bins);
    for (guint i = 0; i < distribution->n; i++)
        distribution->counts[hpm_histogram_bin(&distribution->histogram,
                                               distribution->values[i])]++;
}

struct hpmviz_distribution *
hpmviz_distribution_new(const struct hpmviz_sheet *sheet, guint column)
{
    struct hpmviz_distribution *distribution =
        g_new0(struct hpmviz_distribution, 1);

    distribution->sheet = sheet;
    distribution->column = column;
    distribution->is_process = !has_threads(sheet);
    distribution->rows = g_new(guint, sheet->n_rows + 1);
    distribution->values = g_new(double, sheet->n_rows + 1);
    distribution->ranks = g_new(guint, sheet->n_rows + 1);
    sort_rows(distribution);
    count_summed(distribution);
    distribution->spread =
        hpmviz_spread_of(sheet, column, distribution->is_process);
    if (distribution->n > 0) {
        distribution->box = hpm_box_of(distribution->values, distribution->n);
        count_bins(distribution);
    }
    return distribution;
}

void
hpmviz_distribution_free(struct hpmviz_distribution *distribution)
{
    if (distribution == NULL)
        return;
    g_free(distribution->rows);
    g_free(distribution->values);
    g_free(distribution->ranks);
    g_free(distribution->counts);
    g_free(distribution);
}

/* ---- asking ---------------------------------------------------------- */

double
hpmviz_distribution_value(const struct hpmviz_distribution *distribution,
                          guint row)
{
    double value =
        hpmviz_sheet_value(distribution->sheet, row, distribution->column)
            ->value;

    return isfinite(value) ? value : NAN;
}

gboolean
hpmviz_distribution_has_row(const struct hpmviz_distribution *distribution,
                            guint row)
{
    return distribution->is_process ? is_whole_process(distribution->sheet, row)
                                    : distribution->sheet->places[row].tid >= 0;
}

guint
hpmviz_distribution_find(const struct hpmviz_distribution *distribution,
                         int task, int tid)
{
    const struct hpmviz_sheet *sheet = distribution->sheet;

    for (guint i = 0; i < sheet->n_rows; i++) {
        if (sheet->places[i].task == task && sheet->places[i].tid == tid &&
            hpmviz_distribution_has_row(distribution, i))
            return i;
    }
    return HPMVIZ_NONE;
}

gboolean
hpmviz_distribution_is_derived(const struct hpmviz_distribution *distribution,
                               guint row)
{
    const struct hpmviz_value *value =
        hpmviz_sheet_value(distribution->sheet, row, distribution->column);

    return value->state != HPM_STATE_COUNTED || value->is_partial;
}

double
hpmviz_distribution_oddness(const struct hpmviz_distribution *distribution,
                            guint row)
{
    return fabs(hpmviz_distribution_value(distribution, row) -
                distribution->box.median);
}

const char *
hpmviz_distribution_node(const struct hpmviz_distribution *distribution,
                         guint row)
{
    const struct hpm_study *study = distribution->sheet->survey->study;
    uint32_t task =
        hpm_study_find_task(study, distribution->sheet->places[row].task);

    return task != HPM_NO_INDEX ? study->tasks[task].machine.host : NULL;
}
