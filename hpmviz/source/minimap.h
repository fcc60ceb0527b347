/* SPDX-License-Identifier: BSD-3-Clause
 * The whole source at a glance, with the sections in it. */
#ifndef HPMVIZ_SOURCE_MINIMAP_H
#define HPMVIZ_SOURCE_MINIMAP_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/source/heat.h"

#define HPMVIZ_TYPE_MINIMAP (hpmviz_minimap_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMinimap, hpmviz_minimap, HPMVIZ, MINIMAP,
                     GtkSourceMap)

/* Show these, which must last until others, or NULL, are set. */
void hpmviz_minimap_set(HpmvizMinimap *map, const struct hpmviz_heat *heat);

#endif
