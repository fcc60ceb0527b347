/* SPDX-License-Identifier: BSD-3-Clause
 * The table of sections without its widget: what stands in a cell, and in what
 * order the rows are.  A row is a subject of the session's survey.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONTABLE_H
#define HPMVIZ_SECTIONS_SECTIONTABLE_H

#include "hpmviz/data/session.h"
#include "hpmviz/widgets/rowmodel.h"

enum hpmviz_section_column {
    HPMVIZ_SECTION_LABEL,
    HPMVIZ_SECTION_EXCLUSIVE, /* seconds, by the view's statistic */
    HPMVIZ_SECTION_SHARE,     /* percent of all threads' exclusive time */
    HPMVIZ_SECTION_INCLUSIVE, /* as exclusive */
    HPMVIZ_SECTION_CALLS,     /* as exclusive */
    HPMVIZ_SECTION_IMBALANCE, /* percent */
    HPMVIZ_SECTION_BAD,       /* how many metrics are */
    HPMVIZ_SECTION_PLACE,     /* file and line */
    HPMVIZ_SECTION_FILE,      /* with its folders */
    HPMVIZ_SECTION_ONLY,      /* of two runs that are compared, of the selected
                               * metric: the run that alone has the section */
    HPMVIZ_SECTION_A,
    HPMVIZ_SECTION_B,
    HPMVIZ_SECTION_DIFFERENCE, /* B - A */
    HPMVIZ_SECTION_RATIO,      /* B / A */
    HPMVIZ_SECTION_N_COLUMNS   /* behind them metrics */
};

/* The column of a metric, by its number among the survey's quantities.  It is
 * the same in all surveys of what is open. */
#define HPMVIZ_SECTION_METRIC(quantity)                                        \
    (HPMVIZ_SECTION_N_COLUMNS + (guint)(quantity))
#define HPMVIZ_SECTION_IS_CHANGE(column)                                       \
    ((column) >= HPMVIZ_SECTION_ONLY && (column) <= HPMVIZ_SECTION_RATIO)
#define HPMVIZ_SECTION_IS_METRIC(column) ((column) >= HPMVIZ_SECTION_N_COLUMNS)
#define HPMVIZ_SECTION_QUANTITY(column) ((column)-HPMVIZ_SECTION_N_COLUMNS)

/* For g_free: a name that is not translated, the heading, and what it means now
 * (the values are those of a statistic). */
char *hpmviz_section_name(const HpmvizSession *session, guint column);
char *hpmviz_section_title(const HpmvizSession *session, guint column);
char *hpmviz_section_meaning(const HpmvizSession *session, guint column);

gboolean hpmviz_section_is_text(guint column);

/* NAN for texts, and for numbers that are not there. */
double hpmviz_section_number(const HpmvizSession *session, guint row,
                             guint column);

/* As people read it, safe to be shown; "n/a" for numbers that are not there,
 * "…" for those that are being worked out. */
void hpmviz_section_add_text(const HpmvizSession *session, guint row,
                             guint column, struct hpm_string *string);

/* As programs read it: no separators between thousands, nothing for numbers
 * that are not there. */
void hpmviz_section_add_exact(const HpmvizSession *session, guint row,
                              guint column, struct hpm_string *string);

/* Was it never entered? */
gboolean hpmviz_section_is_idle(const HpmvizSession *session, guint row);

/* Of a metric's value, or of what became of it; for other columns none. */
enum hpm_verdict hpmviz_section_verdict(const HpmvizSession *session, guint row,
                                        guint column);

/* By a column, where that is the same by the one before it. */
struct hpmviz_section_order {
    guint columns[2];
    gboolean is_rising[2];
};

/* As headings do it: the same column again turns the order round; texts begin
 * rising, numbers falling. */
void hpmviz_section_order_turn(struct hpmviz_section_order *order,
                               guint column);

/* What it is remembered by, such as "exclusive falling", for g_strfreev; and
 * back: without the columns that are not there now, and then by exclusive time
 * and label. */
char **hpmviz_section_order_get_names(const HpmvizSession *session,
                                      const struct hpmviz_section_order *order);
struct hpmviz_section_order
hpmviz_section_order_of_names(const HpmvizSession *session, char *const *names);

/* Order the rows; what has no value comes last either way. */
void hpmviz_section_sort(const HpmvizSession *session, HpmvizRowmodel *model,
                         const struct hpmviz_section_order *order);

#endif
