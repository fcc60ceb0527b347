/* SPDX-License-Identifier: BSD-3-Clause
 * The table of sections without its widget: what stands in a cell, and in what
 * order the rows are.  A row is a subject of the session's survey.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONTABLE_H
#define HPMVIZ_SECTIONS_SECTIONTABLE_H

#include "hpmviz/data/session.h"
#include "hpmviz/widgets/rowmodel.h"

G_BEGIN_DECLS

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
    HPMVIZ_SECTION_N_COLUMNS
};

/* A name that is not translated, the heading, and what it means now, for g_free
 * (the values are those of a statistic). */
const char *hpmviz_section_name(enum hpmviz_section_column column);
const char *hpmviz_section_title(enum hpmviz_section_column column);
char *hpmviz_section_meaning(enum hpmviz_section_column column,
                             const struct hpmviz_view *view);

gboolean hpmviz_section_is_text(enum hpmviz_section_column column);

/* NAN for texts, and for numbers that are not there. */
double hpmviz_section_number(const HpmvizSession *session, guint row,
                             enum hpmviz_section_column column);

/* As people read it, safe to be shown; "n/a" for numbers that are not there,
 * "…" for those that are being worked out. */
void hpmviz_section_add_text(const HpmvizSession *session, guint row,
                             enum hpmviz_section_column column,
                             struct hpm_string *string);

/* As programs read it: no separators between thousands, nothing for numbers
 * that are not there. */
void hpmviz_section_add_exact(const HpmvizSession *session, guint row,
                              enum hpmviz_section_column column,
                              struct hpm_string *string);

/* Was it never entered? */
gboolean hpmviz_section_is_idle(const HpmvizSession *session, guint row);

/* By a column, where that is the same by the one before it. */
struct hpmviz_section_order {
    enum hpmviz_section_column columns[2];
    gboolean is_rising[2];
};

/* As headings do it: the same column again turns the order round; texts begin
 * rising, numbers falling. */
void hpmviz_section_order_turn(struct hpmviz_section_order *order,
                               enum hpmviz_section_column column);

/* Order the rows; what has no value comes last either way. */
void hpmviz_section_sort(const HpmvizSession *session, HpmvizRowmodel *model,
                         const struct hpmviz_section_order *order);

G_END_DECLS

#endif
