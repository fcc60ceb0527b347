/* SPDX-License-Identifier: BSD-3-Clause
 * Whether files that were read have changed since: for the main thread only.
 *
 * A job writes its files one after the other, and each in steps.  So a change
 * is told once, when nothing has happened for a while; files of network folders
 * that the system says nothing about are not noticed.
 */
#ifndef HPMVIZ_DATA_WATCHER_H
#define HPMVIZ_DATA_WATCHER_H

#include <gio/gio.h>

#define HPMVIZ_TYPE_WATCHER (hpmviz_watcher_get_type())
G_DECLARE_FINAL_TYPE(HpmvizWatcher, hpmviz_watcher, HPMVIZ, WATCHER, GObject)

/* Signal, without arguments: "changed". */

HpmvizWatcher *hpmviz_watcher_new(void);

/* From now on watch these n files, and of the words that are folders the
 * performance files that come there; what was watched before is not any
 * more. */
void hpmviz_watcher_watch(HpmvizWatcher *watcher, char *const *words,
                          char *const *files, guint n_files);

/* Tell changes after so many milliseconds without another; 2000 at first. */
void hpmviz_watcher_set_patience(HpmvizWatcher *watcher, guint milliseconds);

#endif
