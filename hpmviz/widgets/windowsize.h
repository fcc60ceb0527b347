/* SPDX-License-Identifier: BSD-3-Clause
 * The size of a window of which there may be several: as the user left the last
 * one. */
#ifndef HPMVIZ_WIDGETS_WINDOWSIZE_H
#define HPMVIZ_WIDGETS_WINDOWSIZE_H

#include <gtk/gtk.h>

#include "hpmviz/data/preferences.h"

/* Give a window that was not shown yet the size remembered under a group, at
 * first so many digits wide and lines high, and remember its size when it is
 * destroyed.  A window that is maximised keeps the size it had before. */
void hpmviz_windowsize_remember(GtkWindow *window,
                                HpmvizPreferences *preferences,
                                const char *group, int digits, int lines);

#endif
