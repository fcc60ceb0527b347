/* SPDX-License-Identifier: BSD-3-Clause
 * From where a function was called, and what it calls, in samples with callers. */
#ifndef HPMVIZ_SAMPLES_CALLSPANE_H
#define HPMVIZ_SAMPLES_CALLSPANE_H

#include <gtk/gtk.h>

#include "study/hotspot/callgraph.h"

#define HPMVIZ_TYPE_CALLSPANE (hpmviz_callspane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizCallspane, hpmviz_callspane, HPMVIZ, CALLSPANE,
                     GtkBox)

GtkWidget *hpmviz_callspane_new(void);

/* Show a function of the whole program, by its texts in the graph, which must last
 * until the next call: NULL shows nothing.  Where the graph has none of that name the
 * pane says that its callers are not known.  A row that is activated, by a click or
 * Return, has the pane show that caller, or called function, in its turn. */
void hpmviz_callspane_show(HpmvizCallspane *pane,
                           const struct hpm_callgraph *graph, guint sampled,
                           const char *function, const char *module);

#endif
