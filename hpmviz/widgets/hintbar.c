/* SPDX-License-Identifier: BSD-3-Clause
 * A bar of hints. */
#include "hpmviz/widgets/hintbar.h"

#include <glib/gi18n.h>

#include "hpmviz/widgets/safetext.h"

/* Rows of a section that are walked at one go, and lines and characters of
 * hints seen at once. */
enum { STEP = 200, MOST_LINES = 12, MOST_WIDTH = 80 };

struct _HpmvizHintbar {
    GtkBox parent_instance;
    HpmvizSession *session;
    char *group;
    GtkWidget *open_button, *worst_button, *worst_label, *revealer,
        *list_window;
    GtkListBox *list;
    GPtrArray *section, *run; /* hints shown, or NULL */

    /* the walk over a section, while it goes on */
    size_t subject, next;
    struct hpmviz_rankings *rankings;
    guint idle;
};

G_DEFINE_TYPE(HpmvizHintbar, hpmviz_hintbar, GTK_TYPE_BOX)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

static const char hint_key[] = "hpmviz-hint", group_key[] = "hpmviz-group";

/* ---- one line -------------------------------------------------------- */

static const struct hpmviz_hint *
first_of(const GPtrArray *hints)
{
    return hints != NULL && hints->len > 0 ? hints->pdata[0] : NULL;
}

/* That of the section, for it is looked at. */
const struct hpmviz_hint *
hpmviz_hintbar_worst(const HpmvizHintbar *bar)
{
    const struct hpmviz_hint *hint = first_of(bar->section);

    return hint != NULL ? hint : first_of(bar->run);
}

/* Nothing while it is not known. */
static char *
explain_none(const HpmvizHintbar *bar)
{
    const struct hpm_survey *survey =
        bar->session != NULL ? hpmviz_session_survey(bar->session) : NULL;

    if (survey == NULL || (bar->section == NULL && bar->run == NULL))
        return g_strdup("");
    return hpmviz_hints_explain_none(survey);
}

static void
show_worst(HpmvizHintbar *bar)
{
    const struct hpmviz_hint *hint = hpmviz_hintbar_worst(bar);
    char *title = hint != NULL ? hpmviz_safe_line(hint->title) : NULL, *line;

    if (hint == NULL)
        line = explain_none(bar);
    else if (hint == first_of(bar->section) && bar->section->len > 1)
        line =
            g_strdup_printf(_("%s, and %u more"), title, bar->section->len - 1);
    else
        line = g_strdup(title);
    gtk_label_set_text(GTK_LABEL(bar->worst_label), line);
    gtk_widget_set_tooltip_text(bar->worst_button, hint != NULL ? line : NULL);
    gtk_widget_set_sensitive(bar->worst_button, hint != NULL);
    atk_object_set_description(gtk_widget_get_accessible(bar->worst_button),
                               line);
    g_free(title);
    g_free(line);
}

/* ---- the list -------------------------------------------------------- */

static GtkWidget *
new_label(const char *text, gboolean is_title)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_max_width_chars(GTK_LABEL(label), MOST_WIDTH);
    if (is_title) {
        PangoAttrList *attributes = pango_attr_list_new();

        pango_attr_list_insert(attributes,
                               pango_attr_weight_new(PANGO_WEIGHT_BOLD));
        gtk_label_set_attributes(GTK_LABEL(label), attributes);
        pango_attr_list_unref(attributes);
    }
    return label;
}

static void
add_row(HpmvizHintbar *bar, const struct hpmviz_hint *hint, const char *group)
{
    GtkWidget *row = gtk_list_box_row_new();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    AtkObject *accessible = gtk_widget_get_accessible(row);
    struct hpm_string text = {0};
    char *title = hpmviz_safe_line(hint->title), *details;

    hpmviz_hint_add_text(hint, &text);
    details = hpmviz_safe_take(&text);
    gtk_container_add(GTK_CONTAINER(box), new_label(title, TRUE));
    gtk_container_add(GTK_CONTAINER(box), new_label(details, FALSE));
    g_object_set(box, "margin", 6, NULL);
    gtk_container_add(GTK_CONTAINER(row), box);
    atk_object_set_name(accessible, title);
    atk_object_set_description(accessible, details);
    g_object_set_data(G_OBJECT(row), hint_key, (gpointer)hint);
    g_object_set_data(G_OBJECT(row), group_key, (gpointer)group);
    gtk_widget_show_all(row);
    gtk_container_add(GTK_CONTAINER(bar->list), row);
    g_free(title);
    g_free(details);
}

static void
add_rows(HpmvizHintbar *bar, const GPtrArray *hints, const char *group)
{
    for (guint i = 0; hints != NULL && i < hints->len; i++)
        add_row(bar, hints->pdata[i], group);
}

/* The name of a group stands above its first row. */
static void
show_group(GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
    const char *group = g_object_get_data(G_OBJECT(row), group_key);
    GtkWidget *label;

    (void)data;
    if (before != NULL &&
        g_object_get_data(G_OBJECT(before), group_key) == (gpointer)group) {
        gtk_list_box_row_set_header(row, NULL);
        return;
    }
    label = new_label(group, FALSE);
    gtk_style_context_add_class(gtk_widget_get_style_context(label),
                                GTK_STYLE_CLASS_DIM_LABEL);
    g_object_set(label, "margin", 6, NULL);
    gtk_widget_show(label);
    gtk_list_box_row_set_header(row, label);
}

static void
show_hints(HpmvizHintbar *bar)
{
    gtk_container_foreach(GTK_CONTAINER(bar->list),
                          (GtkCallback)(void (*)(void))gtk_widget_destroy,
                          NULL);
    add_rows(bar, bar->section, _("In this section, hints, not verdicts:"));
    add_rows(bar, bar->run, _("In the whole run, hints, not verdicts:"));
    show_worst(bar);
}

static GPtrArray *
keep(GPtrArray *hints)
{
    return hints != NULL ? g_ptr_array_ref(hints) : NULL;
}

void
hpmviz_hintbar_set(HpmvizHintbar *bar, GPtrArray *section, GPtrArray *run)
{
    GPtrArray *before[] = {bar->section, bar->run};

    bar->section = keep(section);
    bar->run = keep(run);
    show_hints(bar);
    g_clear_pointer(&before[0], g_ptr_array_unref);
    g_clear_pointer(&before[1], g_ptr_array_unref);
}

/* ---- the section that is selected ------------------------------------ */

static void
end_walk(HpmvizHintbar *bar)
{
    if (bar->idle != 0)
        g_source_remove(bar->idle);
    bar->idle = 0;
    g_clear_pointer(&bar->rankings, hpmviz_rankings_free);
}

/* FALSE when it has been to the end, and the hints are shown. */
static gboolean
walk(HpmvizHintbar *bar)
{
    struct hpm_survey *survey = hpmviz_session_survey(bar->session);
    GPtrArray *section, *run;

    bar->next = hpm_survey_visit_some(survey, bar->subject, bar->next, STEP,
                                      NULL, NULL, bar->rankings->all);
    if (bar->next < survey->subjects[bar->subject].count)
        return TRUE;
    section = hpmviz_hints_of_section(survey, bar->subject, bar->rankings);
    run = hpmviz_hints_of_run(survey);
    g_clear_pointer(&bar->rankings, hpmviz_rankings_free);
    hpmviz_hintbar_set(bar, section, run);
    g_ptr_array_unref(section);
    g_ptr_array_unref(run);
    return FALSE;
}

static gboolean
walk_on(gpointer data)
{
    HpmvizHintbar *bar = data;

    if (walk(bar))
        return G_SOURCE_CONTINUE;
    bar->idle = 0;
    return G_SOURCE_REMOVE;
}

/* Another section, other files or other limits.  Of few threads the hints are
 * there at once. */
static void
follow(HpmvizHintbar *bar)
{
    struct hpm_survey *survey = hpmviz_session_survey(bar->session);

    end_walk(bar);
    bar->subject = hpmviz_session_selected(bar->session);
    bar->next = 0;
    if (survey == NULL || !hpmviz_session_has_metrics(bar->session) ||
        bar->subject >= survey->n_subjects) {
        hpmviz_hintbar_set(bar, NULL, NULL);
        return;
    }
    bar->rankings = hpmviz_rankings_new(survey);
    if (!walk(bar))
        return;
    bar->idle = g_idle_add(walk_on, bar);
    hpmviz_hintbar_set(bar, NULL, NULL);
}

void
hpmviz_hintbar_follow(HpmvizHintbar *bar)
{
    static const char *const names[] = {"loaded", "surveyed", "viewed",
                                        "selected"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        g_signal_connect_object(bar->session, names[i], G_CALLBACK(follow), bar,
                                G_CONNECT_SWAPPED);
    follow(bar);
}

/* ---- what happens ---------------------------------------------------- */

static void
on_opened(GtkToggleButton *button, gpointer data)
{
    HpmvizHintbar *bar = data;
    gboolean is_open = gtk_toggle_button_get_active(button);

    gtk_revealer_set_reveal_child(GTK_REVEALER(bar->revealer), is_open);
    if (bar->session != NULL)
        hpmviz_preferences_set_flag(hpmviz_session_preferences(bar->session),
                                    bar->group, "hints-open", is_open);
}

static void
on_worst(HpmvizHintbar *bar)
{
    const struct hpmviz_hint *hint = hpmviz_hintbar_worst(bar);

    if (hint != NULL)
        g_signal_emit(bar, signals[CHOSEN], 0, hint);
}

static void
on_row(gpointer data, GtkListBoxRow *row)
{
    g_signal_emit(data, signals[CHOSEN], 0,
                  g_object_get_data(G_OBJECT(row), hint_key));
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizHintbar *bar = HPMVIZ_HINTBAR(object);

    end_walk(bar);
    g_clear_object(&bar->session);
    G_OBJECT_CLASS(hpmviz_hintbar_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizHintbar *bar = HPMVIZ_HINTBAR(object);

    g_clear_pointer(&bar->section, g_ptr_array_unref);
    g_clear_pointer(&bar->run, g_ptr_array_unref);
    g_free(bar->group);
    G_OBJECT_CLASS(hpmviz_hintbar_parent_class)->finalize(object);
}

static void
hpmviz_hintbar_class_init(HpmvizHintbarClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    signals[CHOSEN] =
        g_signal_new("chosen", HPMVIZ_TYPE_HINTBAR, G_SIGNAL_RUN_LAST, 0, NULL,
                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/hintbar.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizHintbar, open_button);
    gtk_widget_class_bind_template_child(widget, HpmvizHintbar, worst_button);
    gtk_widget_class_bind_template_child(widget, HpmvizHintbar, worst_label);
    gtk_widget_class_bind_template_child(widget, HpmvizHintbar, revealer);
    gtk_widget_class_bind_template_child(widget, HpmvizHintbar, list_window);
    gtk_widget_class_bind_template_child(widget, HpmvizHintbar, list);
    gtk_widget_class_bind_template_callback(widget, on_opened);
    gtk_widget_class_bind_template_callback(widget, on_worst);
    gtk_widget_class_bind_template_callback(widget, on_row);
}

static void
limit_height(HpmvizHintbar *bar)
{
    PangoLayout *layout = gtk_widget_create_pango_layout(GTK_WIDGET(bar), "0");
    int line;

    pango_layout_get_pixel_size(layout, NULL, &line);
    gtk_scrolled_window_set_max_content_height(
        GTK_SCROLLED_WINDOW(bar->list_window), MOST_LINES * line);
    g_object_unref(layout);
}

static void
hpmviz_hintbar_init(HpmvizHintbar *bar)
{
    gtk_widget_init_template(GTK_WIDGET(bar));
    gtk_list_box_set_header_func(bar->list, show_group, NULL, NULL);
    limit_height(bar);
}

GtkWidget *
hpmviz_hintbar_new(HpmvizSession *session, const char *group)
{
    HpmvizHintbar *bar = g_object_new(HPMVIZ_TYPE_HINTBAR, NULL);
    gboolean is_open = hpmviz_preferences_get_flag(
        hpmviz_session_preferences(session), group, "hints-open", FALSE);

    bar->group = g_strdup(group);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(bar->open_button), is_open);
    bar->session = g_object_ref(session);
    show_hints(bar);
    return GTK_WIDGET(bar);
}
