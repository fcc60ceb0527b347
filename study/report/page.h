/* SPDX-License-Identifier: BSD-3-Clause
 * One text report while it is put together, shared by the files that add to
 * it. */
#ifndef HPM_STUDY_REPORT_PAGE_H
#define HPM_STUDY_REPORT_PAGE_H

#include "study/report/view.h"

/* What is spared first where lines get too long. */
enum hpm_page_rank {
    RANK_INCLUSIVE = 1,
    RANK_WHERE,
    RANK_SECTIONS,
    RANK_THREADS,
    RANK_SPREAD,
    RANK_MEANING,
    RANK_COUNTERS
};

/* What the text of one report needs. */
struct hpm_page {
    struct hpm_string *string;
    struct hpm_survey *survey;
    const struct hpm_view_options *options;
    size_t calls, exclusive, inclusive; /* quantities */
    bool has_runs;                      /* that are apart */
    size_t n_left_out;                  /* columns, at most of a table */
    size_t n_lines;
};

bool hpm_page_is_difference(const struct hpm_page *page);

/* Has any section more than one thread, or process? */
bool hpm_page_has_several(const struct hpm_page *page);

/* Is a line one task, or thread? */
bool hpm_page_has_cells(const struct hpm_page *page);

/* Add a table, and clear it. */
void hpm_page_add_table(struct hpm_page *page, struct hpm_table *table);

/* Add an empty line and a heading. */
void hpm_page_add_title(struct hpm_page *page, const char *title);

/* Columns: of numbers; of numbers with marks beside them; the latter headed by
 * a quantity, "task-clock s". */
void hpm_page_add_column(struct hpm_table *table, const char *heading,
                         int decimals, int rank);
void hpm_page_add_marked(struct hpm_table *table, const char *heading,
                         int rank);
void hpm_page_add_quantity(struct hpm_table *table,
                           const struct hpm_quantity *quantity, int rank);

/* A number of a line, NAN for none; a cell with its calls. */
double hpm_page_ask(const struct hpm_line *line, enum hpm_field_kind kind);
void hpm_page_add_calls(struct hpm_table *table, const struct hpm_page *page,
                        const struct hpm_line *line);

/* Calls or a time of a line, with "~" where parts of it are missing. */
void hpm_page_add_amount(struct hpm_table *table, const struct hpm_line *line,
                         size_t quantity);

/* Is it of a mean, or of two, so that runs are apart? */
bool hpm_page_find_runs(const struct hpm_study *study);

/* Then three columns, headed "run dev" and `unit` (" s" or nothing), with how
 * far they are; what they are is said. */
void hpm_page_add_run_columns(struct hpm_table *table,
                              const struct hpm_page *page, const char *unit);
void hpm_page_add_run_cells(struct hpm_table *table,
                            const struct hpm_page *page,
                            const struct hpm_figure *figure, size_t quantity);
void hpm_page_add_run_legend(const struct hpm_page *page,
                             struct hpm_string *line);

/* Sections, call paths or files, a line each. */
void hpm_page_add_sections(struct hpm_page *page,
                           const struct hpm_lineup *lineup, int scope);

/* Counters and metrics of one subject, a line each. */
void hpm_page_add_metrics(struct hpm_page *page, size_t subject);

/* One counter or metric in all subjects that have it. */
void hpm_page_add_by_metric(struct hpm_page *page,
                            const struct hpm_lineup *lineup, size_t quantity,
                            int scope);

/* Tasks or threads of one subject. */
void hpm_page_add_cells(struct hpm_page *page, size_t subject);

#endif
