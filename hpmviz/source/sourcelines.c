/* SPDX-License-Identifier: BSD-3-Clause
 * Where lines of a file are now in the text that is edited.
 *
 * A mark per line stands before its first character that is no blank, and goes
 * along with that character.  Text that is deleted takes the places of its
 * marks into the list of deletions: undoing inserts the same text at the same
 * place, and then they are there again.
 */
#include "hpmviz/source/sourcelines.h"

#include <string.h>

struct place {
    int line, offset; /* at first */
    GtkTextMark *mark;
};

struct displaced {
    guint place;
    int offset; /* in the text that was deleted */
};

struct deletion {
    int offset, n_characters; /* of the text in the buffer */
    guint hash;
    GArray *displaced;
};

struct hpmviz_lines {
    GtkTextBuffer *buffer;
    GArray *places;    /* struct place, by line */
    GArray *deletions; /* struct deletion, the last at the end */
    int n_lines;
    int n_whole; /* without an empty one at the end, which is none on disk */
    gulong inserting, deleting;
};

enum { MOST_DELETIONS = 1000 };

/* ---- deleting and undoing -------------------------------------------- */

static void
clear_deletion(gpointer data)
{
    g_array_unref(((struct deletion *)data)->displaced);
}

static int
offset_of(const struct hpmviz_lines *lines, guint i)
{
    GtkTextIter iter;

    gtk_text_buffer_get_iter_at_mark(
        lines->buffer, &iter,
        g_array_index(lines->places, struct place, i).mark);
    return gtk_text_iter_get_offset(&iter);
}

/* The first place at or behind an offset: marks keep their order. */
static guint
first_from(const struct hpmviz_lines *lines, int offset)
{
    guint low = 0, high = lines->places->len;

    while (low < high) {
        guint middle = (low + high) / 2;

        if (offset_of(lines, middle) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
on_delete(GtkTextBuffer *buffer, const GtkTextIter *start,
          const GtkTextIter *end, gpointer data)
{
    struct hpmviz_lines *lines = data;
    int first = gtk_text_iter_get_offset(start),
        last = gtk_text_iter_get_offset(end);
    struct deletion deletion = {.offset = first, .n_characters = last - first};
    char *text;

    for (guint i = first_from(lines, first); i < lines->places->len; i++) {
        struct displaced displaced = {i, offset_of(lines, i) - first};

        if (displaced.offset >= deletion.n_characters)
            break;
        if (deletion.displaced == NULL)
            deletion.displaced = g_array_new(FALSE, FALSE, sizeof displaced);
        g_array_append_val(deletion.displaced, displaced);
    }
    if (deletion.displaced == NULL)
        return;
    text = gtk_text_buffer_get_slice(buffer, start, end, TRUE);
    deletion.hash = g_str_hash(text);
    g_free(text);
    if (lines->deletions->len == MOST_DELETIONS)
        g_array_remove_index(lines->deletions, 0);
    g_array_append_val(lines->deletions, deletion);
}

static void
put_back(struct hpmviz_lines *lines, const struct deletion *deletion)
{
    for (guint i = 0; i < deletion->displaced->len; i++) {
        const struct displaced *displaced =
            &g_array_index(deletion->displaced, struct displaced, i);
        GtkTextIter iter;

        gtk_text_buffer_get_iter_at_offset(
            lines->buffer, &iter, deletion->offset + displaced->offset);
        gtk_text_buffer_move_mark(
            lines->buffer,
            g_array_index(lines->places, struct place, displaced->place).mark,
            &iter);
    }
}

/* After the text is in; `end` is behind it. */
static void
on_inserted(GtkTextBuffer *buffer, const GtkTextIter *end, const char *text,
            int n_bytes, gpointer data)
{
    struct hpmviz_lines *lines = data;
    int n_characters = (int)g_utf8_strlen(text, n_bytes);
    int offset = gtk_text_iter_get_offset(end) - n_characters;
    guint hash;
    char *whole;

    (void)buffer;
    if (lines->deletions->len == 0)
        return;
    whole = g_strndup(text, (gsize)n_bytes);
    hash = g_str_hash(whole);
    g_free(whole);
    for (guint i = lines->deletions->len; i-- > 0;) {
        struct deletion *deletion =
            &g_array_index(lines->deletions, struct deletion, i);

        if (deletion->offset == offset && deletion->hash == hash &&
            deletion->n_characters == n_characters) {
            put_back(lines, deletion);
            g_array_remove_index(lines->deletions, i);
            return;
        }
    }
}

/* ---- places ---------------------------------------------------------- */

static int
compare_places(gconstpointer a, gconstpointer b)
{
    const struct place *x = a, *y = b;

    return (x->line > y->line) - (x->line < y->line);
}

static void
add_places(struct hpmviz_lines *lines, const int *numbers, guint n)
{
    for (guint i = 0; i < n; i++) {
        struct place place = {.line = MAX(numbers[i], 1)};

        g_array_append_val(lines->places, place);
    }
    g_array_sort(lines->places, compare_places);
    for (guint i = lines->places->len; i-- > 1;) {
        if (g_array_index(lines->places, struct place, i).line ==
            g_array_index(lines->places, struct place, i - 1).line)
            g_array_remove_index(lines->places, i);
    }
}

/* GTK also ends lines at a lone "\r" and at the separators of Unicode, so its
 * numbers of lines are of no use here. */
static void
find_offsets(struct hpmviz_lines *lines)
{
    GtkTextIter start, end;
    const char *at, *line_start;
    char *text;
    int offset = 0;
    guint next = 0;

    gtk_text_buffer_get_bounds(lines->buffer, &start, &end);
    text = gtk_text_buffer_get_slice(lines->buffer, &start, &end, TRUE);
    lines->n_lines = 1;
    for (line_start = text;; line_start = at + 1) {
        gsize n_blanks = strspn(line_start, " \t");

        while (next < lines->places->len &&
               g_array_index(lines->places, struct place, next).line ==
                   lines->n_lines)
            g_array_index(lines->places, struct place, next++).offset =
                offset + (int)n_blanks;
        at = strchr(line_start, '\n');
        if (at == NULL)
            break;
        offset += (int)g_utf8_strlen(line_start, at - line_start) + 1;
        lines->n_lines++;
    }
    g_array_set_size(lines->places, next); /* what is beyond the end */
    lines->n_whole = lines->n_lines - (*line_start == '\0');
    g_free(text);
}

static void
make_marks(struct hpmviz_lines *lines)
{
    for (guint i = 0; i < lines->places->len; i++) {
        struct place *place = &g_array_index(lines->places, struct place, i);
        GtkTextIter iter;

        gtk_text_buffer_get_iter_at_offset(lines->buffer, &iter, place->offset);
        place->mark =
            gtk_text_buffer_create_mark(lines->buffer, NULL, &iter, FALSE);
    }
}

struct hpmviz_lines *
hpmviz_lines_new(GtkTextBuffer *buffer, const int *lines, guint n_lines)
{
    struct hpmviz_lines *new = g_new0(struct hpmviz_lines, 1);

    new->buffer = g_object_ref(buffer);
    new->places = g_array_new(FALSE, FALSE, sizeof(struct place));
    new->deletions = g_array_new(FALSE, FALSE, sizeof(struct deletion));
    g_array_set_clear_func(new->deletions, clear_deletion);
    add_places(new, lines, n_lines);
    find_offsets(new);
    make_marks(new);
    new->deleting =
        g_signal_connect(buffer, "delete-range", G_CALLBACK(on_delete), new);
    new->inserting = g_signal_connect_after(buffer, "insert-text",
                                            G_CALLBACK(on_inserted), new);
    return new;
}

void
hpmviz_lines_free(struct hpmviz_lines *lines)
{
    if (lines == NULL)
        return;
    g_signal_handler_disconnect(lines->buffer, lines->deleting);
    g_signal_handler_disconnect(lines->buffer, lines->inserting);
    for (guint i = 0; i < lines->places->len; i++)
        gtk_text_buffer_delete_mark(
            lines->buffer, g_array_index(lines->places, struct place, i).mark);
    g_array_unref(lines->places);
    g_array_unref(lines->deletions);
    g_object_unref(lines->buffer);
    g_free(lines);
}

/* How many places are in this line or above it. */
static guint
n_until(const struct hpmviz_lines *lines, int line)
{
    guint low = 0, high = lines->places->len;

    while (low < high) {
        guint middle = (low + high) / 2;

        if (g_array_index(lines->places, struct place, middle).line <= line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int
hpmviz_lines_now(const struct hpmviz_lines *lines, int line)
{
    int n_now = gtk_text_buffer_get_line_count(lines->buffer), now;
    guint n_above;

    now = line = CLAMP(line, 1, lines->n_lines);
    n_above = n_until(lines, line);
    if (n_above > 0) {
        const struct place *place =
            &g_array_index(lines->places, struct place, n_above - 1);
        GtkTextIter iter;

        gtk_text_buffer_get_iter_at_mark(lines->buffer, &iter, place->mark);
        now = gtk_text_iter_get_line(&iter) + 1 + line - place->line;
    }
    return CLAMP(now, 1, n_now);
}

void
hpmviz_lines_reset(struct hpmviz_lines *lines)
{
    for (guint i = 0; i < lines->places->len; i++) {
        const struct place *place =
            &g_array_index(lines->places, struct place, i);
        GtkTextIter iter;

        gtk_text_buffer_get_iter_at_offset(lines->buffer, &iter, place->offset);
        gtk_text_buffer_move_mark(lines->buffer, place->mark, &iter);
    }
    g_array_set_size(lines->deletions, 0);
}

int
hpmviz_lines_count(const struct hpmviz_lines *lines)
{
    return lines->n_whole;
}
