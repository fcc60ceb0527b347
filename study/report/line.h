/* SPDX-License-Identifier: BSD-3-Clause
 * One line of a report, and what can be asked of it by name: for sorting and
 * for filters. */
#ifndef HPM_STUDY_REPORT_LINE_H
#define HPM_STUDY_REPORT_LINE_H

#include "study/survey/survey.h"

/* A subject, or one thread or task of it. */
struct hpm_line {
    const struct hpm_survey *survey;
    size_t subject;
    const struct hpm_figure *figures; /* of the thread or task, one per
                                       * quantity; NULL: the whole's */
    const size_t *slots; /* per quantity: 1 + which of figures[] is its own, 0
                          * for none; NULL: it is the quantity's number */
    size_t n_slots;      /* figures[] has so many, where there are slots */
    int task, tid;       /* of it; -2 where there is none */
    bool has_task, has_thread;
};

enum hpm_field_kind {
    HPM_LINE_LABEL, /* texts */
    HPM_LINE_PATH,
    HPM_LINE_FILE,
    HPM_LINE_SCOPE,
    HPM_LINE_CALLS, /* numbers */
    HPM_LINE_EXCLUSIVE,
    HPM_LINE_INCLUSIVE,
    HPM_LINE_SHARE,
    HPM_LINE_SECTION_SHARE,
    HPM_LINE_IMBALANCE,
    HPM_LINE_LOST,
    HPM_LINE_BAD,
    HPM_LINE_TASKS,
    HPM_LINE_THREADS,
    HPM_LINE_TASK,
    HPM_LINE_THREAD,
    HPM_LINE_LINE,
    HPM_LINE_ID,
    HPM_LINE_QUANTITY, /* a counter or metric */
};

struct hpm_line_field {
    enum hpm_field_kind kind;
    size_t quantity;
};

/* Find what a name asks for: one of the words above in small letters ("calls",
 * "excl", "incl", "imbalance" ...), or a counter or metric in any spelling.
 * False, with the word and the nearest one, when it is neither or has no value
 * in any section. */
bool hpm_line_find_field(const struct hpm_survey *survey, const char *name,
                         struct hpm_line_field *ret_field,
                         struct hpm_error *err);

bool hpm_line_field_is_text(const struct hpm_line_field *field);

/* A number of the line, times in seconds, shares and imbalance in percent; NAN
 * where it has none. */
double hpm_line_number(const struct hpm_line *line,
                       const struct hpm_line_field *field);

/* Append a text of the line. */
void hpm_line_add_text(const struct hpm_line *line,
                       const struct hpm_line_field *field,
                       struct hpm_string *string);

/* The figure of a quantity in the line; NULL where it does not have it. */
const struct hpm_figure *hpm_line_figure(const struct hpm_line *line,
                                         size_t quantity);

/* A number as people read it: seconds where it is in nanoseconds. */
double hpm_quantity_to_shown(const struct hpm_quantity *quantity, double value);

#endif
