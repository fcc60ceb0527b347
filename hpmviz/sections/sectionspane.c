/* SPDX-License-Identifier: BSD-3-Clause
 * The sections that were measured, the costliest first. */
#include "hpmviz/sections/sectionspane.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/string.h"
#include "hpmviz/data/change.h"
#include "hpmviz/sections/sectionfilter.h"
#include "hpmviz/sections/sectionlist.h"
#include "hpmviz/sections/sectionmenu.h"
#include "hpmviz/widgets/columns.h"

struct _HpmvizSectionspane {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkWidget *filter_entry, *scope_box, *tree_button, *complaint_label,
        *empty_label;
    GtkTreeView *view;
    struct hpmviz_sectionlist *list; /* the rows of the view */
    struct hpmviz_sectionfilter *filter;
    gboolean is_updating; /* what GTK tells is our own doing */
};

G_DEFINE_TYPE(HpmvizSectionspane, hpmviz_sectionspane, GTK_TYPE_BOX)

enum { ENTERED, OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

static const char *
filter_text(const HpmvizSectionspane *pane)
{
    return gtk_entry_get_text(GTK_ENTRY(pane->filter_entry));
}

/* ---- rows ------------------------------------------------------------ */

/* Why the list has no rows. */
static void
show_emptiness(HpmvizSectionspane *pane)
{
    const struct hpmviz_view *view = hpmviz_session_view(pane->session);
    const char *why =
        hpmviz_session_survey(pane->session) == NULL
            ? _("No performance file is open. Open some with Ctrl+O, or drop "
                "files or folders here.")
        : *filter_text(pane) != '\0' ? _("No section matches the filter.")
        : view->scope == HPM_SCOPE_THREAD
            ? _("No section was measured in threads. See those of the "
                "process.")
            : _("No section was measured in the whole process. See those of "
                "threads.");

    gtk_label_set_text(GTK_LABEL(pane->empty_label), why);
    gtk_widget_set_visible(pane->empty_label,
                           hpmviz_sectionlist_n_rows(pane->list) == 0);
}

/* What is wrong with the filter, below it; NULL for nothing. */
static void
show_complaint(HpmvizSectionspane *pane, const char *sentence)
{
    GtkEntry *entry = GTK_ENTRY(pane->filter_entry);
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, sentence != NULL ? sentence : "");
    gtk_entry_set_icon_from_icon_name(
        entry, GTK_ENTRY_ICON_PRIMARY,
        sentence != NULL ? "dialog-warning-symbolic" : "edit-find-symbolic");
    gtk_label_set_text(GTK_LABEL(pane->complaint_label),
                       hpm_string_text(&safe));
    gtk_widget_set_visible(pane->complaint_label, sentence != NULL);
    hpm_string_free(&safe);
}

/* A filter that is not finished leaves the rows there were. */
static void
refill(HpmvizSectionspane *pane)
{
    struct hpm_error err = {""};
    g_autofree gboolean *is_shown = NULL;

    if (hpmviz_session_survey(pane->session) == NULL)
        return;
    is_shown = hpmviz_sectionfilter_choose(pane->filter, pane->session,
                                           filter_text(pane), &err);
    show_complaint(pane, is_shown == NULL ? err.text : NULL);
    if (is_shown == NULL)
        return;
    hpmviz_sectionlist_set(pane->list, is_shown, filter_text(pane));
    show_emptiness(pane);
    hpmviz_sectionlist_show_selection(pane->list);
}

/* ---- what the session says ------------------------------------------- */

static void
on_loaded(HpmvizSectionspane *pane)
{
    hpmviz_sectionfilter_clear(pane->filter);
    pane->is_updating = TRUE; /* of other files the filter says nothing */
    gtk_entry_set_text(GTK_ENTRY(pane->filter_entry), "");
    pane->is_updating = FALSE;
    hpmviz_sectionlist_list(pane->list);
    refill(pane);
    hpmviz_sectionlist_fit(pane->list);
    if (hpmviz_session_selected(pane->session) == HPM_NO_SUBJECT)
        hpmviz_sectionlist_select_first(pane->list);
}

/* There are metrics now, of the same sections. */
static void
on_surveyed(HpmvizSectionspane *pane)
{
    if (!hpmviz_sectionlist_renew(pane->list))
        return;
    refill(pane);
    hpmviz_sectionlist_fit(pane->list);
}

static void
on_viewed(HpmvizSectionspane *pane)
{
    const struct hpmviz_view *view = hpmviz_session_view(pane->session);

    pane->is_updating = TRUE;
    gtk_combo_box_set_active(GTK_COMBO_BOX(pane->scope_box),
                             view->scope == HPM_SCOPE_THREAD ? 0 : 1);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(pane->tree_button),
                                 view->is_tree);
    pane->is_updating = FALSE;
    hpmviz_sectionlist_explain(pane->list);
    refill(pane);
    hpmviz_sectionlist_fit(pane->list);
}

/* Of two runs it is the metric that is compared.  Rows are told anew: who reads
 * them aloud keeps what was in them. */
static void
on_metric(HpmvizSectionspane *pane)
{
    if (!hpmviz_change_is_shown(pane->session))
        return;
    hpmviz_sectionlist_explain(pane->list);
    refill(pane);
    hpmviz_sectionlist_fit(pane->list);
}

static void
on_selected(HpmvizSectionspane *pane)
{
    hpmviz_sectionlist_show_selection(pane->list);
}

/* ---- what the user does ---------------------------------------------- */

static void
on_scope(GtkComboBox *box, gpointer data)
{
    HpmvizSectionspane *pane = data;
    struct hpmviz_view view = *hpmviz_session_view(pane->session);

    if (pane->is_updating)
        return;
    view.scope = gtk_combo_box_get_active(box) == 0 ? HPM_SCOPE_THREAD
                                                    : HPM_SCOPE_PROCESS;
    hpmviz_session_set_view(pane->session, &view);
    hpmviz_sectionlist_select_first(pane->list);
}

static void
on_tree(GtkToggleButton *button, gpointer data)
{
    HpmvizSectionspane *pane = data;
    struct hpmviz_view view = *hpmviz_session_view(pane->session);

    if (pane->is_updating)
        return;
    view.is_tree = gtk_toggle_button_get_active(button);
    hpmviz_session_set_view(pane->session, &view);
}

static void
on_filter(HpmvizSectionspane *pane)
{
    if (!pane->is_updating)
        refill(pane);
}

/* Escape: all sections again, and back to them. */
static void
on_stop_search(HpmvizSectionspane *pane)
{
    gtk_entry_set_text(GTK_ENTRY(pane->filter_entry), "");
    hpmviz_sectionspane_focus(pane);
}

/* Enter: to what the filter found. */
static void
on_activate(HpmvizSectionspane *pane)
{
    if (!hpmviz_sectionlist_has_selection(pane->list))
        hpmviz_sectionlist_select_first(pane->list);
    hpmviz_sectionspane_focus(pane);
}

static gboolean
on_entry_key(gpointer data, GdkEventKey *event)
{
    if (event->keyval != GDK_KEY_Down && event->keyval != GDK_KEY_KP_Down)
        return FALSE;
    on_activate(data);
    return TRUE;
}

static gboolean
on_button(HpmvizSectionspane *pane, GdkEventButton *event)
{
    GtkTreePath *path;

    if (event->window != gtk_tree_view_get_bin_window(pane->view) ||
        !gtk_tree_view_get_path_at_pos(pane->view, (int)event->x, (int)event->y,
                                       &path, NULL, NULL, NULL))
        return FALSE;
    if (event->type == GDK_2BUTTON_PRESS && event->button == 1)
        g_signal_emit(pane, signals[ENTERED], 0);
    if (event->type == GDK_BUTTON_PRESS && event->button == 3) {
        gtk_tree_view_set_cursor(pane->view, path, NULL, FALSE);
        if (event->state & GDK_CONTROL_MASK)
            hpmviz_sectionmenu_open(pane->view,
                                    hpmviz_session_view(pane->session)->is_tree,
                                    (GdkEvent *)event);
        else
            g_signal_emit(pane, signals[OPENED], 0);
    }
    gtk_tree_path_free(path);
    return event->button == 3;
}

static gboolean
on_popup_menu(HpmvizSectionspane *pane)
{
    if (hpmviz_session_selected(pane->session) == HPM_NO_SUBJECT)
        return FALSE;
    hpmviz_sectionmenu_open(pane->view,
                            hpmviz_session_view(pane->session)->is_tree, NULL);
    return TRUE;
}

/* Enter opens (a double click emits "row-activated", too, but has its own
 * meaning); what is a character goes to the filter. */
static gboolean
on_key(HpmvizSectionspane *pane, GdkEventKey *event)
{
    guint modifiers = event->state & gtk_accelerator_get_default_mod_mask();
    gunichar character = gdk_keyval_to_unicode(event->keyval);

    if (event->keyval == GDK_KEY_Return || event->keyval == GDK_KEY_KP_Enter) {
        g_signal_emit(pane, signals[OPENED], 0);
        return TRUE;
    }
    if (modifiers == GDK_CONTROL_MASK && event->keyval == GDK_KEY_c) {
        hpmviz_sectionspane_copy(pane);
        return TRUE;
    }
    if ((modifiers & ~(guint)GDK_SHIFT_MASK) != 0 ||
        !g_unichar_isgraph(character) ||
        !gtk_search_entry_handle_event(GTK_SEARCH_ENTRY(pane->filter_entry),
                                       (GdkEvent *)event))
        return FALSE;
    gtk_entry_grab_focus_without_selecting(GTK_ENTRY(pane->filter_entry));
    gtk_editable_set_position(GTK_EDITABLE(pane->filter_entry), -1);
    return TRUE;
}

/* ---- actions --------------------------------------------------------- */

void
hpmviz_sectionspane_copy(HpmvizSectionspane *pane)
{
    size_t row = hpmviz_session_selected(pane->session);
    struct hpm_string text = {0};

    if (hpmviz_session_section(pane->session, row) == NULL)
        return;
    hpmviz_sectionlist_add_selected(pane->list, &text);
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD),
                           hpm_string_text(&text), -1);
    hpm_string_free(&text);
}

static void
act_copy(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sectionspane_copy(data);
}

static void
act_filter(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    HpmvizSectionspane *pane = data;
    size_t row = hpmviz_session_selected(pane->session);
    struct hpm_string label = {0};

    (void)action;
    (void)parameter;
    if (row == HPM_NO_SUBJECT)
        return;
    hpm_survey_add_label(hpmviz_session_survey(pane->session), row, &label);
    if (g_utf8_validate(hpm_string_text(&label), -1, NULL))
        gtk_entry_set_text(GTK_ENTRY(pane->filter_entry),
                           hpm_string_text(&label));
    hpm_string_free(&label);
}

static void
act_expand(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    gtk_tree_view_expand_all(HPMVIZ_SECTIONSPANE(data)->view);
}

static void
act_collapse(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    gtk_tree_view_collapse_all(HPMVIZ_SECTIONSPANE(data)->view);
}

static const GActionEntry actions[] = {
    {"copy", act_copy, NULL, NULL, NULL, {0}},
    {"filter", act_filter, NULL, NULL, NULL, {0}},
    {"expand", act_expand, NULL, NULL, NULL, {0}},
    {"collapse", act_collapse, NULL, NULL, NULL, {0}},
};

static void
add_actions(HpmvizSectionspane *pane)
{
    GSimpleActionGroup *group = g_simple_action_group_new();

    g_action_map_add_action_entries(G_ACTION_MAP(group), actions,
                                    G_N_ELEMENTS(actions), pane);
    gtk_widget_insert_action_group(GTK_WIDGET(pane), "sections",
                                   G_ACTION_GROUP(group));
    g_object_unref(group);
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    HpmvizSectionspane *pane = HPMVIZ_SECTIONSPANE(object);

    hpmviz_sectionfilter_free(pane->filter);
    hpmviz_sectionlist_free(pane->list);
    g_object_unref(pane->session);
    G_OBJECT_CLASS(hpmviz_sectionspane_parent_class)->finalize(object);
}

static void
bind_template(GtkWidgetClass *widget)
{
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/sectionspane.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane,
                                         filter_entry);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane, scope_box);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane,
                                         tree_button);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane,
                                         complaint_label);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane,
                                         empty_label);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane, view);
    gtk_widget_class_bind_template_callback(widget, on_filter);
    gtk_widget_class_bind_template_callback(widget, on_stop_search);
    gtk_widget_class_bind_template_callback(widget, on_activate);
    gtk_widget_class_bind_template_callback(widget, on_entry_key);
    gtk_widget_class_bind_template_callback(widget, on_scope);
    gtk_widget_class_bind_template_callback(widget, on_tree);
    gtk_widget_class_bind_template_callback(widget, on_button);
    gtk_widget_class_bind_template_callback(widget, on_popup_menu);
    gtk_widget_class_bind_template_callback(widget, on_key);
}

static void
hpmviz_sectionspane_class_init(HpmvizSectionspaneClass *class)
{
    static const char *const names[N_SIGNALS] = {"entered", "opened"};

    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < N_SIGNALS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_SECTIONSPANE, G_SIGNAL_RUN_LAST,
                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    bind_template(GTK_WIDGET_CLASS(class));
}

static void
hpmviz_sectionspane_init(HpmvizSectionspane *pane)
{
    gtk_widget_init_template(GTK_WIDGET(pane));
    pane->filter = hpmviz_sectionfilter_new();
    add_actions(pane);
    gtk_tree_view_set_enable_search(pane->view, FALSE);
}

GtkWidget *
hpmviz_sectionspane_new(HpmvizSession *session)
{
    HpmvizSectionspane *pane = g_object_new(HPMVIZ_TYPE_SECTIONSPANE, NULL);

    pane->session = g_object_ref(session);
    pane->list = hpmviz_sectionlist_new(pane->view, session);
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(on_surveyed), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(on_viewed), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "metric", G_CALLBACK(on_metric), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(on_selected), pane,
                            G_CONNECT_SWAPPED);
    show_emptiness(pane);
    return GTK_WIDGET(pane);
}

void
hpmviz_sectionspane_focus(HpmvizSectionspane *pane)
{
    gtk_widget_grab_focus(GTK_WIDGET(pane->view));
}

void
hpmviz_sectionspane_find(HpmvizSectionspane *pane)
{
    gtk_widget_grab_focus(pane->filter_entry);
}

void
hpmviz_sectionspane_choose_columns(HpmvizSectionspane *pane)
{
    hpmviz_columns_choose(pane->view);
}

gboolean
hpmviz_sectionspane_has_metric(const HpmvizSectionspane *pane)
{
    return hpmviz_sectionlist_has_metric(pane->list);
}
