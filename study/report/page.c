/* SPDX-License-Identifier: BSD-3-Clause
 * A text report being written. */
#include "study/report/page.h"

#include <string.h>

#include "study/report/paragraph.h"
#include "study/report/shown.h"
#include "study/report/tablewords.h"

bool
hpm_page_is_difference(const struct hpm_page *page)
{
    return page->survey->study->kind == HPM_STUDY_DIFF;
}

void
hpm_page_add_table(struct hpm_page *page, struct hpm_table *table)
{
    size_t n =
        hpm_tablewords_add_in(page->string, table, NULL, &page->options->style);

    if (n > page->n_left_out)
        page->n_left_out = n;
    page->n_lines += hpm_table_rows(table);
    page->string->failed |= table->failed;
    hpm_table_clear(table);
}

void
hpm_page_add_title(struct hpm_page *page, const char *title)
{
    hpm_string_add_char(page->string, '\n');
    if (page->options->style.is_coloured)
        hpm_string_add(page->string, "\033[1m");
    hpm_paragraph_add(page->string, title, page->options->style.width, 2);
    if (page->options->style.is_coloured)
        hpm_string_add(page->string, "\033[0m");
}

bool
hpm_page_has_several(const struct hpm_page *page)
{
    /* a summary has one row for all threads, and says how these lie */
    return page->survey->n_threads[0] > 1 || page->survey->n_threads[1] > 1 ||
           page->survey->study->n_spreads > 0;
}

bool
hpm_page_has_cells(const struct hpm_page *page)
{
    return page->options->view == HPM_VIEW_TASK ||
           page->options->view == HPM_VIEW_THREAD;
}

/* ---- columns --------------------------------------------------------- */

void
hpm_page_add_column(struct hpm_table *table, const char *heading, int decimals,
                    int rank)
{
    hpm_table_add_column(table, heading, heading, decimals);
    hpm_table_rank_column(table, rank);
}

/* A column of numbers with marks. */
void
hpm_page_add_marked(struct hpm_table *table, const char *heading, int rank)
{
    hpm_table_add_column(table, "value", heading, 0);
    hpm_table_align_column(table);
    hpm_table_rank_column(table, rank);
}

/* A column with a heading such as "task-clock s". */
void
hpm_page_add_quantity(struct hpm_table *table,
                      const struct hpm_quantity *quantity, int rank)
{
    struct hpm_string heading = {0};

    hpm_string_add_safe(&heading, quantity->name);
    if (strcmp(hpm_shown_unit(quantity), "s") == 0)
        hpm_string_add(&heading, " s");
    hpm_page_add_marked(table, hpm_string_text(&heading), rank);
    hpm_string_finish(&heading, &table->failed);
}

double
hpm_page_ask(const struct hpm_line *line, enum hpm_field_kind kind)
{
    struct hpm_line_field field = {.kind = kind};

    return hpm_line_number(line, &field);
}

void
hpm_page_add_amount(struct hpm_table *table, const struct hpm_line *line,
                    size_t quantity)
{
    const struct hpm_figure *figure = hpm_line_figure(line, quantity);

    if (figure == NULL || figure->value.kind == HPM_NUMBER_NONE)
        hpm_table_add_none(table);
    else
        hpm_shown_add_cell(table, &line->survey->quantities[quantity], figure,
                           false);
}

void
hpm_page_add_calls(struct hpm_table *table, const struct hpm_page *page,
                   const struct hpm_line *line)
{
    hpm_page_add_amount(table, line, page->calls);
}

void
hpm_page_add_extreme(struct hpm_table *table,
                     const struct hpm_study_extreme *extreme)
{
    struct hpm_string text = {0};

    if (extreme == NULL || extreme->task.kind == HPM_NUMBER_NONE) {
        hpm_table_add_none(table);
        return;
    }
    hpm_number_add(&text, extreme->task);
    if (extreme->thread.kind == HPM_NUMBER_COUNT) {
        hpm_string_add_char(&text, '.');
        hpm_number_add(&text, extreme->thread);
    }
    if (extreme->host != NULL)
        hpm_string_add_format(&text, " %.60s", extreme->host);
    hpm_table_add_string(table, &text);
}
