/* SPDX-License-Identifier: BSD-3-Clause
 * What can be done in the main window: its actions ("win.open"), which are
 * insensitive where they can do nothing. */
#ifndef HPMVIZ_SHELL_COMMANDS_H
#define HPMVIZ_SHELL_COMMANDS_H

#include "hpmviz/shell/parts.h"

/* Add all of them to the window. */
void hpmviz_commands_add(struct hpmviz_parts *parts);

/* The keys of all actions of a window and of the application. */
void hpmviz_commands_set_keys(GtkApplication *application);

/* The metrics window of the selected section, or, when there are no metrics
 * yet, that it is wanted; its source. */
void hpmviz_commands_open_metrics(struct hpmviz_parts *parts);
void hpmviz_commands_enter_source(struct hpmviz_parts *parts);

#endif
