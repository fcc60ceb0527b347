/* SPDX-License-Identifier: BSD-3-Clause
 * Commands on calls of libhpm in the source that is shown. */
#include "hpmviz/source/instrumenting.h"

#include <string.h>

#include "hpmviz/instrument/calls.h"
#include "hpmviz/instrument/instrument.h"
#include "hpmviz/instrument/removal.h"
#include "hpmviz/instrument/renumbering.h"
#include "hpmviz/instrument/textlines.h"

struct source {
    GtkTextBuffer *buffer;
    char *text, *name;
    enum hpmviz_language language;
};

static void
init_source(struct source *source, HpmvizDocument *document)
{
    const char *path = hpmviz_document_path(document);
    GtkTextIter start, end;

    source->buffer = GTK_TEXT_BUFFER(hpmviz_document_buffer(document));
    gtk_text_buffer_get_bounds(source->buffer, &start, &end);
    source->text = gtk_text_buffer_get_text(source->buffer, &start, &end, TRUE);
    source->name = g_path_get_basename(path != NULL ? path : "");
    source->language = hpmviz_language_of(source->name);
}

static void
clear_source(struct source *source)
{
    g_free(source->text);
    g_free(source->name);
}

/* ---- places ---------------------------------------------------------- */

static gsize
byte_of(const struct source *source, const GtkTextIter *iter)
{
    return (gsize)(g_utf8_offset_to_pointer(source->text,
                                            gtk_text_iter_get_offset(iter)) -
                   source->text);
}

static void
iter_at(const struct source *source, const char *text, gsize at,
        GtkTextIter *ret_iter)
{
    gtk_text_buffer_get_iter_at_offset(
        source->buffer, ret_iter,
        (int)g_utf8_pointer_to_offset(text, text + at));
}

/* A selection that ends where a line begins has nothing of that line. */
static void
find_lines(const struct source *source, struct hpmviz_wanted *wanted)
{
    struct hpmviz_textlines lines;
    GtkTextIter first, last;
    gsize start, end;

    gtk_text_buffer_get_selection_bounds(source->buffer, &first, &last);
    start = byte_of(source, &first);
    end = byte_of(source, &last);
    hpmviz_textlines_init(&lines, source->text);
    wanted->first = hpmviz_textlines_of(&lines, start);
    wanted->last = hpmviz_textlines_of(&lines, end > start ? end - 1 : end);
    hpmviz_textlines_clear(&lines);
}

/* ---- edits ----------------------------------------------------------- */

/* From the last to the first, so that places before stay as they are. */
static void
apply(const struct source *source, const GArray *edits)
{
    for (guint i = edits->len; i-- > 0;) {
        const struct hpmviz_edit *edit =
            &g_array_index(edits, struct hpmviz_edit, i);
        GtkTextIter start, end;

        iter_at(source, source->text, edit->at, &start);
        iter_at(source, source->text, edit->at + edit->n_removed, &end);
        gtk_text_buffer_delete(source->buffer, &start, &end);
        gtk_text_buffer_insert(source->buffer, &start, edit->text, -1);
    }
}

/* One step to be undone.  Calls may name their lines, which are others then. */
static void
edit(HpmvizDocument *document, const struct source *source, GArray *edits)
{
    struct source edited;
    GArray *lines;

    gtk_text_buffer_begin_user_action(source->buffer);
    apply(source, edits);
    init_source(&edited, document);
    lines = hpmviz_instrument_renew_lines(edited.text, edited.language,
                                          edited.name);
    apply(&edited, lines);
    gtk_text_buffer_end_user_action(source->buffer);
    g_array_unref(lines);
    clear_source(&edited);
    g_array_unref(edits);
}

/* The label was made up: what is typed now takes its place. */
static void
select_label(HpmvizDocument *document, int id)
{
    struct source source;
    GArray *calls;

    init_source(&source, document);
    calls = hpmviz_calls_find(source.text, source.language);
    for (guint i = 0; i < calls->len; i++) {
        const struct hpmviz_call *call =
            &g_array_index(calls, struct hpmviz_call, i);
        GtkTextIter start, end;

        if (!call->has_id || call->id != id || call->n_label == 0)
            continue;
        iter_at(&source, source.text, call->label_at, &start);
        iter_at(&source, source.text, call->label_at + call->n_label, &end);
        gtk_text_buffer_select_range(source.buffer, &end, &start);
        break;
    }
    g_array_unref(calls);
    clear_source(&source);
}

gboolean
hpmviz_instrumenting_add(HpmvizDocument *document, int least_id, GError **error)
{
    struct source source;
    struct hpmviz_wanted wanted = {.least_id = least_id};
    GArray *edits;
    int id = 0;

    init_source(&source, document);
    wanted.language = source.language;
    wanted.name = source.name;
    find_lines(&source, &wanted);
    edits = hpmviz_instrument_add(source.text, &wanted, &id, error);
    if (edits != NULL) {
        edit(document, &source, edits);
        select_label(document, id);
    }
    clear_source(&source);
    return edits != NULL;
}

/* ---- taking away and numbering --------------------------------------- */

typedef GArray *(*edits_function)(const char *text,
                                  const struct hpmviz_wanted *wanted,
                                  GError **error);

static gboolean
change(HpmvizDocument *document, edits_function find, GError **error)
{
    struct source source;
    struct hpmviz_wanted wanted = {0};
    GArray *edits;

    init_source(&source, document);
    wanted.language = source.language;
    wanted.name = source.name;
    find_lines(&source, &wanted);
    edits = find(source.text, &wanted, error);
    if (edits != NULL)
        edit(document, &source, edits);
    clear_source(&source);
    return edits != NULL;
}

static GArray *
renumber(const char *text, const struct hpmviz_wanted *wanted, GError **error)
{
    return hpmviz_renumbering_edits(text, wanted->language, 1, error);
}

gboolean
hpmviz_instrumenting_remove(HpmvizDocument *document, GError **error)
{
    return change(document, hpmviz_removal_of_section, error);
}

gboolean
hpmviz_instrumenting_remove_all(HpmvizDocument *document, GError **error)
{
    return change(document, hpmviz_removal_of_all, error);
}

gboolean
hpmviz_instrumenting_renumber(HpmvizDocument *document, GError **error)
{
    return change(document, renumber, error);
}

/* ---- functions ------------------------------------------------------- */

gboolean
hpmviz_instrumenting_function(HpmvizDocument *document,
                              struct hpmviz_function *ret_function,
                              GError **error)
{
    struct source source;
    struct hpmviz_wanted lines = {0};
    gboolean is_found;

    init_source(&source, document);
    find_lines(&source, &lines);
    is_found = hpmviz_function_at(source.text, source.language, lines.first,
                                  ret_function, error);
    clear_source(&source);
    return is_found;
}
