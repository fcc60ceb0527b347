/* SPDX-License-Identifier: BSD-3-Clause
 * A survey as text. */
#include "report/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/experiment.h"
#include "report/overview.h"
#include "report/shown.h"

/* Metrics are told in full of so many sections; the others have them by
 * metric. */
enum { N_IN_FULL = 5 };

/* What is spared first where lines get too long. */
enum {
    RANK_INCLUSIVE = 1,
    RANK_WHERE,
    RANK_THREADS,
    RANK_SPREAD,
    RANK_MEANING,
    RANK_COUNTERS
};

static const struct {
    const char *name;
    enum hpm_grouping grouping;
} views[] = {
    [HPM_VIEW_SECTION] = {"section", HPM_GROUP_SECTIONS},
    [HPM_VIEW_TREE] = {"tree", HPM_GROUP_PATHS},
    [HPM_VIEW_TASK] = {"task", HPM_GROUP_SECTIONS},
    [HPM_VIEW_THREAD] = {"thread", HPM_GROUP_SECTIONS},
    [HPM_VIEW_METRIC] = {"metric", HPM_GROUP_SECTIONS},
    [HPM_VIEW_FILE] = {"file", HPM_GROUP_FILES},
};

enum { N_VIEWS = sizeof views / sizeof views[0] };

bool
hpm_view_find(const char *name, enum hpm_view *ret_view)
{
    for (size_t i = 0; i < N_VIEWS; i++) {
        if (strcmp(views[i].name, name) == 0) {
            *ret_view = (enum hpm_view)i;
            return true;
        }
    }
    return false;
}

const char *
hpm_view_name(enum hpm_view view)
{
    return views[view].name;
}

enum hpm_grouping
hpm_view_grouping(enum hpm_view view)
{
    return views[view].grouping;
}

/* What the text of one report needs. */
struct page {
    struct hpm_string *string;
    struct hpm_survey *survey;
    const struct hpm_view_options *options;
    size_t calls, exclusive, inclusive; /* quantities */
    size_t n_left_out;                  /* columns, at most of a table */
    size_t n_lines;
};

static bool
is_difference(const struct page *page)
{
    return page->survey->study->kind == HPM_STUDY_DIFF;
}

static void
add_table(struct page *page, struct hpm_table *table)
{
    size_t n =
        hpm_text_add_table_in(page->string, table, &page->options->style);

    if (n > page->n_left_out)
        page->n_left_out = n;
    page->n_lines += hpm_table_rows(table);
    page->string->failed |= table->failed;
    hpm_table_clear(table);
}

static void
add_title(struct page *page, const char *title)
{
    hpm_string_add_char(page->string, '\n');
    if (page->options->style.is_coloured)
        hpm_string_add(page->string, "\033[1m");
    hpm_overview_add_prose(page->string, title, page->options->style.width, 2);
    if (page->options->style.is_coloured)
        hpm_string_add(page->string, "\033[0m");
}

/* ---- columns --------------------------------------------------------- */

static void
add_numeric_column(struct hpm_table *table, const char *heading, int decimals,
                   int rank)
{
    hpm_table_add_column(table, heading, heading, decimals);
    hpm_table_rank_column(table, rank);
}

/* Numbers with marks beside them. */
static void
add_marked_column(struct hpm_table *table, const char *heading, int rank)
{
    hpm_table_add_column(table, "value", heading, 0);
    hpm_table_align_column(table);
    hpm_table_rank_column(table, rank);
}

/* "task-clock s" */
static void
add_quantity_column(struct hpm_table *table,
                    const struct hpm_quantity *quantity, int rank)
{
    struct hpm_string heading = {0};

    hpm_text_add_safe(&heading, quantity->name);
    if (strcmp(hpm_shown_unit(quantity), "s") == 0)
        hpm_string_add(&heading, " s");
    add_marked_column(table, hpm_string_text(&heading), rank);
    table->failed |= heading.failed;
    hpm_string_free(&heading);
}

/* "solver.c:41-57" */
static void
add_where(struct hpm_table *table, const struct hpm_survey *survey,
          const struct hpm_subject *subject)
{
    const struct hpm_section *section =
        &survey->study->sections[subject->section];
    struct hpm_string where = {0};

    if (section->base == NULL || section->base[0] == '\0') {
        hpm_table_add_none(table);
        return;
    }
    hpm_string_add_format(&where, "%s:%d", section->base, section->line);
    if (subject->line_end > section->line)
        hpm_string_add_format(&where, "-%d", subject->line_end);
    hpm_table_add_text(table, hpm_string_text(&where));
    table->failed |= where.failed;
    hpm_string_free(&where);
}

static double
ask(const struct hpm_line *line, enum hpm_field_kind kind)
{
    struct hpm_line_field field = {.kind = kind};

    return hpm_line_number(line, &field);
}

static void
add_calls(struct hpm_table *table, const struct page *page,
          const struct hpm_line *line)
{
    const struct hpm_figure *figure = hpm_line_figure(line, page->calls);

    if (figure != NULL && figure->value.kind == HPM_NUMBER_COUNT)
        hpm_table_add_count(table, figure->value.amount);
    else
        hpm_table_add_real(
            table, figure != NULL ? hpm_number_to_real(figure->value) : NAN);
}

/* ---- sections, call paths, files ------------------------------------- */

static void
add_label(struct hpm_table *table, const struct page *page, size_t subject)
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
    hpm_table_add_text(table, hpm_string_text(&label));
    table->failed |= label.failed;
    hpm_string_free(&label);
}

static bool
has_several(const struct page *page)
{
    return page->survey->n_threads[0] > 1 || page->survey->n_threads[1] > 1;
}

static void
add_section_columns(struct hpm_table *table, const struct page *page,
                    const char *title)
{
    bool is_file = page->options->view == HPM_VIEW_FILE;

    hpm_table_add_column(table, "section", title, 0);
    add_numeric_column(table, "calls", 0, 0);
    add_numeric_column(table, "excl s", 6, 0);
    add_numeric_column(table, "share %", 1, 0);
    if (!is_file)
        add_numeric_column(table, "incl s", 6, RANK_INCLUSIVE);
    if (has_several(page)) {
        add_numeric_column(table, "imbal %", 1, 0);
        add_numeric_column(table, "lost s", 6, RANK_SPREAD);
        add_numeric_column(table, "min s", 6, RANK_SPREAD);
        add_numeric_column(table, "mean s", 6, RANK_SPREAD);
        add_numeric_column(table, "dev s", 6, RANK_SPREAD);
        add_numeric_column(table, "threads", 0, RANK_THREADS);
    }
    add_numeric_column(table, "bad", 0, 0);
    if (!is_file) {
        hpm_table_add_column(table, "where", NULL, 0);
        hpm_table_rank_column(table, RANK_WHERE);
    }
    for (size_t i = 0; i < page->survey->n_quantities; i++) {
        if (page->survey->quantities[i].kind == HPM_QUANTITY_COUNTER &&
            hpm_shown_is_wanted(page->survey, i))
            add_quantity_column(table, &page->survey->quantities[i],
                                RANK_COUNTERS);
    }
}

static void
add_spread(struct hpm_table *table, const struct page *page,
           const struct hpm_line *line)
{
    const struct hpm_subject *subject = &page->survey->subjects[line->subject];
    const struct hpm_entry *entry = hpm_subject_entry(subject, page->exclusive);

    hpm_table_add_real(table, ask(line, HPM_LINE_IMBALANCE));
    hpm_table_add_real(table, ask(line, HPM_LINE_LOST));
    hpm_table_add_real(table, entry != NULL ? entry->threads.min : NAN);
    hpm_table_add_real(table, entry != NULL ? entry->threads.mean : NAN);
    hpm_table_add_real(
        table, entry != NULL ? hpm_summary_deviation(&entry->threads) : NAN);
    hpm_table_add_count(table, subject->n_threads);
}

static void
add_section_row(struct hpm_table *table, const struct page *page,
                size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_line line = {.survey = page->survey, .subject = subject};
    bool is_file = page->options->view == HPM_VIEW_FILE;

    add_label(table, page, subject);
    add_calls(table, page, &line);
    hpm_table_add_real(table, ask(&line, HPM_LINE_EXCLUSIVE));
    hpm_table_add_real(table, ask(&line, HPM_LINE_SHARE));
    if (!is_file)
        hpm_table_add_real(table, ask(&line, HPM_LINE_INCLUSIVE));
    if (has_several(page))
        add_spread(table, page, &line);
    hpm_table_add_count(table, here->n_bad);
    if (here->n_bad > 0)
        hpm_table_emphasise(table, HPM_EMPHASIS_BAD);
    if (!is_file)
        add_where(table, page->survey, here);
    for (size_t i = 0; i < page->survey->n_quantities; i++) {
        if (page->survey->quantities[i].kind == HPM_QUANTITY_COUNTER &&
            hpm_shown_is_wanted(page->survey, i))
            hpm_shown_add_cell(table, &page->survey->quantities[i],
                               hpm_line_figure(&line, i));
    }
}

/* ---- differences ----------------------------------------------------- */

static void
add_difference_columns(struct hpm_table *table, const char *title)
{
    hpm_table_add_column(table, "section", title, 0);
    add_numeric_column(table, "calls", 0, RANK_INCLUSIVE);
    add_numeric_column(table, "excl a s", 6, 0);
    add_numeric_column(table, "excl b s", 6, 0);
    add_numeric_column(table, "change s", 6, 0);
    add_numeric_column(table, "change %", 1, 0);
    add_numeric_column(table, "incl s", 6, RANK_THREADS);
    hpm_table_add_column(table, "only in", NULL, 0);
    hpm_table_rank_column(table, RANK_INCLUSIVE);
    hpm_table_add_column(table, "where", NULL, 0);
    hpm_table_rank_column(table, RANK_WHERE);
}

static void
add_difference_row(struct hpm_table *table, const struct page *page,
                   size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_line line = {.survey = page->survey, .subject = subject};
    const struct hpm_figure *figure = hpm_line_figure(&line, page->exclusive);
    double change = figure != NULL ? hpm_number_to_real(figure->value) : NAN;
    double before = figure != NULL ? hpm_number_to_real(figure->base) : NAN;

    add_label(table, page, subject);
    add_calls(table, page, &line);
    hpm_table_add_real(table, before);
    hpm_table_add_real(table, before + change);
    hpm_table_add_real(table, change);
    hpm_table_add_real(table, before > 0.0 ? 100.0 * change / before : NAN);
    hpm_table_add_real(table, ask(&line, HPM_LINE_INCLUSIVE));
    if ((here->flags & (HPM_ROW_SIDE_A | HPM_ROW_SIDE_B)) == 0)
        hpm_table_add_none(table);
    else
        hpm_table_add_text(table,
                           (here->flags & HPM_ROW_SIDE_A) != 0 ? "a" : "b");
    add_where(table, page->survey, here);
}

/* ---- metrics of a section -------------------------------------------- */

/* How deep a metric stands below those that the subject has, too. */
static size_t
depth_of(const struct hpm_survey *survey, const struct hpm_subject *subject,
         size_t quantity)
{
    size_t depth = 0;

    while ((quantity = survey->quantities[quantity].parent) != HPM_NO_QUANTITY)
        depth += hpm_subject_entry(subject, quantity) != NULL;
    return depth;
}

/* A counter that stands in a tree as a metric of its name is told there. */
static bool
is_told_as_metric(const struct hpm_survey *survey,
                  const struct hpm_subject *subject, size_t quantity)
{
    const struct hpm_quantity *here = &survey->quantities[quantity];

    for (size_t i = 0; i < subject->n_entries; i++) {
        const struct hpm_quantity *other =
            &survey->quantities[subject->entries[i].quantity];

        if (other->kind == HPM_QUANTITY_METRIC &&
            here->kind == HPM_QUANTITY_COUNTER &&
            strcmp(other->name, here->name) == 0)
            return true;
    }
    return false;
}

static void
add_metric_columns(struct hpm_table *table, const struct page *page,
                   const char *title)
{
    hpm_table_add_column(table, "metric", title, 0);
    add_marked_column(table, is_difference(page) ? "change" : "value", 0);
    hpm_table_add_column(table, "unit", NULL, 0);
    if (is_difference(page)) {
        add_marked_column(table, "before", 0);
        add_numeric_column(table, "change %", 1, 0);
    } else {
        add_numeric_column(table, "% of root", 1, RANK_INCLUSIVE);
    }
    if (has_several(page)) {
        add_marked_column(table, "min", RANK_THREADS);
        add_marked_column(table, "max", RANK_THREADS);
        add_marked_column(table, "mean", RANK_SPREAD);
        add_marked_column(table, "dev", RANK_SPREAD);
        add_numeric_column(table, "imbal %", 1, RANK_SPREAD);
    }
    hpm_table_add_column(table, "state", "", 0);
}

static void
add_real_cell(struct hpm_table *table, const struct hpm_quantity *quantity,
              double value, bool is_there)
{
    struct hpm_string text = {0};

    if (!is_there || isnan(value)) {
        hpm_table_add_none(table);
        return;
    }
    hpm_shown_add_real(&text, quantity, value);
    hpm_table_add_text(table, hpm_string_text(&text));
    table->failed |= text.failed;
    hpm_string_free(&text);
}

static void
add_spread_cells(struct hpm_table *table, const struct hpm_quantity *quantity,
                 const struct hpm_summary *spread)
{
    bool is_there = spread->n > 1;

    add_real_cell(table, quantity, spread->min, is_there);
    add_real_cell(table, quantity, spread->max, is_there);
    add_real_cell(table, quantity, spread->mean, is_there);
    add_real_cell(table, quantity, hpm_summary_deviation(spread), is_there);
    hpm_table_add_real(table, is_there && !quantity->is_ratio
                                  ? 100.0 * hpm_summary_imbalance(spread)
                                  : NAN);
}

static void
add_change_cells(struct hpm_table *table, const struct hpm_quantity *quantity,
                 const struct hpm_figure *figure)
{
    double base = hpm_number_to_real(figure->base);
    double change = hpm_number_to_real(figure->value);

    add_real_cell(table, quantity, base, true);
    hpm_table_add_real(table, base != 0.0 ? 100.0 * change / fabs(base) : NAN);
}

static void
add_state_cell(struct hpm_table *table, const struct hpm_figure *figure)
{
    struct hpm_string text = {0};

    hpm_shown_add_state(&text, figure);
    hpm_table_add_text(table, hpm_string_text(&text));
    table->failed |= text.failed;
    hpm_string_free(&text);
}

/* What stands beside a name: all but the name itself. */
static void
add_metric_cells(struct hpm_table *table, const struct page *page,
                 const struct hpm_entry *entry)
{
    const struct hpm_quantity *quantity =
        &page->survey->quantities[entry->quantity];

    hpm_shown_add_cell(table, quantity, &entry->figure);
    hpm_table_add_text(table, hpm_shown_unit(quantity));
    if (is_difference(page))
        add_change_cells(table, quantity, &entry->figure);
    else
        hpm_table_add_real(table, 100.0 * entry->figure.part);
    if (has_several(page))
        add_spread_cells(table, quantity, &entry->threads);
    add_state_cell(table, &entry->figure);
}

static void
add_metric_row(struct hpm_table *table, const struct page *page,
               const struct hpm_subject *subject, const struct hpm_entry *entry)
{
    size_t depth = depth_of(page->survey, subject, entry->quantity);
    struct hpm_string name = {0};

    hpm_string_add(&name, "  ");
    while (depth-- > 0)
        hpm_string_add(&name, "  ");
    hpm_string_add(&name, page->survey->quantities[entry->quantity].name);
    hpm_table_add_text(table, hpm_string_text(&name));
    add_metric_cells(table, page, entry);
    hpm_table_add_text(table,
                       page->survey->quantities[entry->quantity].description);
    table->failed |= name.failed;
    hpm_string_free(&name);
}

/* Why metrics have no value, a line for each reason. */
static void
add_reasons(struct page *page, const struct hpm_subject *subject)
{
    struct hpm_string line = {0};

    for (size_t i = 0; i < subject->n_entries; i++) {
        const struct hpm_entry *entry = &subject->entries[i];
        size_t before;

        if (!hpm_shown_is_wanted(page->survey, entry->quantity) ||
            entry->figure.value.kind != HPM_NUMBER_NONE)
            continue;
        hpm_string_clear(&line);
        hpm_string_add_format(
            &line, "  %s: ", page->survey->quantities[entry->quantity].name);
        before = line.length;
        hpm_shown_add_reason(&line, &entry->figure);
        if (line.length > before)
            hpm_overview_add_prose(page->string, hpm_string_text(&line),
                                   page->options->style.width, 4);
    }
    page->string->failed |= line.failed;
    hpm_string_free(&line);
}

static void
add_metrics_of(struct page *page, size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_string title = {0};
    struct hpm_table table = {0};

    add_metric_columns(&table, page, "  metric");
    hpm_table_add_column(&table, "meaning", NULL, 0);
    hpm_table_rank_column(&table, RANK_MEANING);
    for (size_t i = 0; i < here->n_entries; i++) {
        if (hpm_shown_is_wanted(page->survey, here->entries[i].quantity) &&
            !is_told_as_metric(page->survey, here, here->entries[i].quantity))
            add_metric_row(&table, page, here, &here->entries[i]);
    }
    if (hpm_table_rows(&table) == 0) {
        hpm_table_clear(&table);
        return;
    }
    hpm_survey_add_label(page->survey, subject, &title);
    if (!isnan(here->share) && !is_difference(page)) {
        hpm_string_add(&title, ", ");
        hpm_string_add_fixed(&title, 100.0 * here->share, 1);
        hpm_string_add(&title, " % of the time");
    }
    if (page->survey->study->sections[here->section].scope == HPM_SCOPE_THREAD)
        hpm_string_add_format(&title, ", %zu thread%s in", here->n_threads,
                              here->n_threads == 1 ? "" : "s");
    else
        hpm_string_add(&title, ",");
    hpm_string_add_format(&title, " %zu task%s", here->n_tasks,
                          here->n_tasks == 1 ? "" : "s");
    add_title(page, hpm_string_text(&title));
    add_table(page, &table);
    add_reasons(page, here);
    hpm_string_free(&title);
}

/* ---- tasks and threads ----------------------------------------------- */

/* Lines of a subject, with figures of their own. */
struct cells {
    struct page *page;
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
    add_numeric_column(table, "calls", 0, 0);
    add_numeric_column(table, "excl s", 6, 0);
    add_numeric_column(table, "incl s", 6, RANK_INCLUSIVE);
    /* metrics tell more than counts: these go first */
    for (size_t i = 0; i < survey->n_quantities; i++) {
        bool is_count = survey->quantities[i].kind == HPM_QUANTITY_COUNTER;

        if (hpm_shown_is_wanted(survey, i) && has_any(cells, i))
            add_quantity_column(table, &survey->quantities[i],
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
    hpm_string_free(&task);
    if (cells->page->options->view == HPM_VIEW_THREAD) {
        if (cell->line.tid < 0)
            hpm_table_add_text(table, cell->line.tid == -1 ? "all" : "others");
        else
            hpm_table_add_integer(table, cell->line.tid);
    }
    add_calls(table, cells->page, &cell->line);
    hpm_table_add_real(table, ask(&cell->line, HPM_LINE_EXCLUSIVE));
    hpm_table_add_real(table, ask(&cell->line, HPM_LINE_INCLUSIVE));
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (hpm_shown_is_wanted(survey, i) && has_any(cells, i))
            hpm_shown_add_cell(table, &survey->quantities[i],
                               hpm_line_figure(&cell->line, i));
    }
}

static void
add_cells_of(struct page *page, size_t subject)
{
    struct cells cells = {.page = page, .subject = subject};
    struct hpm_string title = {0};
    struct hpm_table table = {0};

    if (page->options->view == HPM_VIEW_THREAD)
        hpm_survey_visit_threads(page->survey, subject, keep_cell, &cells);
    else
        hpm_survey_visit_tasks(page->survey, subject, keep_cell, &cells);
    if (page->options->has_sort)
        qsort(cells.all, cells.n, sizeof *cells.all, compare_cells);
    if (cells.n > 0) {
        add_cell_columns(&table, &cells);
        for (size_t i = 0; i < cells.n; i++)
            add_cell_row(&table, &cells, &cells.all[i]);
        hpm_survey_add_label(page->survey, subject, &title);
        add_title(page, hpm_string_text(&title));
        add_table(page, &table);
    }
    for (size_t i = 0; i < cells.n; i++)
        hpm_memory_free(cells.all[i].figures);
    hpm_memory_free(cells.all);
    page->string->failed |= cells.failed || title.failed;
    hpm_string_free(&title);
}

/* ---- metrics --------------------------------------------------------- */

static void
add_limit(struct hpm_string *title, const char *word,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(title, "; %s %s ", word,
                          limit->is_above ? "above" : "below");
    hpm_string_add_real(title, limit->value);
}

/* "IPC: instructions per cycle; bad below 1; good above 2" */
static void
add_metric_title(struct page *page, size_t quantity)
{
    const struct hpm_quantity *here = &page->survey->quantities[quantity];
    struct hpm_string title = {0};

    hpm_string_add(&title, here->name);
    if (here->description != NULL)
        hpm_string_add_format(&title, ": %s", here->description);
    for (size_t i = 0; i < page->survey->n_machines; i++) {
        const struct hpm_metrics *metrics =
            page->survey->machines[i].library.metrics;
        const struct hpm_limits *limits;

        if (here->metrics[i] == HPM_NO_METRIC)
            continue;
        limits = &metrics->metrics[here->metrics[i]]
                      .limits[page->survey->options.precision];
        add_limit(&title, "bad", &limits->bad);
        add_limit(&title, "good", &limits->good);
        break;
    }
    add_title(page, hpm_string_text(&title));
    page->string->failed |= title.failed;
    hpm_string_free(&title);
}

static void
add_sections_of(struct page *page, const struct hpm_lineup *lineup,
                size_t quantity, int scope)
{
    struct hpm_table table = {0};

    add_metric_columns(&table, page,
                       scope == HPM_SCOPE_PROCESS ? "  process section"
                                                  : "  thread section");
    for (size_t i = 0; i < lineup->n; i++) {
        const struct hpm_subject *subject =
            &page->survey->subjects[lineup->subjects[i]];
        const struct hpm_entry *entry = hpm_subject_entry(subject, quantity);
        struct hpm_string label = {0};

        if (entry == NULL)
            continue;
        hpm_string_add(&label, "  ");
        hpm_survey_add_label(page->survey, lineup->subjects[i], &label);
        hpm_table_add_text(&table, hpm_string_text(&label));
        add_metric_cells(&table, page, entry);
        table.failed |= label.failed;
        hpm_string_free(&label);
    }
    if (hpm_table_rows(&table) == 0) {
        hpm_table_clear(&table);
        return;
    }
    add_metric_title(page, quantity);
    add_table(page, &table);
}

/* ---- the report ------------------------------------------------------ */

static const char *const scope_titles[] = {
    [HPM_SCOPE_THREAD] = "thread section",
    [HPM_SCOPE_PROCESS] = "process section",
};

static void
add_sections(struct page *page, const struct hpm_lineup *lineup, int scope)
{
    const char *title = scope_titles[scope];
    struct hpm_table table = {0};

    if (page->options->view == HPM_VIEW_FILE)
        title =
            scope == HPM_SCOPE_PROCESS ? "file (processes)" : "file (threads)";
    if (is_difference(page))
        add_difference_columns(&table, title);
    else
        add_section_columns(&table, page, title);
    for (size_t i = 0; i < lineup->n; i++) {
        if (is_difference(page))
            add_difference_row(&table, page, lineup->subjects[i]);
        else
            add_section_row(&table, page, lineup->subjects[i]);
    }
    hpm_string_add_char(page->string, '\n');
    add_table(page, &table);
}

static void
add_in_full(struct page *page, const struct hpm_lineup *lineup)
{
    size_t n = lineup->n < N_IN_FULL ? lineup->n : N_IN_FULL;

    for (size_t i = 0; i < n; i++)
        add_metrics_of(page, lineup->subjects[i]);
    if (n < lineup->n)
        hpm_string_add_format(page->string,
                              "\nMetrics of %zu more section%s: --by metric, "
                              "or --filter.\n",
                              lineup->n - n, lineup->n - n == 1 ? "" : "s");
}

static bool
has_cells(const struct page *page)
{
    return page->options->view == HPM_VIEW_TASK ||
           page->options->view == HPM_VIEW_THREAD;
}

/* The tables of one scope. */
static void
add_scope(struct page *page, const struct hpm_lineup *lineup, int scope)
{
    if (lineup->n == 0)
        return;
    if (has_cells(page)) {
        for (size_t i = 0; i < lineup->n; i++)
            add_cells_of(page, lineup->subjects[i]);
    } else if (page->options->view == HPM_VIEW_METRIC) {
        for (size_t i = 0; i < page->survey->n_quantities; i++) {
            if (hpm_shown_is_wanted(page->survey, i))
                add_sections_of(page, lineup, i, scope);
        }
    } else {
        add_sections(page, lineup, scope);
    }
}

/* First what there is in both scopes, then their sections in full. */
static void
add_scopes(struct page *page)
{
    static const int scopes[] = {HPM_SCOPE_PROCESS, HPM_SCOPE_THREAD};
    const struct hpm_view_options *options = page->options;
    struct hpm_lineup lineups[2];
    struct hpm_error err;

    for (int i = 0; i < 2; i++) {
        /* of tasks and threads each line is asked by itself */
        if (!hpm_lineup_init(&lineups[i], page->survey, scopes[i],
                             &options->sort,
                             has_cells(page) ? NULL : options->filter, &err))
            page->string->failed = true;
    }
    for (int i = 0; i < 2; i++)
        add_scope(page, &lineups[i], scopes[i]);
    for (int i = 0; i < 2; i++) {
        if (options->view == HPM_VIEW_SECTION)
            add_in_full(page, &lineups[i]);
        hpm_lineup_clear(&lineups[i]);
    }
}

static void
add_nothing(struct page *page)
{
    hpm_string_add(page->string, page->options->filter != NULL
                                     ? "\nno line is as the filter wants it\n"
                                     : "\nno sections\n");
}

/* How to read the numbers, and where the others are. */
static void
add_legend(struct page *page)
{
    const struct hpm_text_style *style = &page->options->style;
    struct hpm_string line = {0};

    if (has_several(page) && !is_difference(page) && !has_cells(page))
        hpm_string_add(&line,
                       "Seconds are those of the slowest thread, counts the "
                       "sum over all; share: of the exclusive time of all "
                       "threads; imbal: (max - mean) / max over threads. ");
    hpm_string_add(&line,
                   "Marks: ! bad, + good, ~ parts are missing, ? too short, or "
                   "divided by hardly anything. They are hints, not verdicts.");
    if (page->n_left_out > 0)
        hpm_string_add_format(&line,
                              " In %zu characters a line up to %zu columns are "
                              "left out: COLUMNS=200 shows more, --format csv "
                              "all.",
                              style->width, page->n_left_out);
    hpm_string_add_char(page->string, '\n');
    hpm_string_add(page->string, style->is_coloured ? "\033[2m" : "");
    hpm_overview_add_prose(page->string, hpm_string_text(&line), style->width,
                           0);
    hpm_string_add(page->string, style->is_coloured ? "\033[0m" : "");
    page->string->failed |= line.failed;
    hpm_string_free(&line);
}

void
hpm_view_add_text(struct hpm_string *string, struct hpm_survey *survey,
                  const struct hpm_view_options *options)
{
    struct page page = {
        .string = string,
        .survey = survey,
        .options = options,
        .calls = hpm_survey_find_kind(survey, HPM_QUANTITY_CALLS),
        .exclusive = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE),
        .inclusive = hpm_survey_find_kind(survey, HPM_QUANTITY_INCLUSIVE)};

    hpm_overview_add_head(string, survey, options->style.width);
    add_scopes(&page);
    /* hints of crossed limits stand here, between metrics and notes */
    if (page.n_lines > 0)
        add_legend(&page);
    else
        add_nothing(&page);
    hpm_overview_add_notes(string, survey, options->style.width);
}
