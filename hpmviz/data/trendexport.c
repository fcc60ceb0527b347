/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side, printed and as CSV. */
#include "hpmviz/data/trendexport.h"

#include <glib/gi18n.h>
#include <math.h>

#include "study/report/format.h"
#include "study/report/shown.h"
#include "study/report/tablewords.h"

/* ---- CSV ------------------------------------------------------------- */

/* Names of columns are constants, and runs have few letters. */
static void
add_column(struct hpm_table *table, const char *before, const char *letter)
{
    g_autofree char *name = g_strconcat(before, letter, NULL);

    hpm_table_add_column(table, g_intern_string(name), NULL, 0);
}

static void
add_columns(const struct hpmviz_trend *trend, struct hpm_table *table)
{
    static const char *const names[] = {"section", "file",   "line",
                                        "scope",   "metric", "unit"};

    hpm_table_add_columns(table, names, G_N_ELEMENTS(names), 0);
    for (guint i = 0; i < trend->n_runs; i++) {
        const char *letter = hpmviz_run_letter(trend->runs[i]);

        add_column(table, "", letter);
        add_column(table, "speedup_", letter);
        add_column(table, "efficiency_", letter);
        add_column(table, "state_", letter);
        add_column(table, "remarks_", letter);
    }
}

static void
add_label(const struct hpmviz_trend *trend, guint row, struct hpm_table *table)
{
    struct hpm_string label = {0};

    hpmviz_trend_add_label(trend, row, &label);
    hpm_table_add_string(table, &label);
}

/* In the words of hpm report. */
static void
add_state(const struct hpm_figure *figure, struct hpm_table *table)
{
    gboolean is_partial = figure != NULL && figure->is_partial;
    gboolean is_doubtful = figure != NULL && figure->doubt != HPM_DOUBT_NONE;

    hpm_table_add_text_or_none(table, figure != NULL && figure->is_present
                                          ? hpm_state_name(figure->state)
                                          : NULL);
    hpm_table_add_text(table, is_partial && is_doubtful ? "partial doubtful"
                              : is_partial              ? "partial"
                              : is_doubtful             ? "doubtful"
                                                        : "");
}

static void
add_line(const struct hpmviz_trend *trend, guint row,
         const struct hpm_quantity *quantity, struct hpm_table *table)
{
    const struct hpm_study_section *section = hpmviz_trend_section(trend, row);

    add_label(trend, row, table);
    hpm_table_add_text_or_none(table, section->base);
    hpm_table_add_integer(table, section->line);
    hpm_table_add_text(table, section->scope == HPM_SCOPE_THREAD ? "thread"
                                                                 : "process");
    hpm_table_add_text(table, quantity->name);
    hpm_table_add_text_or_none(table, hpm_shown_unit(quantity));
    for (guint i = 0; i < trend->n_runs; i++) {
        for (int kind = 0; kind < HPMVIZ_TREND_N_KINDS; kind++)
            hpm_table_add_real(table,
                               hpmviz_trend_number(trend, row, i,
                                                   (enum hpmviz_trend_kind)kind,
                                                   quantity->name));
        add_state(hpmviz_trend_figure(trend, row, i, quantity->name), table);
    }
}

/* Was it told with an earlier run's quantities? */
static gboolean
is_told(const struct hpmviz_trend *trend, guint row, guint run,
        const char *name)
{
    for (guint i = 0; i < run; i++) {
        size_t quantity = hpm_survey_find(trend->surveys[i], name);
        size_t subject = trend->rows[row].subjects[i];

        if (quantity != HPM_NO_QUANTITY && subject != HPM_NO_SUBJECT &&
            hpm_subject_entry(&trend->surveys[i]->subjects[subject],
                              quantity) != NULL)
            return TRUE;
    }
    return FALSE;
}

static void
add_row(const struct hpmviz_trend *trend, guint row, guint run,
        struct hpm_table *table)
{
    const struct hpm_survey *survey = trend->surveys[run];
    const struct hpm_subject *subject;

    if (trend->rows[row].subjects[run] == HPM_NO_SUBJECT)
        return;
    subject = &survey->subjects[trend->rows[row].subjects[run]];
    for (size_t i = 0; i < subject->n_entries; i++) {
        const struct hpm_quantity *quantity =
            &survey->quantities[subject->entries[i].quantity];

        if (!is_told(trend, row, run, quantity->name))
            add_line(trend, row, quantity, table);
    }
}

void
hpmviz_trendexport_add_csv(const struct hpmviz_trend *trend,
                           struct hpm_string *csv)
{
    struct hpm_table table = {0};

    add_columns(trend, &table);
    for (guint row = 0; row < trend->n_rows; row++) {
        for (guint i = 0; i < trend->n_runs; i++)
            add_row(trend, row, i, &table);
    }
    hpm_csv_add_table(csv, &table);
    hpm_table_finish(&table, &csv->failed);
}

/* ---- for people ------------------------------------------------------ */

void
hpmviz_trendexport_add_runs(const struct hpmviz_trend *trend,
                            struct hpm_string *text)
{
    for (guint i = 0; i < trend->n_runs; i++) {
        hpm_string_add_format(text, "%s  ", hpmviz_run_letter(trend->runs[i]));
        hpm_string_add_safe(text, hpmviz_run_name(trend->runs[i]));
        if (isnan(trend->n_threads[i]))
            hpm_string_add(text, _(", threads: not known"));
        else
            hpm_string_add_format(text, _(", threads: %.0f"),
                                  trend->n_threads[i]);
        hpm_string_add(text, i == trend->reference ? _(", reference\n") : "\n");
    }
}

static void
add_cell(const struct hpmviz_trend *trend, guint row, guint run,
         enum hpmviz_trend_kind kind, const char *name, struct hpm_table *table)
{
    struct hpm_string cell = {0};

    if (isnan(hpmviz_trend_number(trend, row, run, kind, name))) {
        hpm_table_add_real(table, NAN);
        return;
    }
    hpmviz_trend_add_text(trend, row, run, kind, name, &cell);
    hpm_table_add_string(table, &cell);
}

/* The sections of one scope: the two forests never stand in one table. */
static void
add_table(const struct hpmviz_trend *trend, int scope,
          enum hpmviz_trend_kind kind, const char *name,
          struct hpm_string *text)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "section", NULL, 0);
    for (guint i = 0; i < trend->n_runs; i++) {
        add_column(&table, "", hpmviz_run_letter(trend->runs[i]));
        hpm_table_align_column(&table);
    }
    for (guint row = 0; row < trend->n_rows; row++) {
        if (hpmviz_trend_section(trend, row)->scope != scope)
            continue;
        add_label(trend, row, &table);
        for (guint i = 0; i < trend->n_runs; i++)
            add_cell(trend, row, i, kind, name, &table);
    }
    hpm_string_add_format(text, "\n%s, %s\n", name,
                          hpmviz_trend_kind_name(kind));
    hpm_tablewords_add(text, &table, NULL);
    hpm_table_finish(&table, &text->failed);
}

static gboolean
has_scope(const struct hpmviz_trend *trend, int scope)
{
    for (guint row = 0; row < trend->n_rows; row++) {
        if (hpmviz_trend_section(trend, row)->scope == scope)
            return TRUE;
    }
    return FALSE;
}

void
hpmviz_trendexport_add_text(const struct hpmviz_trend *trend,
                            struct hpm_string *text)
{
    static const int scopes[] = {HPM_SCOPE_THREAD, HPM_SCOPE_PROCESS};
    const struct hpm_survey *survey = trend->surveys[trend->reference];
    size_t time = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);

    hpmviz_trendexport_add_runs(trend, text);
    for (size_t i = 0; time != HPM_NO_QUANTITY && i < G_N_ELEMENTS(scopes);
         i++) {
        if (!has_scope(trend, scopes[i]))
            continue;
        hpm_string_add_format(text, "\n%s\n",
                              scopes[i] == HPM_SCOPE_THREAD
                                  ? _("Sections of threads")
                                  : _("Sections of the whole process"));
        for (int kind = 0; kind < HPMVIZ_TREND_N_KINDS; kind++)
            add_table(trend, scopes[i], (enum hpmviz_trend_kind)kind,
                      survey->quantities[time].name, text);
    }
}
