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
#include "hpmviz/widgets/restrictionbar.h"
#include "hpmviz/widgets/safetext.h"

/* Rows that are worked out at one go: some 20 ms. */
enum { STEP = 300 };

enum { HISTOGRAM, SORTED, HEAT, N_PLOTS };

static const struct hpmviz_plot *const plots[N_PLOTS] = {
    [HISTOGRAM] = &hpmviz_histogramplot,
    [SORTED] = &hpmviz_sortedplot,
    [HEAT] = &hpmviz_heatplot};

struct _HpmvizPlaceswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    struct hpmviz_sheet *sheet;        /* of the selected section, or NULL */
    guint filling;                     /* the source that does so, or 0 */
    struct hpmviz_distribution *shown; /* or NULL */
    struct hpmviz_placegrid *grid;     /* of it, or NULL */
    GtkWidget *box, *title, *metrics, *spread, *plane, *topology, *arranged,
        *lists, *take, *summary, *place;
    HpmvizPlotarea *areas[N_PLOTS];
    HpmvizExtremeslist *extremes;
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizPlaceswindow, hpmviz_placeswindow, GTK_TYPE_WINDOW)

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
        _("chosen by their values of %s"),
        hpmviz_sheet_quantity(window->sheet, window->shown->column)->name);
    choice = hpmviz_choice_of_rows(hpmviz_session_loaded(window->session),
                                   window->sheet, are_taken, name);
    hpmviz_session_choose_places(window->session, choice->are_kept,
                                 choice->name);
    hpmviz_choice_free(choice);
}

static void
on_some(HpmvizPlaceswindow *window)
{
    hpmviz_rangechooser_open(GTK_WINDOW(window), window->session);
}

/* ---- the metric ------------------------------------------------------- */

static void
describe(HpmvizPlaceswindow *window)
{
    struct hpm_string summary = {0}, rules = {0};

    hpmviz_distribution_add_summary(window->shown, &summary);
    for (int i = 0; i < N_PLOTS; i++)
        hpmviz_plotarea_describe(window->areas[i], hpm_string_text(&summary));
    set_text(window->summary, &summary);
    hpmviz_distribution_add_rules(window->shown, &rules);
    gtk_widget_set_tooltip_text(window->summary, hpm_string_text(&rules));
    hpm_string_free(&rules);
}

static void
drop_distribution(HpmvizPlaceswindow *window)
{
    for (int i = 0; i < N_PLOTS; i++)
        hpmviz_plotarea_set(window->areas[i], NULL);
    hpmviz_extremeslist_set(window->extremes, NULL);
    g_clear_pointer(&window->grid, hpmviz_placegrid_free);
    g_clear_pointer(&window->shown, hpmviz_distribution_free);
    gtk_label_set_text(GTK_LABEL(window->summary), "");
    gtk_label_set_text(GTK_LABEL(window->place), "");
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
    g_autofree char *words = NULL;

    window->grid = hpmviz_placegrid_new(
        window->shown, hpmviz_session_topology(window->session), &words);
    gtk_label_set_text(GTK_LABEL(window->arranged), words);
}

static void
on_topology(HpmvizPlaceswindow *window)
{
    hpmviz_session_set_topology(
        window->session, gtk_entry_get_text(GTK_ENTRY(window->topology)));
}

static void
show_metric(HpmvizPlaceswindow *window)
{
    size_t quantity = hpmviz_session_metric(window->session);
    guint column = hpmviz_sheet_find_column(window->sheet, quantity);
    struct hpmviz_plotdata data = {.selected = HPMVIZ_NONE};

    drop_distribution(window);
    if (column == HPMVIZ_NONE) {
        say(window, _("The section has no value of the selected metric; choose "
                      "another metric."));
        return;
    }
    window->shown = hpmviz_distribution_new(window->sheet, column);
    arrange(window);
    data.x = window->shown;
    data.grid = window->grid;
    for (int i = 0; i < N_PLOTS; i++)
        hpmviz_plotarea_set(window->areas[i], &data);
    hpmviz_extremeslist_set(window->extremes, window->shown);
    describe(window);
    show_place(window);
}

/* The metrics of the section, the session's one chosen. */
static void
list_metrics(HpmvizPlaceswindow *window)
{
    GtkComboBoxText *box = GTK_COMBO_BOX_TEXT(window->metrics);
    size_t quantity = hpmviz_session_metric(window->session);
    guint column = hpmviz_sheet_find_column(window->sheet, quantity);

    window->is_updating = TRUE;
    gtk_combo_box_text_remove_all(box);
    for (guint i = 0; i < window->sheet->n_columns; i++) {
        g_autofree char *name =
            hpmviz_safe_line(hpmviz_sheet_quantity(window->sheet, i)->name);

        gtk_combo_box_text_append_text(box, name);
    }
    gtk_combo_box_set_active(GTK_COMBO_BOX(box),
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
show_title(HpmvizPlaceswindow *window, size_t subject)
{
    struct hpm_string name = {0}, safe = {0};

    hpm_survey_add_name(hpmviz_session_survey(window->session), subject, &name);
    hpm_string_add_safe(&safe, hpm_string_text(&name));
    set_text(window->title, &safe);
    hpm_string_free(&name);
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
    show_title(window, subject);
    window->sheet =
        hpmviz_sheet_new(hpmviz_session_survey(window->session), subject);
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
    G_OBJECT_CLASS(hpmviz_placeswindow_parent_class)->dispose(object);
}

static void
hpmviz_placeswindow_class_init(HpmvizPlaceswindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/placeswindow.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, box);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, spread);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, plane);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, topology);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, arranged);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, lists);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, take);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, title);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, metrics);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, summary);
    gtk_widget_class_bind_template_child(widget, HpmvizPlaceswindow, place);
    gtk_widget_class_bind_template_callback(widget, on_metric_chosen);
    gtk_widget_class_bind_template_callback(widget, on_some);
    gtk_widget_class_bind_template_callback(widget, on_take);
    gtk_widget_class_bind_template_callback(widget, on_topology);
}

static void
add_plots(HpmvizPlaceswindow *window)
{
    for (int i = 0; i < N_PLOTS; i++) {
        window->areas[i] = HPMVIZ_PLOTAREA(hpmviz_plotarea_new(plots[i]));
        gtk_box_pack_start(GTK_BOX(i == HEAT ? window->plane : window->spread),
                           GTK_WIDGET(window->areas[i]), TRUE, TRUE, 0);
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
