/* SPDX-License-Identifier: BSD-3-Clause
 * The values of one section: a row for each task and thread that has it, a
 * column for each quantity that any of them has.
 */
#ifndef HPMVIZ_SHEET_H
#define HPMVIZ_SHEET_H

#include <glib.h>

#include "report/survey.h"

struct hpmviz_value {
    double value; /* as it is shown; NAN for none */
    enum hpm_state state;
    enum hpm_verdict verdict;
    gboolean is_present, is_partial, is_doubtful;
    const char *reason;   /* why there is none, or NULL */
    enum hpm_cause cause; /* of a metric, and who it is about */
    const char *culprit;
};

struct hpmviz_place {
    int task, tid;
};

/* Texts are the survey's. */
struct hpmviz_sheet {
    const struct hpm_survey *survey;
    size_t subject;
    struct hpmviz_place *places;
    guint n_rows;
    size_t *quantities; /* per column */
    guint n_columns;
    struct hpmviz_value *values; /* row by row */
};

struct hpmviz_sheet *hpmviz_sheet_new(struct hpm_survey *survey,
                                      size_t subject);
void hpmviz_sheet_free(struct hpmviz_sheet *sheet);

const struct hpmviz_value *hpmviz_sheet_value(const struct hpmviz_sheet *sheet,
                                              guint row, guint column);
const struct hpm_quantity *
hpmviz_sheet_quantity(const struct hpmviz_sheet *sheet, guint column);

/* Is it a column to show at first?  Raw counts are not where there are
 * metrics. */
gboolean hpmviz_sheet_is_wanted(const struct hpmviz_sheet *sheet, guint column);

/* How a column is spread over its rows; places are rows. */
struct hpmviz_spread {
    guint n;                                             /* rows with a value */
    double min, low, median, mean, high, max, deviation; /* 5 and 95 % */
    guint min_at, max_at;
    guint n_bad, n_good;
};

struct hpmviz_spread hpmviz_sheet_spread(const struct hpmviz_sheet *sheet,
                                         guint column);

/* Append a value as people read it; "n/a" and the like where there is none. */
void hpmviz_sheet_add_text(const struct hpmviz_sheet *sheet, guint column,
                           const struct hpmviz_value *value,
                           struct hpm_string *string);

/* Value, limits, how it came about or why there is none, and what it means:
 * some lines. */
void hpmviz_sheet_add_explanation(const struct hpmviz_sheet *sheet,
                                  guint column,
                                  const struct hpmviz_value *value,
                                  enum hpm_precision precision,
                                  struct hpm_string *string);

/* All of it as CSV, in full precision. */
void hpmviz_sheet_add_csv(const struct hpmviz_sheet *sheet,
                          struct hpm_string *string);

#endif
