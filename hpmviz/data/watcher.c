/* SPDX-License-Identifier: BSD-3-Clause
 * Whether files that were read have changed since.
 *
 * Their folders are watched, not each of a thousand files; and a file that is
 * replaced, which is how performance files are written, is seen in its folder
 * only. */
#include "hpmviz/data/watcher.h"

#include <string.h>

struct _HpmvizWatcher {
    GObject parent_instance;
    GHashTable *files;   /* absolute paths that were read */
    GHashTable *folders; /* absolute paths where new files count, too */
    GPtrArray *monitors; /* GFileMonitor */
    guint quiet;         /* the source that waits for quiet, or 0 */
    guint patience;      /* milliseconds */
};

G_DEFINE_TYPE(HpmvizWatcher, hpmviz_watcher, G_TYPE_OBJECT)

static guint changed_signal;

enum { PATIENCE = 2000 };

static void
stop(gpointer data)
{
    g_file_monitor_cancel(data);
    g_object_unref(data);
}

static void
finalize(GObject *object)
{
    HpmvizWatcher *watcher = HPMVIZ_WATCHER(object);

    if (watcher->quiet != 0)
        g_source_remove(watcher->quiet);
    g_ptr_array_unref(watcher->monitors);
    g_hash_table_unref(watcher->files);
    g_hash_table_unref(watcher->folders);
    G_OBJECT_CLASS(hpmviz_watcher_parent_class)->finalize(object);
}

static void
hpmviz_watcher_class_init(HpmvizWatcherClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    changed_signal =
        g_signal_new("changed", HPMVIZ_TYPE_WATCHER, G_SIGNAL_RUN_LAST, 0, NULL,
                     NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_watcher_init(HpmvizWatcher *watcher)
{
    watcher->patience = PATIENCE;
    watcher->files =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    watcher->folders =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    watcher->monitors = g_ptr_array_new_with_free_func(stop);
}

HpmvizWatcher *
hpmviz_watcher_new(void)
{
    return g_object_new(HPMVIZ_TYPE_WATCHER, NULL);
}

void
hpmviz_watcher_set_patience(HpmvizWatcher *watcher, guint milliseconds)
{
    watcher->patience = milliseconds;
}

/* ---- what happens ---------------------------------------------------- */

static gboolean
tell(gpointer data)
{
    HpmvizWatcher *watcher = data;

    watcher->quiet = 0;
    g_signal_emit(watcher, changed_signal, 0);
    return G_SOURCE_REMOVE;
}

/* Temporary names, from which files are renamed, count for nothing. */
static gboolean
concerns(const HpmvizWatcher *watcher, GFile *file)
{
    char *path = file != NULL ? g_file_get_path(file) : NULL;
    gboolean is_ours = FALSE;

    if (path != NULL) {
        char *folder = g_path_get_dirname(path);
        char *name = g_path_get_basename(path);

        is_ours = g_hash_table_contains(watcher->files, path) ||
                  (g_hash_table_contains(watcher->folders, folder) &&
                   name[0] != '.' && strstr(name, ".hpm.xml") != NULL);
        g_free(folder);
        g_free(name);
    }
    g_free(path);
    return is_ours;
}

static void
on_event(HpmvizWatcher *watcher, GFile *file, GFile *other,
         GFileMonitorEvent event)
{
    if (event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED ||
        event == G_FILE_MONITOR_EVENT_PRE_UNMOUNT ||
        event == G_FILE_MONITOR_EVENT_UNMOUNTED ||
        (!concerns(watcher, file) && !concerns(watcher, other)))
        return;
    if (watcher->quiet != 0)
        g_source_remove(watcher->quiet);
    watcher->quiet = g_timeout_add(watcher->patience, tell, watcher);
}

/* ---- what is watched ------------------------------------------------- */

static void
watch_folder(gpointer key, gpointer value, gpointer data)
{
    HpmvizWatcher *watcher = data;
    GFile *folder = g_file_new_for_path(key);
    GFileMonitor *monitor = g_file_monitor_directory(
        folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);

    (void)value;
    if (monitor != NULL) {
        g_signal_connect_object(monitor, "changed", G_CALLBACK(on_event),
                                watcher, G_CONNECT_SWAPPED);
        g_ptr_array_add(watcher->monitors, monitor);
    }
    g_object_unref(folder);
}

static void
forget(HpmvizWatcher *watcher)
{
    if (watcher->quiet != 0)
        g_source_remove(watcher->quiet);
    watcher->quiet = 0;
    g_ptr_array_set_size(watcher->monitors, 0);
    g_hash_table_remove_all(watcher->files);
    g_hash_table_remove_all(watcher->folders);
}

void
hpmviz_watcher_watch(HpmvizWatcher *watcher, char *const *words,
                     char *const *files, guint n_files)
{
    GHashTable *folders =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    forget(watcher);
    for (guint i = 0; i < n_files; i++) {
        char *path = g_canonicalize_filename(files[i], NULL);

        g_hash_table_add(folders, g_path_get_dirname(path));
        g_hash_table_add(watcher->files, path);
    }
    for (char *const *word = words; word != NULL && *word != NULL; word++) {
        if (!g_file_test(*word, G_FILE_TEST_IS_DIR))
            continue;
        g_hash_table_add(watcher->folders,
                         g_canonicalize_filename(*word, NULL));
        g_hash_table_add(folders, g_canonicalize_filename(*word, NULL));
    }
    g_hash_table_foreach(folders, watch_folder, watcher);
    g_hash_table_unref(folders);
}
