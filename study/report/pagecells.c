/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks and threads of a section as text. */
#include "study/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/report/shown.h"

/* ---- tasks and threads ----------------------------------------------- */

/* The lines of a subject, each with its own figures. */
struct cells {
    struct hpm_page *page;
    size_t subject;
    struct cell {
        struct hpm_line line;
        struct hpm_figure *figures;
        const struct hpm_sort *sort;
        size_t n_threads; /* threads sharing the record */
    } * all;
    size_t n, capacity;
    size_t *slots; /* see struct hpm_line: quantities that any line has */
    size_t n_slots;
    bool *is_column; /* by quantity */
    bool failed;
};

/* Give each quantity a slot when it first appears.  A section may have as many
 * lines as a job has threads: so a line takes time and memory only for its own
 * quantities. */
static void
find_slots(struct cells *cells, const struct hpm_figure *figures)
{
    const struct hpm_survey *survey = cells->page->survey;
    const struct hpm_subject *subject = &survey->subjects[cells->subject];

    for (size_t j = 0; j < survey->n_live; j++) {
        size_t i = survey->live[j];

        if (figures[i].is_present && cells->slots[i] == 0 &&
            !hpm_subject_repeats(subject, i, &figures[i]))
            cells->slots[i] = ++cells->n_slots;
    }
}

static void
put_figures(const struct cells *cells, const struct hpm_figure *figures,
            struct hpm_figure *ret_kept)
{
    const struct hpm_survey *survey = cells->page->survey;

    for (size_t j = 0; j < survey->n_live; j++) {
        size_t i = survey->live[j];

        if (cells->slots[i] != 0)
            ret_kept[cells->slots[i] - 1] = figures[i];
    }
}

static void
keep_cell(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct cells *cells = owner;
    const struct hpm_survey *survey = cells->page->survey;
    const struct hpm_study *study = survey->study;
    struct hpm_study_place place = *hpm_study_place_of(study, row);
    struct cell cell = {
        .line = {.survey = survey,
                 .subject = cells->subject,
                 .figures = figures,
                 .task = study->tasks[place.task].number,
                 .tid = place.tid,
                 .has_task = true,
                 .has_thread = cells->page->options->view == HPM_VIEW_THREAD},
        .sort = &cells->page->options->sort,
        .n_threads = hpm_study_n_threads(study, row)};

    if (!hpm_line_filter_wants(cells->page->options->filter, &cell.line))
        return;
    find_slots(cells, figures);
    cell.figures = hpm_memory_new(cells->n_slots + 1, sizeof *figures);
    if (cell.figures == NULL || !hpm_memory_grow(&cells->all, &cells->capacity,
                                                 cells->n + 1, sizeof cell)) {
        hpm_memory_free(cell.figures);
        cells->failed = true;
        return;
    }
    put_figures(cells, figures, cell.figures);
    cell.line.figures = cell.figures;
    cell.line.slots = cells->slots;
    cell.line.n_slots = cells->n_slots;
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

/* Has each line with the first quantity the other one, too? */
static bool
is_beside(const struct cells *cells, size_t quantity, size_t other)
{
    for (size_t i = 0; i < cells->n; i++) {
        const struct hpm_line *line = &cells->all[i].line;

        if (hpm_line_figure(line, quantity) != NULL &&
            hpm_line_figure(line, other) == NULL)
            return false;
    }
    return true;
}

/* Show a counter as the metric of the same name, if there is one, as in the
 * table of a section. */
static bool
is_told_as_metric(const struct cells *cells, size_t quantity)
{
    size_t twin = hpm_survey_find_twin(cells->page->survey, quantity);

    return twin != HPM_NO_QUANTITY && cells->slots[twin] != 0 &&
           is_beside(cells, quantity, twin);
}

static void
choose_columns(struct cells *cells)
{
    const struct hpm_survey *survey = cells->page->survey;

    for (size_t i = 0; i < survey->n_quantities; i++)
        cells->is_column[i] = cells->slots[i] != 0 &&
                              hpm_shown_is_wanted(survey, i) &&
                              !is_told_as_metric(cells, i);
}

static void
add_cell_columns(struct hpm_table *table, const struct cells *cells)
{
    const struct hpm_survey *survey = cells->page->survey;
    int rank = RANK_COUNTERS;

    hpm_table_add_column(table, "task", "  task", 0);
    if (cells->page->options->view == HPM_VIEW_THREAD)
        hpm_table_add_column(table, "thread", NULL, 0);
    hpm_page_add_marked(table, "calls", 0);
    hpm_page_add_marked(table, "excl s", 0);
    hpm_page_add_run_columns(table, cells->page, " s");
    hpm_page_add_marked(table, "incl s", RANK_INCLUSIVE);
    /* metrics tell more than counts, so counts are left out first */
    for (size_t i = 0; i < survey->n_quantities; i++) {
        bool is_count = survey->quantities[i].kind == HPM_QUANTITY_COUNTER;

        if (cells->is_column[i])
            hpm_page_add_quantity(table, &survey->quantities[i],
                                  is_count ? rank + 1 : rank);
    }
}

/* Threads that share a record have only sums, also of times. */
static void
add_thread(struct hpm_table *table, const struct cell *cell)
{
    struct hpm_string text = {0};

    if (cell->line.tid >= 0) {
        hpm_table_add_integer(table, cell->line.tid);
    } else if (cell->line.tid == -1) {
        hpm_table_add_text(table, "all");
    } else {
        hpm_string_add_format(&text, "sum of %zu", cell->n_threads);
        hpm_table_add_text(table, hpm_string_text(&text));
    }
    table->failed |= text.failed;
    hpm_string_free(&text);
}

static void
add_cell_row(struct hpm_table *table, const struct cells *cells,
             const struct cell *cell)
{
    const struct hpm_survey *survey = cells->page->survey;
    struct hpm_string task = {0};

    hpm_string_add_format(&task, "  %d", cell->line.task);
    hpm_table_add_string(table, &task);
    if (cells->page->options->view == HPM_VIEW_THREAD)
        add_thread(table, cell);
    hpm_page_add_calls(table, cells->page, &cell->line);
    hpm_page_add_amount(table, &cell->line, cells->page->exclusive);
    hpm_page_add_run_cells(table, cells->page,
                           hpm_line_figure(&cell->line, cells->page->exclusive),
                           cells->page->exclusive);
    hpm_page_add_amount(table, &cell->line, cells->page->inclusive);
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (cells->is_column[i])
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

    cells.slots =
        hpm_memory_new(page->survey->n_quantities + 1, sizeof *cells.slots);
    cells.is_column =
        hpm_memory_new(page->survey->n_quantities + 1, sizeof(bool));
    if (cells.slots == NULL || cells.is_column == NULL) {
        hpm_memory_free(cells.slots);
        hpm_memory_free(cells.is_column);
        page->string->failed = true;
        return;
    }
    if (page->options->view == HPM_VIEW_THREAD)
        hpm_survey_visit_threads(page->survey, subject, keep_cell, &cells);
    else
        hpm_survey_visit_tasks(page->survey, subject, keep_cell, &cells);
    if (page->options->has_sort && cells.n > 1)
        qsort(cells.all, cells.n, sizeof *cells.all, compare_cells);
    if (cells.n > 0) {
        choose_columns(&cells);
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
    hpm_memory_free(cells.slots);
    hpm_memory_free(cells.is_column);
    page->string->failed |= cells.failed || title.failed;
    hpm_string_free(&title);
}
