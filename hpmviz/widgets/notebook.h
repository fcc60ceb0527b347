/* SPDX-License-Identifier: BSD-3-Clause
 * Notebooks whose pages may go while a screen reader listens. */
#ifndef HPMVIZ_WIDGETS_NOTEBOOK_H
#define HPMVIZ_WIDGETS_NOTEBOOK_H

#include <gtk/gtk.h>

/* Before anything else is done with a notebook: let it be destroyed without a
 * complaint of GTK's. */
void hpmviz_notebook_prepare(GtkNotebook *notebook);

/* Destroy a page of it, likewise. */
void hpmviz_notebook_close(GtkNotebook *notebook, GtkWidget *page);

#endif
