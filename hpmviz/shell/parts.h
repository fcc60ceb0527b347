/* SPDX-License-Identifier: BSD-3-Clause
 * What the commands of a main window are about. */
#ifndef HPMVIZ_SHELL_PARTS_H
#define HPMVIZ_SHELL_PARTS_H

#include "hpmviz/measure/measurepane.h"
#include "hpmviz/runs/runsbar.h"
#include "hpmviz/sections/sectionspane.h"
#include "hpmviz/source/sourcepane.h"

/* Borrowed; they live as long as the window. */
struct hpmviz_parts {
    GtkApplicationWindow *window;
    HpmvizSession *session;
    HpmvizRunsbar *runs;
    HpmvizSectionspane *sections;
    HpmvizSourcepane *source;
    HpmvizMeasurepane *measure;
    gboolean awaits_metrics; /* a window of them is to be opened */
};

/* A command without a parameter. */
struct hpmviz_command {
    const char *name;
    void (*act)(struct hpmviz_parts *parts);
};

/* Add commands to the window's actions. */
void hpmviz_parts_add(struct hpmviz_parts *parts,
                      const struct hpmviz_command *commands, size_t n);

/* Have a function called at a signal, as long as there is the window. */
void hpmviz_parts_watch(struct hpmviz_parts *parts, gpointer object,
                        const char *signal,
                        void (*react)(struct hpmviz_parts *parts));

/* Make an action sensitive or not. */
void hpmviz_parts_enable(const struct hpmviz_parts *parts, const char *action,
                         gboolean is_enabled);

#endif
