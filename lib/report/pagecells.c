/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks and threads of a section as text. */
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/shown.h"

/* ---- tasks and threads ----------------------------------------------- */

/* Lines of a subject, with figures of their own. */
struct cells {
    struct hpm_page *page;
    size_t subject;
    struct cell {
        struct hpm_line line;
        struct hpm_figure *figures;
        const struct hpm_sort *sort;
    } * all;
    size_t n, capacity;
    bool failed;
};

static void
keep_cell(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct cells *cells = owner;
    const struct hpm_survey *survey = cells->page->survey;
    const struct hpm_study *study = survey->study;
    struct hpm_place place = study->places[hpm_study_row(study, row)->place];
    struct cell cell = {
        .line = {.survey = survey,
                 .subject = cells->subject,
                 .figures = figures,
                 .task = study->tasks[place.task].number,
                 .tid = place.tid,
                 .has_task = true,
                 .has_thread = cells->page->options->view == HPM_VIEW_THREAD},
        .sort = &cells->page->options->sort};

    if (!hpm_filter_wants(cells->page->options->filter, &cell.line))
        return;
    cell.figures = hpm_memory_new(survey->n_quantities + 1, sizeof *figures);
    if (cell.figures == NULL || !hpm_memory_grow(&cells->all, &cells->capacity,
                                                 cells->n + 1, sizeof cell)) {
        hpm_memory_free(cell.figures);
        cells->failed = true;
        return;
    }
    memcpy(cell.figures, figures, survey->n_quantities * sizeof *figures);
    cell.line.figures = cell.figures;
    cells->all[cells->n++] = cell;
}

static int
compare_cells(const void *x, const void *y)
{
    const struct cell *a = x, *b = y;
    int order = hpm_sort_compare(a->sort, &a->line, &b->line);

    if (order == 0)
        order = (a->line.task > b->line.task) - (a->line.task < b->line.task);
    if (order == 0)
        order = (a->line.tid > b->line.tid) - (a->line.tid < b->line.tid);
    return order;
}

static bool
has_any(const struct cells *cells, size_t quantity)
{
    for (size_t i = 0; i < cells->n; i++) {
        if (cells->all[i].figures[quantity].is_present)
            return true;
    }
    return false;
}

static void
add_cell_columns(struct hpm_table *table, const struct cells *cells)
{
    const struct hpm_survey *survey = cells->page->survey;
    int rank = RANK_COUNTERS;

    hpm_table_add_column(table, "task", "  task", 0);
    if (cells->page->options->view == HPM_VIEW_THREAD)
        hpm_table_add_column(table, "thread", NULL, 0);
    hpm_page_add_column(table, "calls", 0, 0);
    hpm_page_add_column(table, "excl s", 6, 0);
    hpm_page_add_run_columns(table, cells->page, " s");
    hpm_page_add_marked(table, "incl s", RANK_INCLUSIVE);
    /* metrics tell more than counts: these go first */
    for (size_t i = 0; i < survey->n_quantities; i++) {
        bool is_count = survey->quantities[i].kind == HPM_QUANTITY_COUNTER;

        if (hpm_shown_is_wanted(survey, i) && has_any(cells, i))
            hpm_page_add_quantity(table, &survey->quantities[i],
                                  is_count ? rank + 1 : rank);
    }
}

static void
add_cell_row(struct hpm_table *table, const struct cells *cells,
             const struct cell *cell)
{
    const struct hpm_survey *survey = cells->page->survey;
    struct hpm_string task = {0};

    hpm_string_add_format(&task, "  %d", cell->line.task);
    hpm_table_add_text(table, hpm_string_text(&task));
    table->failed |= task.failed;
    hpm_string_free(&task);
    if (cells->page->options->view == HPM_VIEW_THREAD) {
        if (cell->line.tid < 0)
            hpm_table_add_text(table, cell->line.tid == -1 ? "all" : "others");
        else
            hpm_table_add_integer(table, cell->line.tid);
    }
    hpm_page_add_calls(table, cells->page, &cell->line);
    hpm_table_add_real(table, hpm_page_ask(&cell->line, HPM_LINE_EXCLUSIVE));
    hpm_page_add_run_cells(table, cells->page,
                           hpm_line_figure(&cell->line, cells->page->exclusive),
                           cells->page->exclusive);
    hpm_page_add_time(table, &cell->line, cells->page->inclusive);
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (hpm_shown_is_wanted(survey, i) && has_any(cells, i))
            hpm_shown_add_cell(table, &survey->quantities[i],
                               hpm_line_figure(&cell->line, i), true);
    }
}

void
hpm_page_add_cells(struct hpm_page *page, size_t subject)
{
    struct cells cells = {.page = page, .subject = subject};
    struct hpm_string title = {0};
    struct hpm_table table = {0};

    if (page->options->view == HPM_VIEW_THREAD)
        hpm_survey_visit_threads(page->survey, subject, keep_cell, &cells);
    else
        hpm_survey_visit_tasks(page->survey, subject, keep_cell, &cells);
    if (page->options->has_sort && cells.n > 1)
        qsort(cells.all, cells.n, sizeof *cells.all, compare_cells);
    if (cells.n > 0) {
        add_cell_columns(&table, &cells);
        for (size_t i = 0; i < cells.n; i++)
            add_cell_row(&table, &cells, &cells.all[i]);
        hpm_survey_add_label(page->survey, subject, &title);
        hpm_page_add_title(page, hpm_string_text(&title));
        hpm_page_add_table(page, &table);
    }
    for (size_t i = 0; i < cells.n; i++)
        hpm_memory_free(cells.all[i].figures);
    hpm_memory_free(cells.all);
    page->string->failed |= cells.failed || title.failed;
    hpm_string_free(&title);
}
