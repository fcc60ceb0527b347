/* SPDX-License-Identifier: BSD-3-Clause
 * Asks where to write the linked trees as CSV. */
#ifndef HPMVIZ_TREES_TREESDIALOG_H
#define HPMVIZ_TREES_TREESDIALOG_H

#include <gtk/gtk.h>

#include "hpmviz/data/trees.h"

/* Ask, and write what is shown now: metrics, call paths of the selected metric, the
 * system of the selected path.  A failure is told. */
void hpmviz_treesdialog_open(GtkWindow *parent,
                             const struct hpmviz_trees *trees);

#endif
