/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of a table as items of a menu. */
#include "hpmviz/widgets/columnmenu.h"

#include <string.h>

#include "hpmviz/widgets/columns.h"
#include "hpmviz/widgets/tablecolumn.h"

struct hpmviz_columnmenu {
    GtkTreeView *view;
    GMenu *menu;
    GActionMap *actions;
    char *prefix;
    guint n;
};

struct hpmviz_columnmenu *
hpmviz_columnmenu_new(GtkTreeView *view, GMenu *menu, GActionMap *actions,
                      const char *prefix)
{
    struct hpmviz_columnmenu *new = g_new0(struct hpmviz_columnmenu, 1);

    new->view = view;
    new->menu = g_object_ref(menu);
    new->actions = g_object_ref(actions);
    new->prefix = g_strdup(prefix);
    return new;
}

void
hpmviz_columnmenu_free(struct hpmviz_columnmenu *menu)
{
    if (menu == NULL)
        return;
    g_object_unref(menu->menu);
    g_object_unref(menu->actions);
    g_free(menu->prefix);
    g_free(menu);
}

/* ---- one column ------------------------------------------------------ */

static char *
name_of(guint index)
{
    return g_strdup_printf("column-%u", index);
}

static void
on_toggle(gpointer data, GVariant *state)
{
    hpmviz_columns_show(GTK_TREE_VIEW(gtk_tree_view_column_get_tree_view(data)),
                        data, g_variant_get_boolean(state));
}

/* However it came about: the menu says so. */
static void
on_visible(GtkTreeViewColumn *column, GParamSpec *property, gpointer action)
{
    (void)property;
    g_simple_action_set_state(
        action,
        g_variant_new_boolean(gtk_tree_view_column_get_visible(column)));
}

/* A name may have underscores, which are mnemonics in a menu. */
static void
add_item(struct hpmviz_columnmenu *menu, const char *title, const char *name)
{
    char **parts = g_strsplit(title, "_", -1);
    char *label = g_strjoinv("__", parts);
    char *detailed = g_strdup_printf("%s.%s", menu->prefix, name);

    g_menu_append(menu->menu, label, detailed);
    g_free(detailed);
    g_free(label);
    g_strfreev(parts);
}

static void
add_column(struct hpmviz_columnmenu *menu, GtkTreeViewColumn *column)
{
    char *name = name_of(hpmviz_tablecolumn_index(column));
    GSimpleAction *action = g_simple_action_new_stateful(
        name, NULL,
        g_variant_new_boolean(gtk_tree_view_column_get_visible(column)));

    g_signal_connect_object(action, "change-state", G_CALLBACK(on_toggle),
                            column, G_CONNECT_SWAPPED);
    g_signal_connect_object(column, "notify::visible", G_CALLBACK(on_visible),
                            action, 0);
    g_action_map_add_action(menu->actions, G_ACTION(action));
    add_item(menu, gtk_tree_view_column_get_title(column), name);
    g_object_unref(action);
    g_free(name);
}

/* ---- all of them ----------------------------------------------------- */

void
hpmviz_columnmenu_list(struct hpmviz_columnmenu *menu)
{
    GtkTreeViewColumn *column;

    g_menu_remove_all(menu->menu);
    for (guint i = 0; i < menu->n; i++) {
        char *name = name_of(i);

        g_action_map_remove_action(menu->actions, name);
        g_free(name);
    }
    menu->n = gtk_tree_view_get_n_columns(menu->view);
    for (int i = 0; (column = gtk_tree_view_get_column(menu->view, i)) != NULL;
         i++)
        add_column(menu, column);
}

void
hpmviz_columnmenu_show_all(struct hpmviz_columnmenu *menu)
{
    GtkTreeViewColumn *column;

    for (int i = 0; (column = gtk_tree_view_get_column(menu->view, i)) != NULL;
         i++)
        hpmviz_columns_show(menu->view, column, TRUE);
}
