/* SPDX-License-Identifier: BSD-3-Clause
 * Theme, and size of letters. */
#include "hpmviz/widgets/looks.h"

#include <string.h>

static int
zoom_of(const HpmvizPreferences *preferences, const char *key)
{
    return hpmviz_preferences_get_int(preferences, "view", key,
                                      HPMVIZ_LEAST_ZOOM, HPMVIZ_MOST_ZOOM, 100);
}

/* The minimap has a size of its own.  Line numbers of the dark scheme have a
 * contrast of 2.9. */
static void
show_zoom(HpmvizPreferences *preferences)
{
    GtkCssProvider *provider =
        g_object_get_data(G_OBJECT(preferences), "looks");
    char *css = g_strdup_printf(".hpmviz-source { font-size: %d%%; }\n"
                                "treeview { font-size: %d%%; }\n"
                                ".hpmviz-dark .hpmviz-source .left "
                                "{ color: #d3d7cf; }\n",
                                zoom_of(preferences, "source-zoom"),
                                zoom_of(preferences, "table-zoom"));

    gtk_css_provider_load_from_data(provider, css, -1, NULL);
    g_free(css);
}

/* A theme of its own for dark has "-dark" at the end of its name; most have
 * both looks in one. */
static void
show_theme(HpmvizPreferences *preferences)
{
    GtkSettings *settings = gtk_settings_get_default();
    char *theme =
        hpmviz_preferences_get_string(preferences, "view", "theme", "system");
    char *name;

    gtk_settings_reset_property(settings, "gtk-theme-name");
    gtk_settings_reset_property(settings, "gtk-application-prefer-dark-theme");
    if (strcmp(theme, "system") != 0)
        g_object_set(settings, "gtk-application-prefer-dark-theme",
                     strcmp(theme, "dark") == 0, NULL);
    g_object_get(settings, "gtk-theme-name", &name, NULL);
    if (strcmp(theme, "light") == 0 && g_str_has_suffix(name, "-dark")) {
        name[strlen(name) - strlen("-dark")] = '\0';
        g_object_set(settings, "gtk-theme-name", name, NULL);
    }
    g_free(name);
    g_free(theme);
}

void
hpmviz_looks_follow(HpmvizPreferences *preferences)
{
    GtkCssProvider *provider = gtk_css_provider_new();

    g_object_set_data_full(G_OBJECT(preferences), "looks", provider,
                           g_object_unref);
    gtk_style_context_add_provider_for_screen(
        gdk_screen_get_default(), GTK_STYLE_PROVIDER(provider),
        GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_signal_connect(preferences, "changed::view.theme", G_CALLBACK(show_theme),
                     NULL);
    g_signal_connect(preferences, "changed::view.source-zoom",
                     G_CALLBACK(show_zoom), NULL);
    g_signal_connect(preferences, "changed::view.table-zoom",
                     G_CALLBACK(show_zoom), NULL);
    /* Scrolling a long text step by step lays out what it passes, and is still
     * on the way when the next key is pressed. */
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE,
                 NULL);
    /* What can be copied is not selected because the focus comes by: it would
     * look like a choice, and replace what was selected before. */
    g_object_set(gtk_settings_get_default(), "gtk-label-select-on-focus", FALSE,
                 NULL);
    /* GTK's arrow for what gets less points up. */
    g_object_set(gtk_settings_get_default(), "gtk-alternative-sort-arrows",
                 TRUE, NULL);
    show_theme(preferences);
    show_zoom(preferences);
}

void
hpmviz_looks_zoom(HpmvizPreferences *preferences, const char *key,
                  int direction)
{
    int now = zoom_of(preferences, key);
    int zoom = direction == 0 ? 100 : now + 10 * direction;

    hpmviz_preferences_set_int(
        preferences, "view", key,
        CLAMP(zoom, HPMVIZ_LEAST_ZOOM, HPMVIZ_MOST_ZOOM));
}
