/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of the list of sections: cells, headings, widths.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONCOLUMNS_H
#define HPMVIZ_SECTIONS_SECTIONCOLUMNS_H

#include "hpmviz/sections/sectiontable.h"

struct hpmviz_sectioncolumns;

/* The columns of a view of a HpmvizRowmodel, none yet.  It is freed before the
 * session, and when nothing is drawn any more. */
struct hpmviz_sectioncolumns *hpmviz_sectioncolumns_new(GtkTreeView *view,
                                                        HpmvizSession *session);
void hpmviz_sectioncolumns_free(struct hpmviz_sectioncolumns *columns);

/* Add the columns that there are now, in place of those there were: also one
 * for each metric that any section has.  They are shown as the user chose them;
 * of metrics at first none.  FALSE where there are no others than before; else
 * the view is without its model, for what that has may be of other files. */
gboolean hpmviz_sectioncolumns_list(struct hpmviz_sectioncolumns *columns);

/* The group of preferences that they and their order are remembered by: of two
 * runs that are compared another one. */
const char *
hpmviz_sectioncolumns_group(const struct hpmviz_sectioncolumns *columns);

/* Is any metric shown? */
gboolean
hpmviz_sectioncolumns_have_metric(const struct hpmviz_sectioncolumns *columns);

/* Call for clicks on headings, with that column. */
typedef void hpmviz_sectioncolumns_click(gpointer owner, guint column);
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

#endif
