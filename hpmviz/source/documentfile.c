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

static gboolean
save_bytes(HpmvizDocument *document, const char *root, const char *path,
           const struct hpmviz_fileidentity *known, enum hpmviz_way way,
           GError **error)
{
    char *edited = hpmviz_document_content(document), *bytes;
    gboolean is_good = FALSE;
    gsize n_bytes;

    bytes = hpmviz_sourcetext_write(&document->text, edited, &n_bytes, error);
    if (bytes != NULL)
        is_good = hpmviz_sourcefile_save(root, path, bytes, n_bytes, known, way,
                                         &document->identity, error);
    g_free(bytes);
    g_free(edited);
    return is_good;
}

/* The draft goes last: until the text is on disk it is all there is. */
static void
end_saving(HpmvizDocument *document)
{
    document->is_edited =
        document->is_edited ||
        gtk_text_buffer_get_modified(hpmviz_document_textbuffer(document));
    hpmviz_document_forget(document);
    hpmviz_document_drop_draft(document);
    gtk_text_buffer_set_modified(hpmviz_document_textbuffer(document), FALSE);
}

gboolean
hpmviz_document_save(HpmvizDocument *document, enum hpmviz_way way,
                     gboolean is_forced, GError **error)
{
    if (!is_forced && !hpmviz_document_is_modified(document))
        return TRUE;
    if (!save_bytes(document, document->root, document->path,
                    is_forced ? NULL : &document->identity, way, error))
        return FALSE;
    end_saving(document);
    return TRUE;
}

static gboolean
save_beneath(HpmvizDocument *document, const char *root, const char *path,
             GError **error)
{
    if (!save_bytes(document, root, path, NULL, HPMVIZ_REPLACE, error))
        return FALSE;
    end_saving(document);
    hpmviz_document_set_path(document, root, path);
    document->is_writable = TRUE;
    hpmviz_document_tell_named(document);
    return TRUE;
}

/* The user means this folder, wherever links on its way lead. */
gboolean
hpmviz_document_save_as(HpmvizDocument *document, const char *path,
                        GError **error)
{
    char *folder = g_path_get_dirname(path), *name = g_path_get_basename(path);
    char *root = realpath(folder, NULL);
    char *whole = root != NULL ? g_build_filename(root, name, NULL) : NULL;
    gboolean is_good = FALSE;

    if (document->text.damage != NULL)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                    "%s is not shown as it is: %s", document->path,
                    document->text.damage);
    else if (root == NULL)
        g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno),
                    "%s: %s", folder, g_strerror(errno));
    else
        is_good = save_beneath(document, root, whole, error);
    g_free(whole);
    free(root);
    g_free(name);
    g_free(folder);
    return is_good;
}
