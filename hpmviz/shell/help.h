/* SPDX-License-Identifier: BSD-3-Clause
 * What the Help menu shows. */
#ifndef HPMVIZ_SHELL_HELP_H
#define HPMVIZ_SHELL_HELP_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* hpmviz(1) in a window, or where it should be. */
void hpmviz_help_show_manual(GtkWindow *parent);

/* What the names in the open files mean. */
void hpmviz_help_show_glossary(GtkWindow *parent, HpmvizSession *session);

void hpmviz_help_show_shortcuts(GtkWindow *parent);
void hpmviz_help_show_about(GtkWindow *parent);

#endif
