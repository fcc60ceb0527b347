/* SPDX-License-Identifier: BSD-3-Clause
 * The file of a source: it is read by threads, looked at, and written. */
#include <errno.h>
#include <gio/gio.h>
#include <stdlib.h>

#include "hpmviz/source/documentstate.h"

/* ---- opening --------------------------------------------------------- */

/* What is read of a file, by any thread. */
struct opening {
    HpmvizDocument *document; /* the main loop's */
    char *root, *path;
    guint n_changes; /* of the text, when it began */
    struct hpmviz_sourcefile file;
    struct hpmviz_sourcetext text;
    struct hpmviz_draft draft;
};

static void
free_opening(gpointer data)
{
    struct opening *opening = data;

    hpmviz_sourcefile_clear(&opening->file);
    hpmviz_sourcetext_clear(&opening->text);
    hpmviz_draft_clear(&opening->draft);
    g_free(opening->root);
    g_free(opening->path);
    g_free(opening);
}

static void
open_in_thread(GTask *task, gpointer source, gpointer data,
               GCancellable *cancellable)
{
    struct opening *opening = data;
    g_autoptr(GError) error = NULL;

    (void)source, (void)cancellable;
    if (!hpmviz_sourcefile_read(opening->root, opening->path, &opening->file,
                                &error)) {
        g_task_return_error(task, g_steal_pointer(&error));
        return;
    }
    hpmviz_sourcetext_read(opening->file.bytes, opening->file.n_bytes,
                           &opening->text);
    if (opening->text.damage == NULL)
        hpmviz_recovery_find(opening->path, &opening->draft);
    g_task_return_boolean(task, TRUE);
}

void
hpmviz_document_open_start(HpmvizDocument *document, const char *root,
                           const char *path, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer data)
{
    g_autoptr(GTask) task = g_task_new(NULL, cancellable, callback, data);
    struct opening *opening = g_new0(struct opening, 1);

    opening->document = g_object_ref(document);
    opening->root = g_strdup(root);
    opening->path = g_strdup(path);
    opening->n_changes = document->n_changes;
    document->awaited = task;
    g_task_set_task_data(task, opening, free_opening);
    g_task_run_in_thread(task, open_in_thread);
}

void
hpmviz_document_reload_start(HpmvizDocument *document,
                             GAsyncReadyCallback callback, gpointer data)
{
    hpmviz_document_open_start(document, document->root, document->path, NULL,
                               callback, data);
}

static gboolean
finish(HpmvizDocument *document, GTask *task, GError **error)
{
    struct opening *opening = g_task_get_task_data(task);
    gboolean is_wanted = document->awaited == task;

    if (is_wanted)
        document->awaited = NULL;
    if (!g_task_propagate_boolean(task, error))
        return FALSE;
    if (!is_wanted || document->n_changes != opening->n_changes) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                            "another text is shown by now");
        return FALSE;
    }
    hpmviz_document_take(document, opening->root, opening->path, &opening->file,
                         &opening->text, &opening->draft);
    return TRUE;
}

gboolean
hpmviz_document_open_finish(GAsyncResult *result, GError **error)
{
    struct opening *opening = g_task_get_task_data(G_TASK(result));
    g_autoptr(HpmvizDocument) document = g_steal_pointer(&opening->document);
    gboolean is_good = finish(document, G_TASK(result), error);

    if (!is_good)
        hpmviz_document_tell_named(document); /* nothing is awaited any more */
    return is_good;
}

gboolean
hpmviz_document_is_awaited(const HpmvizDocument *document)
{
    return document->awaited != NULL;
}

/* ---- looking whether others wrote it --------------------------------- */

struct look {
    HpmvizDocument *document; /* the main loop's */
    char *root, *path;
    struct hpmviz_fileidentity identity;
};

static void
free_look(gpointer data)
{
    struct look *look = data;

    g_free(look->root);
    g_free(look->path);
    g_free(look);
}

static void
look_in_thread(GTask *task, gpointer source, gpointer data,
               GCancellable *cancellable)
{
    const struct look *look = data;
    g_autoptr(GError) error = NULL;

    (void)source, (void)cancellable;
    if (look->path == NULL ||
        hpmviz_sourcefile_is_same(look->root, look->path, &look->identity,
                                  &error))
        g_task_return_boolean(task, TRUE);
    else
        g_task_return_error(task, g_steal_pointer(&error));
}

void
hpmviz_document_look_start(HpmvizDocument *document,
                           GAsyncReadyCallback callback, gpointer data)
{
    g_autoptr(GTask) task = g_task_new(NULL, NULL, callback, data);
    struct look *look = g_new0(struct look, 1);

    look->document = g_object_ref(document);
    look->root = g_strdup(document->root);
    look->path = g_strdup(document->path);
    look->identity = document->identity;
    g_task_set_task_data(task, look, free_look);
    g_task_run_in_thread(task, look_in_thread);
}

gboolean
hpmviz_document_look_finish(GAsyncResult *result, GError **error)
{
    struct look *look = g_task_get_task_data(G_TASK(result));
    g_autoptr(HpmvizDocument) document = g_steal_pointer(&look->document);
    g_autoptr(GError) found = NULL;

    if (g_task_propagate_boolean(G_TASK(result), &found) ||
        g_strcmp0(look->path, document->path) != 0 ||
        !hpmviz_fileidentity_is_same(&look->identity, &document->identity))
        return TRUE; /* or it was read or saved meanwhile */
    g_propagate_error(error, g_steal_pointer(&found));
    return FALSE;
}

gboolean
hpmviz_document_is_same_outside(const HpmvizDocument *document, GError **error)
{
    return document->path == NULL ||
           hpmviz_sourcefile_is_same(document->root, document->path,
                                     &document->identity, error);
}

/* ---- saving ---------------------------------------------------------- */

/* Bytes that a thread writes. */
struct writing {
    HpmvizDocument *document; /* the main loop's */
    char *root, *path; /* of another file: no root, which the thread finds */
    char *bytes;
    gsize n_bytes;
    gboolean is_forced, is_other;
    enum hpmviz_way way;
    struct hpmviz_fileidentity known, identity; /* before, after */
    guint n_changes;                            /* of the text, when it began */
};

static void
free_writing(gpointer data)
{
    struct writing *writing = data;

    g_free(writing->root);
    g_free(writing->path);
    g_free(writing->bytes);
    g_free(writing);
}

/* The user means this folder, wherever links on its way lead. */
static gboolean
find_folder(struct writing *writing, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(writing->path);
    g_autofree char *name = g_path_get_basename(writing->path);
    char *root = realpath(folder, NULL);

    if (root == NULL) {
        g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno),
                    "%s: %s", folder, g_strerror(errno));
        return FALSE;
    }
    g_free(writing->path);
    writing->path = g_build_filename(root, name, NULL);
    writing->root = g_strdup(root);
    free(root);
    return TRUE;
}

static void
write_in_thread(GTask *task, gpointer source, gpointer data,
                GCancellable *cancellable)
{
    struct writing *writing = data;
    g_autoptr(GError) error = NULL;

    (void)source, (void)cancellable;
    if ((!writing->is_other || find_folder(writing, &error)) &&
        hpmviz_sourcefile_save(writing->root, writing->path, writing->bytes,
                               writing->n_bytes,
                               writing->is_forced ? NULL : &writing->known,
                               writing->way, &writing->identity, &error))
        g_task_return_boolean(task, TRUE);
    else
        g_task_return_error(task, g_steal_pointer(&error));
}

static void
start_writing(struct writing *writing, GAsyncReadyCallback callback,
              gpointer data)
{
    g_autoptr(GTask) task = g_task_new(NULL, NULL, callback, data);
    HpmvizDocument *document = writing->document;
    g_autofree char *edited = hpmviz_document_content(document);
    GError *error = NULL;

    g_task_set_task_data(task, writing, free_writing);
    writing->bytes = hpmviz_sourcetext_write(&document->text, edited,
                                             &writing->n_bytes, &error);
    if (writing->bytes != NULL)
        g_task_run_in_thread(task, write_in_thread);
    else
        g_task_return_error(task, error);
}

static struct writing *
new_writing(HpmvizDocument *document, const char *root, const char *path)
{
    struct writing *writing = g_new0(struct writing, 1);

    writing->document = g_object_ref(document);
    writing->root = g_strdup(root);
    writing->path = g_strdup(path);
    writing->known = document->identity;
    writing->n_changes = document->n_changes;
    return writing;
}

void
hpmviz_document_save_start(HpmvizDocument *document, enum hpmviz_way way,
                           gboolean is_forced, GAsyncReadyCallback callback,
                           gpointer data)
{
    struct writing *writing =
        new_writing(document, document->root, document->path);

    writing->way = way;
    writing->is_forced = is_forced;
    start_writing(writing, callback, data);
}

void
hpmviz_document_save_as_start(HpmvizDocument *document, const char *path,
                              GAsyncReadyCallback callback, gpointer data)
{
    struct writing *writing = new_writing(document, NULL, path);

    writing->way = HPMVIZ_REPLACE;
    writing->is_forced = writing->is_other = TRUE;
    if (document->text.damage == NULL) {
        start_writing(writing, callback, data);
    } else {
        g_autoptr(GTask) task = g_task_new(NULL, NULL, callback, data);

        g_task_set_task_data(task, writing, free_writing);
        g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                                "%s is not shown as it is: %s", document->path,
                                document->text.damage);
    }
}

/* The draft goes last: until the text is on disk it is all there is.  That of what
 * was edited meanwhile stays. */
static void
end_saving(HpmvizDocument *document, const struct writing *writing)
{
    GtkTextBuffer *buffer = hpmviz_document_textbuffer(document);
    gboolean is_whole = writing->n_changes == document->n_changes;

    document->is_edited =
        document->is_edited || gtk_text_buffer_get_modified(buffer);
    if (is_whole) {
        hpmviz_document_forget(document);
        hpmviz_document_drop_draft(document);
    }
    document->identity = writing->identity;
    if (writing->is_other) {
        hpmviz_document_set_path(document, writing->root, writing->path);
        document->is_writable = TRUE;
    }
    if (is_whole)
        gtk_text_buffer_set_modified(buffer, FALSE);
    else
        hpmviz_document_keep_soon(document);
    hpmviz_document_tell_named(document);
}

gboolean
hpmviz_document_save_finish(GAsyncResult *result, GError **error)
{
    struct writing *writing = g_task_get_task_data(G_TASK(result));
    g_autoptr(HpmvizDocument) document = g_steal_pointer(&writing->document);

    if (!g_task_propagate_boolean(G_TASK(result), error))
        return FALSE;
    if (writing->is_other || g_strcmp0(writing->path, document->path) == 0)
        end_saving(document, writing);
    return TRUE;
}
