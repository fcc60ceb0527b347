/* SPDX-License-Identifier: BSD-3-Clause
 * The strip beside the source that shows each section's share of the time, as
 * a bar and a number. */
#ifndef HPMVIZ_SOURCE_HEATGUTTER_H
#define HPMVIZ_SOURCE_HEATGUTTER_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/source/heat.h"

#define HPMVIZ_TYPE_HEATGUTTER (hpmviz_heatgutter_get_type())
G_DECLARE_FINAL_TYPE(HpmvizHeatgutter, hpmviz_heatgutter, HPMVIZ, HEATGUTTER,
                     GtkSourceGutterRenderer)

GtkSourceGutterRenderer *hpmviz_heatgutter_new(void);

/* Show these; both must last until others, or NULL, are set. */
void hpmviz_heatgutter_set(HpmvizHeatgutter *gutter,
                           const struct hpmviz_heat *heat,
                           const struct hpm_survey *survey);

#endif
