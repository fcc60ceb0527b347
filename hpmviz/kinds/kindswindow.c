/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of how threads differ. */
#include "hpmviz/kinds/kindswindow.h"

#include <glib/gi18n.h>

#include "hpmviz/kinds/groupchooser.h"
#include "hpmviz/kinds/kindswords.h"
#include "hpmviz/widgets/cell.h"
#include "hpmviz/widgets/escape.h"

static const char session_key[] = "hpmviz-session",
                  picture_key[] = "hpmviz-picture", box_key[] = "hpmviz-box",
                  words_key[] = "hpmviz-words";

/* ---- one picture ---------------------------------------------------------- */

/* Of a light theme, and of a dark one. */
static const struct colours {
    const char *ground, *scale, *words;
} colours[] = {{"#ffffff", "#dcdfe4", "#1c2128"},
               {"#14171c", "#3c4450", "#e4e8ee"}};

static void
set_colour(cairo_t *cairo, const char *name)
{
    GdkRGBA colour;

    gdk_rgba_parse(&colour, name);
    gdk_cairo_set_source_rgba(cairo, &colour);
}

static void
set_ink(GtkWidget *area, cairo_t *cairo, const struct hpm_picture_shape *shape)
{
    gboolean is_dark = hpmviz_cell_is_dark(area);
    const struct colours *here = &colours[is_dark ? 1 : 0];

    if (shape->ink >= HPM_INK_GROUP)
        set_colour(cairo, hpmviz_groupchooser_colour(
                              is_dark, (size_t)(shape->ink - HPM_INK_GROUP)));
    else if (shape->ink == HPM_INK_SCALE)
        set_colour(cairo, here->scale);
    else if (shape->kind == HPM_SHAPE_BOX || shape->kind == HPM_SHAPE_DOT)
        set_colour(cairo, hpmviz_groupchooser_colour(is_dark, 0));
    else
        set_colour(cairo, here->words);
}

/* To translate hundreds of names takes too long for each time of painting. */
static const char *
words_of(GtkWidget *area, const struct hpm_picture_shape *shape)
{
    GHashTable *known = g_object_get_data(G_OBJECT(area), words_key);
    char *line;

    if (shape->words == NULL)
        return "";
    line = g_hash_table_lookup(known, shape->words);
    if (line == NULL) {
        line = hpmviz_kindswords_line(shape->words);
        g_hash_table_insert(known, g_strdup(shape->words), line);
    }
    return line;
}

static void
paint_words(GtkWidget *area, cairo_t *cairo,
            const struct hpm_picture_shape *shape)
{
    PangoLayout *layout =
        gtk_widget_create_pango_layout(area, words_of(area, shape));
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
}

static void
paint_shape(GtkWidget *area, cairo_t *cairo,
            const struct hpm_picture_shape *shape)
{
    const struct hpm_picture_place *at = shape->at;

    set_ink(area, cairo, shape);
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

    return &hpmviz_loaded_whole(hpmviz_session_loaded(session))
                ->pictures.all[which];
}

static gboolean
paint(GtkWidget *area, cairo_t *cairo)
{
    const struct hpm_picture *picture = picture_of(area);

    set_colour(cairo, colours[hpmviz_cell_is_dark(area)].ground);
    cairo_paint(cairo);
    cairo_set_line_width(cairo, 1.0);
    for (size_t i = 0; i < picture->n; i++)
        paint_shape(area, cairo, &picture->shapes[i]);
    return TRUE;
}

/* The nearest dot or the bar below the pointer, or NULL. */
static const struct hpm_picture_shape *
shape_at(GtkWidget *area, double x, double y)
{
    const struct hpm_picture *picture = picture_of(area);

    for (size_t i = picture->n; i-- > 0;) {
        const struct hpm_picture_shape *shape = &picture->shapes[i];
        double reach = shape->kind == HPM_SHAPE_DOT ? 5.0 : 0.0;
        size_t last = shape->n_at - 1;

        if (shape->kind != HPM_SHAPE_LINE && shape->kind != HPM_SHAPE_WORDS &&
            x >= shape->at[0].x - reach && x <= shape->at[last].x + reach &&
            y >= shape->at[0].y - reach && y <= shape->at[last].y + reach)
            return shape;
    }
    return NULL;
}

static gboolean
on_tooltip(GtkWidget *area, int x, int y, gboolean is_by_keyboard,
           GtkTooltip *tooltip)
{
    const struct hpm_picture_shape *shape =
        is_by_keyboard ? NULL : shape_at(area, x, y);

    if (shape != NULL)
        gtk_tooltip_set_text(tooltip, words_of(area, shape));
    return shape != NULL;
}

/* A click on a thread shows only its group.  Bars have colours of groups for other
 * things. */
static gboolean
on_pressed(GtkWidget *area, GdkEventButton *event)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(area), session_key);
    const struct hpm_picture_shape *shape = shape_at(area, event->x, event->y);

    if (shape == NULL || shape->kind != HPM_SHAPE_DOT ||
        shape->ink < HPM_INK_GROUP || event->button != GDK_BUTTON_PRIMARY)
        return FALSE;
    hpmviz_session_restrict(session, (size_t)(shape->ink - HPM_INK_GROUP));
    return TRUE;
}

/* ---- all of them ---------------------------------------------------------- */

static void
add_picture(GtkContainer *box, HpmvizSession *session, size_t which)
{
    const struct hpm_picture *picture =
        &hpmviz_loaded_whole(hpmviz_session_loaded(session))
             ->pictures.all[which];
    char *title = hpmviz_kindswords_line(hpm_string_text(&picture->title));
    GtkWidget *label = gtk_label_new(title), *area = gtk_drawing_area_new();

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_set_size_request(area, (int)picture->width,
                                (int)picture->height);
    gtk_widget_set_halign(area, GTK_ALIGN_START);
    atk_object_set_name(gtk_widget_get_accessible(area), title);
    g_object_set_data_full(G_OBJECT(area), session_key, g_object_ref(session),
                           g_object_unref);
    g_object_set_data(G_OBJECT(area), picture_key, GSIZE_TO_POINTER(which));
    g_object_set_data_full(
        G_OBJECT(area), words_key,
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        (GDestroyNotify)g_hash_table_unref);
    gtk_widget_set_has_tooltip(area, TRUE);
    g_signal_connect(area, "draw", G_CALLBACK(paint), NULL);
    g_signal_connect(area, "query-tooltip", G_CALLBACK(on_tooltip), NULL);
    gtk_widget_add_events(area, GDK_BUTTON_PRESS_MASK);
    g_signal_connect(area, "button-press-event", G_CALLBACK(on_pressed), NULL);
    gtk_container_add(box, label);
    gtk_container_add(box, area);
    gtk_widget_show(label);
    gtk_widget_show(area);
    g_free(title);
}

/* Why there is none, where the files of before had some. */
static char *
reason_of(const struct hpmviz_loaded *loaded)
{
    if (loaded != NULL && loaded->kinds != NULL && *loaded->kinds != '\0')
        return hpmviz_kindswords_line(loaded->kinds);
    if (loaded != NULL && loaded->sections->options.is_brief)
        return g_strdup(
            _("No pictures yet: not all metrics have been worked out."));
    return g_strdup(_("No pictures: they take at least 12 threads of a "
                      "section, and two metrics in which threads differ; a "
                      "difference of runs has none."));
}

static void
add_reason(GtkContainer *box, const struct hpmviz_loaded *loaded)
{
    char *reason = reason_of(loaded);
    GtkWidget *label = gtk_label_new(reason);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_container_add(box, label);
    gtk_widget_show(label);
    g_free(reason);
}

/* Above the pictures. */
static void
add_chooser(GtkContainer *box, HpmvizSession *session)
{
    GtkWidget *chooser =
        hpmviz_groupchooser_new(session, hpmviz_cell_is_dark(GTK_WIDGET(box)));

    if (chooser != NULL)
        gtk_container_add(box, chooser);
}

static void
show(GtkWidget *window)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(window), session_key);
    GtkContainer *box = g_object_get_data(G_OBJECT(window), box_key);
    const struct hpmviz_loaded *loaded =
        hpmviz_loaded_whole(hpmviz_session_loaded(session));
    gboolean has_pictures = FALSE;

    gtk_container_foreach(box, (GtkCallback)(void (*)(void))gtk_widget_destroy,
                          NULL);
    add_chooser(box, session);
    for (size_t i = 0; loaded != NULL && i < HPM_N_KINDPICTURES; i++) {
        if (loaded->pictures.all[i].n > 0) {
            add_picture(box, session, i);
            has_pictures = TRUE;
        }
    }
    if (!has_pictures)
        add_reason(box, loaded);
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
    hpmviz_escape_closes(window);
    show(window);
    return window;
}
