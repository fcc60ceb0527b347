/* SPDX-License-Identifier: BSD-3-Clause
 * That only a group of threads is shown, and a button to show all again: nothing is
 * seen where all are. */
#ifndef HPMVIZ_WIDGETS_RESTRICTIONBAR_H
#define HPMVIZ_WIDGETS_RESTRICTIONBAR_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* It follows the session. */
GtkWidget *hpmviz_restrictionbar_new(HpmvizSession *session);

#endif
