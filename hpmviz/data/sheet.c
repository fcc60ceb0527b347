/* SPDX-License-Identifier: BSD-3-Clause
 * The values of one section. */
#include "hpmviz/data/sheet.h"

#include <math.h>

#include "study/report/line.h"

/* ---- filling --------------------------------------------------------- */

static double
shown(const struct hpm_quantity *quantity, struct hpm_number number)
{
    return hpm_quantity_to_shown(quantity, hpm_number_to_real(number));
}

static guint32
runs_of(const struct hpm_figure *figure)
{
    int64_t n = 0;

    hpm_number_to_integer(figure->runs, 0, INT32_MAX, &n);
    return (guint32)n;
}

struct hpmviz_value
hpmviz_value_of(const struct hpm_quantity *quantity,
                const struct hpm_figure *figure)
{
    return (struct hpmviz_value){
        .value = shown(quantity, figure->value),
        .own = shown(quantity, figure->exclusive),
        .base = shown(quantity, figure->base),
        .reason = figure->reason,
        .culprit = figure->culprit,
        .share = (float)hpm_number_to_real(figure->share),
        .error = (float)shown(quantity, figure->error),
        .only_exclusive = (float)figure->only_exclusive,
        .run_dev = shown(quantity, figure->run_dev),
        .run_min = shown(quantity, figure->run_min),
        .run_max = shown(quantity, figure->run_max),
        .excess = {figure->excess[0], figure->excess[1]},
        .n_runs = runs_of(figure),
        .is_run_bound = figure->is_run_bound,
        .n_missing = (guint32)figure->n_missing,
        .n_records = (guint32)figure->n_records,
        .state = (guint8)figure->state,
        .cause = (guint8)figure->cause,
        .privilege = (guint8)figure->privilege,
        .verdicts = {(guint8)figure->verdicts[0], (guint8)figure->verdicts[1]},
        .is_present = figure->is_present,
        .is_partial = figure->is_partial,
        .doubt = (guint8)figure->doubt,
    };
}

enum hpm_side
hpmviz_side_of(unsigned flags)
{
    if (flags & HPM_ROW_SIDE_A)
        return HPM_SIDE_A;
    return flags & HPM_ROW_SIDE_B ? HPM_SIDE_B : HPM_SIDE_BOTH;
}

/* The side that alone has all rows of a thread, beginning with the one at
 * sheet->at, for threads stand one behind the other. */
static enum hpm_side
side_of(struct hpmviz_sheet *sheet, uint32_t first)
{
    const struct hpm_survey *survey = sheet->survey;
    const struct hpm_study *study = survey->study;
    const struct hpm_subject *subject = &survey->subjects[sheet->subject];
    const uint32_t *rows = &survey->rows[subject->first];
    uint32_t place = hpm_study_row(study, first)->place;
    unsigned sides = HPM_ROW_SIDE_A | HPM_ROW_SIDE_B;

    while (sheet->at < subject->count && rows[sheet->at] != first)
        sheet->at++;
    for (size_t i = sheet->at; i < subject->count; i++) {
        const struct hpm_row *row = hpm_study_row(study, rows[i]);

        if (row->place != place)
            break;
        sides &= row->flags;
    }
    return hpmviz_side_of(sheet->at < subject->count ? sides : 0);
}

static void
add_row(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct hpmviz_sheet *sheet = owner;
    const struct hpm_study *study = sheet->survey->study;
    const struct hpm_study_place *place = hpm_study_place_of(study, row);

    if (sheet->n_rows == sheet->capacity) {
        sheet->capacity = MAX(16, 2 * sheet->capacity);
        sheet->places =
            g_renew(struct hpmviz_place, sheet->places, sheet->capacity);
        sheet->values =
            g_renew(struct hpmviz_value, sheet->values,
                    (gsize)sheet->capacity * MAX(1, sheet->n_columns));
    }
    sheet->places[sheet->n_rows] = (struct hpmviz_place){
        study->tasks[place->task].number, place->tid, side_of(sheet, row),
        hpm_study_n_threads(study, row)};
    for (guint i = 0; i < sheet->n_columns; i++)
        sheet->values[(gsize)sheet->n_rows * sheet->n_columns + i] =
            hpmviz_value_of(hpmviz_sheet_quantity(sheet, i),
                            &figures[sheet->quantities[i]]);
    sheet->n_rows++;
}

/* Where in the row a quantity stands: times, what is judged, other metrics,
 * counts; 4 places. */
static int
rank_of(const struct hpm_survey *survey, const struct hpm_quantity *quantity)
{
    if (quantity->kind == HPM_QUANTITY_COUNTER)
        return 3;
    if (quantity->kind != HPM_QUANTITY_METRIC)
        return quantity->kind == HPM_QUANTITY_RECORDED ? 1 : 0;
    for (size_t i = 0; i < survey->n_machines; i++) {
        const struct hpm_metrics *metrics = survey->machines[i].library.metrics;
        size_t metric = quantity->metrics[i];

        if (metric != HPM_NO_METRIC &&
            (metrics->metrics[metric].limits[0].bad.is_given ||
             metrics->metrics[metric].limits[1].bad.is_given))
            return 1;
    }
    return 2;
}

static void
list_columns(struct hpmviz_sheet *sheet)
{
    const struct hpm_survey *survey = sheet->survey;
    const struct hpm_subject *here = &survey->subjects[sheet->subject];

    sheet->quantities = g_new(size_t, here->n_entries + 1);
    for (int rank = 0; rank < 4; rank++) {
        for (size_t i = 0; i < here->n_entries; i++) {
            size_t quantity = here->entries[i].quantity;

            if (rank_of(survey, &survey->quantities[quantity]) == rank)
                sheet->quantities[sheet->n_columns++] = quantity;
        }
    }
}

struct hpmviz_sheet *
hpmviz_sheet_new(struct hpm_survey *survey, size_t subject)
{
    struct hpmviz_sheet *sheet = g_new0(struct hpmviz_sheet, 1);

    sheet->survey = survey;
    sheet->subject = subject;
    list_columns(sheet);
    sheet->rankings = hpmviz_rankings_new(survey);
    return sheet;
}

gboolean
hpmviz_sheet_fill(struct hpmviz_sheet *sheet, guint n)
{
    sheet->next =
        hpm_survey_visit_some(sheet->survey, sheet->subject, sheet->next, n,
                              add_row, sheet, sheet->rankings->all);
    return sheet->next < sheet->survey->subjects[sheet->subject].count;
}

void
hpmviz_sheet_free(struct hpmviz_sheet *sheet)
{
    if (sheet == NULL)
        return;
    hpmviz_rankings_free(sheet->rankings);
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
hpmviz_sheet_is_process(const struct hpmviz_sheet *sheet, guint row)
{
    return sheet->places[row].tid < 0;
}

gboolean
hpmviz_sheet_is_wanted(const struct hpmviz_sheet *sheet, guint column)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);

    if (quantity->kind != HPM_QUANTITY_COUNTER)
        return !quantity->is_hidden;
    for (guint i = 0; i < sheet->n_columns; i++) {
        enum hpm_quantity_kind kind = hpmviz_sheet_quantity(sheet, i)->kind;

        if (kind == HPM_QUANTITY_METRIC || kind == HPM_QUANTITY_RECORDED)
            return FALSE;
    }
    return !quantity->is_hidden;
}

guint
hpmviz_sheet_find_column(const struct hpmviz_sheet *sheet, size_t quantity)
{
    for (guint i = 0; i < sheet->n_columns; i++) {
        if (sheet->quantities[i] == quantity)
            return i;
    }
    return HPMVIZ_NONE;
}

guint
hpmviz_sheet_find_name(const struct hpmviz_sheet *sheet, const char *name)
{
    return hpmviz_sheet_find_column(sheet,
                                    hpm_survey_find(sheet->survey, name));
}

/* 0 where times are no column, and for a row without one. */
static double
own_time(const struct hpmviz_sheet *sheet, guint row)
{
    guint column = hpmviz_sheet_find_name(sheet, "ExcSec");
    double time = column == HPMVIZ_NONE
                      ? 0
                      : hpmviz_sheet_value(sheet, row, column)->value;

    return isnan(time) ? 0 : time;
}

guint
hpmviz_sheet_find_own(const struct hpmviz_sheet *sheet, guint column,
                      double own)
{
    guint found = HPMVIZ_NONE;

    for (guint i = 0; i < sheet->n_rows; i++) {
        if (hpmviz_sheet_value(sheet, i, column)->own == own &&
            (found == HPMVIZ_NONE ||
             own_time(sheet, i) > own_time(sheet, found)))
            found = i;
    }
    return found;
}

/* ---- order ----------------------------------------------------------- */

static double
number_of(const struct hpmviz_sheet *sheet, guint row, guint key)
{
    if (key == HPMVIZ_KEY_TASK)
        return sheet->places[row].task;
    if (key == HPMVIZ_KEY_THREAD)
        return sheet->places[row].tid;
    return hpmviz_sheet_value(sheet, row, key - HPMVIZ_KEY_COLUMN)->value;
}

int
hpmviz_sheet_compare(const struct hpmviz_sheet *sheet, guint a, guint b,
                     guint key, gboolean is_rising)
{
    double x = number_of(sheet, a, key), y = number_of(sheet, b, key);
    int blocks =
        hpmviz_sheet_is_process(sheet, a) - hpmviz_sheet_is_process(sheet, b);

    if (blocks != 0)
        return blocks;
    if (isnan(x) || isnan(y))
        return !!isnan(x) - !!isnan(y);
    return is_rising ? (x > y) - (x < y) : (x < y) - (x > y);
}
