/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are open, and what is shown of them: a run itself, or what
 * changed from the reference to it.  Nothing is seen of it where one run is
 * open.
 */
#ifndef HPMVIZ_RUNS_RUNSBAR_H
#define HPMVIZ_RUNS_RUNSBAR_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_RUNSBAR (hpmviz_runsbar_get_type())
G_DECLARE_FINAL_TYPE(HpmvizRunsbar, hpmviz_runsbar, HPMVIZ, RUNSBAR, GtkBox)

/* It follows the session. */
GtkWidget *hpmviz_runsbar_new(HpmvizSession *session);

/* Let the user name runs, choose the reference, remove some. */
void hpmviz_runsbar_manage(HpmvizRunsbar *bar);

#endif
