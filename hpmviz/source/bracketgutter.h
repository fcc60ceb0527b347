/* SPDX-License-Identifier: BSD-3-Clause
 * The strip beside the source that shows where sections start and stop: a
 * bracket each, nested ones further to the right. */
#ifndef HPMVIZ_SOURCE_BRACKETGUTTER_H
#define HPMVIZ_SOURCE_BRACKETGUTTER_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/source/heat.h"

#define HPMVIZ_TYPE_BRACKETGUTTER (hpmviz_bracketgutter_get_type())
G_DECLARE_FINAL_TYPE(HpmvizBracketgutter, hpmviz_bracketgutter, HPMVIZ,
                     BRACKETGUTTER, GtkSourceGutterRenderer)

GtkSourceGutterRenderer *hpmviz_bracketgutter_new(void);

/* Show these; both must last until others, or NULL, are set. */
void hpmviz_bracketgutter_set(HpmvizBracketgutter *gutter,
                              const struct hpmviz_heat *heat,
                              const struct hpm_survey *survey);

/* The section whose bracket is the thick one. */
void hpmviz_bracketgutter_select(HpmvizBracketgutter *gutter, size_t subject);

#endif
