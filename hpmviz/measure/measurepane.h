/* SPDX-License-Identifier: BSD-3-Clause
 * The pane below the source from which the program is built and measured again:
 * folder and command, what the command writes, and what came of it. */
#ifndef HPMVIZ_MEASURE_MEASUREPANE_H
#define HPMVIZ_MEASURE_MEASUREPANE_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"
#include "hpmviz/instrument/functionat.h"

#define HPMVIZ_TYPE_MEASUREPANE (hpmviz_measurepane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMeasurepane, hpmviz_measurepane, HPMVIZ, MEASUREPANE,
                     GtkBox)

/* Signals:
 *
 *   "asked"             the user wants the command to be run: save sources
 *                       first, then hpmviz_measurepane_run
 *   "chosen" (char *file, int line)
 *                       the user chose a place in the output; the file with its
 *                       folders
 *   "changed"           a command runs now, or does not any more
 */

/* Hidden until it is opened.  What comes of a command is opened in the session
 * as its next run, compared with the last before. */
GtkWidget *hpmviz_measurepane_new(HpmvizSession *session);

/* Show the pane, with the folder of this source and its command.  With
 * `is_wanted` "asked" follows if a command is known; else it is asked for.  The
 * command is to be run as it is; or, with a function, which is copied, so that
 * hpmcount measures this function of the program. */
void hpmviz_measurepane_open(HpmvizMeasurepane *pane, const char *source,
                             const struct hpmviz_function *function,
                             gboolean is_wanted);

void hpmviz_measurepane_run(HpmvizMeasurepane *pane);
void hpmviz_measurepane_stop(HpmvizMeasurepane *pane);
gboolean hpmviz_measurepane_is_running(const HpmvizMeasurepane *pane);

/* Ask before the command is run: these sources are not saved. */
void hpmviz_measurepane_ask_to_save(HpmvizMeasurepane *pane, const char *names,
                                    void (*save)(gpointer data), gpointer data);

#endif
