/* SPDX-License-Identifier: BSD-3-Clause
 * How the threads of the section with the most time differ, in the pictures of the
 * HTML page (study/analysis/kindpictures.h). */
#ifndef HPMVIZ_KINDS_KINDSWINDOW_H
#define HPMVIZ_KINDS_KINDSWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* It shows those of the files that are open, also when these are other ones. */
GtkWidget *hpmviz_kindswindow_new(HpmvizSession *session, GtkWindow *parent);

#endif
