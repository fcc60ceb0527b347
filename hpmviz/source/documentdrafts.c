/* SPDX-License-Identifier: BSD-3-Clause
 * What is kept of a source that is edited, until it is saved. */
#include <gio/gio.h>
#include <string.h>

#include "hpmviz/source/documentstate.h"

/* Held while drafts are written and removed, which threads do: the main loop waits
 * for it only where the program ends. */
static GMutex drafting;

/* Of each path the number of the last draft; under the lock. */
static GHashTable *drafted;

/* Drafts, and requests to remove them, get numbers in the order they come in. */
static guint n_requests;

/* ---- removing -------------------------------------------------------- */

/* The drafts of this path with lower numbers are not wanted. */
struct removal {
    char *path;
    guint number;
};

static GAsyncQueue *
removals(void)
{
    static GAsyncQueue *queue;

    if (queue == NULL)
        queue = g_async_queue_new();
    return queue;
}

/* Under the lock. */
static void
remove_all(GAsyncQueue *queue)
{
    struct removal *removal;

    while ((removal = g_async_queue_try_pop(queue)) != NULL) {
        guint last =
            drafted == NULL
                ? 0
                : GPOINTER_TO_UINT(g_hash_table_lookup(drafted, removal->path));

        if (last < removal->number)
            hpmviz_recovery_remove(removal->path);
        g_free(removal->path);
        g_free(removal);
    }
}

static void
remove_in_thread(GTask *task, gpointer source, gpointer data,
                 GCancellable *cancellable)
{
    (void)source, (void)cancellable;
    g_mutex_lock(&drafting);
    remove_all(data);
    g_mutex_unlock(&drafting);
    g_task_return_boolean(task, TRUE);
}

void
hpmviz_document_forget(HpmvizDocument *document)
{
    struct removal *removal;
    g_autoptr(GTask) task = NULL;

    if (document->keeping != 0)
        g_source_remove(document->keeping);
    document->keeping = 0;
    document->is_unwanted = TRUE;
    g_atomic_int_inc(&document->edition);
    if (document->path == NULL)
        return;
    removal = g_new(struct removal, 1);
    removal->path = g_strdup(document->path);
    removal->number = ++n_requests;
    g_async_queue_push(removals(), removal);
    task = g_task_new(NULL, NULL, NULL, NULL);
    g_task_set_task_data(task, removals(), NULL);
    g_task_run_in_thread(task, remove_in_thread);
}

void
hpmviz_document_settle(void)
{
    g_mutex_lock(&drafting);
    remove_all(removals());
    g_mutex_unlock(&drafting);
}

/* ---- keeping --------------------------------------------------------- */

struct keeping {
    HpmvizDocument *document;
    char *path, *text;
    struct hpmviz_fileidentity identity;
    gint edition;
    guint number;
};

static struct keeping *
new_keeping(HpmvizDocument *document)
{
    struct keeping *keeping = g_new0(struct keeping, 1);

    keeping->document = g_object_ref(document);
    keeping->path = g_strdup(document->path);
    keeping->text = hpmviz_document_content(document);
    keeping->identity = document->identity;
    keeping->edition = document->edition;
    keeping->number = ++n_requests;
    return keeping;
}

/* In the main loop: the document may go. */
static void
free_keeping(struct keeping *keeping)
{
    g_object_unref(keeping->document);
    g_free(keeping->path);
    g_free(keeping->text);
    g_free(keeping);
}

/* Under the lock.  What has been saved or forgotten meanwhile has another
 * edition. */
static gboolean
write_draft(const struct keeping *keeping)
{
    if (g_atomic_int_get(&keeping->document->edition) != keeping->edition ||
        !hpmviz_recovery_write(keeping->path, &keeping->identity, keeping->text,
                               NULL))
        return FALSE;
    if (drafted == NULL)
        drafted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert(drafted, g_strdup(keeping->path),
                        GUINT_TO_POINTER(keeping->number));
    return TRUE;
}

static void
write_in_thread(GTask *task, gpointer source, gpointer data,
                GCancellable *cancellable)
{
    gboolean is_good;

    (void)source, (void)cancellable;
    g_mutex_lock(&drafting);
    is_good = write_draft(data);
    g_mutex_unlock(&drafting);
    g_task_return_boolean(task, is_good);
}

/* A draft that was restored is in this one now. */
static void
end_writing(GObject *object, GAsyncResult *result, gpointer data)
{
    struct keeping *keeping = data;

    (void)object;
    if (g_task_propagate_boolean(G_TASK(result), NULL) &&
        keeping->document->is_restored)
        hpmviz_document_drop_draft(keeping->document);
    free_keeping(keeping);
}

static gboolean
keep(gpointer data)
{
    HpmvizDocument *document = data;
    struct keeping *keeping;
    g_autoptr(GTask) task = NULL;

    document->keeping = 0;
    if (!hpmviz_document_is_modified(document)) {
        hpmviz_document_forget(document);
        return G_SOURCE_REMOVE;
    }
    keeping = new_keeping(document);
    task = g_task_new(NULL, NULL, end_writing, keeping);
    g_task_set_task_data(task, keeping, NULL);
    g_task_run_in_thread(task, write_in_thread);
    return G_SOURCE_REMOVE;
}

void
hpmviz_document_keep_soon(HpmvizDocument *document)
{
    if (document->keeping == 0 && document->path != NULL)
        document->keeping =
            g_timeout_add_seconds(HPMVIZ_DRAFT_SECONDS, keep, document);
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
    remove_all(removals());
    for (guint i = 0; hpmviz_documents != NULL && i < hpmviz_documents->len;
         i++) {
        HpmvizDocument *document = g_ptr_array_index(hpmviz_documents, i);
        struct keeping *keeping;

        if (!is_to_be_kept(document))
            continue;
        g_atomic_int_inc(&document->edition);
        keeping = new_keeping(document);
        n += write_draft(keeping);
        free_keeping(keeping);
    }
    g_mutex_unlock(&drafting);
    return n;
}

/* ---- offering -------------------------------------------------------- */

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
    old = hpmviz_document_content(document);
    n_old = strlen(old);
    n_new = strlen(new);
    n_start = common_start(old, new);
    n_end = common_end(old, n_old, new, n_new, n_start);
    gtk_text_buffer_get_iter_at_offset(
        hpmviz_document_textbuffer(document), &start,
        (int)g_utf8_strlen(old, (gssize)n_start));
    gtk_text_buffer_get_iter_at_offset(
        hpmviz_document_textbuffer(document), &end,
        (int)g_utf8_strlen(old, (gssize)(n_old - n_end)));
    gtk_text_buffer_begin_user_action(hpmviz_document_textbuffer(document));
    gtk_text_buffer_delete(hpmviz_document_textbuffer(document), &start, &end);
    gtk_text_buffer_insert(hpmviz_document_textbuffer(document), &start,
                           new + n_start, (int)(n_new - n_start - n_end));
    gtk_text_buffer_end_user_action(hpmviz_document_textbuffer(document));
    g_free(old);
    document->is_restored = TRUE;
    if (n_old == n_new && n_start == n_old) /* it is what was saved */
        hpmviz_document_drop_draft(document);
}
