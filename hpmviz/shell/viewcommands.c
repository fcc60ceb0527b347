/* SPDX-License-Identifier: BSD-3-Clause
 * How things are looked at. */
#include "hpmviz/shell/viewcommands.h"

#include <string.h>

#include "hpmviz/shell/taskchooser.h"
#include "hpmviz/widgets/looks.h"

/* ---- choices of the session's view ----------------------------------- */

static const char *
precision_name(enum hpm_precision precision)
{
    return precision == HPM_PRECISION_SINGLE ? "single" : "double";
}

static const char *
scope_name(int scope)
{
    return scope == HPM_SCOPE_PROCESS ? "process" : "thread";
}

/* The view with another value of what the action is about.  There is no worst
 * value where no metric is shown: which of them is asked. */
static void
choose(GSimpleAction *action, GVariant *value, gpointer data)
{
    struct hpmviz_parts *parts = data;
    struct hpmviz_view view = *hpmviz_session_view(parts->session);
    const char *what = g_action_get_name(G_ACTION(action));

    if (strcmp(what, "tree") == 0) {
        view.is_tree = g_variant_get_boolean(value);
    } else {
        const char *word = g_variant_get_string(value, NULL);

        if (strcmp(what, "statistic") == 0 && strcmp(word, "task") == 0) {
            hpmviz_taskchooser_open(GTK_WINDOW(parts->window), parts->session);
            return;
        }
        if (strcmp(what, "statistic") == 0)
            view.statistic = hpmviz_statistic_find(word);
        else if (strcmp(what, "palette") == 0)
            view.palette = hpmviz_palette_find(word);
        else if (strcmp(what, "precision") == 0)
            view.precision = strcmp(word, "single") == 0 ? HPM_PRECISION_SINGLE
                                                         : HPM_PRECISION_DOUBLE;
        else
            view.scope = strcmp(word, "process") == 0 ? HPM_SCOPE_PROCESS
                                                      : HPM_SCOPE_THREAD;
    }
    hpmviz_session_set_view(parts->session, &view);
    if (strcmp(what, "statistic") == 0 &&
        view.statistic == HPMVIZ_STATISTIC_WORST &&
        !hpmviz_sectionspane_has_metric(parts->sections))
        hpmviz_sectionspane_choose_columns(parts->sections);
}

static void
set_state(const struct hpmviz_parts *parts, const char *name, GVariant *state)
{
    g_simple_action_set_state(G_SIMPLE_ACTION(g_action_map_lookup_action(
                                  G_ACTION_MAP(parts->window), name)),
                              state);
}

static void
show_view(struct hpmviz_parts *parts)
{
    const struct hpmviz_view *view = hpmviz_session_view(parts->session);

    set_state(parts, "statistic",
              g_variant_new_string(hpmviz_statistic_name(view->statistic)));
    set_state(parts, "palette",
              g_variant_new_string(hpmviz_palette_name(view->palette)));
    set_state(parts, "precision",
              g_variant_new_string(precision_name(view->precision)));
    set_state(parts, "scope", g_variant_new_string(scope_name(view->scope)));
    set_state(parts, "tree", g_variant_new_boolean(view->is_tree));
}

static const GActionEntry choices[] = {
    {"statistic", NULL, "s", "'max'", choose, {0}},
    {"precision", NULL, "s", "'double'", choose, {0}},
    {"palette", NULL, "s", "'red-green'", choose, {0}},
    {"scope", NULL, "s", "'thread'", choose, {0}},
    {"tree", NULL, NULL, "false", choose, {0}},
};

/* ---- preferences ----------------------------------------------------- */

static void
choose_flag(GSimpleAction *action, GVariant *value, gpointer data)
{
    const struct hpmviz_parts *parts = data;

    hpmviz_preferences_set_flag(hpmviz_session_preferences(parts->session),
                                "view", g_action_get_name(G_ACTION(action)),
                                g_variant_get_boolean(value));
}

static void
choose_theme(GSimpleAction *action, GVariant *value, gpointer data)
{
    const struct hpmviz_parts *parts = data;

    (void)action;
    hpmviz_preferences_set_string(hpmviz_session_preferences(parts->session),
                                  "view", "theme",
                                  g_variant_get_string(value, NULL));
}

static const GActionEntry preferences_choices[] = {
    {"theme", NULL, "s", "'system'", choose_theme, {0}},
    {"minimap", NULL, NULL, "true", choose_flag, {0}},
    {"toolbar", NULL, NULL, "true", choose_flag, {0}},
};

static void
show_preferences(struct hpmviz_parts *parts)
{
    const HpmvizPreferences *preferences =
        hpmviz_session_preferences(parts->session);
    char *theme =
        hpmviz_preferences_get_string(preferences, "view", "theme", "system");

    set_state(parts, "theme", g_variant_new_string(theme));
    set_state(parts, "minimap",
              g_variant_new_boolean(hpmviz_preferences_get_flag(
                  preferences, "view", "minimap", TRUE)));
    set_state(parts, "toolbar",
              g_variant_new_boolean(hpmviz_preferences_get_flag(
                  preferences, "view", "toolbar", TRUE)));
    g_free(theme);
}

/* ---- size of letters ------------------------------------------------- */

/* Of the source where that has the focus, of tables elsewhere. */
static void
zoom(struct hpmviz_parts *parts, int direction)
{
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(parts->window));
    gboolean is_source = focus != NULL && gtk_widget_is_ancestor(
                                              focus, GTK_WIDGET(parts->source));

    hpmviz_looks_zoom(hpmviz_session_preferences(parts->session),
                      is_source ? "source-zoom" : "table-zoom", direction);
}

static void
zoom_in(struct hpmviz_parts *parts)
{
    zoom(parts, 1);
}

static void
zoom_out(struct hpmviz_parts *parts)
{
    zoom(parts, -1);
}

static void
zoom_normal(struct hpmviz_parts *parts)
{
    zoom(parts, 0);
}

static void
choose_columns(struct hpmviz_parts *parts)
{
    hpmviz_sectionspane_choose_columns(parts->sections);
}

static const struct hpmviz_command commands[] = {
    {"zoom-in", zoom_in},
    {"zoom-out", zoom_out},
    {"zoom-normal", zoom_normal},
    {"columns", choose_columns},
};

void
hpmviz_viewcommands_add(struct hpmviz_parts *parts)
{
    HpmvizPreferences *preferences = hpmviz_session_preferences(parts->session);
    GActionMap *map = G_ACTION_MAP(parts->window);

    g_action_map_add_action_entries(map, choices, G_N_ELEMENTS(choices), parts);
    g_action_map_add_action_entries(map, preferences_choices,
                                    G_N_ELEMENTS(preferences_choices), parts);
    hpmviz_parts_add(parts, commands, G_N_ELEMENTS(commands));
    hpmviz_parts_watch(parts, parts->session, "viewed", show_view);
    hpmviz_parts_watch(parts, parts->session, "loaded", show_view);
    hpmviz_parts_watch(parts, preferences, "changed", show_preferences);
    show_view(parts);
    show_preferences(parts);
}
