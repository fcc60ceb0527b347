/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows: the total of each quantity. */
#ifndef HPM_STUDY_SURVEY_FIGURES_H
#define HPM_STUDY_SURVEY_FIGURES_H

#include "study/survey/survey.h"

/* Rows of one subject: of a thread, of a task, or all rows. */
struct hpm_slice {
    const uint32_t *rows;
    size_t n;
};

/* Sum calls, times and counters. figures[] has one element for each quantity;
 * metrics' figures do not change. */
void hpm_figures_count(struct hpm_survey *survey, struct hpm_slice slice,
                       struct hpm_figure *figures);

/* How many of the rows have a quantity, and why there may be no sum. */
struct hpm_counting {
    size_t n_rows, n_with;
    const char *same; /* see hpm_figures_find_same */
    bool is_twice;    /* work of child processes is in several of the rows */
};

/* The same in steps, for one quantity that is no metric.  Gather its data in some
 * rows into survey->inputs, which has room for them; returns how many rows have
 * one.  *ret_counts_children: does it include child processes in any of them? */
size_t hpm_figures_gather(struct hpm_survey *survey, size_t index,
                          struct hpm_slice slice, bool *ret_counts_children);

/* Sum the first n of survey->inputs, which are all that was counted, or sums of
 * it; changes their order. */
void hpm_figures_sum(struct hpm_survey *survey, size_t index, size_t n,
                     const struct hpm_counting *counted,
                     struct hpm_figure *figure);

/* Why a quantity has no sum over threads of one task, or tasks of one node, whose
 * values include the same events; or why each value of some threads alone includes
 * what the others did.  NULL where the values can be summed. */
const char *hpm_figures_find_same(const struct hpm_survey *survey,
                                  const struct hpm_quantity *quantity,
                                  struct hpm_slice slice);

/* Is a missing value of this quantity 0? */
bool hpm_figures_are_0_where_missing(const struct hpm_survey *survey,
                                     const struct hpm_quantity *quantity);

/* Do the rows include process sections of a process and of its child
 * process? */
bool hpm_figures_are_twice(struct hpm_survey *survey, struct hpm_slice slice);

/* Set which limits a figure has, and how far `value` is beyond them. */
void hpm_figure_take_limits(struct hpm_figure *figure,
                            const struct hpm_limits limits[2], double value);

/* Take the metrics recorded in files, where none was computed. */
void hpm_figures_take_recorded(struct hpm_survey *survey,
                               struct hpm_slice slice,
                               struct hpm_figure *figures);

/* The same for one quantity. */
void hpm_figures_take_recorded_one(struct hpm_survey *survey, size_t index,
                                   struct hpm_slice slice,
                                   struct hpm_figure *figure);

#endif
