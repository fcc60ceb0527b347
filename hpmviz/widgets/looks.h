/* SPDX-License-Identifier: BSD-3-Clause
 * Theme, and size of letters, as preferred. */
#ifndef HPMVIZ_WIDGETS_LOOKS_H
#define HPMVIZ_WIDGETS_LOOKS_H

#include <gtk/gtk.h>

#include "hpmviz/data/preferences.h"

/* Percent. */
enum { HPMVIZ_LEAST_ZOOM = 50, HPMVIZ_MOST_ZOOM = 400 };

/* Make the whole application look so, now and when preferences change:
 * view.theme "system", "light" or "dark"; view.source-zoom and
 * view.table-zoom. */
void hpmviz_looks_follow(HpmvizPreferences *preferences);

/* Make the letters of "source-zoom" or "table-zoom" larger or smaller by a
 * step; 0 makes them as they were. */
void hpmviz_looks_zoom(HpmvizPreferences *preferences, const char *key,
                       int direction);

#endif
