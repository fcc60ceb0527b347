/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer remembers from one time to the next. */
#include "hpmviz/data/preferences.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct _HpmvizPreferences {
    GObject parent_instance;
    char *path; /* NULL for no file */
    GKeyFile *keys;
    GHashTable *unwritten;  /* "group\nkey" */
    gboolean is_kept;       /* the file cannot be read: it stays as it is */
    gboolean is_unwritable; /* as the problem says */
    guint timer;
    struct writing *writing; /* by a thread, or NULL */
    char *problem;
};

/* What is to be written, and what came of it. */
struct writing {
    HpmvizPreferences *owner; /* NULL: is gone */
    char *path;
    GHashTable *changes; /* value, or NULL to remove it, by "group\nkey" */
    gint is_stale;       /* later values are in the file: not to be written */
    gboolean is_good;
    char *problem; /* a sentence, or NULL */
};

G_DEFINE_TYPE(HpmvizPreferences, hpmviz_preferences, G_TYPE_OBJECT)

enum { CHANGED, TROUBLED, N_SIGNALS };

static guint signals[N_SIGNALS];

enum {
    WRITE_AFTER_MS = 500,
    MAX_BYTES = 1 << 20, /* more is no file of ours */
};

/* ---- reading --------------------------------------------------------- */

static gboolean
can_read(const char *text, gsize length)
{
    GKeyFile *keys = g_key_file_new();
    gboolean is_good =
        length == 0 ||
        g_key_file_load_from_data(keys, text, length, G_KEY_FILE_NONE, NULL);

    g_key_file_unref(keys);
    return is_good;
}

/* The first line, from 1, up to which a text that cannot be read cannot be
 * read. */
static guint
damaged_line(const char *text, gsize length)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(gsize));
    guint good = 0, bad;

    for (gsize end = 1; end <= length; end++) {
        if (end == length || text[end - 1] == '\n')
            g_array_append_val(ends, end);
    }
    bad = ends->len;
    while (bad - good > 1) {
        guint middle = good + (bad - good) / 2;

        if (can_read(text, g_array_index(ends, gsize, middle - 1)))
            good = middle;
        else
            bad = middle;
    }
    g_array_unref(ends);
    return bad;
}

enum reading { READ, ABSENT, DAMAGED, UNREADABLE };

static char *
read_text(const char *path, gsize *ret_length, GError **error)
{
    char *text = NULL;
    GStatBuf status;

    if (g_stat(path, &status) == 0 &&
        (!S_ISREG(status.st_mode) || status.st_size > MAX_BYTES))
        g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                            S_ISREG(status.st_mode) ? _("larger than 1 MiB")
                                                    : _("not a regular file"));
    else
        g_file_get_contents(path, &text, ret_length, error);
    return text;
}

/* *ret_keys is always a key file; *ret_line where it is damaged. */
static enum reading
read_keys(const char *path, GKeyFile **ret_keys, guint *ret_line,
          GError **error)
{
    enum reading reading = READ;
    gsize length;
    char *text;

    *ret_keys = g_key_file_new();
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return ABSENT;
    text = read_text(path, &length, error);
    if (text == NULL)
        return UNREADABLE;
    if (length > 0 &&
        !g_key_file_load_from_data(*ret_keys, text, length,
                                   G_KEY_FILE_KEEP_COMMENTS, NULL)) {
        *ret_line = damaged_line(text, length);
        g_key_file_unref(*ret_keys);
        *ret_keys = g_key_file_new();
        reading = DAMAGED;
    }
    g_free(text);
    return reading;
}

/* ---- two viewers at once --------------------------------------------- */

/* A file beside the preferences, for they are replaced by each writing.  -1 if
 * somebody has it, or there can be none: what is written is whole all the same,
 * but without what another wrote at this moment. */
static int
lock(const char *path)
{
    char *name = g_strconcat(path, ".lock", NULL);
    int file = g_open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    g_free(name);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

static void
unlock(int file)
{
    if (file >= 0)
        close(file);
}

/* ---- trouble --------------------------------------------------------- */

static void
set_problem(HpmvizPreferences *preferences, char *sentence)
{
    gboolean is_other = g_strcmp0(preferences->problem, sentence) != 0;

    g_free(preferences->problem);
    preferences->problem = sentence;
    if (is_other)
        g_signal_emit(preferences, signals[TROUBLED], 0);
}

static char *
damage_at(const char *path, guint line)
{
    g_autofree char *beside = g_strconcat(path, ".damaged", NULL);
    gboolean is_moved = g_rename(path, beside) == 0;

    return g_strdup_printf(is_moved ? _("%s:%u: expected [group], "
                                        "key=value or #; using defaults, "
                                        "the file is now %s")
                                    : _("%s:%u: expected [group], "
                                        "key=value or #; using defaults"),
                           path, line, beside);
}

/* ---- writing --------------------------------------------------------- */

/* Where a link leads, so that it stays one; for free(). */
static char *
real_path(const char *path)
{
    char *real = realpath(path, NULL);

    return real != NULL ? real : strdup(path);
}

/* What is in the file now, with our changes. */
static char *
merge(const struct writing *writing, GKeyFile *keys, gsize *ret_length)
{
    GHashTableIter iter;
    gpointer name, value;

    g_hash_table_iter_init(&iter, writing->changes);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        g_auto(GStrv) words = g_strsplit(name, "\n", 2);

        if (value != NULL)
            g_key_file_set_value(keys, words[0], words[1], value);
        else
            g_key_file_remove_key(keys, words[0], words[1], NULL);
    }
    return g_key_file_to_data(keys, ret_length, NULL);
}

static gboolean
write_locked(struct writing *writing, GError **error)
{
    g_autofree char *text = NULL;
    GKeyFile *keys;
    char *path;
    guint line;
    gsize length;
    enum reading reading = read_keys(writing->path, &keys, &line, error);
    gboolean is_good = reading != UNREADABLE;

    if (reading == DAMAGED)
        writing->problem = damage_at(writing->path, line);
    if (is_good) {
        path = real_path(writing->path);
        text = merge(writing, keys, &length);
        is_good = g_file_set_contents(path, text, (gssize)length, error);
        free(path);
    }
    g_key_file_unref(keys);
    return is_good;
}

/* One writing at a time, also of threads. */
static GMutex guard;

static void
write_changes(struct writing *writing)
{
    g_autofree char *folder = g_path_get_dirname(writing->path);
    g_autoptr(GError) error = NULL;
    int file;

    g_mkdir_with_parents(folder, 0700);
    file = lock(writing->path);
    writing->is_good = write_locked(writing, &error);
    unlock(file);
    if (writing->is_good)
        return;
    g_free(writing->problem);
    writing->problem = g_strdup_printf(_("%s: cannot be written: %s"),
                                       writing->path, error->message);
}

static struct writing *
new_writing(HpmvizPreferences *preferences)
{
    struct writing *writing = g_new0(struct writing, 1);
    GHashTableIter iter;
    gpointer name;

    writing->owner = preferences;
    writing->path = g_strdup(preferences->path);
    writing->changes =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_iter_init(&iter, preferences->unwritten);
    while (g_hash_table_iter_next(&iter, &name, NULL)) {
        g_auto(GStrv) words = g_strsplit(name, "\n", 2);

        g_hash_table_insert(
            writing->changes, g_strdup(name),
            g_key_file_get_value(preferences->keys, words[0], words[1], NULL));
    }
    return writing;
}

static void
free_writing(gpointer data)
{
    struct writing *writing = data;

    g_hash_table_unref(writing->changes);
    g_free(writing->problem);
    g_free(writing->path);
    g_free(writing);
}

/* What has changed again meanwhile is still to be written. */
static void
forget_written(HpmvizPreferences *preferences, const struct writing *writing)
{
    GHashTableIter iter;
    gpointer name, value;

    g_hash_table_iter_init(&iter, writing->changes);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        g_auto(GStrv) words = g_strsplit(name, "\n", 2);
        g_autofree char *now =
            g_key_file_get_value(preferences->keys, words[0], words[1], NULL);

        if (g_strcmp0(now, value) == 0)
            g_hash_table_remove(preferences->unwritten, name);
    }
}

static void
take_result(HpmvizPreferences *preferences, struct writing *writing)
{
    if (writing->is_good)
        forget_written(preferences, writing);
    if (writing->problem != NULL)
        set_problem(preferences, g_steal_pointer(&writing->problem));
    else if (preferences->is_unwritable)
        set_problem(preferences, NULL);
    preferences->is_unwritable = !writing->is_good;
}

/* ---- in a thread ----------------------------------------------------- */

static void start_writing(HpmvizPreferences *preferences);

static void
write_in_thread(GTask *task, gpointer source, gpointer data,
                GCancellable *cancellable)
{
    struct writing *writing = data;

    (void)source;
    (void)cancellable;
    g_mutex_lock(&guard);
    if (!g_atomic_int_get(&writing->is_stale))
        write_changes(writing);
    g_mutex_unlock(&guard);
    g_task_return_boolean(task, TRUE);
}

/* A file that cannot be written is tried again with the next change. */
static void
end_writing(GObject *source, GAsyncResult *result, gpointer data)
{
    struct writing *writing = data;
    HpmvizPreferences *preferences = writing->owner;

    (void)source;
    (void)result;
    if (preferences == NULL)
        return;
    preferences->writing = NULL;
    if (!g_atomic_int_get(&writing->is_stale))
        take_result(preferences, writing);
    if (!preferences->is_unwritable && preferences->timer == 0 &&
        g_hash_table_size(preferences->unwritten) > 0)
        start_writing(preferences);
}

/* The task does not hold the preferences: when they go all is written at once. */
static void
start_writing(HpmvizPreferences *preferences)
{
    struct writing *writing = new_writing(preferences);
    g_autoptr(GTask) task = g_task_new(NULL, NULL, end_writing, writing);

    preferences->writing = writing;
    g_task_set_task_data(task, writing, free_writing);
    g_task_run_in_thread(task, write_in_thread);
}

static gboolean
write_late(gpointer data)
{
    HpmvizPreferences *preferences = data;

    preferences->timer = 0;
    if (!preferences->is_kept && preferences->writing == NULL &&
        g_hash_table_size(preferences->unwritten) > 0)
        start_writing(preferences);
    return G_SOURCE_REMOVE;
}

/* A thread that writes is waited for; one that has not begun writes nothing, for it
 * has older values. */
static gboolean
write_now(HpmvizPreferences *preferences)
{
    struct writing *writing = new_writing(preferences);
    gboolean is_good;

    g_mutex_lock(&guard);
    if (preferences->writing != NULL)
        g_atomic_int_set(&preferences->writing->is_stale, TRUE);
    write_changes(writing);
    g_mutex_unlock(&guard);
    take_result(preferences, writing);
    is_good = writing->is_good;
    free_writing(writing);
    return is_good;
}

gboolean
hpmviz_preferences_flush(HpmvizPreferences *preferences)
{
    if (preferences->timer != 0)
        g_source_remove(preferences->timer);
    preferences->timer = 0;
    if (preferences->path == NULL ||
        g_hash_table_size(preferences->unwritten) == 0)
        return TRUE;
    return !preferences->is_kept && write_now(preferences);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizPreferences *preferences = HPMVIZ_PREFERENCES(object);

    hpmviz_preferences_flush(preferences);
    if (preferences->writing != NULL)
        preferences->writing->owner = NULL;
    preferences->writing = NULL;
    G_OBJECT_CLASS(hpmviz_preferences_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizPreferences *preferences = HPMVIZ_PREFERENCES(object);

    g_free(preferences->path);
    g_free(preferences->problem);
    g_key_file_unref(preferences->keys);
    g_hash_table_unref(preferences->unwritten);
    G_OBJECT_CLASS(hpmviz_preferences_parent_class)->finalize(object);
}

static void
hpmviz_preferences_class_init(HpmvizPreferencesClass *class)
{
    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    signals[CHANGED] = g_signal_new("changed", HPMVIZ_TYPE_PREFERENCES,
                                    G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[TROUBLED] =
        g_signal_new("troubled", HPMVIZ_TYPE_PREFERENCES, G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_preferences_init(HpmvizPreferences *preferences)
{
    preferences->keys = g_key_file_new();
    preferences->unwritten =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

HpmvizPreferences *
hpmviz_preferences_new(void)
{
    return g_object_new(HPMVIZ_TYPE_PREFERENCES, NULL);
}

HpmvizPreferences *
hpmviz_preferences_open(const char *path)
{
    HpmvizPreferences *preferences = hpmviz_preferences_new();
    GError *error = NULL;
    guint line;

    preferences->path =
        path != NULL ? g_strdup(path)
                     : g_build_filename(g_get_user_config_dir(), "hpm-toolkit",
                                        "hpmviz.conf", NULL);
    g_key_file_unref(preferences->keys);
    switch (read_keys(preferences->path, &preferences->keys, &line, &error)) {
    case DAMAGED:
        set_problem(preferences, damage_at(preferences->path, line));
        break;
    case UNREADABLE:
        preferences->is_kept = TRUE;
        set_problem(preferences,
                    g_strdup_printf(_("%s: cannot be read: %s; "
                                      "nothing is remembered"),
                                    preferences->path, error->message));
        g_clear_error(&error);
        break;
    default:
        break;
    }
    return preferences;
}

const char *
hpmviz_preferences_problem(const HpmvizPreferences *preferences)
{
    return preferences->problem;
}

/* ---- values ---------------------------------------------------------- */

char *
hpmviz_preferences_get_string(const HpmvizPreferences *preferences,
                              const char *group, const char *key,
                              const char *otherwise)
{
    char *value = g_key_file_get_string(preferences->keys, group, key, NULL);

    return value != NULL ? value : g_strdup(otherwise);
}

char **
hpmviz_preferences_get_strings(const HpmvizPreferences *preferences,
                               const char *group, const char *key)
{
    char **values =
        g_key_file_get_string_list(preferences->keys, group, key, NULL, NULL);

    return values != NULL ? values : g_new0(char *, 1);
}

int
hpmviz_preferences_get_int(const HpmvizPreferences *preferences,
                           const char *group, const char *key, int min, int max,
                           int otherwise)
{
    GError *error = NULL;
    int value = g_key_file_get_integer(preferences->keys, group, key, &error);
    gboolean is_good = error == NULL && value >= min && value <= max;

    g_clear_error(&error);
    return is_good ? value : otherwise;
}

gboolean
hpmviz_preferences_get_flag(const HpmvizPreferences *preferences,
                            const char *group, const char *key,
                            gboolean otherwise)
{
    GError *error = NULL;
    gboolean value =
        g_key_file_get_boolean(preferences->keys, group, key, &error);
    gboolean is_good = error == NULL;

    g_clear_error(&error);
    return is_good ? value : otherwise;
}

/* ---- changes --------------------------------------------------------- */

/* `before` is the value as the file has it, for g_free. */
static void
end_change(HpmvizPreferences *preferences, const char *group, const char *key,
           char *before)
{
    char *after = g_key_file_get_value(preferences->keys, group, key, NULL);
    gboolean is_other = g_strcmp0(before, after) != 0;
    char *detail;

    g_free(before);
    g_free(after);
    if (!is_other)
        return;
    g_hash_table_add(preferences->unwritten,
                     g_strdup_printf("%s\n%s", group, key));
    if (preferences->timer != 0)
        g_source_remove(preferences->timer);
    preferences->timer = 0;
    if (preferences->path != NULL)
        preferences->timer =
            g_timeout_add(WRITE_AFTER_MS, write_late, preferences);
    detail = g_strdup_printf("%s.%s", group, key);
    g_signal_emit(preferences, signals[CHANGED], g_quark_from_string(detail));
    g_free(detail);
}

static char *
begin_change(HpmvizPreferences *preferences, const char *group, const char *key)
{
    return g_key_file_get_value(preferences->keys, group, key, NULL);
}

void
hpmviz_preferences_set_string(HpmvizPreferences *preferences, const char *group,
                              const char *key, const char *value)
{
    char *before = begin_change(preferences, group, key);

    if (value != NULL && g_utf8_validate(value, -1, NULL))
        g_key_file_set_string(preferences->keys, group, key, value);
    else
        g_key_file_remove_key(preferences->keys, group, key, NULL);
    end_change(preferences, group, key, before);
}

void
hpmviz_preferences_set_strings(HpmvizPreferences *preferences,
                               const char *group, const char *key,
                               const char *const *values)
{
    char *before = begin_change(preferences, group, key);
    GPtrArray *good = g_ptr_array_new();

    for (; values != NULL && *values != NULL; values++) {
        if (g_utf8_validate(*values, -1, NULL))
            g_ptr_array_add(good, (gpointer)*values);
    }
    if (good->len > 0)
        g_key_file_set_string_list(preferences->keys, group, key,
                                   (const char *const *)good->pdata, good->len);
    else
        g_key_file_remove_key(preferences->keys, group, key, NULL);
    g_ptr_array_unref(good);
    end_change(preferences, group, key, before);
}

void
hpmviz_preferences_set_int(HpmvizPreferences *preferences, const char *group,
                           const char *key, int value)
{
    char *before = begin_change(preferences, group, key);

    g_key_file_set_integer(preferences->keys, group, key, value);
    end_change(preferences, group, key, before);
}

void
hpmviz_preferences_set_flag(HpmvizPreferences *preferences, const char *group,
                            const char *key, gboolean value)
{
    char *before = begin_change(preferences, group, key);

    g_key_file_set_boolean(preferences->keys, group, key, value);
    end_change(preferences, group, key, before);
}

void
hpmviz_preferences_add_string(HpmvizPreferences *preferences, const char *group,
                              const char *key, const char *value)
{
    char **values = hpmviz_preferences_get_strings(preferences, group, key);
    guint n = g_strv_length(values);

    if (!g_strv_contains((const char *const *)values, value)) {
        values = g_renew(char *, values, n + 2);
        values[n] = g_strdup(value);
        values[n + 1] = NULL;
        hpmviz_preferences_set_strings(preferences, group, key,
                                       (const char *const *)values);
    }
    g_strfreev(values);
}
