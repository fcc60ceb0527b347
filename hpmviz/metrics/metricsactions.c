/* SPDX-License-Identifier: BSD-3-Clause
 * What the menus and keys of a window of metrics do. */
#include "hpmviz/metrics/metricsactions.h"

#include "hpmviz/widgets/columnmenu.h"
#include "hpmviz/widgets/columns.h"

struct hpmviz_metricsactions {
    GtkWindow *window;
    HpmvizSession *session;
    struct hpmviz_metricspages *pages;
    struct hpmviz_metricsexport *export;
    GSimpleActionGroup *group;
    GtkBuilder *menus;
    struct hpmviz_columnmenu *columns;
};

/* ---- commands --------------------------------------------------------- */

static void
act_reload(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    hpmviz_session_reload(actions->session);
}

static void
act_export(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    hpmviz_metricsexport_ask(actions->export);
}

static void
act_print(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    g_signal_emit_by_name(actions->window, "print");
}

static void
act_close(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    gtk_window_close(actions->window);
}

static void
act_copy(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    hpmviz_metricspages_copy(actions->pages,
                             gtk_window_get_focus(actions->window));
}

static void
act_copy_csv(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    hpmviz_metricspages_copy_csv(actions->pages);
}

/* ---- columns ---------------------------------------------------------- */

static GtkTreeView *
table_of(gpointer actions)
{
    return hpmviz_metricstable_view(
        ((struct hpmviz_metricsactions *)actions)->pages->table);
}

static void
act_choose(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_columns_choose(table_of(data));
}

static void
act_all(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;

    (void)action;
    (void)parameter;
    hpmviz_columnmenu_show_all(actions->columns);
}

static void
act_reset(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_columns_reset(table_of(data));
}

void
hpmviz_metricsactions_list(struct hpmviz_metricsactions *actions)
{
    hpmviz_columnmenu_list(actions->columns);
}

/* ---- the view --------------------------------------------------------- */

static const char single_name[] = "single", double_name[] = "double";

static void
choose_precision(GSimpleAction *action, GVariant *value, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;
    struct hpmviz_view view = *hpmviz_session_view(actions->session);

    (void)action;
    view.precision = g_str_equal(g_variant_get_string(value, NULL), single_name)
                         ? HPM_PRECISION_SINGLE
                         : HPM_PRECISION_DOUBLE;
    hpmviz_session_set_view(actions->session, &view);
}

static void
choose_palette(GSimpleAction *action, GVariant *value, gpointer data)
{
    struct hpmviz_metricsactions *actions = data;
    struct hpmviz_view view = *hpmviz_session_view(actions->session);

    (void)action;
    view.palette = hpmviz_palette_find(g_variant_get_string(value, NULL));
    hpmviz_session_set_view(actions->session, &view);
}

static void
set_state(struct hpmviz_metricsactions *actions, const char *name,
          const char *state)
{
    g_simple_action_set_state(G_SIMPLE_ACTION(g_action_map_lookup_action(
                                  G_ACTION_MAP(actions->group), name)),
                              g_variant_new_string(state));
}

void
hpmviz_metricsactions_show_view(struct hpmviz_metricsactions *actions)
{
    const struct hpmviz_view *view = hpmviz_session_view(actions->session);

    set_state(actions, "precision",
              view->precision == HPM_PRECISION_SINGLE ? single_name
                                                      : double_name);
    set_state(actions, "palette", hpmviz_palette_name(view->palette));
}

/* ---- making them ------------------------------------------------------ */

static const GActionEntry entries[] = {
    {"reload", act_reload, NULL, NULL, NULL, {0}},
    {"export", act_export, NULL, NULL, NULL, {0}},
    {"print", act_print, NULL, NULL, NULL, {0}},
    {"close", act_close, NULL, NULL, NULL, {0}},
    {"copy", act_copy, NULL, NULL, NULL, {0}},
    {"copy-csv", act_copy_csv, NULL, NULL, NULL, {0}},
    {"choose", act_choose, NULL, NULL, NULL, {0}},
    {"all", act_all, NULL, NULL, NULL, {0}},
    {"reset", act_reset, NULL, NULL, NULL, {0}},
    {"precision", NULL, "s", "'double'", choose_precision, {0}},
    {"palette", NULL, "s", "'red-green'", choose_palette, {0}},
};

static void
set_accelerators(GtkApplication *application)
{
    static const struct {
        const char *action, *keys[2];
    } all[] = {
        {"metrics.close", {"<Control>w", NULL}},
        {"metrics.copy", {"<Control>c", NULL}},
        {"metrics.copy-csv", {"<Control><Shift>c", NULL}},
        {"metrics.export", {"<Control>e", NULL}},
        {"metrics.print", {"<Control>p", NULL}},
        {"metrics.reload", {"F5", NULL}},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(all) && application != NULL; i++)
        gtk_application_set_accels_for_action(application, all[i].action,
                                              all[i].keys);
}

struct hpmviz_metricsactions *
hpmviz_metricsactions_new(GtkWindow *window, HpmvizSession *session,
                          struct hpmviz_metricspages *pages,
                          struct hpmviz_metricsexport *export)
{
    struct hpmviz_metricsactions *actions =
        g_new0(struct hpmviz_metricsactions, 1);

    actions->window = window;
    actions->session = session;
    actions->pages = pages;
    actions->export = export;
    actions->group = g_simple_action_group_new();
    g_action_map_add_action_entries(G_ACTION_MAP(actions->group), entries,
                                    G_N_ELEMENTS(entries), actions);
    gtk_widget_insert_action_group(GTK_WIDGET(window), "metrics",
                                   G_ACTION_GROUP(actions->group));
    set_accelerators(gtk_window_get_application(window));
    actions->menus =
        gtk_builder_new_from_resource("/org/hpmtoolkit/hpmviz/metricsmenus.ui");
    actions->columns = hpmviz_columnmenu_new(
        table_of(actions),
        G_MENU(gtk_builder_get_object(actions->menus, "toggles")),
        G_ACTION_MAP(actions->group), "metrics");
    return actions;
}

void
hpmviz_metricsactions_free(struct hpmviz_metricsactions *actions)
{
    if (actions == NULL)
        return;
    hpmviz_columnmenu_free(actions->columns);
    g_object_unref(actions->menus);
    g_object_unref(actions->group);
    g_free(actions);
}

GtkWidget *
hpmviz_metricsactions_menubar(struct hpmviz_metricsactions *actions)
{
    GtkWidget *bar = gtk_menu_bar_new_from_model(
        G_MENU_MODEL(gtk_builder_get_object(actions->menus, "menubar")));

    gtk_widget_show(bar);
    return bar;
}
