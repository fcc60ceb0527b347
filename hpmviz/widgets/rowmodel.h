/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a table or a tree for a GtkTreeView, without their contents: a row
 * is a number, which its owner finds the cells of.  A million rows take twelve
 * bytes each, and are sorted without being looked at by the view.
 */
#ifndef HPMVIZ_WIDGETS_ROWMODEL_H
#define HPMVIZ_WIDGETS_ROWMODEL_H

#include <gtk/gtk.h>

#define HPMVIZ_TYPE_ROWMODEL (hpmviz_rowmodel_get_type())
G_DECLARE_FINAL_TYPE(HpmvizRowmodel, hpmviz_rowmodel, HPMVIZ, ROWMODEL, GObject)

/* The only column: a row's number, G_TYPE_UINT. */
enum { HPMVIZ_ROWMODEL_ROW, HPMVIZ_ROWMODEL_N_COLUMNS };

#define HPMVIZ_NO_ROW G_MAXUINT

HpmvizRowmodel *hpmviz_rowmodel_new(void);

/* Hold n rows with these numbers, each below another (an index into `rows`
 * that is smaller than its own) or below none (HPMVIZ_NO_ROW); `parents` NULL:
 * all below none.  Only while no view has the model: nothing is signalled. */
void hpmviz_rowmodel_set(HpmvizRowmodel *model, const guint *rows,
                         const guint *parents, guint n);

guint hpmviz_rowmodel_n_rows(const HpmvizRowmodel *model);

/* Less than, equal to or greater than 0 as row a is to come before b. */
typedef int hpmviz_rowmodel_compare(guint a, guint b, gpointer data);

/* Order the rows, those below one row among themselves; rows that are equal
 * stay as they are. */
void hpmviz_rowmodel_sort(HpmvizRowmodel *model,
                          hpmviz_rowmodel_compare *compare, gpointer data);

/* The number of the row at `iter`. */
guint hpmviz_rowmodel_get(const HpmvizRowmodel *model, const GtkTreeIter *iter);

/* Where the first row of that number is; FALSE when it is not there. */
gboolean hpmviz_rowmodel_find(HpmvizRowmodel *model, guint row,
                              GtkTreeIter *ret_iter);

#endif
