/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are open in a popover: letter, colour, name to be edited, which is
 * the reference, and a button to remove each.
 */
#ifndef HPMVIZ_RUNS_RUNSLIST_H
#define HPMVIZ_RUNS_RUNSLIST_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* It follows the session. */
GtkWidget *hpmviz_runslist_new(HpmvizSession *session);

#endif
