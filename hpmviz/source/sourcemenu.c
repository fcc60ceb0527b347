/* SPDX-License-Identifier: BSD-3-Clause
 * The menu of a source. */
#include "hpmviz/source/sourcemenu.h"

#include <glib/gi18n.h>

static void
add_items(GtkTextView *view, GtkWidget *menu)
{
    static const struct {
        const char *action, *label;
    } items[] = {
        {"win.instrument", N_("_Instrument lines")},
        {"win.uninstrument", N_("_Remove the section's calls")},
        {"win.measure-function", N_("Measure this _function")},
    };
    int place = 0;

    (void)view;
    if (!GTK_IS_MENU(menu))
        return;
    for (gsize i = 0; i < G_N_ELEMENTS(items); i++) {
        GtkWidget *item = gtk_menu_item_new_with_mnemonic(_(items[i].label));

        gtk_actionable_set_action_name(GTK_ACTIONABLE(item), items[i].action);
        gtk_menu_shell_insert(GTK_MENU_SHELL(menu), item, place++);
    }
    gtk_menu_shell_insert(GTK_MENU_SHELL(menu), gtk_separator_menu_item_new(),
                          place);
    gtk_widget_show_all(menu);
}

void
hpmviz_sourcemenu_attach(GtkTextView *view)
{
    g_signal_connect(view, "populate-popup", G_CALLBACK(add_items), NULL);
}
