/* SPDX-License-Identifier: BSD-3-Clause
 * Opening a source at a line in the user's own editor. */
#ifndef HPMVIZ_SOURCE_EDITOR_H
#define HPMVIZ_SOURCE_EDITOR_H

#include "hpmviz/data/preferences.h"

/* The words that open the file at the line by this setting, which is split as a
 * shell would but is never given to one: "%f" and "%l" in it stand for file and
 * line, and where it has no "%f" they follow as the editor wants them.  Editors
 * that need a terminal are run in this one, words before a command; NULL for
 * none.  For g_strfreev; NULL, with an error, where it cannot be. */
char **hpmviz_editor_command(const char *setting, const char *terminal,
                             const char *path, int line, GError **error);

/* The setting of the preferences (editor.command), or of VISUAL, or of EDITOR;
 * empty for none.  For g_free. */
char *hpmviz_editor_setting(const HpmvizPreferences *preferences);

/* A terminal that is installed; NULL for none. */
const char *hpmviz_editor_terminal(void);

#endif
