/* SPDX-License-Identifier: BSD-3-Clause
 * The colours of the linked trees, from nothing to all. */
#ifndef HPMVIZ_TREES_SCALELEGEND_H
#define HPMVIZ_TREES_SCALELEGEND_H

#include <gtk/gtk.h>

/* With the colours below 0 where differences are shown. */
GtkWidget *hpmviz_scalelegend_new(void);
void hpmviz_scalelegend_set(GtkWidget *legend, gboolean is_signed);

#endif
