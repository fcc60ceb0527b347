/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of a value: in its cell, and in full. */
#ifndef HPMVIZ_DATA_DETAILS_H
#define HPMVIZ_DATA_DETAILS_H

#include "hpmviz/data/sheet.h"

/* Append a value as people read it, with a letter or sign for how it came about
 * (the legend has them), or the word for why there is none; of a difference with
 * its sign. */
void hpmviz_details_add_text(const struct hpmviz_sheet *sheet, guint column,
                             const struct hpmviz_value *value,
                             struct hpm_string *string);

/* How a number is written. */
enum hpmviz_form {
    HPMVIZ_FORM_PLAIN,
    HPMVIZ_FORM_SIGNED, /* with a plus where it is above 0 */
    HPMVIZ_FORM_RATIO
};

/* How a figure came about, for its letter or sign; it needs no survey. */
struct hpmviz_marks {
    enum hpm_state state;
    enum hpm_doubt doubt;
    gboolean is_partial;
};

/* Of NULL: those of what is not there. */
struct hpmviz_marks hpmviz_marks_of(const struct hpm_figure *figure);

/* Append "task 3, thread 1". */
void hpmviz_details_add_place(const struct hpmviz_sheet *sheet, guint row,
                              struct hpm_string *string);

/* The same of a number that was worked out from a figure with these marks; NAN is
 * what it lacks. */
void hpmviz_details_add_marked(const struct hpmviz_sheet *sheet, guint column,
                               struct hpmviz_marks marks, double number,
                               enum hpmviz_form form,
                               struct hpm_string *string);

/* How a figure came about, or why it has no value; some lines, or nothing. */
void hpmviz_details_add_origin(const struct hpm_quantity *quantity,
                               const struct hpm_figure *figure,
                               struct hpm_string *string);

/* Append digits with a sign, also before more than zero; none before a zero. */
void hpmviz_details_add_signed(struct hpm_string *string, const char *digits);

/* Of a state (enum hpm_state): " s" for a shared value, "" for a counted one;
 * and the word for none, "n/a" or why. */
const char *hpmviz_details_mark(int state);
const char *hpmviz_details_none(int state);

/* Append a number that was worked out from values of a column, as its values are. */
void hpmviz_details_add_number(const struct hpmviz_sheet *sheet, guint column,
                               double number, struct hpm_string *string);

/* What a column is: meaning, unit, formula, limits; some lines. */
void hpmviz_details_add_column(const struct hpmviz_sheet *sheet, guint column,
                               struct hpm_string *string);

/* All of one cell, some lines: where, the value and its verdict, limits, how it
 * came about or why there is none, what it means, and, where it is bad, what
 * that suggests. */
void hpmviz_details_add(const struct hpmviz_sheet *sheet, guint row,
                        guint column, enum hpm_precision precision,
                        struct hpm_string *string);

/* The limits of a quantity, from its definition, or from the files where it is
 * recorded there; FALSE when it has none. */
gboolean hpmviz_details_find_limits(const struct hpmviz_sheet *sheet,
                                    guint column, enum hpm_precision precision,
                                    struct hpm_limits *ret_limits);

/* Append "bad below 1, good above 2", nothing without limits. */
void hpmviz_details_add_limits(const struct hpm_limits *limits,
                               struct hpm_string *string);

/* The definition of a quantity: that of the first kind of machine that has one;
 * NULL for what is no metric. */
const struct hpm_metric *
hpmviz_details_find_metric(const struct hpmviz_sheet *sheet, guint column,
                           const struct hpm_metrics **ret_metrics);

/* Append its formula, "INSTRUCTION / CYCLES"; nothing where it is a counter. */
void hpmviz_details_add_formula(const struct hpmviz_sheet *sheet, guint column,
                                struct hpm_string *string);

#endif
