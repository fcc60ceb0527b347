/* SPDX-License-Identifier: BSD-3-Clause
 * A source file that is edited. */
#include "hpmviz/source/document.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "hpmviz/source/sourcelines.h"

struct _HpmvizDocument {
    GObject parent_instance;
    GtkSourceBuffer *buffer;
    char *root, *path;
    struct hpmviz_sourcetext text;
    struct hpmviz_fileidentity identity;
    struct hpmviz_lines *lines;
    gboolean is_writable, is_edited, is_reading;
    int n_rows; /* lines of the buffer */

    struct hpmviz_draft draft; /* of a viewer that is gone */
    gboolean is_restored;      /* the text is that draft's */
    GTask *awaited;            /* the opening in a thread, or NULL */
    guint keeping;             /* the source that will */
    gint edition;              /* drafts of others are not written */
    gboolean is_unwanted;      /* what was edited so far is */
};

G_DEFINE_TYPE(HpmvizDocument, hpmviz_document, G_TYPE_OBJECT)

enum { NAMED, OPENED, SHIFTED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* Where the display is lost there is nobody to ask who they are. */
static GPtrArray *documents;

/* Of the drafts of this process: they are written in a thread. */
static GMutex drafting;

static GtkTextBuffer *
text_buffer(const HpmvizDocument *document)
{
    return GTK_TEXT_BUFFER(document->buffer);
}

static char *
get_text(const HpmvizDocument *document)
{
    GtkTextIter start, end;

    gtk_text_buffer_get_bounds(text_buffer(document), &start, &end);
    return gtk_text_buffer_get_text(text_buffer(document), &start, &end, TRUE);
}

/* ---- drafts ---------------------------------------------------------- */

struct keeping {
    char *path, *text;
    struct hpmviz_fileidentity identity;
    gint edition;
};

static void
free_keeping(gpointer data)
{
    struct keeping *keeping = data;

    g_free(keeping->path);
    g_free(keeping->text);
    g_free(keeping);
}

/* What has been saved or forgotten meanwhile has another edition. */
static void
write_draft(GTask *task, gpointer source, gpointer data,
            GCancellable *cancellable)
{
    HpmvizDocument *document = source;
    struct keeping *keeping = data;
    gboolean is_good;

    (void)cancellable;
    g_mutex_lock(&drafting);
    is_good = g_atomic_int_get(&document->edition) == keeping->edition &&
              hpmviz_recovery_write(keeping->path, &keeping->identity,
                                    keeping->text, NULL);
    g_mutex_unlock(&drafting);
    g_task_return_boolean(task, is_good);
}

/* A draft that was restored is in this one now. */
static void
end_writing(GObject *object, GAsyncResult *result, gpointer data)
{
    HpmvizDocument *document = HPMVIZ_DOCUMENT(object);

    (void)data;
    if (g_task_propagate_boolean(G_TASK(result), NULL) && document->is_restored)
        hpmviz_document_drop_draft(document);
}

static gboolean
keep(gpointer data)
{
    HpmvizDocument *document = data;
    struct keeping *keeping;
    GTask *task;

    document->keeping = 0;
    if (!hpmviz_document_is_modified(document)) {
        hpmviz_document_forget(document);
        return G_SOURCE_REMOVE;
    }
    keeping = g_new0(struct keeping, 1);
    keeping->path = g_strdup(document->path);
    keeping->text = get_text(document);
    keeping->identity = document->identity;
    keeping->edition = document->edition;
    task = g_task_new(document, NULL, end_writing, NULL);
    g_task_set_task_data(task, keeping, free_keeping);
    g_task_run_in_thread(task, write_draft);
    g_object_unref(task);
    return G_SOURCE_REMOVE;
}

void
hpmviz_document_forget(HpmvizDocument *document)
{
    if (document->keeping != 0)
        g_source_remove(document->keeping);
    document->keeping = 0;
    document->is_unwanted = TRUE;
    g_mutex_lock(&drafting);
    g_atomic_int_inc(&document->edition);
    if (document->path != NULL)
        hpmviz_recovery_remove(document->path);
    g_mutex_unlock(&drafting);
}

/* A thread that is writing holds the document, also when its page was closed:
 * what the user did not want then is not kept. */
static gboolean
is_to_be_kept(const HpmvizDocument *document)
{
    return hpmviz_document_is_modified(document) && !document->is_unwanted;
}

/* What a thread would write yet is older. */
guint
hpmviz_document_keep_all(void)
{
    guint n = 0;

    g_mutex_lock(&drafting);
    for (guint i = 0; documents != NULL && i < documents->len; i++) {
        HpmvizDocument *document = g_ptr_array_index(documents, i);
        char *text;

        if (!is_to_be_kept(document))
            continue;
        g_atomic_int_inc(&document->edition);
        text = get_text(document);
        n += hpmviz_recovery_write(document->path, &document->identity, text,
                                   NULL);
        g_free(text);
    }
    g_mutex_unlock(&drafting);
    return n;
}

const struct hpmviz_draft *
hpmviz_document_draft(const HpmvizDocument *document)
{
    return document->draft.name != NULL ? &document->draft : NULL;
}

void
hpmviz_document_drop_draft(HpmvizDocument *document)
{
    hpmviz_draft_discard(&document->draft);
    hpmviz_draft_clear(&document->draft);
    document->is_restored = FALSE;
}

/* How far both texts are the same, whole lines. */
static gsize
common_start(const char *a, const char *b)
{
    gsize n = 0, whole = 0;

    for (; a[n] != '\0' && a[n] == b[n]; n++) {
        if (a[n] == '\n')
            whole = n + 1;
    }
    return whole;
}

/* The same from the end, up to `start`. */
static gsize
common_end(const char *a, gsize n_a, const char *b, gsize n_b, gsize start)
{
    gsize n = 0, whole = 0;

    while (n_a - n > start && n_b - n > start &&
           a[n_a - n - 1] == b[n_b - n - 1]) {
        if (a[n_a - n - 1] == '\n')
            whole = n;
        n++;
    }
    return whole;
}

/* Only what is different is replaced: lines above and below are followed. */
void
hpmviz_document_restore(HpmvizDocument *document)
{
    const char *new = document->draft.text;
    GtkTextIter start, end;
    gsize n_start, n_end, n_old, n_new;
    char *old;

    if (new == NULL)
        return;
    old = get_text(document);
    n_old = strlen(old);
    n_new = strlen(new);
    n_start = common_start(old, new);
    n_end = common_end(old, n_old, new, n_new, n_start);
    gtk_text_buffer_get_iter_at_offset(
        text_buffer(document), &start,
        (int)g_utf8_strlen(old, (gssize)n_start));
    gtk_text_buffer_get_iter_at_offset(
        text_buffer(document), &end,
        (int)g_utf8_strlen(old, (gssize)(n_old - n_end)));
    gtk_text_buffer_begin_user_action(text_buffer(document));
    gtk_text_buffer_delete(text_buffer(document), &start, &end);
    gtk_text_buffer_insert(text_buffer(document), &start, new + n_start,
                           (int)(n_new - n_start - n_end));
    gtk_text_buffer_end_user_action(text_buffer(document));
    g_free(old);
    document->is_restored = TRUE;
    if (n_old == n_new && n_start == n_old) /* it is what was saved */
        hpmviz_document_drop_draft(document);
}

/* ---- edits ----------------------------------------------------------- */

static void
on_changed(HpmvizDocument *document)
{
    int n_rows = gtk_text_buffer_get_line_count(text_buffer(document));

    if (document->is_reading)
        return;
    document->is_unwanted = FALSE;
    if (document->keeping == 0 && document->path != NULL)
        document->keeping =
            g_timeout_add_seconds(HPMVIZ_DRAFT_SECONDS, keep, document);
    if (n_rows != document->n_rows) {
        document->n_rows = n_rows;
        g_signal_emit(document, signals[SHIFTED], 0);
    }
}

/* Undoing everything gives the text as it was read. */
static void
on_modified(HpmvizDocument *document)
{
    if (document->is_reading)
        return;
    if (!hpmviz_document_is_modified(document) && !document->is_edited &&
        document->lines != NULL) {
        hpmviz_lines_reset(document->lines);
        g_signal_emit(document, signals[SHIFTED], 0);
    }
    g_signal_emit(document, signals[NAMED], 0);
}

gboolean
hpmviz_document_is_modified(const HpmvizDocument *document)
{
    return document->path != NULL &&
           gtk_text_buffer_get_modified(text_buffer(document));
}

gboolean
hpmviz_document_is_edited(const HpmvizDocument *document)
{
    return document->is_edited || hpmviz_document_is_modified(document);
}

gboolean
hpmviz_document_is_writable(const HpmvizDocument *document)
{
    return document->is_writable;
}

gboolean
hpmviz_document_is_editable(const HpmvizDocument *document)
{
    return document->path != NULL && document->text.damage == NULL;
}

/* ---- opening --------------------------------------------------------- */

/* Neither line ends at the end are hidden, nor can this be undone. */
static void
set_text(HpmvizDocument *document)
{
    GtkTextBuffer *buffer = text_buffer(document);
    GtkTextIter start;

    g_clear_pointer(&document->lines, hpmviz_lines_free);
    gtk_source_buffer_begin_not_undoable_action(document->buffer);
    gtk_text_buffer_set_text(buffer, document->text.text, -1);
    gtk_source_buffer_end_not_undoable_action(document->buffer);
    gtk_text_buffer_set_modified(buffer, FALSE);
    gtk_text_buffer_get_start_iter(buffer, &start);
    gtk_text_buffer_place_cursor(buffer, &start);
    document->n_rows = gtk_text_buffer_get_line_count(buffer);
    document->is_edited = FALSE;
}

static void
set_path(HpmvizDocument *document, const char *root, const char *path)
{
    char *old_root = document->root, *old_path = document->path;

    document->root = g_strdup(root);
    document->path = g_strdup(path);
    g_free(old_root);
    g_free(old_path);
}

/* What is read of a file, by any thread. */
struct opening {
    char *root, *path;
    struct hpmviz_sourcefile file;
    struct hpmviz_sourcetext text;
};

static void
free_opening(gpointer data)
{
    struct opening *opening = data;

    hpmviz_sourcefile_clear(&opening->file);
    hpmviz_sourcetext_clear(&opening->text);
    g_free(opening->root);
    g_free(opening->path);
    g_free(opening);
}

static struct opening *
new_opening(const char *root, const char *path)
{
    struct opening *opening = g_new0(struct opening, 1);

    opening->root = g_strdup(root);
    opening->path = g_strdup(path);
    return opening;
}

static gboolean
read_file(struct opening *opening, GError **error)
{
    if (!hpmviz_sourcefile_read(opening->root, opening->path, &opening->file,
                                error))
        return FALSE;
    hpmviz_sourcetext_read(opening->file.bytes, opening->file.n_bytes,
                           &opening->text);
    return TRUE;
}

static void
take_file(HpmvizDocument *document, struct opening *opening)
{
    hpmviz_document_forget(document);
    hpmviz_draft_clear(&document->draft);
    document->is_restored = FALSE;
    set_path(document, opening->root, opening->path);
    hpmviz_sourcetext_clear(&document->text);
    document->text = opening->text;
    opening->text = (struct hpmviz_sourcetext){.text = NULL};
    document->identity = opening->file.identity;
    document->is_writable = opening->file.is_writable;
    document->is_reading = TRUE;
    set_text(document);
    if (hpmviz_document_is_editable(document))
        hpmviz_recovery_find(document->path, &document->draft);
    g_signal_emit(document, signals[OPENED], 0);
    document->is_reading = FALSE;
    g_signal_emit(document, signals[NAMED], 0);
}

gboolean
hpmviz_document_open(HpmvizDocument *document, const char *root,
                     const char *path, GError **error)
{
    struct opening *opening = new_opening(root, path);
    gboolean is_good = read_file(opening, error);

    document->awaited = NULL;
    if (is_good)
        take_file(document, opening);
    free_opening(opening);
    return is_good;
}

static void
open_in_thread(GTask *task, gpointer source, gpointer data,
               GCancellable *cancellable)
{
    g_autoptr(GError) error = NULL;

    (void)source, (void)cancellable;
    if (read_file(data, &error))
        g_task_return_boolean(task, TRUE);
    else
        g_task_return_error(task, g_steal_pointer(&error));
}

void
hpmviz_document_open_start(HpmvizDocument *document, const char *root,
                           const char *path, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer data)
{
    g_autoptr(GTask) task = g_task_new(document, cancellable, callback, data);

    document->awaited = task;
    g_task_set_task_data(task, new_opening(root, path), free_opening);
    g_task_run_in_thread(task, open_in_thread);
}

gboolean
hpmviz_document_open_finish(HpmvizDocument *document, GAsyncResult *result,
                            GError **error)
{
    GTask *task = G_TASK(result);
    gboolean is_wanted = document->awaited == task;

    if (is_wanted)
        document->awaited = NULL;
    if (!g_task_propagate_boolean(task, error))
        return FALSE;
    if (!is_wanted || hpmviz_document_is_modified(document)) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                            "another text is shown by now");
        return FALSE;
    }
    take_file(document, g_task_get_task_data(task));
    return TRUE;
}

gboolean
hpmviz_document_is_awaited(const HpmvizDocument *document)
{
    return document->awaited != NULL;
}

gboolean
hpmviz_document_is_reading(const HpmvizDocument *document)
{
    return document->is_reading;
}

gboolean
hpmviz_document_reload(HpmvizDocument *document, GError **error)
{
    char *root = g_strdup(document->root), *path = g_strdup(document->path);
    gboolean is_good = hpmviz_document_open(document, root, path, error);

    g_free(root);
    g_free(path);
    return is_good;
}

const char *
hpmviz_document_path(const HpmvizDocument *document)
{
    return document->path;
}

const struct hpmviz_fileidentity *
hpmviz_document_identity(const HpmvizDocument *document)
{
    return &document->identity;
}

const struct hpmviz_sourcetext *
hpmviz_document_text(const HpmvizDocument *document)
{
    return &document->text;
}

gboolean
hpmviz_document_is_same_outside(const HpmvizDocument *document, GError **error)
{
    return document->path == NULL ||
           hpmviz_sourcefile_is_same(document->root, document->path,
                                     &document->identity, error);
}

/* ---- lines ----------------------------------------------------------- */

void
hpmviz_document_follow(HpmvizDocument *document, const int *lines,
                       guint n_lines)
{
    hpmviz_lines_free(document->lines);
    document->is_edited = FALSE;
    document->lines = hpmviz_lines_new(text_buffer(document), lines, n_lines);
}

int
hpmviz_document_now(const HpmvizDocument *document, int line)
{
    return document->lines != NULL ? hpmviz_lines_now(document->lines, line)
                                   : MAX(line, 1);
}

int
hpmviz_document_n_lines(const HpmvizDocument *document)
{
    return document->lines != NULL ? hpmviz_lines_count(document->lines)
                                   : document->n_rows;
}

/* ---- saving ---------------------------------------------------------- */

static gboolean
save_bytes(HpmvizDocument *document, const char *root, const char *path,
           const struct hpmviz_fileidentity *known, enum hpmviz_way way,
           GError **error)
{
    char *edited = get_text(document), *bytes;
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
    document->is_edited = document->is_edited ||
                          gtk_text_buffer_get_modified(text_buffer(document));
    hpmviz_document_forget(document);
    hpmviz_document_drop_draft(document);
    gtk_text_buffer_set_modified(text_buffer(document), FALSE);
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
    set_path(document, root, path);
    document->is_writable = TRUE;
    g_signal_emit(document, signals[NAMED], 0);
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

/* ---- the object ------------------------------------------------------ */

GtkSourceBuffer *
hpmviz_document_buffer(const HpmvizDocument *document)
{
    return document->buffer;
}

static void
finalize(GObject *object)
{
    HpmvizDocument *document = HPMVIZ_DOCUMENT(object);

    g_ptr_array_remove_fast(documents, document);
    if (document->keeping != 0)
        g_source_remove(document->keeping);
    hpmviz_lines_free(document->lines);
    g_signal_handlers_disconnect_by_data(document->buffer, document);
    g_object_unref(document->buffer);
    hpmviz_sourcetext_clear(&document->text);
    hpmviz_draft_clear(&document->draft);
    g_free(document->root);
    g_free(document->path);
    G_OBJECT_CLASS(hpmviz_document_parent_class)->finalize(object);
}

static void
hpmviz_document_class_init(HpmvizDocumentClass *class)
{
    static const char *const names[N_SIGNALS] = {"named", "opened", "shifted"};

    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < N_SIGNALS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_document_init(HpmvizDocument *document)
{
    if (documents == NULL)
        documents = g_ptr_array_new();
    g_ptr_array_add(documents, document);
    document->buffer = gtk_source_buffer_new(NULL);
    gtk_source_buffer_set_implicit_trailing_newline(document->buffer, FALSE);
    g_signal_connect_swapped(document->buffer, "changed",
                             G_CALLBACK(on_changed), document);
    g_signal_connect_swapped(document->buffer, "modified-changed",
                             G_CALLBACK(on_modified), document);
}

HpmvizDocument *
hpmviz_document_new(void)
{
    return g_object_new(HPMVIZ_TYPE_DOCUMENT, NULL);
}
