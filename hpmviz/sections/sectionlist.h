/* SPDX-License-Identifier: BSD-3-Clause
 * The rows of the list of sections: which, in what order, which is selected.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONLIST_H
#define HPMVIZ_SECTIONS_SECTIONLIST_H

#include "hpmviz/sections/sectioncolumns.h"

struct hpmviz_sectionlist;

/* The list in a view, without rows.  It is freed before the session, and when
 * nothing is drawn any more.  A row that the user selects is the session's
 * section; the order that a click on a heading gives is remembered. */
struct hpmviz_sectionlist *hpmviz_sectionlist_new(GtkTreeView *view,
                                                  HpmvizSession *session);
void hpmviz_sectionlist_free(struct hpmviz_sectionlist *list);

/* Have columns for what is open now, in the order that is remembered of them;
 * FALSE where they are the same as before.  Else there are no rows until they
 * are set again. */
gboolean hpmviz_sectionlist_list(struct hpmviz_sectionlist *list);

/* Show those subjects of the session's survey whose flag is set, parents first,
 * in order, with this part of their labels marked. */
void hpmviz_sectionlist_set(struct hpmviz_sectionlist *list,
                            const gboolean *is_shown, const char *mark);
guint hpmviz_sectionlist_n_rows(const struct hpmviz_sectionlist *list);

/* The same subjects have other values, and may have metrics now.  FALSE where
 * they are in order again; else there are other columns, and the rows are to be
 * set again. */
gboolean hpmviz_sectionlist_renew(struct hpmviz_sectionlist *list);

/* Make columns as wide as their contents, where the user has not; let headings
 * say whose values they are. */
void hpmviz_sectionlist_fit(struct hpmviz_sectionlist *list);
void hpmviz_sectionlist_explain(struct hpmviz_sectionlist *list);

/* Move the cursor to the session's section, and to it; none where it is not
 * among the rows. */
void hpmviz_sectionlist_show_selection(struct hpmviz_sectionlist *list);
gboolean
hpmviz_sectionlist_has_selection(const struct hpmviz_sectionlist *list);

/* Let the first row be the session's section. */
void hpmviz_sectionlist_select_first(struct hpmviz_sectionlist *list);

/* Append headings and values of the session's section, with tabs between, of
 * the columns shown. */
void hpmviz_sectionlist_add_selected(const struct hpmviz_sectionlist *list,
                                     struct hpm_string *text);

/* Is any metric among the columns that are shown? */
gboolean hpmviz_sectionlist_has_metric(const struct hpmviz_sectionlist *list);

#endif
