/* SPDX-License-Identifier: BSD-3-Clause
 * The menu of a source: what can be done with the lines selected. */
#ifndef HPMVIZ_SOURCE_SOURCEMENU_H
#define HPMVIZ_SOURCE_SOURCEMENU_H

#include <gtk/gtk.h>

/* Have the commands on calls of libhpm in the menu that the view pops up. */
void hpmviz_sourcemenu_attach(GtkTextView *view);

#endif
