/* SPDX-License-Identifier: BSD-3-Clause
 * The folder a source is built in, and the command the user builds and runs the
 * program with, which is remembered for the folder. */
#ifndef HPMVIZ_MEASURE_PROJECT_H
#define HPMVIZ_MEASURE_PROJECT_H

#include "hpmviz/data/preferences.h"

/* The folder for a source: the nearest above it for which a command is known
 * (`known`, ended by NULL), else the nearest with a file that says how to build
 * (Makefile, CMakeLists.txt ...), else its own.  Looks at files.  For g_free. */
char *hpmviz_project_find(const char *source, const char *const *known);

/* The folders for which a command is known, for g_strfreev; the command of one,
 * for g_free: empty for none. */
char **hpmviz_project_known(const HpmvizPreferences *preferences);
char *hpmviz_project_command(const HpmvizPreferences *preferences,
                             const char *folder);

/* Remember it; an empty command is forgotten. */
void hpmviz_project_remember(HpmvizPreferences *preferences, const char *folder,
                             const char *command);

#endif
