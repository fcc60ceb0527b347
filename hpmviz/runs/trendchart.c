/* SPDX-License-Identifier: BSD-3-Clause
 * What becomes of one section from run to run, as a line. */
#include "hpmviz/runs/trendchart.h"

#include "hpmviz/runs/trendplot.h"
#include "hpmviz/widgets/cell.h"

struct _HpmvizTrendchart {
    GtkDrawingArea parent_instance;
    const struct hpmviz_trend *trend;
    guint row;
    enum hpmviz_trend_kind kind;
    char *quantity;
};

G_DEFINE_TYPE(HpmvizTrendchart, hpmviz_trendchart, GTK_TYPE_DRAWING_AREA)

static gboolean
draw(GtkWidget *widget, cairo_t *cairo)
{
    HpmvizTrendchart *chart = HPMVIZ_TRENDCHART(widget);
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(widget, "");
    struct hpmviz_trendplot plot = {
        .trend = chart->trend,
        .row = chart->row,
        .kind = chart->kind,
        .quantity = chart->quantity,
        .width = gtk_widget_get_allocated_width(widget),
        .height = gtk_widget_get_allocated_height(widget),
        .layout = layout,
        .is_dark = hpmviz_cell_is_dark(widget),
    };

    if (chart->trend == NULL)
        return FALSE;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget),
                                gtk_widget_get_state_flags(widget), &plot.ink);
    hpmviz_trendplot_draw(&plot, cairo);
    return FALSE;
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    g_free(HPMVIZ_TRENDCHART(object)->quantity);
    G_OBJECT_CLASS(hpmviz_trendchart_parent_class)->finalize(object);
}

static void
hpmviz_trendchart_class_init(HpmvizTrendchartClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    GTK_WIDGET_CLASS(class)->draw = draw;
}

static void
hpmviz_trendchart_init(HpmvizTrendchart *chart)
{
    (void)chart;
}

GtkWidget *
hpmviz_trendchart_new(void)
{
    enum { LINES = 10 };
    GtkWidget *chart =
        g_object_new(HPMVIZ_TYPE_TRENDCHART, "visible", TRUE, NULL);
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(chart, "0");
    int height;

    pango_layout_get_pixel_size(layout, NULL, &height);
    gtk_widget_set_size_request(chart, -1, LINES * height);
    return chart;
}

void
hpmviz_trendchart_set(HpmvizTrendchart *chart, const struct hpmviz_trend *trend,
                      guint row, enum hpmviz_trend_kind kind,
                      const char *quantity)
{
    g_autofree char *name = g_strdup(quantity);

    chart->trend = trend;
    chart->row = row;
    chart->kind = kind;
    g_free(chart->quantity);
    chart->quantity = g_steal_pointer(&name);
    gtk_widget_queue_draw(GTK_WIDGET(chart));
}
