/* SPDX-License-Identifier: BSD-3-Clause
 * Scrolling a source to its caret. */
#include "hpmviz/source/caretscroll.h"

static GtkTextBuffer *
buffer_of(const struct hpmviz_caretscroll *scroll)
{
    return gtk_text_view_get_buffer(scroll->view);
}

void
hpmviz_caretscroll_init(struct hpmviz_caretscroll *scroll, GtkTextView *view,
                        void (*done)(gpointer data), gpointer data)
{
    *scroll =
        (struct hpmviz_caretscroll){.view = view, .done = done, .data = data};
    scroll->layout_tag = gtk_text_buffer_create_tag(buffer_of(scroll), "layout",
                                                    "scale", 1.0, NULL);
}

/* Is the text laid out a hundred lines beyond the caret, and so all above?  GTK
 * takes lines that are not laid out for lines without height, and would draw
 * all of them in one place: of a text of 200,000 lines that takes longer than
 * to wait. */
static gboolean
is_laid_out(const struct hpmviz_caretscroll *scroll)
{
    GtkTextIter iter;
    int y, height;

    gtk_text_buffer_get_iter_at_mark(
        buffer_of(scroll), &iter,
        gtk_text_buffer_get_insert(buffer_of(scroll)));
    gtk_text_iter_forward_lines(&iter, 100);
    gtk_text_view_get_line_yrange(scroll->view, &iter, &y, &height);
    return height > 0;
}

/* GTK scrolls to a mark when all text is laid out, or else right after some of
 * the text has to be laid out again.  So the line gets a tag that might change
 * its size, and loses the tag. */
static void
scroll_to_caret(const struct hpmviz_caretscroll *scroll)
{
    GtkTextBuffer *buffer = buffer_of(scroll);
    GtkTextMark *caret = gtk_text_buffer_get_insert(buffer);
    GtkTextIter start, end;

    gtk_text_view_scroll_to_mark(scroll->view, caret, 0.0, TRUE, 0.0, 1.0 / 3);
    gtk_text_buffer_get_iter_at_mark(buffer, &start, caret);
    end = start;
    if (!gtk_text_iter_forward_line(&end))
        gtk_text_iter_backward_line(&start);
    gtk_text_buffer_apply_tag(buffer, scroll->layout_tag, &start, &end);
    gtk_text_buffer_remove_tag(buffer, scroll->layout_tag, &start, &end);
}

/* A page that is new has a size in its first frame, and is laid out in the
 * second. */
static gboolean
scroll_in_frame(GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
    struct hpmviz_caretscroll *scroll = data;

    (void)view;
    (void)clock;
    if (!is_laid_out(scroll))
        return G_SOURCE_CONTINUE;
    scroll_to_caret(scroll);
    if (--scroll->n_frames > 0)
        return G_SOURCE_CONTINUE;
    scroll->waiting = 0;
    scroll->done(scroll->data);
    return G_SOURCE_REMOVE;
}

void
hpmviz_caretscroll_start(struct hpmviz_caretscroll *scroll)
{
    scroll->n_frames = 2;
    if (scroll->waiting == 0)
        scroll->waiting = gtk_widget_add_tick_callback(
            GTK_WIDGET(scroll->view), scroll_in_frame, scroll, NULL);
}

gboolean
hpmviz_caretscroll_is_waiting(const struct hpmviz_caretscroll *scroll)
{
    return scroll->waiting != 0;
}
