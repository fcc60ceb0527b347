/* SPDX-License-Identifier: BSD-3-Clause
 * Which group of threads is shown: all of them, or one of the pictures of kinds. */
#ifndef HPMVIZ_KINDS_GROUPCHOOSER_H
#define HPMVIZ_KINDS_GROUPCHOOSER_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* A list of them as they are now, the one that is shown chosen; who chooses another
 * has all panes show that.  NULL where there are no groups. */
GtkWidget *hpmviz_groupchooser_new(HpmvizSession *session, gboolean is_dark);

/* The colour of the group of that number. */
const char *hpmviz_groupchooser_colour(gboolean is_dark, size_t group);

#endif
