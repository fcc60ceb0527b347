/* SPDX-License-Identifier: BSD-3-Clause
 * Export of a section's metrics as CSV: asks for the file, has it written piece
 * by piece, says how that ended. */
#ifndef HPMVIZ_METRICS_METRICSEXPORT_H
#define HPMVIZ_METRICS_METRICSEXPORT_H

#include <gtk/gtk.h>

#include "hpmviz/data/csvjob.h"

struct hpmviz_metricsexport;

/* What is to be said of it, in a sentence. */
typedef void hpmviz_metricsexport_tell(gpointer data, GtkMessageType type,
                                       const char *sentence);

/* Of a window, over which files are asked for.  It is freed before the window
 * is gone. */
struct hpmviz_metricsexport *
hpmviz_metricsexport_new(GtkWindow *window, hpmviz_metricsexport_tell *tell,
                         gpointer data);
void hpmviz_metricsexport_free(struct hpmviz_metricsexport *export);

/* Whose metrics they are from now on; NULL: nobody's.  What is being written of
 * another survey is cancelled, for that goes. */
void hpmviz_metricsexport_set(struct hpmviz_metricsexport *export,
                              struct hpm_survey *survey, size_t subject);

/* Ask for a file and write it; nothing while one is being written. */
void hpmviz_metricsexport_ask(struct hpmviz_metricsexport *export);

#endif
