/* SPDX-License-Identifier: BSD-3-Clause
 * The strip beside the source that shows how many samples each line has, as a bar
 * and a number. */
#ifndef HPMVIZ_SOURCE_SAMPLEGUTTER_H
#define HPMVIZ_SOURCE_SAMPLEGUTTER_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/source/lineheat.h"

#define HPMVIZ_TYPE_SAMPLEGUTTER (hpmviz_samplegutter_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSamplegutter, hpmviz_samplegutter, HPMVIZ,
                     SAMPLEGUTTER, GtkSourceGutterRenderer)

GtkSourceGutterRenderer *hpmviz_samplegutter_new(void);

/* Show these, which must last until others, or NULL, are set; without a line that has
 * samples the strip takes no room. */
void hpmviz_samplegutter_set(HpmvizSamplegutter *gutter,
                             const struct hpmviz_lineheat *heat);

#endif
