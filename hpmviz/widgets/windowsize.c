/* SPDX-License-Identifier: BSD-3-Clause
 * The size of a window, remembered. */
#include "hpmviz/widgets/windowsize.h"

enum { LEAST = 100, MOST = 20000 };

struct windowsize {
    HpmvizPreferences *preferences;
    char *group;
    int width, height; /* 0: it was never shown */
};

static void
free_size(gpointer data, GClosure *closure)
{
    struct windowsize *size = data;

    (void)closure;
    g_object_unref(size->preferences);
    g_free(size->group);
    g_free(size);
}

/* Asked for while there is the window: when it is destroyed it has none. */
static void
on_allocated(GtkWindow *window, GdkRectangle *allocation, gpointer data)
{
    struct windowsize *size = data;

    (void)allocation;
    if (!gtk_window_is_maximized(window))
        gtk_window_get_size(window, &size->width, &size->height);
}

static void
on_destroy(GtkWindow *window, gpointer data)
{
    struct windowsize *size = data;

    (void)window;
    if (size->width == 0)
        return;
    hpmviz_preferences_set_int(size->preferences, size->group, "width",
                               size->width);
    hpmviz_preferences_set_int(size->preferences, size->group, "height",
                               size->height);
}

static void
restore(GtkWindow *window, const struct windowsize *size, int digits, int lines)
{
    g_autoptr(PangoLayout) layout =
        gtk_widget_create_pango_layout(GTK_WIDGET(window), "0");
    int width, height;

    pango_layout_get_pixel_size(layout, &width, &height);
    width = hpmviz_preferences_get_int(size->preferences, size->group, "width",
                                       LEAST, MOST, digits * width);
    height = hpmviz_preferences_get_int(size->preferences, size->group,
                                        "height", LEAST, MOST, lines * height);
    gtk_window_set_default_size(window, width, height);
}

void
hpmviz_windowsize_remember(GtkWindow *window, HpmvizPreferences *preferences,
                           const char *group, int digits, int lines)
{
    struct windowsize *size = g_new0(struct windowsize, 1);

    size->preferences = g_object_ref(preferences);
    size->group = g_strdup(group);
    restore(window, size, digits, lines);
    g_signal_connect(window, "size-allocate", G_CALLBACK(on_allocated), size);
    g_signal_connect_data(window, "destroy", G_CALLBACK(on_destroy), size,
                          free_size, 0);
}
