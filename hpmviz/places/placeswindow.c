/* SPDX-License-Identifier: BSD-3-Clause
 * A metric over tasks and threads. */
#include "hpmviz/places/placeswindow.h"

#include <glib/gi18n.h>

#include "hpmviz/data/choice.h"
#include "hpmviz/data/distributiontext.h"
#include "hpmviz/places/extremeslist.h"
#include "hpmviz/places/plotarea.h"
#include "hpmviz/places/rangechooser.h"
#include "hpmviz/widgets/escape.h"
#include "hpmviz/widgets/notebook.h"
#include "hpmviz/widgets/restrictionbar.h"
#include "hpmviz/widgets/safetext.h"

/* Rows that are worked out at one go: some 10 ms. */
enum { STEP = 200 };

enum { HISTOGRAM, SORTED, HEAT, SCATTER, ROOFLINE, N_PLOTS };

static const struct hpmviz_plot *const plots[N_PLOTS] = {
    [HISTOGRAM] = &hpmviz_histogramplot,
    [SORTED] = &hpmviz_sortedplot,
    [HEAT] = &hpmviz_heatplot,
    [SCATTER] = &hpmviz_scatterplot,
    [ROOFLINE] = &hpmviz_rooflineplot};

struct _HpmvizPlaceswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    struct hpmviz_sheet *sheet;        /* of the selected section, or NULL */
    guint filling;                     /* the source that does so, or 0 */
    struct hpmviz_distribution *shown; /* or NULL; those below go with it */
    struct hpmviz_placegrid *grid;
    struct hpmviz_distribution *other; /* the second of two metrics, or NULL */
    struct hpmviz_roofline *roofline;
    char *other_name; /* as chosen; NULL: the first one */
    GtkWidget *box, *title, *metrics, *take;
    GtkWidget *spread, *plane, *pair, *roofs; /* pages */
    GtkWidget *topology, *arranged, *others, *paired, *roofed;
    GtkWidget *lists, *summary, *place;
    HpmvizPlotarea *areas[N_PLOTS];
    HpmvizExtremeslist *extremes;
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizPlaceswindow, hpmviz_placeswindow, GTK_TYPE_WINDOW)

static guint exported, printed;

static void
set_text(GtkWidget *label, struct hpm_string *text)
{
    gtk_label_set_text(GTK_LABEL(label), hpm_string_text(text));
    hpm_string_free(text);
}

/* ---- the selected place ----------------------------------------------- */

static guint
selected_row(const HpmvizPlaceswindow *window)
{
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(window->session);

    if (window->shown == NULL || selection->task < 0)
        return HPMVIZ_NONE;
    return hpmviz_distribution_find(window->shown, selection->task,
                                    selection->tid);
}

static void
show_place(HpmvizPlaceswindow *window)
{
    guint row = selected_row(window);
    struct hpm_string text = {0};

    if (row != HPMVIZ_NONE)
        hpmviz_distribution_add_place(window->shown, row, &text);
    else if (window->shown != NULL && window->shown->n > 0)
        hpm_string_add(&text,
                       _("Click a value, or use the arrow keys, Home and "
                         "End in a plot, to select its place."));
    set_text(window->place, &text);
    for (int i = 0; i < N_PLOTS; i++)
        hpmviz_plotarea_select(window->areas[i], row);
    hpmviz_extremeslist_select(window->extremes, row);
}

static void
on_chosen(HpmvizPlaceswindow *window, guint row)
{
    const struct hpmviz_place *place = &window->sheet->places[row];

    hpmviz_session_select_place(window->session, place->task, place->tid);
}

/* ---- only some places ------------------------------------------------- */

/* The plot with a frame, or NULL. */
static HpmvizPlotarea *
framed_area(const HpmvizPlaceswindow *window)
{
    for (int i = 0; i < N_PLOTS; i++) {
        if (hpmviz_plotarea_has_lasso(window->areas[i]))
            return window->areas[i];
    }
    return NULL;
}

/* A frame in one plot ends the frame in another. */
static void
on_lassoed(HpmvizPlaceswindow *window, HpmvizPlotarea *area)
{
    for (int i = 0; hpmviz_plotarea_has_lasso(area) && i < N_PLOTS; i++) {
        if (window->areas[i] != area)
            hpmviz_plotarea_drop_lasso(window->areas[i]);
    }
    gtk_widget_set_visible(window->take, framed_area(window) != NULL);
}

static void
on_take(HpmvizPlaceswindow *window)
{
    HpmvizPlotarea *area = framed_area(window);
    g_autofree gboolean *are_taken = NULL;
    g_autofree char *name = NULL;
    struct hpmviz_choice *choice;

    if (area == NULL || window->shown == NULL)
        return;
    are_taken = g_new0(gboolean, window->sheet->n_rows + 1);
    hpmviz_plotarea_take(area, are_taken);
    name = g_strdup_printf(
        _("chosen in a plot of %s"),
        hpmviz_sheet_quantity(window->sheet, window->shown->column)->name);
    choice = hpmviz_choice_of_rows(hpmviz_session_loaded(window->session),
                                   window->sheet, are_taken, name);
    hpmviz_session_choose_places(window->session, choice->are_kept,
                                 choice->name);
    hpmviz_choice_free(choice);
}

static void
on_export(HpmvizPlaceswindow *window)
{
    g_signal_emit(window, exported, 0);
}

static void
on_print(HpmvizPlaceswindow *window)
{
    g_signal_emit(window, printed, 0);
}

static void
on_some(HpmvizPlaceswindow *window)
{
    hpmviz_rangechooser_open(GTK_WINDOW(window), window->session);
}

/* ---- the metric ------------------------------------------------------- */

/* The same for whoever sees the plot, and whoever does not. */
static void
describe_plot(HpmvizPlaceswindow *window, int plot, GtkWidget *label,
              struct hpm_string *text)
{
    hpmviz_plotarea_describe(window->areas[plot], hpm_string_text(text));
    set_text(label, text);
    *text = (struct hpm_string){0};
}

static void
describe(HpmvizPlaceswindow *window)
{
    struct hpm_string text = {0};

    hpmviz_distribution_add_rules(window->shown, &text);
    gtk_widget_set_tooltip_text(window->summary, hpm_string_text(&text));
    hpm_string_clear(&text);
    hpmviz_distribution_add_summary(window->shown, &text);
    hpmviz_plotarea_describe(window->areas[HISTOGRAM], hpm_string_text(&text));
    hpmviz_plotarea_describe(window->areas[HEAT], hpm_string_text(&text));
    describe_plot(window, SORTED, window->summary, &text);
    if (window->other != NULL)
        hpmviz_distribution_add_pair(window->shown, window->other, &text);
    describe_plot(window, SCATTER, window->paired, &text);
    hpmviz_roofline_add_summary(window->roofline, window->shown, &text);
    describe_plot(window, ROOFLINE, window->roofed, &text);
}

static void
drop_distribution(HpmvizPlaceswindow *window)
{
    GtkWidget *const labels[] = {window->summary, window->place,
                                 window->arranged, window->paired,
                                 window->roofed};

    for (int i = 0; i < N_PLOTS; i++)
        hpmviz_plotarea_set(window->areas[i], NULL);
    hpmviz_extremeslist_set(window->extremes, NULL);
    g_clear_pointer(&window->grid, hpmviz_placegrid_free);
    g_clear_pointer(&window->other, hpmviz_distribution_free);
    g_clear_pointer(&window->roofline, hpmviz_roofline_free);
    g_clear_pointer(&window->shown, hpmviz_distribution_free);
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        gtk_label_set_text(GTK_LABEL(labels[i]), "");
}

static void
say(HpmvizPlaceswindow *window, const char *sentence)
{
    gtk_label_set_text(GTK_LABEL(window->summary), sentence);
}

/* Tasks by threads, or in the grid that the files or the user say. */
static void
arrange(HpmvizPlaceswindow *window)
{
    window->grid = hpmviz_placegrid_new(
        window->shown, hpmviz_session_topology(window->session));
    gtk_label_set_text(GTK_LABEL(window->arranged), window->grid->words);
}

static void
on_topology(HpmvizPlaceswindow *window)
{
    hpmviz_session_set_topology(
        window->session, gtk_entry_get_text(GTK_ENTRY(window->topology)));
}

/* The first metric beside the one that is shown, else the first time or count. */
static guint
first_other(const HpmvizPlaceswindow *window)
{
    guint found = HPMVIZ_NONE;

    for (guint i = window->sheet->n_columns; i-- > 0;) {
        gboolean is_metric = hpmviz_sheet_quantity(window->sheet, i)->kind ==
                             HPM_QUANTITY_METRIC;

        if (i != window->shown->column &&
            (is_metric || found == HPMVIZ_NONE ||
             hpmviz_sheet_quantity(window->sheet, found)->kind !=
                 HPM_QUANTITY_METRIC))
            found = i;
    }
    return found;
}

static void
choose_other(HpmvizPlaceswindow *window)
{
    guint column =
        window->other_name != NULL
            ? hpmviz_sheet_find_name(window->sheet, window->other_name)
            : HPMVIZ_NONE;

    if (column == HPMVIZ_NONE)
        column = first_other(window);
    if (column != HPMVIZ_NONE)
        window->other = hpmviz_distribution_new(window->sheet, column);
    window->is_updating = TRUE;
    gtk_combo_box_set_active(GTK_COMBO_BOX(window->others),
                             column != HPMVIZ_NONE ? (int)column : -1);
    window->is_updating = FALSE;
}

gboolean
hpmviz_placeswindow_data(const HpmvizPlaceswindow *window,
                         struct hpmviz_plotdata *ret_data)
{
    *ret_data = (struct hpmviz_plotdata){.x = window->shown,
                                         .selected = HPMVIZ_NONE,
                                         .grid = window->grid,
                                         .y = window->other,
                                         .roofline = window->roofline};
    return window->shown != NULL;
}

static void
show_plots(HpmvizPlaceswindow *window)
{
    struct hpmviz_plotdata data;

    hpmviz_placeswindow_data(window, &data);
    for (int i = 0; i < N_PLOTS; i++)
        hpmviz_plotarea_set(window->areas[i], &data);
    hpmviz_extremeslist_set(window->extremes, window->shown);
}

static void
show_metric(HpmvizPlaceswindow *window)
{
    size_t quantity = hpmviz_session_metric(window->session);
    guint column = hpmviz_sheet_find_column(window->sheet, quantity);

    drop_distribution(window);
    if (column == HPMVIZ_NONE) {
        say(window, _("The section has no value of the selected metric; choose "
                      "another metric."));
        return;
    }
    window->shown = hpmviz_distribution_new(window->sheet, column);
    window->roofline = hpmviz_roofline_new(window->shown);
    arrange(window);
    choose_other(window);
    show_plots(window);
    describe(window);
    show_place(window);
}

/* The metrics of the section, the session's one chosen. */
static void
list_metrics(HpmvizPlaceswindow *window)
{
    size_t quantity = hpmviz_session_metric(window->session);
    guint column = hpmviz_sheet_find_column(window->sheet, quantity);

    window->is_updating = TRUE;
    gtk_combo_box_text_remove_all(GTK_COMBO_BOX_TEXT(window->metrics));
    gtk_combo_box_text_remove_all(GTK_COMBO_BOX_TEXT(window->others));
    for (guint i = 0; i < window->sheet->n_columns; i++) {
        g_autofree char *name =
            hpmviz_safe_line(hpmviz_sheet_quantity(window->sheet, i)->name);

        gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(window->metrics),
                                       name);
        gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(window->others),
                                       name);
    }
    gtk_combo_box_set_active(GTK_COMBO_BOX(window->metrics),
                             column != HPMVIZ_NONE ? (int)column : -1);
    window->is_updating = FALSE;
}

static void
on_metric_chosen(HpmvizPlaceswindow *window)
{
    int column = gtk_combo_box_get_active(GTK_COMBO_BOX(window->metrics));

    if (!window->is_updating && window->sheet != NULL && column >= 0)
        hpmviz_session_select_metric(
            window->session,
            hpmviz_sheet_quantity(window->sheet, (guint)column)->name);
}

static void
on_other_chosen(HpmvizPlaceswindow *window)
{
    int column = gtk_combo_box_get_active(GTK_COMBO_BOX(window->others));

    if (window->is_updating || window->shown == NULL || column < 0)
        return;
    g_free(window->other_name);
    window->other_name =
        g_strdup(hpmviz_sheet_quantity(window->sheet, (guint)column)->name);
    show_metric(window);
}

static void
on_metric(HpmvizPlaceswindow *window)
{
    if (window->sheet == NULL || window->filling != 0)
        return;
    list_metrics(window);
    show_metric(window);
}

/* ---- the section ------------------------------------------------------ */

static void
drop_sheet(HpmvizPlaceswindow *window)
{
    if (window->filling != 0)
        g_source_remove(window->filling);
    window->filling = 0;
    drop_distribution(window);
    g_clear_pointer(&window->sheet, hpmviz_sheet_free);
}

static gboolean
fill_on(gpointer data)
{
    HpmvizPlaceswindow *window = data;

    if (hpmviz_sheet_fill(window->sheet, STEP))
        return G_SOURCE_CONTINUE;
    window->filling = 0;
    on_metric(window);
    return G_SOURCE_REMOVE;
}

static void
show_title(HpmvizPlaceswindow *window)
{
    struct hpm_string name = {0};

    hpmviz_distribution_add_subject(window->sheet, &name);
    set_text(window->title, &name);
}

/* Another section, other files, or the same with metrics.  What is worked out is
 * only for a window that somebody sees. */
static void
renew(HpmvizPlaceswindow *window)
{
    size_t subject = hpmviz_session_selected(window->session);

    drop_sheet(window);
    gtk_label_set_text(GTK_LABEL(window->title), "");
    if (!gtk_widget_get_visible(GTK_WIDGET(window)))
        return;
    if (hpmviz_session_section(window->session, subject) == NULL) {
        say(window, _("No section is selected."));
        return;
    }
    window->sheet =
        hpmviz_sheet_new(hpmviz_session_survey(window->session), subject);
    show_title(window);
    say(window, _("Working out the values…"));
    window->filling = g_idle_add(fill_on, window);
}

/* The same section may be looked at in another way. */
static void
on_viewed(HpmvizPlaceswindow *window)
{
    if (window->sheet != NULL &&
        window->sheet->survey == hpmviz_session_survey(window->session) &&
        window->sheet->subject == hpmviz_session_selected(window->session))
        on_metric(window);
    else
        renew(window);
}

/* ---- the object ------------------------------------------------------- */

static void
dispose(GObject *object)
{
    HpmvizPlaceswindow *window = HPMVIZ_PLACESWINDOW(object);

    if (window->session != NULL)
        drop_sheet(window);
    g_clear_object(&window->session);
    g_clear_pointer(&window->other_name, g_free);
    G_OBJECT_CLASS(hpmviz_placeswindow_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *widget)
{
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, box);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, title);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, metrics);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, take);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, spread);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, plane);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, pair);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, roofs);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, topology);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, arranged);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, others);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, paired);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, roofed);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, lists);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, summary);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, place);
}

static void
hpmviz_placeswindow_class_init(HpmvizPlaceswindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/placeswindow.ui");
    exported =
        g_signal_new("export", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
    printed = g_signal_new("print", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST,
                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    bind_children(widget);
    gtk_widget_class_bind_template_callback(widget, on_export);
    gtk_widget_class_bind_template_callback(widget, on_metric_chosen);
    gtk_widget_class_bind_template_callback(widget, on_other_chosen);
    gtk_widget_class_bind_template_callback(widget, on_print);
    gtk_widget_class_bind_template_callback(widget, on_some);
    gtk_widget_class_bind_template_callback(widget, on_take);
    gtk_widget_class_bind_template_callback(widget, on_topology);
}

static void
add_plots(HpmvizPlaceswindow *window)
{
    GtkWidget *const pages[N_PLOTS] = {[HISTOGRAM] = window->spread,
                                       [SORTED] = window->spread,
                                       [HEAT] = window->plane,
                                       [SCATTER] = window->pair,
                                       [ROOFLINE] = window->roofs};

    for (int i = 0; i < N_PLOTS; i++) {
        window->areas[i] = HPMVIZ_PLOTAREA(hpmviz_plotarea_new(plots[i]));
        gtk_box_pack_start(GTK_BOX(pages[i]), GTK_WIDGET(window->areas[i]),
                           TRUE, TRUE, 0);
        g_signal_connect_swapped(window->areas[i], "chosen",
                                 G_CALLBACK(on_chosen), window);
        g_signal_connect_swapped(window->areas[i], "lassoed",
                                 G_CALLBACK(on_lassoed), window);
    }
}

static void
hpmviz_placeswindow_init(HpmvizPlaceswindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    hpmviz_notebook_prepare(GTK_NOTEBOOK(
        gtk_widget_get_ancestor(window->spread, GTK_TYPE_NOTEBOOK)));
    add_plots(window);
    window->extremes = HPMVIZ_EXTREMESLIST(hpmviz_extremeslist_new());
    g_signal_connect_swapped(window->extremes, "chosen", G_CALLBACK(on_chosen),
                             window);
    gtk_box_pack_start(GTK_BOX(window->lists), GTK_WIDGET(window->extremes),
                       TRUE, TRUE, 0);
}

static void
follow(HpmvizPlaceswindow *window, const char *signal, GCallback react)
{
    g_signal_connect_object(window->session, signal, react, window,
                            G_CONNECT_SWAPPED);
}

GtkWidget *
hpmviz_placeswindow_new(HpmvizSession *session, GtkWindow *parent)
{
    static const char *const signals[] = {"loaded", "surveyed", "selected"};
    HpmvizPlaceswindow *window =
        g_object_new(HPMVIZ_TYPE_PLACESWINDOW, "transient-for", parent,
                     "destroy-with-parent", TRUE, "default-width", 900,
                     "default-height", 620, NULL);
    GtkWidget *restriction = hpmviz_restrictionbar_new(session);

    window->session = g_object_ref(session);
    if (hpmviz_session_topology(session) != NULL)
        gtk_entry_set_text(GTK_ENTRY(window->topology),
                           hpmviz_session_topology(session));
    gtk_box_pack_start(GTK_BOX(window->box), restriction, FALSE, FALSE, 0);
    gtk_box_reorder_child(GTK_BOX(window->box), restriction, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        follow(window, signals[i], G_CALLBACK(renew));
    follow(window, "viewed", G_CALLBACK(on_viewed));
    follow(window, "metric", G_CALLBACK(on_metric));
    follow(window, "place", G_CALLBACK(show_place));
    g_signal_connect_after(window, "show", G_CALLBACK(renew), NULL);
    hpmviz_escape_closes(GTK_WIDGET(window));
    return GTK_WIDGET(window);
}
