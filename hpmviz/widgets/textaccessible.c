/* SPDX-License-Identifier: BSD-3-Clause
 * A text cell that may not be on the screen yet.
 *
 * GTK answers where a cell is out of the list's window.  A page of a notebook that
 * was never turned to, and a window that is just being opened, have lists without
 * one: there GTK would print an error for each cell that somebody asks about. */
#include "hpmviz/widgets/textaccessible.h"

static AtkComponentIface *parent_component;

static void
get_extents(AtkComponent *component, int *ret_x, int *ret_y, int *ret_width,
            int *ret_height, AtkCoordType type)
{
    GtkWidget *list = gtk_accessible_get_widget(GTK_ACCESSIBLE(component));

    if (list != NULL && gtk_widget_get_realized(list))
        parent_component->get_extents(component, ret_x, ret_y, ret_width,
                                      ret_height, type);
    else
        *ret_x = *ret_y = *ret_width = *ret_height = -1;
}

static void
component_init(AtkComponentIface *interface)
{
    parent_component = g_type_interface_peek_parent(interface);
    interface->get_extents = get_extents;
}

G_DEFINE_TYPE_WITH_CODE(HpmvizTextaccessible, hpmviz_textaccessible,
                        GTK_TYPE_TEXT_CELL_ACCESSIBLE,
                        G_IMPLEMENT_INTERFACE(ATK_TYPE_COMPONENT,
                                              component_init))

static void
hpmviz_textaccessible_class_init(HpmvizTextaccessibleClass *class)
{
    (void)class;
}

static void
hpmviz_textaccessible_init(HpmvizTextaccessible *accessible)
{
    (void)accessible;
}

/* The class is kept: GTK makes classes of cells when the first cell is made. */
void
hpmviz_textaccessible_use(void)
{
    gtk_cell_renderer_class_set_accessible_type(
        g_type_class_ref(GTK_TYPE_CELL_RENDERER_TEXT),
        HPMVIZ_TYPE_TEXTACCESSIBLE);
}
