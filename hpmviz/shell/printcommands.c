/* SPDX-License-Identifier: BSD-3-Clause
 * Printing of the windows. */
#include "hpmviz/shell/printcommands.h"

#include "hpmviz/shell/distributionoutput.h"
#include "hpmviz/shell/picture.h"
#include "hpmviz/shell/printing.h"
#include "hpmviz/shell/tableoutput.h"
#include "hpmviz/shell/treesoutput.h"
#include "hpmviz/shell/trendoutput.h"

/* Of paper; the title of the window is that of the job.  Takes the drawing. */
static void
ask(gpointer window, struct hpmviz_drawing *drawing)
{
    const char *title = gtk_window_get_title(GTK_WINDOW(window));

    hpmviz_printing_ask(GTK_WINDOW(window), title != NULL ? title : "hpmviz",
                        drawing);
}

void
hpmviz_printcommands_sections(struct hpmviz_parts *parts)
{
    HpmvizSession *session = parts->session;

    if (hpmviz_session_loaded(session) != NULL)
        ask(parts->window, hpmviz_runs_count(hpmviz_session_runs(session)) > 2
                               ? hpmviz_trendoutput_draw(session, FALSE)
                               : hpmviz_picture_draw(session, FALSE));
}

void
hpmviz_printcommands_trees(HpmvizTreeswindow *window)
{
    const struct hpmviz_trees *trees = hpmviz_treeswindow_trees(window);

    if (trees != NULL)
        ask(window, hpmviz_treesoutput_draw(trees, FALSE));
}

void
hpmviz_printcommands_distribution(HpmvizPlaceswindow *window)
{
    struct hpmviz_plotdata shown;

    if (hpmviz_placeswindow_data(window, &shown))
        ask(window, hpmviz_distributionoutput_draw(&shown, NULL, FALSE));
}

void
hpmviz_printcommands_trend(HpmvizTrendwindow *window,
                           struct hpmviz_parts *parts)
{
    if (hpmviz_session_loaded(parts->session) != NULL)
        ask(window, hpmviz_trendoutput_draw(parts->session, FALSE));
}

/* ---- tables as they stand -------------------------------------------- */

static void
print_table(gpointer window, GtkTreeView *const *views, guint n_views)
{
    if (gtk_tree_view_get_model(views[0]) != NULL)
        ask(window,
            hpmviz_tableoutput_draw(gtk_window_get_title(GTK_WINDOW(window)),
                                    views, n_views, FALSE));
}

void
hpmviz_printcommands_functions(HpmvizFunctionswindow *window)
{
    GtkTreeView *view = hpmviz_functionswindow_view(window);

    print_table(window, &view, 1);
}

static void
print_metrics(HpmvizMetricswindow *window)
{
    GtkTreeView *views[2];

    hpmviz_metricswindow_views(window, views);
    print_table(window, views, 2);
}

/* A window that is there already is watched. */
void
hpmviz_printcommands_watch_metrics(HpmvizMetricswindow *window)
{
    g_signal_handlers_disconnect_by_func(window, print_metrics, NULL);
    g_signal_connect(window, "print", G_CALLBACK(print_metrics), NULL);
}

/* ---- keys ------------------------------------------------------------ */

static gboolean
on_key(GtkWidget *window, const GdkEventKey *event)
{
    guint modifiers = event->state & gtk_accelerator_get_default_mod_mask();

    if (modifiers != GDK_CONTROL_MASK || event->keyval != GDK_KEY_p)
        return FALSE;
    g_signal_emit_by_name(window, "print");
    return TRUE;
}

void
hpmviz_printcommands_listen(GtkWidget *window)
{
    g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), NULL);
}
