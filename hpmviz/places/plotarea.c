/* SPDX-License-Identifier: BSD-3-Clause
 * A plot of places in a window. */
#include "hpmviz/places/plotarea.h"

#include <glib/gi18n.h>

#include "hpmviz/data/distributiontext.h"
#include "hpmviz/widgets/cell.h"
#include "hpmviz/widgets/safetext.h"

struct _HpmvizPlotarea {
    GtkDrawingArea parent_instance;
    const struct hpmviz_plot *plot;
    struct hpmviz_plotdata data; /* x NULL: nothing is shown */
    cairo_surface_t *drawn; /* the plot without what is selected, or NULL */
    gboolean is_dark;       /* as drawn */
    gboolean is_pressed, has_lasso;
    struct hpmviz_lasso lasso;
};

G_DEFINE_TYPE(HpmvizPlotarea, hpmviz_plotarea, GTK_TYPE_DRAWING_AREA)

enum { CHOSEN, LASSOED, N_SIGNALS };

static guint signals[N_SIGNALS];

static double
em_of(GtkWidget *widget)
{
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(widget, "0");
    int height;

    pango_layout_get_pixel_size(layout, NULL, &height);
    return height;
}

static struct hpmviz_canvas
canvas_of(HpmvizPlotarea *area)
{
    GtkWidget *widget = GTK_WIDGET(area);

    return hpmviz_canvas_of_size(gtk_widget_get_allocated_width(widget),
                                 gtk_widget_get_allocated_height(widget),
                                 em_of(widget));
}

/* ---- drawing ---------------------------------------------------------- */

static void
drop_drawn(HpmvizPlotarea *area)
{
    g_clear_pointer(&area->drawn, cairo_surface_destroy);
}

/* Once for a size and what is shown: thousands of values take too long to be
 * drawn again each time a place is chosen. */
static void
draw_plot(HpmvizPlotarea *area, struct hpmviz_canvas *canvas)
{
    cairo_t *pen;

    area->drawn = gdk_window_create_similar_surface(
        gtk_widget_get_window(GTK_WIDGET(area)), CAIRO_CONTENT_COLOR,
        (int)canvas->width, (int)canvas->height);
    pen = cairo_create(area->drawn);
    canvas->cairo = pen;
    hpmviz_plot_draw(area->plot, canvas, &area->data);
    cairo_destroy(pen);
}

static gboolean
draw(GtkWidget *widget, cairo_t *cairo)
{
    HpmvizPlotarea *area = HPMVIZ_PLOTAREA(widget);
    struct hpmviz_canvas canvas = canvas_of(area);
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(widget, "");
    gboolean is_dark = hpmviz_cell_is_dark(widget);

    canvas.look = hpmviz_canvas_look(is_dark);
    canvas.layout = layout;
    if (area->is_dark != is_dark)
        drop_drawn(area);
    area->is_dark = is_dark;
    if (area->drawn == NULL)
        draw_plot(area, &canvas);
    cairo_set_source_surface(cairo, area->drawn, 0, 0);
    cairo_paint(cairo);
    canvas.cairo = cairo;
    cairo_set_line_width(cairo, 1);
    hpmviz_plot_mark(area->plot, &canvas, &area->data);
    if (area->is_pressed || area->has_lasso)
        hpmviz_lasso_draw(&area->lasso, &canvas);
    if (gtk_widget_has_visible_focus(widget))
        gtk_render_focus(gtk_widget_get_style_context(widget), cairo, 0, 0,
                         canvas.width, canvas.height);
    return FALSE;
}

/* GDK leaves out motions that come faster than frames are drawn: a shape would lose
 * its corners where the hand is quick or the machine is busy. */
static void
realize(GtkWidget *widget)
{
    GTK_WIDGET_CLASS(hpmviz_plotarea_parent_class)->realize(widget);
    gdk_window_set_event_compression(gtk_widget_get_window(widget), FALSE);
}

/* In another size other values are below a frame. */
static void
size_allocate(GtkWidget *widget, GtkAllocation *allocation)
{
    if (allocation->width != gtk_widget_get_allocated_width(widget) ||
        allocation->height != gtk_widget_get_allocated_height(widget)) {
        drop_drawn(HPMVIZ_PLOTAREA(widget));
        hpmviz_plotarea_drop_lasso(HPMVIZ_PLOTAREA(widget));
    }
    GTK_WIDGET_CLASS(hpmviz_plotarea_parent_class)
        ->size_allocate(widget, allocation);
}

static void
style_updated(GtkWidget *widget)
{
    drop_drawn(HPMVIZ_PLOTAREA(widget));
    GTK_WIDGET_CLASS(hpmviz_plotarea_parent_class)->style_updated(widget);
}

/* ---- the pointer ------------------------------------------------------ */

static guint
row_at(HpmvizPlotarea *area, double x, double y)
{
    struct hpmviz_canvas canvas = canvas_of(area);

    if (area->data.x == NULL || area->data.x->n == 0)
        return HPMVIZ_NONE;
    return area->plot->find(&canvas, &area->data, x, y);
}

static gboolean
pressed(GtkWidget *widget, GdkEventButton *event)
{
    HpmvizPlotarea *area = HPMVIZ_PLOTAREA(widget);

    gtk_widget_grab_focus(widget);
    if (event->button != GDK_BUTTON_PRIMARY || area->data.x == NULL)
        return FALSE;
    hpmviz_plotarea_drop_lasso(area);
    area->is_pressed = TRUE;
    hpmviz_lasso_begin(&area->lasso, event->x, event->y,
                       area->plot->is_plane &&
                           (event->state & GDK_SHIFT_MASK) == 0);
    return TRUE;
}

static gboolean
moved(GtkWidget *widget, GdkEventMotion *event)
{
    HpmvizPlotarea *area = HPMVIZ_PLOTAREA(widget);

    if (!area->is_pressed)
        return FALSE;
    hpmviz_lasso_extend(&area->lasso, event->x, event->y);
    gtk_widget_queue_draw(widget);
    return TRUE;
}

/* A click that trembles is a click. */
static gboolean
released(GtkWidget *widget, GdkEventButton *event)
{
    HpmvizPlotarea *area = HPMVIZ_PLOTAREA(widget);
    guint row;

    if (!area->is_pressed || event->button != GDK_BUTTON_PRIMARY)
        return FALSE;
    area->is_pressed = FALSE;
    hpmviz_lasso_extend(&area->lasso, event->x, event->y);
    gtk_widget_queue_draw(widget);
    if (!hpmviz_lasso_is_point(&area->lasso)) {
        area->has_lasso = TRUE;
        g_signal_emit(area, signals[LASSOED], 0);
        return TRUE;
    }
    row = row_at(area, event->x, event->y);
    if (row != HPMVIZ_NONE)
        g_signal_emit(area, signals[CHOSEN], 0, row);
    return TRUE;
}

static gboolean
query_tooltip(GtkWidget *widget, int x, int y, gboolean is_by_keyboard,
              GtkTooltip *tooltip)
{
    HpmvizPlotarea *area = HPMVIZ_PLOTAREA(widget);
    guint row = is_by_keyboard ? area->data.selected : row_at(area, x, y);
    struct hpm_string text = {0};

    if (area->data.x == NULL || row == HPMVIZ_NONE)
        return FALSE;
    hpmviz_distribution_add_place(area->data.x, row, &text);
    gtk_tooltip_set_text(tooltip, hpm_string_text(&text));
    hpm_string_free(&text);
    return TRUE;
}

/* ---- keys ------------------------------------------------------------- */

/* From a row to the next one in the direction of an arrow, where the plot has places
 * side by side. */
static guint
step_aside(const HpmvizPlotarea *area, guint keyval)
{
    int right = (keyval == GDK_KEY_Right) - (keyval == GDK_KEY_Left);
    int down = (keyval == GDK_KEY_Down) - (keyval == GDK_KEY_Up);

    return area->plot->step(&area->data, area->data.selected, right, down);
}

static gboolean
is_arrow(guint keyval)
{
    return keyval == GDK_KEY_Left || keyval == GDK_KEY_Right ||
           keyval == GDK_KEY_Up || keyval == GDK_KEY_Down;
}

/* Along the order of the values. */
static guint
step(const HpmvizPlotarea *area, guint keyval)
{
    const struct hpmviz_distribution *values = area->data.x;
    guint rank = area->data.selected != HPMVIZ_NONE
                     ? values->ranks[area->data.selected]
                     : HPMVIZ_NONE;

    switch (keyval) {
    case GDK_KEY_Home:
        return values->rows[0];
    case GDK_KEY_End:
        return values->rows[values->n - 1];
    case GDK_KEY_Left:
    case GDK_KEY_Down:
        return rank == HPMVIZ_NONE ? values->rows[0]
                                   : values->rows[MAX(rank, 1) - 1];
    case GDK_KEY_Right:
    case GDK_KEY_Up:
        return rank == HPMVIZ_NONE ? values->rows[values->n - 1]
                                   : values->rows[MIN(rank + 1, values->n - 1)];
    default:
        return HPMVIZ_NONE;
    }
}

static gboolean
key_pressed(GtkWidget *widget, GdkEventKey *event)
{
    HpmvizPlotarea *area = HPMVIZ_PLOTAREA(widget);
    guint row;

    if (area->data.x != NULL && area->data.x->n > 0 &&
        (event->state & gtk_accelerator_get_default_mod_mask()) == 0) {
        row = is_arrow(event->keyval) && area->plot->step != NULL &&
                      area->data.selected != HPMVIZ_NONE
                  ? step_aside(area, event->keyval)
                  : step(area, event->keyval);
        if (row != HPMVIZ_NONE) {
            g_signal_emit(area, signals[CHOSEN], 0, row);
            return TRUE;
        }
    }
    return GTK_WIDGET_CLASS(hpmviz_plotarea_parent_class)
        ->key_press_event(widget, event);
}

/* ---- the object ------------------------------------------------------- */

static void
finalize(GObject *object)
{
    drop_drawn(HPMVIZ_PLOTAREA(object));
    hpmviz_lasso_clear(&HPMVIZ_PLOTAREA(object)->lasso);
    G_OBJECT_CLASS(hpmviz_plotarea_parent_class)->finalize(object);
}

static void
hpmviz_plotarea_class_init(HpmvizPlotareaClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    widget->draw = draw;
    widget->realize = realize;
    widget->size_allocate = size_allocate;
    widget->style_updated = style_updated;
    widget->button_press_event = pressed;
    widget->motion_notify_event = moved;
    widget->button_release_event = released;
    widget->key_press_event = key_pressed;
    widget->query_tooltip = query_tooltip;
    signals[CHOSEN] =
        g_signal_new("chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
    signals[LASSOED] =
        g_signal_new("lassoed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_plotarea_init(HpmvizPlotarea *area)
{
    GtkWidget *widget = GTK_WIDGET(area);

    area->data.selected = HPMVIZ_NONE;
    gtk_widget_set_can_focus(widget, TRUE);
    gtk_widget_set_has_tooltip(widget, TRUE);
    gtk_widget_add_events(widget, GDK_BUTTON_PRESS_MASK |
                                      GDK_BUTTON_RELEASE_MASK |
                                      GDK_BUTTON_MOTION_MASK);
}

GtkWidget *
hpmviz_plotarea_new(const struct hpmviz_plot *plot)
{
    HpmvizPlotarea *area =
        g_object_new(HPMVIZ_TYPE_PLOTAREA, "visible", TRUE, NULL);

    enum { WIDTH = 18, HEIGHT = 8 }; /* lines of text */
    int em = (int)em_of(GTK_WIDGET(area));

    area->plot = plot;
    gtk_widget_set_size_request(GTK_WIDGET(area), WIDTH * em, HEIGHT * em);
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(area)),
                        _(plot->name));
    return GTK_WIDGET(area);
}

void
hpmviz_plotarea_set(HpmvizPlotarea *area, const struct hpmviz_plotdata *data)
{
    static const struct hpmviz_plotdata none = {.selected = HPMVIZ_NONE};

    area->data = data != NULL ? *data : none;
    drop_drawn(area);
    hpmviz_plotarea_drop_lasso(area);
    gtk_widget_queue_draw(GTK_WIDGET(area));
}

void
hpmviz_plotarea_select(HpmvizPlotarea *area, guint row)
{
    area->data.selected = row;
    gtk_widget_queue_draw(GTK_WIDGET(area));
}

void
hpmviz_plotarea_describe(HpmvizPlotarea *area, const char *words)
{
    atk_object_set_description(gtk_widget_get_accessible(GTK_WIDGET(area)),
                               words);
}

gboolean
hpmviz_plotarea_has_lasso(const HpmvizPlotarea *area)
{
    return area->has_lasso && area->data.x != NULL && area->data.x->n > 0;
}

void
hpmviz_plotarea_take(HpmvizPlotarea *area, gboolean *are_taken)
{
    struct hpmviz_canvas canvas = canvas_of(area);

    if (hpmviz_plotarea_has_lasso(area))
        area->plot->take(&canvas, &area->data, &area->lasso, are_taken);
}

void
hpmviz_plotarea_drop_lasso(HpmvizPlotarea *area)
{
    gboolean had_lasso = area->has_lasso;

    area->has_lasso = FALSE;
    area->is_pressed = FALSE;
    if (!had_lasso)
        return;
    gtk_widget_queue_draw(GTK_WIDGET(area));
    g_signal_emit(area, signals[LASSOED], 0);
}
