/* SPDX-License-Identifier: BSD-3-Clause
 * Finding text in a source. */
#include "hpmviz/source/findbar.h"

#include <glib/gi18n.h>

struct _HpmvizFindbar {
    GtkBox parent_instance;
    GtkWidget *search_bar, *entry, *case_button, *regex_button, *label;
    GtkSourceSearchSettings *settings;
    GtkSourceSearchContext *context; /* of the view, or NULL */
    GtkSourceView *view;
    GtkTextMark *origin; /* from where what is typed is looked for */
};

G_DEFINE_TYPE(HpmvizFindbar, hpmviz_findbar, GTK_TYPE_BOX)

static GtkTextBuffer *
buffer_of(const HpmvizFindbar *bar)
{
    return gtk_text_view_get_buffer(GTK_TEXT_VIEW(bar->view));
}

/* ---- what was found -------------------------------------------------- */

/* A regular expression that is none, or which place of how many. */
static void
show_count(HpmvizFindbar *bar)
{
    GError *error = gtk_source_search_context_get_regex_error(bar->context);
    int n = gtk_source_search_context_get_occurrences_count(bar->context), at;
    GtkTextIter start, end;
    char *text;

    gtk_text_buffer_get_selection_bounds(buffer_of(bar), &start, &end);
    at = gtk_source_search_context_get_occurrence_position(bar->context, &start,
                                                           &end);
    if (error != NULL)
        text = g_strdup(error->message);
    else if (*gtk_entry_get_text(GTK_ENTRY(bar->entry)) == '\0' || n < 0)
        text = g_strdup("");
    else if (at > 0)
        text = g_strdup_printf(_("%d of %d"), at, n);
    else
        text = g_strdup_printf(
            ngettext("%d place", "%d places", (unsigned long)n), n);
    gtk_label_set_text(GTK_LABEL(bar->label), text);
    gtk_widget_set_tooltip_text(bar->label, text);
    g_clear_error(&error);
    g_free(text);
}

static void
show(HpmvizFindbar *bar, GtkTextIter *start, GtkTextIter *end)
{
    gtk_text_buffer_select_range(buffer_of(bar), start, end);
    gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(bar->view),
                                 gtk_text_buffer_get_insert(buffer_of(bar)),
                                 0.1, FALSE, 0, 0);
    show_count(bar);
}

void
hpmviz_findbar_step(HpmvizFindbar *bar, gboolean is_forward)
{
    GtkTextIter from, to, start, end;
    gboolean is_found;

    if (bar->view == NULL)
        return;
    gtk_text_buffer_get_selection_bounds(buffer_of(bar), &from, &to);
    is_found = is_forward
                   ? gtk_source_search_context_forward(bar->context, &to,
                                                       &start, &end, NULL)
                   : gtk_source_search_context_backward(bar->context, &from,
                                                        &start, &end, NULL);
    if (!is_found)
        show_count(bar);
    else
        show(bar, &start, &end);
    if (is_found && bar->origin != NULL)
        gtk_text_buffer_move_mark(buffer_of(bar), bar->origin, &start);
}

/* ---- the entry ------------------------------------------------------- */

/* A longer text is looked for where the shorter was found. */
static void
on_search(HpmvizFindbar *bar)
{
    GtkTextIter from, start, end;

    if (bar->view == NULL)
        return;
    gtk_source_search_settings_set_search_text(
        bar->settings, gtk_entry_get_text(GTK_ENTRY(bar->entry)));
    gtk_text_buffer_get_iter_at_mark(
        buffer_of(bar), &from,
        bar->origin != NULL ? bar->origin
                            : gtk_text_buffer_get_insert(buffer_of(bar)));
    if (gtk_source_search_context_forward(bar->context, &from, &start, &end,
                                          NULL))
        show(bar, &start, &end);
    else
        show_count(bar);
}

static void
on_next(HpmvizFindbar *bar)
{
    hpmviz_findbar_step(bar, TRUE);
}

static void
on_previous(HpmvizFindbar *bar)
{
    hpmviz_findbar_step(bar, FALSE);
}

/* Matches are marked while the bar is there; Escape gives the text the focus.
 */
static void
on_mode(HpmvizFindbar *bar)
{
    gboolean is_open =
        gtk_search_bar_get_search_mode(GTK_SEARCH_BAR(bar->search_bar));

    if (bar->view == NULL)
        return;
    gtk_source_search_context_set_highlight(bar->context, is_open);
    if (!is_open)
        gtk_widget_grab_focus(GTK_WIDGET(bar->view));
}

void
hpmviz_findbar_open(HpmvizFindbar *bar)
{
    GtkTextIter start, end;
    char *text = NULL;

    if (bar->view == NULL)
        return;
    gtk_search_bar_set_search_mode(GTK_SEARCH_BAR(bar->search_bar), TRUE);
    if (gtk_text_buffer_get_selection_bounds(buffer_of(bar), &start, &end) &&
        gtk_text_iter_get_line(&start) == gtk_text_iter_get_line(&end))
        text = gtk_text_iter_get_text(&start, &end);
    if (bar->origin != NULL)
        gtk_text_buffer_move_mark(buffer_of(bar), bar->origin, &start);
    if (text != NULL)
        gtk_entry_set_text(GTK_ENTRY(bar->entry), text);
    g_free(text);
    gtk_widget_grab_focus(bar->entry);
    gtk_editable_select_region(GTK_EDITABLE(bar->entry), 0, -1);
}

/* ---- the object ------------------------------------------------------ */

static void
forget_view(HpmvizFindbar *bar)
{
    if (bar->view != NULL) {
        g_object_remove_weak_pointer(G_OBJECT(bar->view),
                                     (gpointer *)&bar->view);
        if (bar->origin != NULL)
            gtk_text_buffer_delete_mark(buffer_of(bar), bar->origin);
    }
    bar->origin = NULL;
    bar->view = NULL;
    g_clear_object(&bar->context);
}

void
hpmviz_findbar_set_view(HpmvizFindbar *bar, GtkSourceView *view)
{
    GtkTextIter start;

    if (view == bar->view)
        return;
    forget_view(bar);
    if (view == NULL)
        return;
    bar->view = view;
    g_object_add_weak_pointer(G_OBJECT(view), (gpointer *)&bar->view);
    gtk_text_buffer_get_selection_bounds(buffer_of(bar), &start, NULL);
    bar->origin =
        gtk_text_buffer_create_mark(buffer_of(bar), NULL, &start, TRUE);
    bar->context = gtk_source_search_context_new(
        GTK_SOURCE_BUFFER(buffer_of(bar)), bar->settings);
    gtk_source_search_context_set_highlight(
        bar->context,
        gtk_search_bar_get_search_mode(GTK_SEARCH_BAR(bar->search_bar)));
    g_signal_connect_object(bar->context, "notify::occurrences-count",
                            G_CALLBACK(show_count), bar, G_CONNECT_SWAPPED);
    g_signal_connect_object(bar->context, "notify::regex-error",
                            G_CALLBACK(show_count), bar, G_CONNECT_SWAPPED);
}

static void
dispose(GObject *object)
{
    HpmvizFindbar *bar = HPMVIZ_FINDBAR(object);

    forget_view(bar);
    g_clear_object(&bar->settings);
    G_OBJECT_CLASS(hpmviz_findbar_parent_class)->dispose(object);
}

static void
hpmviz_findbar_class_init(HpmvizFindbarClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/findbar.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizFindbar, search_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizFindbar, entry);
    gtk_widget_class_bind_template_child(widget, HpmvizFindbar, case_button);
    gtk_widget_class_bind_template_child(widget, HpmvizFindbar, regex_button);
    gtk_widget_class_bind_template_child(widget, HpmvizFindbar, label);
    gtk_widget_class_bind_template_callback(widget, on_search);
    gtk_widget_class_bind_template_callback(widget, on_next);
    gtk_widget_class_bind_template_callback(widget, on_previous);
    gtk_widget_class_bind_template_callback(widget, on_mode);
}

/* A bar that slides in is realized a frame after it has the focus: a key that
 * is pressed meanwhile goes nowhere, and GTK complains. */
static void
stop_sliding(HpmvizFindbar *bar)
{
    GtkWidget *revealer = gtk_bin_get_child(GTK_BIN(bar->search_bar));

    if (GTK_IS_REVEALER(revealer))
        gtk_revealer_set_transition_type(GTK_REVEALER(revealer),
                                         GTK_REVEALER_TRANSITION_TYPE_NONE);
}

static void
hpmviz_findbar_init(HpmvizFindbar *bar)
{
    gtk_widget_init_template(GTK_WIDGET(bar));
    stop_sliding(bar);
    gtk_search_bar_connect_entry(GTK_SEARCH_BAR(bar->search_bar),
                                 GTK_ENTRY(bar->entry));
    bar->settings = gtk_source_search_settings_new();
    gtk_source_search_settings_set_wrap_around(bar->settings, TRUE);
    g_object_bind_property(bar->case_button, "active", bar->settings,
                           "case-sensitive", G_BINDING_DEFAULT);
    g_object_bind_property(bar->regex_button, "active", bar->settings,
                           "regex-enabled", G_BINDING_DEFAULT);
    g_signal_connect_swapped(bar->case_button, "toggled", G_CALLBACK(on_search),
                             bar);
    g_signal_connect_swapped(bar->regex_button, "toggled",
                             G_CALLBACK(on_search), bar);
}
