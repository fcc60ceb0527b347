/* SPDX-License-Identifier: BSD-3-Clause
 * The dialog that asks which tasks and threads all windows are to show. */
#ifndef HPMVIZ_PLACES_RANGECHOOSER_H
#define HPMVIZ_PLACES_RANGECHOOSER_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* Nothing happens where no files are open. */
void hpmviz_rangechooser_open(GtkWindow *window, HpmvizSession *session);

#endif
