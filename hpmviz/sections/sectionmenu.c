/* SPDX-License-Identifier: BSD-3-Clause
 * The menu of a section in the list. */
#include "hpmviz/sections/sectionmenu.h"

#include <glib/gi18n.h>

static GMenuModel *
make_model(gboolean is_tree)
{
    GMenu *menu = g_menu_new(), *part = g_menu_new();

    g_menu_append(part, _("_Metrics"), "win.metrics");
    g_menu_append(part, _("_Source"), "win.source");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(part));
    g_object_unref(part);
    part = g_menu_new();
    g_menu_append(part, _("_Copy row"), "sections.copy");
    g_menu_append(part, _("_Filter to this"), "sections.filter");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(part));
    g_object_unref(part);
    if (is_tree) {
        part = g_menu_new();
        g_menu_append(part, _("_Expand all"), "sections.expand");
        g_menu_append(part, _("Co_llapse all"), "sections.collapse");
        g_menu_append_section(menu, NULL, G_MENU_MODEL(part));
        g_object_unref(part);
    }
    return G_MENU_MODEL(menu);
}

static void
open_beside_cursor(GtkMenu *menu, GtkTreeView *view)
{
    GtkTreePath *path;
    GdkRectangle row;

    gtk_tree_view_get_cursor(view, &path, NULL);
    gtk_tree_view_get_cell_area(view, path, gtk_tree_view_get_column(view, 0),
                                &row);
    gtk_tree_path_free(path);
    gtk_menu_popup_at_rect(menu, gtk_tree_view_get_bin_window(view), &row,
                           GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST,
                           NULL);
    gtk_menu_shell_select_first(GTK_MENU_SHELL(menu), FALSE);
}

void
hpmviz_sectionmenu_open(GtkTreeView *view, gboolean is_tree,
                        const GdkEvent *event)
{
    GMenuModel *model = make_model(is_tree);
    GtkWidget *menu = gtk_menu_new_from_model(model);

    /* the menu goes with the view, or with the next one */
    gtk_menu_attach_to_widget(GTK_MENU(menu), GTK_WIDGET(view), NULL);
    g_signal_connect(menu, "selection-done", G_CALLBACK(gtk_widget_destroy),
                     NULL);
    if (event != NULL)
        gtk_menu_popup_at_pointer(GTK_MENU(menu), event);
    else
        open_beside_cursor(GTK_MENU(menu), view);
    g_object_unref(model);
}
