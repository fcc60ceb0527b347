/* SPDX-License-Identifier: BSD-3-Clause
 * Asks where to write the linked trees as CSV. */
#ifndef HPMVIZ_TREES_TREESDIALOG_H
#define HPMVIZ_TREES_TREESDIALOG_H

#include <gtk/gtk.h>

#include "hpmviz/data/trees.h"

struct hpmviz_treesdialog;

/* Make a table of what is shown now (metrics, call paths of the selected metric, the
 * system of the selected path), a piece at a time, then ask where to write it, and
 * write it in a thread.  A failure is shown.  *ret_dialog stays NULL, or is set to
 * NULL when the user is asked: until then the trees do not change, or the table is
 * given up. */
void hpmviz_treesdialog_open(GtkWindow *parent,
                             const struct hpmviz_trees *trees,
                             struct hpmviz_treesdialog **ret_dialog);

/* Give the table up, and set it to NULL; NULL is fine. */
void hpmviz_treesdialog_cancel(struct hpmviz_treesdialog **dialog);

#endif
