/* SPDX-License-Identifier: BSD-3-Clause
 * One line of a report, and its fields by name: for sorting and for filters. */
#ifndef HPM_STUDY_REPORT_LINE_H
#define HPM_STUDY_REPORT_LINE_H

#include "study/survey/survey.h"

/* A subject, or one thread or task of it. */
struct hpm_line {
    const struct hpm_survey *survey;
    size_t subject;
    const struct hpm_figure *figures; /* by quantity, of the thread or task;
                                       * NULL: the whole's */
    const size_t *slots; /* by quantity: 1 + its index in figures[], or 0; NULL:
                          * figures[] is by quantity */
    size_t n_slots;      /* length of figures[], where there are slots */
    int task, tid;       /* numbers of the line's task and thread, or -2 */
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

/* Find a field by its name: one of the words above in small letters ("calls",
 * "excl", "incl", "imbalance" ...), or a counter or metric in any spelling.
 * False when there is no such field, or it has no value in any section; the
 * message has the word and the nearest name. */
bool hpm_line_find_field(const struct hpm_survey *survey, const char *name,
                         struct hpm_line_field *ret_field,
                         struct hpm_error *err);

bool hpm_line_field_is_text(const struct hpm_line_field *field);

/* A number of the line: times in seconds, shares and imbalance in percent; NAN
 * where it has none. */
double hpm_line_number(const struct hpm_line *line,
                       const struct hpm_line_field *field);

/* Append a text field of the line. */
void hpm_line_add_text(const struct hpm_line *line,
                       const struct hpm_line_field *field,
                       struct hpm_string *string);

/* The figure of a quantity in the line, or NULL. */
const struct hpm_figure *hpm_line_figure(const struct hpm_line *line,
                                         size_t quantity);

/* A number in its shown unit: nanoseconds as seconds. */
double hpm_quantity_to_shown(const struct hpm_quantity *quantity, double value);

#endif
