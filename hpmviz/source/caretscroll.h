/* SPDX-License-Identifier: BSD-3-Clause
 * Scrolling a source to its caret, as soon as the text is laid out so far. */
#ifndef HPMVIZ_SOURCE_CARETSCROLL_H
#define HPMVIZ_SOURCE_CARETSCROLL_H

#include <gtk/gtk.h>

struct hpmviz_caretscroll {
    GtkTextView *view; /* borrowed */
    GtkTextTag *layout_tag;
    guint waiting; /* the tick callback that will scroll; 0 for none */
    int n_frames;  /* in so many frames */
    void (*done)(gpointer data);
    gpointer data;
};

/* `done` is called each time the caret is where it was to be. */
void hpmviz_caretscroll_init(struct hpmviz_caretscroll *scroll,
                             GtkTextView *view, void (*done)(gpointer data),
                             gpointer data);

/* Scroll, now or when the text is laid out: the caret a third from the top. */
void hpmviz_caretscroll_start(struct hpmviz_caretscroll *scroll);

gboolean hpmviz_caretscroll_is_waiting(const struct hpmviz_caretscroll *scroll);

#endif
