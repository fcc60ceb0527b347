/* SPDX-License-Identifier: BSD-3-Clause
 * The dialog that asks whose values are to be shown: those of one task. */
#ifndef HPMVIZ_SHELL_TASKCHOOSER_H
#define HPMVIZ_SHELL_TASKCHOOSER_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* Ask; a task that is there becomes the view's. */
void hpmviz_taskchooser_open(GtkWindow *window, HpmvizSession *session);

#endif
