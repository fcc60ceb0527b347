/* SPDX-License-Identifier: BSD-3-Clause
 * Printing what a window shows. */
#ifndef HPMVIZ_SHELL_PRINTING_H
#define HPMVIZ_SHELL_PRINTING_H

#include <gtk/gtk.h>

#include "hpmviz/shell/drawing.h"

/* Ask over a window how to print a drawing, which is taken, under that title, and
 * print it; a failure is told in a dialog.  Returns at once.  What was chosen is
 * suggested the next time. */
void hpmviz_printing_ask(GtkWindow *parent, const char *title,
                         struct hpmviz_drawing *drawing);

#endif
