/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are open in a popover. */
#include "hpmviz/runs/runslist.h"

#include <glib/gi18n.h>

#include "hpmviz/data/palette.h"
#include "hpmviz/widgets/cell.h"

static const char session_key[] = "hpmviz-session", run_key[] = "hpmviz-run";

static HpmvizSession *
session_of(GtkWidget *widget)
{
    return g_object_get_data(
        G_OBJECT(gtk_widget_get_ancestor(widget, GTK_TYPE_POPOVER)),
        session_key);
}

static guint
run_of(GtkWidget *widget)
{
    return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(widget), run_key));
}

/* ---- a row ----------------------------------------------------------- */

static void
on_reference(GtkToggleButton *button)
{
    if (gtk_toggle_button_get_active(button))
        hpmviz_session_set_reference(session_of(GTK_WIDGET(button)),
                                     run_of(GTK_WIDGET(button)));
}

static void
on_remove(GtkWidget *button)
{
    hpmviz_session_remove_run(session_of(button), run_of(button));
}

/* At the end of typing: a name that is told with each letter would fill lists
 * with halves.  A name that nobody changed stays the derived one. */
static gboolean
take_name(GtkWidget *entry)
{
    HpmvizRun *run =
        hpmviz_runs_find(hpmviz_session_runs(session_of(entry)), run_of(entry));
    const char *name = gtk_entry_get_text(GTK_ENTRY(entry));

    if (run != NULL && g_strcmp0(name, hpmviz_run_name(run)) != 0)
        hpmviz_run_set_name(run, name);
    return FALSE;
}

static void
name_widget(GtkWidget *widget, HpmvizRun *run, char *name)
{
    atk_object_set_name(gtk_widget_get_accessible(widget), name);
    g_object_set_data(G_OBJECT(widget), run_key,
                      GUINT_TO_POINTER(hpmviz_run_id(run)));
    g_free(name);
}

static GtkWidget *
make_letter(HpmvizRun *run, gboolean is_dark)
{
    GtkWidget *label = gtk_label_new(NULL);
    g_autofree char *markup = g_markup_printf_escaped(
        "<span foreground='%s'>■</span> <b>%s</b>",
        hpmviz_palette_run(hpmviz_run_letter(run)[0], is_dark),
        hpmviz_run_letter(run));

    gtk_label_set_markup(GTK_LABEL(label), markup);
    return label;
}

static GtkWidget *
make_entry(HpmvizRun *run)
{
    GtkWidget *entry = gtk_entry_new();

    gtk_entry_set_width_chars(GTK_ENTRY(entry), 24);
    g_object_bind_property(run, "name", entry, "text", G_BINDING_SYNC_CREATE);
    name_widget(entry, run,
                g_strdup_printf(_("name of %s"), hpmviz_run_letter(run)));
    g_signal_connect(entry, "activate", G_CALLBACK(take_name), NULL);
    g_signal_connect(entry, "focus-out-event", G_CALLBACK(take_name), NULL);
    return entry;
}

static void
add_row(GtkGrid *grid, int row, HpmvizRun *run, GtkRadioButton *group,
        gboolean is_reference)
{
    GtkWidget *reference =
        gtk_radio_button_new_with_label_from_widget(group, _("reference"));
    GtkWidget *button = gtk_button_new_from_icon_name("list-remove-symbolic",
                                                      GTK_ICON_SIZE_BUTTON);

    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(reference), is_reference);
    gtk_widget_set_tooltip_text(button, _("take the run out of the window"));
    name_widget(
        reference, run,
        g_strdup_printf(_("%s is the reference"), hpmviz_run_letter(run)));
    name_widget(button, run,
                g_strdup_printf(_("remove %s"), hpmviz_run_letter(run)));
    g_signal_connect(reference, "toggled", G_CALLBACK(on_reference), NULL);
    g_signal_connect(button, "clicked", G_CALLBACK(on_remove), NULL);
    gtk_grid_attach(grid,
                    make_letter(run, hpmviz_cell_is_dark(GTK_WIDGET(grid))), 0,
                    row, 1, 1);
    gtk_grid_attach(grid, make_entry(run), 1, row, 1, 1);
    gtk_grid_attach(grid, reference, 2, row, 1, 1);
    gtk_grid_attach(grid, button, 3, row, 1, 1);
}

/* ---- all ------------------------------------------------------------- */

static GtkRadioButton *
first_button(GtkGrid *grid)
{
    GtkWidget *button = gtk_grid_get_child_at(grid, 2, 0);

    return button != NULL ? GTK_RADIO_BUTTON(button) : NULL;
}

/* Row after row the runs that it has a row for? */
static gboolean
has_rows_of(GtkGrid *grid, const HpmvizRuns *runs)
{
    HpmvizRun *run;
    int i = 0;

    for (; (run = hpmviz_runs_at(runs, (guint)i)) != NULL; i++) {
        GtkWidget *entry = gtk_grid_get_child_at(grid, 1, i);

        if (entry == NULL || run_of(entry) != hpmviz_run_id(run))
            return FALSE;
    }
    return gtk_grid_get_child_at(grid, 1, i) == NULL;
}

static void
add_rows(GtkGrid *grid, const HpmvizRuns *runs)
{
    HpmvizRun *run;

    while (gtk_grid_get_child_at(grid, 0, 0) != NULL)
        gtk_grid_remove_row(grid, 0);
    for (guint i = 0; (run = hpmviz_runs_at(runs, i)) != NULL; i++)
        add_row(grid, (int)i, run, first_button(grid),
                hpmviz_run_id(run) == hpmviz_runs_reference(runs));
    gtk_widget_show_all(GTK_WIDGET(grid));
}

/* Rows stay as long as the runs do: a button that is pressed while a name is
 * taken is still there when it is released. */
static void
fill(GtkWidget *popover)
{
    GtkGrid *grid = GTK_GRID(gtk_bin_get_child(GTK_BIN(popover)));
    HpmvizSession *session = g_object_get_data(G_OBJECT(popover), session_key);
    const HpmvizRuns *runs = hpmviz_session_runs(session);
    GtkWidget *button;

    if (!has_rows_of(grid, runs))
        add_rows(grid, runs);
    for (int i = 0; (button = gtk_grid_get_child_at(grid, 2, i)) != NULL; i++) {
        if (run_of(button) == hpmviz_runs_reference(runs))
            gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
    }
}

/* Not while one of its widgets tells: the row would go under it. */
static gboolean
fill_later(gpointer data)
{
    g_object_set_data(data, "hpmviz-filling", NULL);
    if (!gtk_widget_in_destruction(data) &&
        gtk_bin_get_child(GTK_BIN(data)) != NULL)
        fill(data);
    return G_SOURCE_REMOVE;
}

static void
on_changed(GtkWidget *popover)
{
    if (g_object_get_data(G_OBJECT(popover), "hpmviz-filling") != NULL)
        return;
    g_object_set_data(G_OBJECT(popover), "hpmviz-filling", popover);
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, fill_later, g_object_ref(popover),
                    g_object_unref);
}

GtkWidget *
hpmviz_runslist_new(HpmvizSession *session)
{
    GtkWidget *popover = gtk_popover_new(NULL), *grid = gtk_grid_new();

    gtk_grid_set_column_spacing(GTK_GRID(grid), 8);
    gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
    gtk_container_set_border_width(GTK_CONTAINER(grid), 8);
    gtk_container_add(GTK_CONTAINER(popover), grid);
    atk_object_set_name(gtk_widget_get_accessible(grid), _("runs"));
    g_object_set_data_full(G_OBJECT(popover), session_key,
                           g_object_ref(session), g_object_unref);
    g_signal_connect_object(hpmviz_session_runs(session), "changed",
                            G_CALLBACK(on_changed), popover, G_CONNECT_SWAPPED);
    fill(popover);
    return popover;
}
