/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one section. */
#include "hpmviz/metrics/metricswindow.h"

#include <glib/gi18n.h>

#include "hpmviz/data/change.h"
#include "hpmviz/data/identity.h"
#include "hpmviz/metrics/legend.h"
#include "hpmviz/metrics/metricsactions.h"
#include "hpmviz/metrics/metricsplace.h"
#include "hpmviz/widgets/escape.h"
#include "hpmviz/widgets/hintbar.h"
#include "hpmviz/widgets/notebook.h"
#include "hpmviz/widgets/restrictionbar.h"
#include "hpmviz/widgets/safetext.h"
#include "hpmviz/widgets/windowsize.h"

/* Rows that are worked out at one go: some 20 ms. */
enum { STEP = 300 };

struct _HpmvizMetricswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    gboolean is_tree;                 /* of call paths */
    struct hpmviz_identity *identity; /* of the section */
    size_t subject;                   /* HPM_NO_SUBJECT: it is gone */
    struct hpmviz_sheet *sheet;       /* or NULL */
    guint filling;                    /* the source that does so, or 0 */
    gboolean was_shown;               /* a page has been chosen */

    GtkWidget *box, *info_bar, *info_label, *notebook, *place;
    HpmvizHintbar *hints;
    struct hpmviz_metricspages pages;
    struct hpmviz_metricsexport *export;
    struct hpmviz_metricsactions *actions;

    size_t wanted_quantity; /* to go to, or HPM_NO_QUANTITY */
    double wanted_own;

    enum hpm_precision precision; /* as shown */
};

G_DEFINE_TYPE(HpmvizMetricswindow, hpmviz_metricswindow, GTK_TYPE_WINDOW)

static struct hpm_survey *
survey_of(const HpmvizMetricswindow *window)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(window->session);

    return window->is_tree ? loaded->paths : loaded->sections;
}

/* ---- messages -------------------------------------------------------- */

static void
inform(HpmvizMetricswindow *window, GtkMessageType type, const char *sentence)
{
    g_autofree char *safe = hpmviz_safe_line(sentence);

    gtk_label_set_text(GTK_LABEL(window->info_label), safe);
    gtk_info_bar_set_message_type(GTK_INFO_BAR(window->info_bar), type);
    gtk_widget_show(window->info_bar);
}

static void
tell(gpointer data, GtkMessageType type, const char *sentence)
{
    inform(data, type, sentence);
}

static void
on_info_closed(HpmvizMetricswindow *window)
{
    gtk_widget_hide(window->info_bar);
}

/* ---- the sheet ------------------------------------------------------- */

static void
stop_filling(HpmvizMetricswindow *window)
{
    if (window->filling != 0)
        g_source_remove(window->filling);
    window->filling = 0;
}

static void
drop_sheet(HpmvizMetricswindow *window)
{
    stop_filling(window);
    hpmviz_metricsexport_set(window->export, NULL, HPM_NO_SUBJECT);
    hpmviz_metricspages_set_sheet(&window->pages, NULL);
    hpmviz_hintbar_set(window->hints, NULL, NULL);
    g_clear_pointer(&window->sheet, hpmviz_sheet_free);
}

static void
show_hints(HpmvizMetricswindow *window)
{
    GPtrArray *hints = hpmviz_hints_of_section(
        window->sheet->survey, window->subject, window->sheet->rankings);

    hpmviz_hintbar_set(window->hints, hints, NULL);
    g_ptr_array_unref(hints);
}

static void
go_to_wanted(HpmvizMetricswindow *window)
{
    guint column =
        hpmviz_sheet_find_column(window->sheet, window->wanted_quantity);
    guint row =
        column != HPMVIZ_NONE
            ? hpmviz_sheet_find_own(window->sheet, column, window->wanted_own)
            : HPMVIZ_NONE;

    window->wanted_quantity = HPM_NO_QUANTITY;
    if (row != HPMVIZ_NONE)
        hpmviz_metricspages_go_to(&window->pages, row, column);
}

/* Are there only calls and times yet? */
static gboolean
is_brief(const HpmvizMetricswindow *window)
{
    return window->sheet->survey->options.is_brief;
}

/* Where it opens: of many rows on the summary, else where the worst hint
 * is. */
static void
begin(HpmvizMetricswindow *window)
{
    const struct hpmviz_hint *hint = hpmviz_hintbar_worst(window->hints);

    hpmviz_metricstable_focus(window->pages.table);
    if (window->sheet->n_rows > HPMVIZ_MANY_ROWS)
        hpmviz_metricspages_show_summary(&window->pages);
    else if (hint != NULL && window->wanted_quantity == HPM_NO_QUANTITY)
        hpmviz_metricswindow_go_to(window, hint);
}

/* A value that the window was opened for comes before the selected place. */
static void
show_sheet(HpmvizMetricswindow *window)
{
    gboolean is_led = window->wanted_quantity != HPM_NO_QUANTITY;

    if (is_brief(window))
        inform(window, GTK_MESSAGE_INFO, _("Working out the metrics…"));
    else
        gtk_widget_hide(window->info_bar);
    hpmviz_metricspages_set_sheet(&window->pages, window->sheet);
    hpmviz_metricsactions_list(window->actions);
    show_hints(window);
    if (!window->was_shown)
        begin(window);
    window->was_shown = !is_brief(window);
    if (window->wanted_quantity != HPM_NO_QUANTITY && !is_brief(window))
        go_to_wanted(window);
    hpmviz_metricsplace_show(window->place, !is_led);
}

static gboolean
fill_on(gpointer data)
{
    HpmvizMetricswindow *window = data;

    if (hpmviz_sheet_fill(window->sheet, STEP))
        return G_SOURCE_CONTINUE;
    window->filling = 0;
    show_sheet(window);
    return G_SOURCE_REMOVE;
}

static void
begin_sheet(HpmvizMetricswindow *window, size_t subject)
{
    window->subject = subject;
    window->sheet = hpmviz_sheet_new(survey_of(window), subject);
    hpmviz_metricsexport_set(window->export, survey_of(window), subject);
    if (!hpmviz_sheet_fill(window->sheet, STEP)) {
        show_sheet(window);
        return;
    }
    inform(window, GTK_MESSAGE_INFO, _("Working out the values…"));
    window->filling = g_idle_add(fill_on, window);
}

/* The same subject has metrics now. */
static void
on_surveyed(HpmvizMetricswindow *window)
{
    if (window->sheet == NULL || window->sheet->survey == survey_of(window))
        return;
    drop_sheet(window);
    begin_sheet(window, window->subject);
}

static char *
title_of(const HpmvizMetricswindow *window, const char *label)
{
    const char *a, *b;

    if (!hpm_survey_is_difference(survey_of(window)))
        return g_strdup_printf(_("%s Metrics"), label);
    hpmviz_change_letters(window->session, &a, &b);
    return g_strdup_printf(_("%s Metrics, %s − %s"), label, b, a);
}

static void
set_title(HpmvizMetricswindow *window, size_t subject)
{
    struct hpm_string label = {0};
    char *safe, *title;

    hpm_survey_add_label(survey_of(window), subject, &label);
    safe = hpmviz_safe_take(&label);
    title = title_of(window, safe);
    gtk_window_set_title(GTK_WINDOW(window), title);
    g_free(title);
    g_free(safe);
}

static void
on_loaded(HpmvizMetricswindow *window)
{
    size_t subject = hpmviz_identity_find(window->identity, survey_of(window));

    drop_sheet(window);
    hpmviz_metricsactions_list(window->actions);
    window->subject = subject;
    if (subject != HPM_NO_SUBJECT)
        set_title(window, subject);
    if (subject != HPM_NO_SUBJECT)
        begin_sheet(window, subject);
    else
        inform(window, GTK_MESSAGE_WARNING,
               _("The files that are open now do not have this section."));
}

/* ---- the view -------------------------------------------------------- */

static void
on_viewed(HpmvizMetricswindow *window)
{
    const struct hpmviz_view *view = hpmviz_session_view(window->session);
    enum hpm_precision before = window->precision;

    window->precision = view->precision;
    hpmviz_metricsactions_show_view(window->actions);
    if (window->sheet == NULL || window->filling != 0)
        return;
    hpmviz_metricstable_judge(window->pages.table, before);
    hpmviz_metricssummary_refresh(window->pages.summary);
    if (before != window->precision)
        show_hints(window);
}

void
hpmviz_metricswindow_go_to(HpmvizMetricswindow *window,
                           const struct hpmviz_hint *hint)
{
    window->wanted_quantity = hint->quantity;
    window->wanted_own = hint->own;
    if (window->sheet != NULL && window->filling == 0)
        go_to_wanted(window);
}

void
hpmviz_metricswindow_views(const HpmvizMetricswindow *window,
                           GtkTreeView *ret_views[2])
{
    ret_views[0] = hpmviz_metricstable_places(window->pages.table);
    ret_views[1] = hpmviz_metricstable_view(window->pages.table);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizMetricswindow *window = HPMVIZ_METRICSWINDOW(object);

    stop_filling(window);
    g_clear_pointer(&window->export, hpmviz_metricsexport_free);
    if (window->pages.table != NULL)
        hpmviz_metricspages_set_sheet(&window->pages, NULL);
    window->pages.table = NULL;
    g_clear_pointer(&window->sheet, hpmviz_sheet_free);
    g_clear_object(&window->session);
    G_OBJECT_CLASS(hpmviz_metricswindow_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizMetricswindow *window = HPMVIZ_METRICSWINDOW(object);

    hpmviz_identity_free(window->identity);
    hpmviz_metricsactions_free(window->actions);
    G_OBJECT_CLASS(hpmviz_metricswindow_parent_class)->finalize(object);
}

static void
hpmviz_metricswindow_class_init(HpmvizMetricswindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    g_signal_new("print", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                 NULL, NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricswindow.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, box);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, info_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow,
                                         info_label);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, notebook);
    gtk_widget_class_bind_template_callback(widget, on_info_closed);
}

static void
hpmviz_metricswindow_init(HpmvizMetricswindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    hpmviz_escape_closes(GTK_WIDGET(window));
    hpmviz_notebook_prepare(GTK_NOTEBOOK(window->notebook));
    window->wanted_quantity = HPM_NO_QUANTITY;
    window->subject = HPM_NO_SUBJECT;
    window->precision = HPM_PRECISION_DOUBLE;
}

/* From above: menus, what is restricted, hints, messages, pages, the selected
 * place, legend. */
static void
add_panes(HpmvizMetricswindow *window)
{
    GtkBox *box = GTK_BOX(window->box);
    GtkWidget *hints = hpmviz_hintbar_new(window->session, "metrics");
    GtkWidget *const above[] = {hpmviz_metricsactions_menubar(window->actions),
                                hpmviz_restrictionbar_new(window->session),
                                hints};

    for (guint i = 0; i < G_N_ELEMENTS(above); i++) {
        gtk_box_pack_start(box, above[i], FALSE, FALSE, 0);
        gtk_box_reorder_child(box, above[i], (int)i);
    }
    window->place = hpmviz_metricsplace_new(window->session, &window->pages);
    gtk_box_pack_start(box, window->place, FALSE, FALSE, 3);
    gtk_box_pack_start(box, hpmviz_legend_new(window->session), FALSE, FALSE,
                       0);
    window->hints = HPMVIZ_HINTBAR(hints);
    g_signal_connect_object(hints, "chosen",
                            G_CALLBACK(hpmviz_metricswindow_go_to), window,
                            G_CONNECT_SWAPPED);
}

/* ---- windows --------------------------------------------------------- */

/* So many digits wide and lines high at first. */
enum { WIDTH = 130, HEIGHT = 34 };

static HpmvizMetricswindow *
new_window(HpmvizSession *session, GtkWindow *parent, size_t subject)
{
    HpmvizMetricswindow *window = g_object_new(
        HPMVIZ_TYPE_METRICSWINDOW, "transient-for", parent, "application",
        gtk_window_get_application(parent), "destroy-with-parent", TRUE, NULL);

    window->session = g_object_ref(session);
    window->is_tree = hpmviz_session_view(session)->is_tree;
    window->identity = hpmviz_identity_new(survey_of(window), subject);
    hpmviz_windowsize_remember(GTK_WINDOW(window),
                               hpmviz_session_preferences(session), "metrics",
                               WIDTH, HEIGHT);
    hpmviz_metricspages_add(&window->pages, GTK_NOTEBOOK(window->notebook),
                            session);
    window->export = hpmviz_metricsexport_new(GTK_WINDOW(window), tell, window);
    window->actions = hpmviz_metricsactions_new(GTK_WINDOW(window), session,
                                                &window->pages, window->export);
    add_panes(window);
    on_viewed(window);
    set_title(window, subject);
    hpmviz_metricstable_focus(window->pages.table);
    begin_sheet(window, subject);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(on_surveyed),
                            window, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(on_viewed), window,
                            G_CONNECT_SWAPPED);
    return window;
}

static HpmvizMetricswindow *
find_window(const HpmvizSession *session, size_t subject)
{
    GList *all = gtk_window_list_toplevels();
    HpmvizMetricswindow *found = NULL;

    for (GList *at = all; at != NULL && found == NULL; at = at->next) {
        HpmvizMetricswindow *window =
            HPMVIZ_IS_METRICSWINDOW(at->data) ? at->data : NULL;

        if (window != NULL && window->session == session &&
            window->subject == subject &&
            window->is_tree == hpmviz_session_view(session)->is_tree)
            found = window;
    }
    g_list_free(all);
    return found;
}

HpmvizMetricswindow *
hpmviz_metricswindow_open(HpmvizSession *session, GtkWindow *parent,
                          size_t subject)
{
    HpmvizMetricswindow *window = find_window(session, subject);

    if (window == NULL)
        window = new_window(session, parent, subject);
    gtk_window_present(GTK_WINDOW(window));
    return window;
}
