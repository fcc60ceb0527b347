/* SPDX-License-Identifier: BSD-3-Clause
 * What a command writes, in a text view. */
#include "hpmviz/measure/outputtext.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/string.h"
#include "hpmviz/measure/errorline.h"

static GtkTextBuffer *
buffer_of(const struct hpmviz_outputtext *output)
{
    return gtk_text_view_get_buffer(output->view);
}

void
hpmviz_outputtext_init(struct hpmviz_outputtext *output, GtkTextView *view)
{
    output->view = view;
    output->place_tag = gtk_text_buffer_create_tag(
        buffer_of(output), "place", "underline", PANGO_UNDERLINE_SINGLE,
        "weight", PANGO_WEIGHT_BOLD, NULL);
    output->folder = g_strdup("");
}

void
hpmviz_outputtext_clear(struct hpmviz_outputtext *output)
{
    if (output->scrolling != 0)
        g_source_remove(output->scrolling);
    g_clear_pointer(&output->folder, g_free);
}

void
hpmviz_outputtext_start(struct hpmviz_outputtext *output, const char *folder)
{
    gtk_text_buffer_set_text(buffer_of(output), "", 0);
    g_free(output->folder);
    output->folder = g_strdup(folder);
}

/* ---- adding ---------------------------------------------------------- */

static gboolean
is_end_in_sight(const struct hpmviz_outputtext *output)
{
    GtkAdjustment *adjustment =
        gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(output->view));

    return gtk_adjustment_get_value(adjustment) +
               gtk_adjustment_get_page_size(adjustment) >=
           gtk_adjustment_get_upper(adjustment) - 1;
}

static gboolean
show_end(gpointer data)
{
    struct hpmviz_outputtext *output = data;
    GtkTextBuffer *buffer = buffer_of(output);
    GtkTextIter end;

    output->scrolling = 0;
    gtk_text_buffer_get_end_iter(buffer, &end);
    gtk_text_buffer_place_cursor(buffer, &end);
    gtk_text_view_scroll_mark_onscreen(output->view,
                                       gtk_text_buffer_get_insert(buffer));
    return G_SOURCE_REMOVE;
}

/* Once for many lines: each time all lines are laid out. */
static void
follow_end(struct hpmviz_outputtext *output)
{
    if (output->scrolling == 0 && is_end_in_sight(output))
        output->scrolling = g_idle_add(show_end, output);
}

static void
mark_place(const struct hpmviz_outputtext *output, const char *line, int row)
{
    struct hpmviz_errorline place;
    GtkTextIter start, end;

    if (!hpmviz_errorline_read(line, &place))
        return;
    gtk_text_buffer_get_iter_at_line(buffer_of(output), &start, row);
    end = start;
    gtk_text_iter_set_line_index(&end, (int)place.n_bytes);
    gtk_text_buffer_apply_tag(buffer_of(output), output->place_tag, &start,
                              &end);
    g_free(place.file);
}

/* In large pieces: each takes the lines that stay to another place. */
static void
cut_beginning(struct hpmviz_outputtext *output)
{
    GtkTextBuffer *buffer = buffer_of(output);
    GtkTextIter start, end;

    if (gtk_text_buffer_get_line_count(buffer) <= HPMVIZ_MOST_OUTPUT)
        return;
    gtk_text_buffer_get_start_iter(buffer, &start);
    gtk_text_buffer_get_iter_at_line(buffer, &end, HPMVIZ_MOST_OUTPUT / 4);
    gtk_text_buffer_delete(buffer, &start, &end);
    gtk_text_buffer_insert(buffer, &start, _("[what stood here is left out]\n"),
                           -1);
}

void
hpmviz_outputtext_add(struct hpmviz_outputtext *output, const char *line)
{
    GtkTextBuffer *buffer = buffer_of(output);
    struct hpm_string safe = {0};
    GtkTextIter end;
    int row;

    follow_end(output);
    hpm_string_add_safe(&safe, line);
    gtk_text_buffer_get_end_iter(buffer, &end);
    row = gtk_text_iter_get_line(&end);
    gtk_text_buffer_insert(buffer, &end, hpm_string_text(&safe), -1);
    gtk_text_buffer_insert(buffer, &end, "\n", 1);
    mark_place(output, hpm_string_text(&safe), row);
    hpm_string_free(&safe);
    cut_beginning(output);
}

/* ---- places ---------------------------------------------------------- */

static char *
text_of_row(const struct hpmviz_outputtext *output, int row)
{
    GtkTextIter start, end;

    gtk_text_buffer_get_iter_at_line(buffer_of(output), &start, row);
    end = start;
    if (!gtk_text_iter_ends_line(&end))
        gtk_text_iter_forward_to_line_end(&end);
    return gtk_text_buffer_get_text(buffer_of(output), &start, &end, TRUE);
}

/* The folder make was in when a line was written. */
static char *
folder_at(const struct hpmviz_outputtext *output, int row)
{
    int n_left = 0;

    while (row-- > 0) {
        g_autofree char *text = text_of_row(output, row);
        gboolean is_left;
        char *folder = hpmviz_errorline_folder(text, &is_left);

        if (folder != NULL && !is_left && n_left-- == 0)
            return folder;
        n_left += folder != NULL && is_left;
        g_free(folder);
    }
    return g_strdup(output->folder);
}

char *
hpmviz_outputtext_place(const struct hpmviz_outputtext *output, int *ret_line)
{
    GtkTextBuffer *buffer = buffer_of(output);
    struct hpmviz_errorline place;
    g_autofree char *text = NULL;
    g_autofree char *folder = NULL;
    GtkTextIter caret;
    char *file;

    gtk_text_buffer_get_iter_at_mark(buffer, &caret,
                                     gtk_text_buffer_get_insert(buffer));
    text = text_of_row(output, gtk_text_iter_get_line(&caret));
    if (!hpmviz_errorline_read(text, &place))
        return NULL;
    folder = folder_at(output, gtk_text_iter_get_line(&caret));
    file = g_canonicalize_filename(place.file, folder);
    *ret_line = place.line;
    g_free(place.file);
    return file;
}
