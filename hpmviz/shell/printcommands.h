/* SPDX-License-Identifier: BSD-3-Clause
 * Printing of the windows: each as it is drawn without a display, in light colours.
 */
#ifndef HPMVIZ_SHELL_PRINTCOMMANDS_H
#define HPMVIZ_SHELL_PRINTCOMMANDS_H

#include "hpmviz/metrics/metricswindow.h"
#include "hpmviz/places/placeswindow.h"
#include "hpmviz/runs/trendwindow.h"
#include "hpmviz/samples/functionswindow.h"
#include "hpmviz/shell/parts.h"
#include "hpmviz/trees/treeswindow.h"

/* The sections with the metrics of the costliest; of more than two runs all. */
void hpmviz_printcommands_sections(struct hpmviz_parts *parts);

/* What the window shows now; nothing while it is being worked out. */
void hpmviz_printcommands_trees(HpmvizTreeswindow *window);
void hpmviz_printcommands_distribution(HpmvizPlaceswindow *window);
void hpmviz_printcommands_trend(HpmvizTrendwindow *window,
                                struct hpmviz_parts *parts);

/* The list of functions as it stands. */
void hpmviz_printcommands_functions(HpmvizFunctionswindow *window);

/* From now on the table of this window is printed when the window asks for it. */
void hpmviz_printcommands_watch_metrics(HpmvizMetricswindow *window);

/* Let Ctrl+P in a window emit its signal "print". */
void hpmviz_printcommands_listen(GtkWidget *window);

#endif
