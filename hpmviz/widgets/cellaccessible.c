/* SPDX-License-Identifier: BSD-3-Clause
 * A cell as assistive technologies see it. */
#include "hpmviz/widgets/cellaccessible.h"

struct _HpmvizCellaccessible {
    HpmvizTextaccessible parent_instance;
    char *description; /* the last that was asked for */
};

static hpmviz_cellaccessible_describe *describe_cell;

G_DEFINE_TYPE(HpmvizCellaccessible, hpmviz_cellaccessible,
              HPMVIZ_TYPE_TEXTACCESSIBLE)

/* Made when it is read: the text of all cells that are drawn would be much work
 * for nobody. */
static const char *
get_description(AtkObject *object)
{
    HpmvizCellaccessible *accessible = HPMVIZ_CELLACCESSIBLE(object);
    GtkCellRenderer *renderer = NULL;
    int row, column;

    g_clear_pointer(&accessible->description, g_free);
    g_object_get(object, "renderer", &renderer, NULL);
    if (renderer == NULL)
        return NULL;
    if (atk_table_cell_get_position(ATK_TABLE_CELL(object), &row, &column) &&
        row >= 0)
        accessible->description = describe_cell(renderer, (guint)row);
    g_object_unref(renderer);
    return accessible->description;
}

static void
finalize(GObject *object)
{
    g_free(HPMVIZ_CELLACCESSIBLE(object)->description);
    G_OBJECT_CLASS(hpmviz_cellaccessible_parent_class)->finalize(object);
}

static void
hpmviz_cellaccessible_class_init(HpmvizCellaccessibleClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    ATK_OBJECT_CLASS(class)->get_description = get_description;
}

static void
hpmviz_cellaccessible_init(HpmvizCellaccessible *accessible)
{
    (void)accessible;
}

void
hpmviz_cellaccessible_use(hpmviz_cellaccessible_describe *describe)
{
    describe_cell = describe;
}
