/* SPDX-License-Identifier: BSD-3-Clause
 * What the commands of a main window are about. */
#include "hpmviz/shell/parts.h"

void
hpmviz_parts_add(struct hpmviz_parts *parts,
                 const struct hpmviz_command *commands, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        GSimpleAction *action = g_simple_action_new(commands[i].name, NULL);

        g_signal_connect_swapped(action, "activate",
                                 G_CALLBACK(commands[i].act), parts);
        g_action_map_add_action(G_ACTION_MAP(parts->window), G_ACTION(action));
        g_object_unref(action);
    }
}

void
hpmviz_parts_watch(struct hpmviz_parts *parts, gpointer object,
                   const char *signal,
                   void (*react)(struct hpmviz_parts *parts))
{
    GClosure *closure = g_cclosure_new_swap(G_CALLBACK(react), parts, NULL);

    g_object_watch_closure(G_OBJECT(parts->window), closure);
    g_signal_connect_closure(object, signal, closure, FALSE);
}

void
hpmviz_parts_enable(const struct hpmviz_parts *parts, const char *action,
                    gboolean is_enabled)
{
    g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(
                                    G_ACTION_MAP(parts->window), action)),
                                is_enabled);
}
