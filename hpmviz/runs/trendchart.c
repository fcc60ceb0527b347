/* SPDX-License-Identifier: BSD-3-Clause
 * What becomes of one section from run to run, as a line. */
#include "hpmviz/runs/trendchart.h"

#include <math.h>

#include "hpmviz/data/palette.h"
#include "hpmviz/widgets/cell.h"

struct _HpmvizTrendchart {
    GtkDrawingArea parent_instance;
    const struct hpmviz_trend *trend;
    guint row;
    enum hpmviz_trend_kind kind;
    char *quantity;
};

G_DEFINE_TYPE(HpmvizTrendchart, hpmviz_trendchart, GTK_TYPE_DRAWING_AREA)

/* From numbers to places; y from 0, so that lengths can be compared. */
struct frame {
    double left, top, width, height; /* of what is drawn */
    double least, most;              /* threads, or the runs' numbers */
    double highest;                  /* number */
};

/* By threads; where those of a run are not known, the runs one by one. */
static double
step_of(const struct hpmviz_trend *trend, guint run)
{
    for (guint i = 0; i < trend->n_runs; i++) {
        if (isnan(trend->n_threads[i]))
            return run;
    }
    return trend->n_threads[run];
}

static double
x_of(const struct frame *frame, const struct hpmviz_trend *trend, guint run)
{
    double part = frame->most > frame->least
                      ? (step_of(trend, run) - frame->least) /
                            (frame->most - frame->least)
                      : 0.5;

    return frame->left + part * frame->width;
}

static double
y_of(const struct frame *frame, double number)
{
    return frame->top + frame->height * (1 - number / frame->highest);
}

static double
number_at(const HpmvizTrendchart *chart, guint run)
{
    return hpmviz_trend_number(chart->trend, chart->row, run, chart->kind,
                               chart->quantity);
}

/* Without losses; NAN where there is no such. */
static double
ideal_at(const HpmvizTrendchart *chart, guint run)
{
    const struct hpmviz_trend *trend = chart->trend;

    switch (chart->kind) {
    case HPMVIZ_TREND_SPEEDUP:
        return trend->n_threads[run] / trend->n_threads[trend->reference];
    case HPMVIZ_TREND_EFFICIENCY:
        return 1.0;
    default:
        return NAN;
    }
}

static struct frame
frame_of(const HpmvizTrendchart *chart, double em)
{
    const struct hpmviz_trend *trend = chart->trend;
    GtkWidget *widget = GTK_WIDGET(chart);
    struct frame frame = {.left = 5 * em, .top = 1.5 * em, .least = INFINITY};

    frame.width = gtk_widget_get_allocated_width(widget) - 7 * em;
    frame.height = gtk_widget_get_allocated_height(widget) - 4 * em;
    for (guint i = 0; i < trend->n_runs; i++) {
        frame.least = fmin(frame.least, step_of(trend, i));
        frame.most = fmax(frame.most, step_of(trend, i));
        frame.highest = fmax(frame.highest, number_at(chart, i));
        frame.highest = fmax(frame.highest, ideal_at(chart, i));
    }
    return frame;
}

/* ---- drawing --------------------------------------------------------- */

static void
write_at(HpmvizTrendchart *chart, cairo_t *cairo, double x, double y,
         double align, const char *text)
{
    g_autoptr(PangoLayout) layout =
        gtk_widget_create_pango_layout(GTK_WIDGET(chart), text);
    int width, height;

    pango_layout_get_pixel_size(layout, &width, &height);
    cairo_move_to(cairo, x - align * width, y - height / 2.0);
    pango_cairo_show_layout(cairo, layout);
}

static void
draw_axes(HpmvizTrendchart *chart, cairo_t *cairo, const struct frame *frame,
          double em)
{
    g_autofree char *highest = g_strdup_printf("%.3g", frame->highest);
    double bottom = frame->top + frame->height;

    cairo_set_line_width(cairo, 1);
    cairo_move_to(cairo, frame->left - 0.5, frame->top);
    cairo_line_to(cairo, frame->left - 0.5, bottom + 0.5);
    cairo_line_to(cairo, frame->left + frame->width, bottom + 0.5);
    cairo_stroke(cairo);
    write_at(chart, cairo, frame->left - em / 2, frame->top, 1, highest);
    write_at(chart, cairo, frame->left - em / 2, bottom, 1, "0");
}

typedef double number_of_run(const HpmvizTrendchart *chart, guint run);

/* By the order of the runs; broken where there is no number. */
static void
draw_line(HpmvizTrendchart *chart, cairo_t *cairo, const struct frame *frame,
          number_of_run *number_of)
{
    gboolean is_drawing = FALSE;

    for (guint i = 0; i < chart->trend->n_runs; i++) {
        double number = number_of(chart, i);
        double x = x_of(frame, chart->trend, i);

        if (isnan(number))
            is_drawing = FALSE;
        else if (is_drawing)
            cairo_line_to(cairo, x, y_of(frame, number));
        else
            cairo_move_to(cairo, x, y_of(frame, number));
        is_drawing = !isnan(number);
    }
    cairo_stroke(cairo);
}

/* In the run's colour, with its letter: no colour stands alone. */
static void
draw_run(HpmvizTrendchart *chart, cairo_t *cairo, const struct frame *frame,
         guint run, double em)
{
    const char *letter = hpmviz_run_letter(chart->trend->runs[run]);
    double number = number_at(chart, run);
    double n_threads = chart->trend->n_threads[run];
    double x = x_of(frame, chart->trend, run);
    g_autofree char *threads =
        isnan(n_threads) ? g_strdup(letter)
                         : g_strdup_printf("%s:%.0f", letter, n_threads);
    GdkRGBA colour;

    write_at(chart, cairo, x, frame->top + frame->height + em, 0.5, threads);
    if (isnan(number))
        return;
    cairo_save(cairo);
    gdk_rgba_parse(
        &colour,
        hpmviz_palette_run(letter[0], hpmviz_cell_is_dark(GTK_WIDGET(chart))));
    gdk_cairo_set_source_rgba(cairo, &colour);
    cairo_arc(cairo, x, y_of(frame, number), em / 3, 0, 2 * G_PI);
    cairo_fill(cairo);
    cairo_restore(cairo);
}

static gboolean
draw(GtkWidget *widget, cairo_t *cairo)
{
    HpmvizTrendchart *chart = HPMVIZ_TRENDCHART(widget);
    static const double dashes[] = {4, 4};
    struct frame frame;
    GdkRGBA colour;
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(widget, "m");
    int em;

    pango_layout_get_pixel_size(layout, &em, NULL);
    if (chart->trend == NULL)
        return FALSE;
    frame = frame_of(chart, em);
    if (!(frame.highest > 0) || frame.width <= 0 || frame.height <= 0)
        return FALSE;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget),
                                gtk_widget_get_state_flags(widget), &colour);
    gdk_cairo_set_source_rgba(cairo, &colour);
    draw_axes(chart, cairo, &frame, em);
    cairo_save(cairo);
    cairo_set_dash(cairo, dashes, 2, 0);
    draw_line(chart, cairo, &frame, ideal_at);
    cairo_restore(cairo);
    cairo_set_line_width(cairo, 2);
    draw_line(chart, cairo, &frame, number_at);
    for (guint i = 0; i < chart->trend->n_runs; i++)
        draw_run(chart, cairo, &frame, i, em);
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
