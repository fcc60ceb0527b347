/* SPDX-License-Identifier: BSD-3-Clause
 * A text report being written, shared by the files that add to it. */
#ifndef HPM_STUDY_REPORT_PAGE_H
#define HPM_STUDY_REPORT_PAGE_H

#include "study/report/view.h"

/* Where lines are too long, the column with the largest rank is left out
 * first. */
enum hpm_page_rank {
    RANK_INCLUSIVE = 1,
    RANK_WHERE,
    RANK_SECTIONS,
    RANK_THREADS,
    RANK_SPREAD,
    RANK_MEANING,
    RANK_COUNTERS
};

/* All that is needed to write one report. */
struct hpm_page {
    struct hpm_string *string;
    struct hpm_survey *survey;
    const struct hpm_view_options *options;
    size_t calls, exclusive, inclusive; /* quantities */
    bool has_runs;                      /* the means have a spread over runs */
    size_t n_left_out;                  /* columns left out, at most, of one
                                         * table */
    size_t n_lines;
};

bool hpm_page_is_difference(const struct hpm_page *page);

/* Has any section several threads, or processes? */
bool hpm_page_has_several(const struct hpm_page *page);

/* Is each line a task, or a thread? */
bool hpm_page_has_cells(const struct hpm_page *page);

/* Add a table, and clear it. */
void hpm_page_add_table(struct hpm_page *page, struct hpm_table *table);

/* Add an empty line and a heading. */
void hpm_page_add_title(struct hpm_page *page, const char *title);

/* Add a column of numbers; a column of numbers with marks; the latter with a
 * quantity as heading, "task-clock s". */
void hpm_page_add_column(struct hpm_table *table, const char *heading,
                         int decimals, int rank);
void hpm_page_add_marked(struct hpm_table *table, const char *heading,
                         int rank);
void hpm_page_add_quantity(struct hpm_table *table,
                           const struct hpm_quantity *quantity, int rank);

/* A number of a line, or NAN; add a cell with the line's calls. */
double hpm_page_ask(const struct hpm_line *line, enum hpm_field_kind kind);
void hpm_page_add_calls(struct hpm_table *table, const struct hpm_page *page,
                        const struct hpm_line *line);

/* Add a cell with calls or a time of a line, with "~" where parts are
 * missing. */
void hpm_page_add_amount(struct hpm_table *table, const struct hpm_line *line,
                         size_t quantity);

/* Is the study a mean, or a difference of means, with a spread over runs? */
bool hpm_page_find_runs(const struct hpm_study *study);

/* If so: three columns with the spread, headed "run dev" and `unit` (" s" or
 * nothing), their cells, and the explanation of the columns. */
void hpm_page_add_run_columns(struct hpm_table *table,
                              const struct hpm_page *page, const char *unit);
void hpm_page_add_run_cells(struct hpm_table *table,
                            const struct hpm_page *page,
                            const struct hpm_figure *figure, size_t quantity);
void hpm_page_add_run_legend(const struct hpm_page *page,
                             struct hpm_string *line);

/* Add sections, call paths or files, a line each. */
void hpm_page_add_sections(struct hpm_page *page,
                           const struct hpm_lineup *lineup, int scope);

/* Add a cell with whose an extreme of a summary is: task, thread and node, "12.0
 * node3"; of a process "12 node3"; NULL: not known. */
void hpm_page_add_extreme(struct hpm_table *table,
                          const struct hpm_study_extreme *extreme);

/* Add counters and metrics of one subject, a line each. */
void hpm_page_add_metrics(struct hpm_page *page, size_t subject);

/* Add one counter or metric of all subjects that have it. */
void hpm_page_add_by_metric(struct hpm_page *page,
                            const struct hpm_lineup *lineup, size_t quantity,
                            int scope);

/* Add the tasks or threads of one subject. */
void hpm_page_add_cells(struct hpm_page *page, size_t subject);

#endif
