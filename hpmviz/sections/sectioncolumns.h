/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of the list of sections: cells, headings, widths.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONCOLUMNS_H
#define HPMVIZ_SECTIONS_SECTIONCOLUMNS_H

#include "hpmviz/sections/sectiontable.h"

G_BEGIN_DECLS

struct hpmviz_sectioncolumns;

/* Add the columns to a view of a HpmvizRowmodel; they are shown as the user
 * chose them.  It is freed before the session, and when nothing is drawn any
 * more. */
struct hpmviz_sectioncolumns *hpmviz_sectioncolumns_new(GtkTreeView *view,
                                                        HpmvizSession *session);
void hpmviz_sectioncolumns_free(struct hpmviz_sectioncolumns *columns);

/* Call for clicks on headings, with that column. */
typedef void hpmviz_sectioncolumns_click(gpointer owner,
                                         enum hpmviz_section_column column);
void hpmviz_sectioncolumns_listen(struct hpmviz_sectioncolumns *columns,
                                  hpmviz_sectioncolumns_click *click,
                                  gpointer owner);

/* Mark this part of labels. */
void hpmviz_sectioncolumns_mark(struct hpmviz_sectioncolumns *columns,
                                const char *part);

/* Let headings say whose values they are, as the session's view has it. */
void hpmviz_sectioncolumns_explain(struct hpmviz_sectioncolumns *columns);

/* Let one heading show the order. */
void hpmviz_sectioncolumns_show_order(struct hpmviz_sectioncolumns *columns,
                                      const struct hpmviz_section_order *order);

/* Make columns as wide as their contents, where the user has not. */
void hpmviz_sectioncolumns_fit(struct hpmviz_sectioncolumns *columns,
                               HpmvizRowmodel *model);

/* Append what is shown, with tabs between and a line end: a row, or the
 * headings (HPM_NO_SUBJECT). */
void hpmviz_sectioncolumns_add_line(const struct hpmviz_sectioncolumns *columns,
                                    size_t row, struct hpm_string *text);

G_END_DECLS

#endif
