/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of how threads differ. */
#include "hpmviz/kinds/kindswindow.h"

#include <glib/gi18n.h>

#include "hpmviz/widgets/safetext.h"

static const char session_key[] = "hpmviz-session",
                  picture_key[] = "hpmviz-picture", box_key[] = "hpmviz-box";

/* ---- one picture ---------------------------------------------------------- */

static const char *const inks[] = {"#2f6fb2", "#a35a00", "#1d7f68", "#96488a",
                                   "#7b5e1d", "#3a6ea8", "#b04a2f", "#4f7a28"};

/* On white, whatever the theme: the hues of groups are chosen for that. */
static void
set_ink(cairo_t *cairo, const struct hpm_picture_shape *shape)
{
    const char *name =
        shape->ink == HPM_INK_SCALE ? "#dcdfe4"
        : shape->ink >= HPM_INK_GROUP
            ? inks[(size_t)(shape->ink - HPM_INK_GROUP) % G_N_ELEMENTS(inks)]
        : shape->kind == HPM_SHAPE_BOX ? inks[0]
        : shape->kind == HPM_SHAPE_DOT ? inks[0]
                                       : "#1c2128";
    GdkRGBA colour;

    gdk_rgba_parse(&colour, name);
    gdk_cairo_set_source_rgba(cairo, &colour);
}

static void
paint_words(GtkWidget *area, cairo_t *cairo,
            const struct hpm_picture_shape *shape)
{
    char *line = hpmviz_safe_line(shape->words != NULL ? shape->words : "");
    PangoLayout *layout = gtk_widget_create_pango_layout(area, line);
    PangoFontDescription *font = pango_font_description_from_string("Sans");
    int width, baseline = pango_layout_get_baseline(layout) / PANGO_SCALE;

    pango_font_description_set_absolute_size(font, 11.0 * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    baseline = pango_layout_get_baseline(layout) / PANGO_SCALE;
    pango_layout_get_pixel_size(layout, &width, NULL);
    cairo_save(cairo);
    cairo_translate(cairo, shape->at[0].x, shape->at[0].y);
    if (shape->is_upright)
        cairo_rotate(cairo, -G_PI / 2);
    cairo_move_to(cairo, -width * (double)shape->anchor / 2.0, -baseline);
    pango_cairo_show_layout(cairo, layout);
    cairo_restore(cairo);
    pango_font_description_free(font);
    g_object_unref(layout);
    g_free(line);
}

static void
paint_shape(GtkWidget *area, cairo_t *cairo,
            const struct hpm_picture_shape *shape)
{
    const struct hpm_picture_place *at = shape->at;

    set_ink(cairo, shape);
    cairo_new_path(cairo); /* words leave a place behind */
    if (shape->kind == HPM_SHAPE_WORDS) {
        paint_words(area, cairo, shape);
    } else if (shape->kind == HPM_SHAPE_LINE) {
        for (size_t i = 0; i < shape->n_at; i++)
            cairo_line_to(cairo, at[i].x, at[i].y);
        cairo_stroke(cairo);
    } else if (shape->kind == HPM_SHAPE_BOX) {
        cairo_rectangle(cairo, at[0].x, at[0].y, at[1].x - at[0].x,
                        at[1].y - at[0].y);
        cairo_fill(cairo);
    } else {
        cairo_arc(cairo, at[0].x, at[0].y, 4.0, 0.0, 2.0 * G_PI);
        cairo_fill(cairo);
    }
}

/* The picture by its number: those of other files take the place of these. */
static const struct hpm_picture *
picture_of(GtkWidget *area)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(area), session_key);
    size_t which =
        GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(area), picture_key));

    return &hpmviz_session_loaded(session)->pictures.all[which];
}

static gboolean
paint(GtkWidget *area, cairo_t *cairo)
{
    const struct hpm_picture *picture = picture_of(area);

    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    cairo_set_line_width(cairo, 1.0);
    for (size_t i = 0; i < picture->n; i++)
        paint_shape(area, cairo, &picture->shapes[i]);
    return TRUE;
}

/* What the nearest dot or the bar below the pointer is. */
static gboolean
on_tooltip(GtkWidget *area, int x, int y, gboolean is_by_keyboard,
           GtkTooltip *tooltip)
{
    const struct hpm_picture *picture = picture_of(area);
    char *line;

    for (size_t i = picture->n; i-- > 0 && !is_by_keyboard;) {
        const struct hpm_picture_shape *shape = &picture->shapes[i];
        double reach = shape->kind == HPM_SHAPE_DOT ? 5.0 : 0.0;
        size_t last = shape->n_at - 1;

        if (shape->kind == HPM_SHAPE_LINE || shape->kind == HPM_SHAPE_WORDS ||
            x < shape->at[0].x - reach || x > shape->at[last].x + reach ||
            y < shape->at[0].y - reach || y > shape->at[last].y + reach)
            continue;
        line = hpmviz_safe_line(shape->words != NULL ? shape->words : "");
        gtk_tooltip_set_text(tooltip, line);
        g_free(line);
        return TRUE;
    }
    return FALSE;
}

/* ---- all of them ---------------------------------------------------------- */

static void
add_picture(GtkContainer *box, HpmvizSession *session, size_t which)
{
    const struct hpm_picture *picture =
        &hpmviz_session_loaded(session)->pictures.all[which];
    char *title = hpmviz_safe_line(hpm_string_text(&picture->title));
    GtkWidget *label = gtk_label_new(title), *area = gtk_drawing_area_new();

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_set_size_request(area, (int)picture->width,
                                (int)picture->height);
    gtk_widget_set_halign(area, GTK_ALIGN_START);
    atk_object_set_name(gtk_widget_get_accessible(area), title);
    g_object_set_data_full(G_OBJECT(area), session_key, g_object_ref(session),
                           g_object_unref);
    g_object_set_data(G_OBJECT(area), picture_key, GSIZE_TO_POINTER(which));
    gtk_widget_set_has_tooltip(area, TRUE);
    g_signal_connect(area, "draw", G_CALLBACK(paint), NULL);
    g_signal_connect(area, "query-tooltip", G_CALLBACK(on_tooltip), NULL);
    gtk_container_add(box, label);
    gtk_container_add(box, area);
    gtk_widget_show(label);
    gtk_widget_show(area);
    g_free(title);
}

static void
show(GtkWidget *window)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(window), session_key);
    GtkContainer *box = g_object_get_data(G_OBJECT(window), box_key);
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);

    gtk_container_foreach(box, (GtkCallback)(void (*)(void))gtk_widget_destroy,
                          NULL);
    for (size_t i = 0; loaded != NULL && i < HPM_N_KINDPICTURES; i++) {
        if (loaded->pictures.all[i].n > 0)
            add_picture(box, session, i);
    }
}

GtkWidget *
hpmviz_kindswindow_new(HpmvizSession *session, GtkWindow *parent)
{
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);

    gtk_window_set_title(GTK_WINDOW(window), _("How threads differ"));
    gtk_window_set_default_size(GTK_WINDOW(window), 900, 700);
    gtk_window_set_transient_for(GTK_WINDOW(window), parent);
    gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
    gtk_container_set_border_width(GTK_CONTAINER(box), 12);
    gtk_container_add(GTK_CONTAINER(scroller), box);
    gtk_container_add(GTK_CONTAINER(window), scroller);
    gtk_widget_show_all(scroller);
    g_object_set_data_full(G_OBJECT(window), session_key, g_object_ref(session),
                           g_object_unref);
    g_object_set_data(G_OBJECT(window), box_key, box);
    g_signal_connect_object(session, "loaded", G_CALLBACK(show), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(show), window,
                            G_CONNECT_SWAPPED);
    show(window);
    return window;
}
