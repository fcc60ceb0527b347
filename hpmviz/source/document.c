/* SPDX-License-Identifier: BSD-3-Clause
 * A source file that is edited. */
#include "hpmviz/source/documentstate.h"
#include "hpmviz/source/sourcelines.h"

G_DEFINE_TYPE(HpmvizDocument, hpmviz_document, G_TYPE_OBJECT)

enum { NAMED, OPENED, SHIFTED, N_SIGNALS };

static guint signals[N_SIGNALS];

GPtrArray *hpmviz_documents;

GtkTextBuffer *
hpmviz_document_textbuffer(const HpmvizDocument *document)
{
    return GTK_TEXT_BUFFER(document->buffer);
}

char *
hpmviz_document_content(const HpmvizDocument *document)
{
    GtkTextBuffer *buffer = hpmviz_document_textbuffer(document);
    GtkTextIter start, end;

    gtk_text_buffer_get_bounds(buffer, &start, &end);
    return gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
}

void
hpmviz_document_tell_named(HpmvizDocument *document)
{
    g_signal_emit(document, signals[NAMED], 0);
}

/* ---- edits ----------------------------------------------------------- */

static void
on_changed(HpmvizDocument *document)
{
    int n_rows =
        gtk_text_buffer_get_line_count(hpmviz_document_textbuffer(document));

    if (document->is_reading)
        return;
    document->n_changes++;
    document->is_unwanted = FALSE;
    hpmviz_document_keep_soon(document);
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
           gtk_text_buffer_get_modified(hpmviz_document_textbuffer(document));
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

/* ---- its file -------------------------------------------------------- */

/* Neither line ends at the end are hidden, nor can this be undone. */
static void
set_text(HpmvizDocument *document)
{
    GtkTextBuffer *buffer = hpmviz_document_textbuffer(document);
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

void
hpmviz_document_set_path(HpmvizDocument *document, const char *root,
                         const char *path)
{
    char *old_root = document->root, *old_path = document->path;

    document->root = g_strdup(root);
    document->path = g_strdup(path);
    g_free(old_root);
    g_free(old_path);
}

void
hpmviz_document_take(HpmvizDocument *document, const char *root,
                     const char *path, const struct hpmviz_sourcefile *file,
                     struct hpmviz_sourcetext *text, struct hpmviz_draft *draft)
{
    hpmviz_document_forget(document);
    hpmviz_draft_clear(&document->draft);
    document->draft = *draft;
    *draft = (struct hpmviz_draft){.name = NULL};
    document->is_restored = FALSE;
    hpmviz_document_set_path(document, root, path);
    hpmviz_sourcetext_clear(&document->text);
    document->text = *text;
    *text = (struct hpmviz_sourcetext){.text = NULL};
    document->identity = file->identity;
    document->is_writable = file->is_writable;
    document->is_reading = TRUE;
    set_text(document);
    g_signal_emit(document, signals[OPENED], 0);
    document->is_reading = FALSE;
    g_signal_emit(document, signals[NAMED], 0);
}

gboolean
hpmviz_document_is_reading(const HpmvizDocument *document)
{
    return document->is_reading;
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

/* ---- lines ----------------------------------------------------------- */

void
hpmviz_document_follow(HpmvizDocument *document, const int *lines,
                       guint n_lines)
{
    hpmviz_lines_free(document->lines);
    document->is_edited = FALSE;
    document->lines =
        hpmviz_lines_new(hpmviz_document_textbuffer(document), lines, n_lines);
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

    g_ptr_array_remove_fast(hpmviz_documents, document);
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
    if (hpmviz_documents == NULL)
        hpmviz_documents = g_ptr_array_new();
    g_ptr_array_add(hpmviz_documents, document);
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
