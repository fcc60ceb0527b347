/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer remembers from one time to the next: values by group and
 * key, in a key file of the user's.  For the main thread only.
 *
 *     [view]      palette, statistic, precision, scope, tree, theme, minimap,
 *                 toolbar, source-zoom, table-zoom (percent)
 *     [window]    width, height, maximised, panes
 *     [sources]   substitutions ("from=to"), search, roots, refused
 *     [editor]    command, seen
 *     [measure]   projects ("folder", a line end, "command")
 *     [session]   restore, files, label, file, line, pages
 *     [sections columns], [metrics columns]    see columns.c
 */
#ifndef HPMVIZ_DATA_PREFERENCES_H
#define HPMVIZ_DATA_PREFERENCES_H

#include <glib-object.h>

#define HPMVIZ_TYPE_PREFERENCES (hpmviz_preferences_get_type())
G_DECLARE_FINAL_TYPE(HpmvizPreferences, hpmviz_preferences, HPMVIZ, PREFERENCES,
                     GObject)

/* Signals, without arguments:
 *
 *   "changed::group.key"   that value is another one now
 *   "troubled"             the file cannot be written, or again it can; see
 *                          hpmviz_preferences_problem
 */

/* Remembers nothing but while it lives. */
HpmvizPreferences *hpmviz_preferences_new(void);

/* From a key file, which need not exist; NULL is the user's,
 * hpm-toolkit/hpmviz.conf in g_get_user_config_dir().  A damaged file is kept
 * beside itself (".damaged"), and all values are the defaults.
 *
 * Changes are written a moment after the last, and when this is disposed of:
 * the file is whole at any time, what others have written into it meanwhile
 * stays, and of one value the last is kept. */
HpmvizPreferences *hpmviz_preferences_open(const char *path);

/* Write what has not been; FALSE when that fails. */
gboolean hpmviz_preferences_flush(HpmvizPreferences *preferences);

/* What is wrong with the file, a sentence that names it; NULL for nothing. */
const char *hpmviz_preferences_problem(const HpmvizPreferences *preferences);

/* The values, or, where there is none or not such a one, the default; numbers
 * beyond their limits are no values.  For g_free and g_strfreev; strings are
 * never NULL (empty for none). */
char *hpmviz_preferences_get_string(const HpmvizPreferences *preferences,
                                    const char *group, const char *key,
                                    const char *otherwise);
char **hpmviz_preferences_get_strings(const HpmvizPreferences *preferences,
                                      const char *group, const char *key);
int hpmviz_preferences_get_int(const HpmvizPreferences *preferences,
                               const char *group, const char *key, int min,
                               int max, int otherwise);
gboolean hpmviz_preferences_get_flag(const HpmvizPreferences *preferences,
                                     const char *group, const char *key,
                                     gboolean otherwise);

/* Set them.  NULL forgets a string; strings that are not UTF-8 are not
 * remembered. */
void hpmviz_preferences_set_string(HpmvizPreferences *preferences,
                                   const char *group, const char *key,
                                   const char *value);
void hpmviz_preferences_set_strings(HpmvizPreferences *preferences,
                                    const char *group, const char *key,
                                    const char *const *values);
void hpmviz_preferences_set_int(HpmvizPreferences *preferences,
                                const char *group, const char *key, int value);
void hpmviz_preferences_set_flag(HpmvizPreferences *preferences,
                                 const char *group, const char *key,
                                 gboolean value);

/* Put a string at the end of those there, if it is not there. */
void hpmviz_preferences_add_string(HpmvizPreferences *preferences,
                                   const char *group, const char *key,
                                   const char *value);

#endif
