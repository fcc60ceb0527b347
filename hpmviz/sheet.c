/* SPDX-License-Identifier: BSD-3-Clause
 * The values of one section. */
#include "hpmviz/sheet.h"

#include <math.h>
#include <stdlib.h>

#include "report/format.h"
#include "report/line.h"
#include "report/shown.h"

/* ---- filling --------------------------------------------------------- */

struct filling {
    struct hpmviz_sheet *sheet;
    guint capacity;
};

static struct hpmviz_value
value_of(const struct hpm_quantity *quantity, const struct hpm_figure *figure)
{
    return (struct hpmviz_value){
        .value =
            hpm_quantity_to_shown(quantity, hpm_number_to_real(figure->value)),
        .state = figure->state,
        .verdict = figure->verdict,
        .is_present = figure->is_present,
        .is_partial = figure->is_partial,
        .is_doubtful = figure->is_doubtful,
        .reason = figure->reason,
        .cause = figure->cause,
        .culprit = figure->culprit,
    };
}

static void
add_row(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct filling *filling = owner;
    struct hpmviz_sheet *sheet = filling->sheet;
    const struct hpm_study *study = sheet->survey->study;
    const struct hpm_place *place =
        &study->places[hpm_study_row(study, row)->place];

    if (sheet->n_rows == filling->capacity) {
        filling->capacity = MAX(16, 2 * filling->capacity);
        sheet->places =
            g_renew(struct hpmviz_place, sheet->places, filling->capacity);
        sheet->values =
            g_renew(struct hpmviz_value, sheet->values,
                    (gsize)filling->capacity * MAX(1, sheet->n_columns));
    }
    sheet->places[sheet->n_rows] =
        (struct hpmviz_place){study->tasks[place->task].number, place->tid};
    for (guint i = 0; i < sheet->n_columns; i++)
        sheet->values[(gsize)sheet->n_rows * sheet->n_columns + i] = value_of(
            hpmviz_sheet_quantity(sheet, i), &figures[sheet->quantities[i]]);
    sheet->n_rows++;
}

struct hpmviz_sheet *
hpmviz_sheet_new(struct hpm_survey *survey, size_t subject)
{
    const struct hpm_subject *here = &survey->subjects[subject];
    struct hpmviz_sheet *sheet = g_new0(struct hpmviz_sheet, 1);
    struct filling filling = {sheet, 0};

    sheet->survey = survey;
    sheet->subject = subject;
    sheet->quantities = g_new(size_t, here->n_entries + 1);
    for (size_t i = 0; i < here->n_entries; i++)
        sheet->quantities[sheet->n_columns++] = here->entries[i].quantity;
    hpm_survey_visit_threads(survey, subject, add_row, &filling);
    return sheet;
}

void
hpmviz_sheet_free(struct hpmviz_sheet *sheet)
{
    if (sheet == NULL)
        return;
    g_free(sheet->places);
    g_free(sheet->quantities);
    g_free(sheet->values);
    g_free(sheet);
}

/* ---- asking ---------------------------------------------------------- */

const struct hpmviz_value *
hpmviz_sheet_value(const struct hpmviz_sheet *sheet, guint row, guint column)
{
    return &sheet->values[(gsize)row * sheet->n_columns + column];
}

const struct hpm_quantity *
hpmviz_sheet_quantity(const struct hpmviz_sheet *sheet, guint column)
{
    return &sheet->survey->quantities[sheet->quantities[column]];
}

gboolean
hpmviz_sheet_is_wanted(const struct hpmviz_sheet *sheet, guint column)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);

    if (quantity->kind != HPM_QUANTITY_COUNTER)
        return !quantity->is_hidden;
    for (guint i = 0; i < sheet->n_columns; i++) {
        if (hpmviz_sheet_quantity(sheet, i)->kind == HPM_QUANTITY_METRIC)
            return FALSE;
    }
    return !quantity->is_hidden;
}

static int
compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Between two values as the distance says. */
static double
quantile(const double *sorted, guint n, double part)
{
    double at = part * (n - 1);
    guint below = (guint)at;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

struct hpmviz_spread
hpmviz_sheet_spread(const struct hpmviz_sheet *sheet, guint column)
{
    struct hpmviz_spread spread = {.n = 0};
    struct hpm_summary summary = {0};
    double *sorted = g_new(double, sheet->n_rows + 1);

    for (guint i = 0; i < sheet->n_rows; i++) {
        const struct hpmviz_value *value = hpmviz_sheet_value(sheet, i, column);

        spread.n_bad += value->verdict == HPM_VERDICT_BAD;
        spread.n_good += value->verdict == HPM_VERDICT_GOOD;
        hpm_summary_add(&summary, value->value, i);
        if (!isnan(value->value))
            sorted[spread.n++] = value->value;
    }
    if (spread.n > 0) {
        qsort(sorted, spread.n, sizeof *sorted, compare_reals);
        spread.min = summary.min;
        spread.max = summary.max;
        spread.mean = summary.mean;
        spread.deviation = hpm_summary_deviation(&summary);
        spread.min_at = summary.min_at;
        spread.max_at = summary.max_at;
        spread.low = quantile(sorted, spread.n, 0.05);
        spread.median = quantile(sorted, spread.n, 0.5);
        spread.high = quantile(sorted, spread.n, 0.95);
    }
    g_free(sorted);
    return spread;
}

/* ---- texts ----------------------------------------------------------- */

static gboolean
is_whole(const struct hpm_quantity *quantity, double value)
{
    return quantity->kind == HPM_QUANTITY_CALLS ||
           (quantity->kind == HPM_QUANTITY_COUNTER && value == floor(value) &&
            value >= 0 && value < 1e18);
}

void
hpmviz_sheet_add_text(const struct hpmviz_sheet *sheet, guint column,
                      const struct hpmviz_value *value,
                      struct hpm_string *string)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);

    if (!value->is_present) {
        hpm_string_add(string, "-");
    } else if (isnan(value->value)) {
        hpm_string_add(string, "n/a");
    } else {
        hpm_string_add(string, value->is_partial ? "~" : "");
        if (is_whole(quantity, value->value))
            hpm_string_add_grouped(string, (uint64_t)value->value);
        else
            hpm_string_add_fixed(string, value->value,
                                 quantity->kind == HPM_QUANTITY_EXCLUSIVE ||
                                         quantity->kind ==
                                             HPM_QUANTITY_INCLUSIVE
                                     ? 6
                                     : 3);
        hpm_string_add(string, value->is_doubtful ? " ?" : "");
    }
}

static void
add_limit(struct hpm_string *string, const char *word,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(string, "%s %s ", word,
                          limit->is_above ? "above" : "below");
    hpm_string_add_real(string, limit->value);
    hpm_string_add(string, "\n");
}

static void
add_limits(const struct hpmviz_sheet *sheet,
           const struct hpm_quantity *quantity, enum hpm_precision precision,
           struct hpm_string *string)
{
    const struct hpm_survey *survey = sheet->survey;

    for (size_t i = 0; i < survey->n_machines; i++) {
        const struct hpm_metrics *metrics = survey->machines[i].library.metrics;

        if (quantity->metrics[i] == HPM_NO_METRIC)
            continue;
        add_limit(
            string, "bad",
            &metrics->metrics[quantity->metrics[i]].limits[precision].bad);
        add_limit(
            string, "good",
            &metrics->metrics[quantity->metrics[i]].limits[precision].good);
        return;
    }
}

void
hpmviz_sheet_add_explanation(const struct hpmviz_sheet *sheet, guint column,
                             const struct hpmviz_value *value,
                             enum hpm_precision precision,
                             struct hpm_string *string)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);
    struct hpm_figure figure = {.is_present = value->is_present,
                                .state = value->state,
                                .reason = value->reason,
                                .cause = value->cause,
                                .culprit = value->culprit,
                                .share = {.kind = HPM_NUMBER_NONE}};

    hpm_string_add_format(string, "%s: ", quantity->name);
    hpmviz_sheet_add_text(sheet, column, value, string);
    hpm_string_add_format(string, " %s", hpm_shown_unit(quantity));
    if (value->verdict != HPM_VERDICT_NONE)
        hpm_string_add_format(string, " (%s)",
                              hpm_verdict_name(value->verdict));
    hpm_string_add(string, "\n");
    if (quantity->description != NULL)
        hpm_string_add_format(string, "%s\n", quantity->description);
    add_limits(sheet, quantity, precision, string);
    if (isnan(value->value)) {
        hpm_shown_add_reason(string, &figure);
        hpm_string_add(string, "\n");
    } else {
        hpm_string_add_format(string, "%s\n", hpm_state_name(value->state));
    }
}

void
hpmviz_sheet_add_csv(const struct hpmviz_sheet *sheet,
                     struct hpm_string *string)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "task", NULL, 0);
    hpm_table_add_column(&table, "thread", NULL, 0);
    for (guint i = 0; i < sheet->n_columns; i++)
        hpm_table_add_column(&table, hpmviz_sheet_quantity(sheet, i)->name,
                             NULL, 3);
    for (guint i = 0; i < sheet->n_rows; i++) {
        hpm_table_add_integer(&table, sheet->places[i].task);
        hpm_table_add_integer(&table, sheet->places[i].tid);
        for (guint j = 0; j < sheet->n_columns; j++)
            hpm_table_add_real(&table, hpmviz_sheet_value(sheet, i, j)->value);
    }
    hpm_csv_add_table(string, &table);
    string->failed = string->failed || table.failed;
    hpm_table_clear(&table);
}
