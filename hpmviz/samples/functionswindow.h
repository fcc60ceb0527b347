/* SPDX-License-Identifier: BSD-3-Clause
 * The functions with samples, of the section that is selected or of all of the
 * program, and the lines of each; where samples have callers, from where the selected
 * one was called, and what it calls. */
#ifndef HPMVIZ_SAMPLES_FUNCTIONSWINDOW_H
#define HPMVIZ_SAMPLES_FUNCTIONSWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_FUNCTIONSWINDOW (hpmviz_functionswindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizFunctionswindow, hpmviz_functionswindow, HPMVIZ,
                     FUNCTIONSWINDOW, GtkWindow)

/* Signals: "line-chosen" (const char *file, int line): to be shown; "print": the list
 * is to be printed. */

/* It follows the session: its files, the section, and which event is looked at (the
 * preference "sampled" of "view"), which it can change. */
GtkWidget *hpmviz_functionswindow_new(HpmvizSession *session,
                                      GtkWindow *parent);

/* The list of functions. */
GtkTreeView *hpmviz_functionswindow_view(const HpmvizFunctionswindow *window);

#endif
