/* SPDX-License-Identifier: BSD-3-Clause
 * Sections, call paths and files as text, a line each. */
#include "study/report/page.h"

#include <math.h>

#include "model/experiment.h"
#include "study/report/shown.h"

/* Add a cell such as "solver.c:41-57". */
static void
add_where(struct hpm_table *table, const struct hpm_survey *survey,
          const struct hpm_subject *subject)
{
    const struct hpm_study_section *section =
        &survey->study->sections[subject->section];
    struct hpm_string where = {0};

    if (section->base == NULL || section->base[0] == '\0') {
        hpm_table_add_none(table);
        return;
    }
    hpm_string_add_format(&where, "%s:%d", section->base, section->line);
    if (subject->line_end > section->line)
        hpm_string_add_format(&where, "-%d", subject->line_end);
    hpm_table_add_string(table, &where);
}

static void
add_label(struct hpm_table *table, const struct hpm_page *page, size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_string label = {0};
    size_t depth = here->depth;

    for (size_t i = 0; i < depth && i < 64; i++)
        hpm_string_add(&label, "  ");
    hpm_survey_add_label(page->survey, subject, &label);
    if ((here->flags & HPM_ROW_SHORT) != 0 &&
        page->options->view != HPM_VIEW_FILE)
        hpm_string_add(&label, " ?");
    hpm_table_add_string(table, &label);
}

static void
add_section_columns(struct hpm_table *table, const struct hpm_page *page,
                    int scope, const char *title)
{
    bool is_file = page->options->view == HPM_VIEW_FILE;

    hpm_table_add_column(table, "section", title, 0);
    hpm_page_add_marked(table, "calls", 0);
    hpm_page_add_marked(table, "excl s", 0);
    hpm_page_add_run_columns(table, page, " s");
    hpm_page_add_column(table, "share %", 1, 0);
    if (hpm_survey_has_outside(page->survey, scope))
        hpm_page_add_column(table, "sect %", 1, RANK_SECTIONS);
    if (!is_file)
        hpm_page_add_marked(table, "incl s", RANK_INCLUSIVE);
    if (hpm_page_has_several(page)) {
        hpm_page_add_column(table, "imbal %", 1, 0);
        hpm_page_add_column(table, "lost s", 6, RANK_SPREAD);
        hpm_page_add_column(table, "min s", 6, RANK_SPREAD);
        hpm_page_add_column(table, "mean s", 6, RANK_SPREAD);
        hpm_page_add_column(table, "dev s", 6, RANK_SPREAD);
        hpm_page_add_column(table, "threads", 0, RANK_THREADS);
    }
    if (page->survey->study->n_spreads > 0) {
        hpm_table_add_column(table, "slowest", NULL, 0);
        hpm_table_rank_column(table, RANK_SPREAD);
    }
    hpm_page_add_column(table, "bad", 0, 0);
    if (!is_file) {
        hpm_table_add_column(table, "where", NULL, 0);
        hpm_table_rank_column(table, RANK_WHERE);
    }
    for (size_t i = 0; i < page->survey->n_quantities; i++) {
        if (page->survey->quantities[i].kind == HPM_QUANTITY_COUNTER &&
            hpm_shown_is_wanted(page->survey, i))
            hpm_page_add_quantity(table, &page->survey->quantities[i],
                                  RANK_COUNTERS);
    }
}

static void
add_spread(struct hpm_table *table, const struct hpm_page *page,
           const struct hpm_line *line)
{
    const struct hpm_subject *subject = &page->survey->subjects[line->subject];
    const struct hpm_entry *entry = hpm_subject_entry(subject, page->exclusive);
    bool is_known = entry != NULL && entry->threads.n > 0;

    hpm_table_add_real(table, hpm_page_ask(line, HPM_LINE_IMBALANCE));
    hpm_table_add_real(table, hpm_page_ask(line, HPM_LINE_LOST));
    hpm_table_add_real(table, is_known ? entry->threads.min : NAN);
    hpm_table_add_real(table, is_known ? entry->threads.mean : NAN);
    hpm_table_add_real(table,
                       is_known ? hpm_summary_deviation(&entry->threads) : NAN);
    hpm_table_add_count(table, subject->n_threads);
}

static void
add_slowest(struct hpm_table *table, const struct hpm_page *page,
            const struct hpm_subject *subject)
{
    const struct hpm_entry *entry = hpm_subject_entry(subject, page->exclusive);

    hpm_page_add_extreme(table, entry != NULL ? entry->high : NULL);
}

static void
add_section_row(struct hpm_table *table, const struct hpm_page *page, int scope,
                size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_line line = {.survey = page->survey, .subject = subject};
    bool is_file = page->options->view == HPM_VIEW_FILE;

    add_label(table, page, subject);
    hpm_page_add_calls(table, page, &line);
    hpm_page_add_amount(table, &line, page->exclusive);
    hpm_page_add_run_cells(table, page, hpm_line_figure(&line, page->exclusive),
                           page->exclusive);
    hpm_table_add_real(table, hpm_page_ask(&line, HPM_LINE_SHARE));
    if (hpm_survey_has_outside(page->survey, scope))
        hpm_table_add_real(table, hpm_page_ask(&line, HPM_LINE_SECTION_SHARE));
    if (!is_file)
        hpm_page_add_amount(table, &line, page->inclusive);
    if (hpm_page_has_several(page))
        add_spread(table, page, &line);
    if (page->survey->study->n_spreads > 0)
        add_slowest(table, page, here);
    hpm_table_add_count(table, here->n_bad);
    if (here->n_bad > 0)
        hpm_table_emphasise(table, HPM_EMPHASIS_BAD);
    if (!is_file)
        add_where(table, page->survey, here);
    for (size_t i = 0; i < page->survey->n_quantities; i++) {
        if (page->survey->quantities[i].kind == HPM_QUANTITY_COUNTER &&
            hpm_shown_is_wanted(page->survey, i))
            hpm_shown_add_cell(table, &page->survey->quantities[i],
                               hpm_line_figure(&line, i), true);
    }
}

/* ---- differences ----------------------------------------------------- */

static void
add_difference_columns(struct hpm_table *table, const struct hpm_page *page,
                       const char *title)
{
    hpm_table_add_column(table, "section", title, 0);
    hpm_page_add_marked(table, "calls", RANK_INCLUSIVE);
    hpm_page_add_column(table, "excl a s", 6, 0);
    hpm_page_add_column(table, "excl b s", 6, 0);
    hpm_page_add_marked(table, "change s", 0);
    hpm_page_add_run_columns(table, page, " s");
    hpm_page_add_column(table, "change %", 1, 0);
    hpm_page_add_marked(table, "incl s", RANK_THREADS);
    hpm_table_add_column(table, "only in", NULL, 0);
    hpm_table_rank_column(table, RANK_INCLUSIVE);
    hpm_table_add_column(table, "where", NULL, 0);
    hpm_table_rank_column(table, RANK_WHERE);
}

static void
add_difference_row(struct hpm_table *table, const struct hpm_page *page,
                   size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_line line = {.survey = page->survey, .subject = subject};
    const struct hpm_figure *figure = hpm_line_figure(&line, page->exclusive);
    double change = figure != NULL ? hpm_number_to_real(figure->value) : NAN;
    double before = figure != NULL ? hpm_number_to_real(figure->base) : NAN;

    add_label(table, page, subject);
    hpm_page_add_calls(table, page, &line);
    hpm_table_add_real(table, before);
    hpm_table_add_real(table, before + change);
    hpm_page_add_amount(table, &line, page->exclusive);
    hpm_page_add_run_cells(table, page, figure, page->exclusive);
    hpm_table_add_real(table, before > 0.0 ? 100.0 * change / before : NAN);
    hpm_page_add_amount(table, &line, page->inclusive);
    if ((here->flags & (HPM_ROW_SIDE_A | HPM_ROW_SIDE_B)) == 0)
        hpm_table_add_none(table);
    else
        hpm_table_add_text(table,
                           (here->flags & HPM_ROW_SIDE_A) != 0 ? "a" : "b");
    add_where(table, page->survey, here);
}

static const char *const scope_titles[] = {
    [HPM_SCOPE_THREAD] = "thread section",
    [HPM_SCOPE_PROCESS] = "process section",
};

void
hpm_page_add_sections(struct hpm_page *page, const struct hpm_lineup *lineup,
                      int scope)
{
    const char *title = scope_titles[scope];
    struct hpm_table table = {0};

    if (page->options->view == HPM_VIEW_FILE)
        title =
            scope == HPM_SCOPE_PROCESS ? "file (processes)" : "file (threads)";
    if (hpm_page_is_difference(page))
        add_difference_columns(&table, page, title);
    else
        add_section_columns(&table, page, scope, title);
    for (size_t i = 0; i < lineup->n; i++) {
        if (hpm_page_is_difference(page))
            add_difference_row(&table, page, lineup->subjects[i]);
        else
            add_section_row(&table, page, scope, lineup->subjects[i]);
    }
    hpm_string_add_char(page->string, '\n');
    hpm_page_add_table(page, &table);
}
