/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in the list of sections of two runs that are compared: columns A,
 * B, B - A, B / A, of the selected metric.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONCHANGE_H
#define HPMVIZ_SECTIONS_SECTIONCHANGE_H

#include "hpmviz/data/change.h"

enum hpmviz_change_column {
    HPMVIZ_CHANGE_ONLY, /* a text: "only in A" */
    HPMVIZ_CHANGE_A,
    HPMVIZ_CHANGE_B,
    HPMVIZ_CHANGE_DIFFERENCE,
    HPMVIZ_CHANGE_RATIO,
    HPMVIZ_CHANGE_N_COLUMNS
};

/* "B - A"; and what it means now, for g_free. */
char *hpmviz_sectionchange_title(const HpmvizSession *session,
                                 enum hpmviz_change_column column);
char *hpmviz_sectionchange_meaning(const HpmvizSession *session,
                                   enum hpmviz_change_column column);

double hpmviz_sectionchange_number(const HpmvizSession *session, guint row,
                                   enum hpmviz_change_column column);
void hpmviz_sectionchange_add_text(const HpmvizSession *session, guint row,
                                   enum hpmviz_change_column column,
                                   struct hpm_string *text);

/* Better or worse, where the column says which. */
enum hpm_verdict hpmviz_sectionchange_verdict(const HpmvizSession *session,
                                              guint row,
                                              enum hpmviz_change_column column);

/* In full, some lines: both values, what became of them, and why there is none. */
void hpmviz_sectionchange_add_details(const HpmvizSession *session, guint row,
                                      struct hpm_string *text);

#endif
