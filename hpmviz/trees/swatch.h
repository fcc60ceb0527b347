/* SPDX-License-Identifier: BSD-3-Clause
 * A small box of a colour beside a value. */
#ifndef HPMVIZ_TREES_SWATCH_H
#define HPMVIZ_TREES_SWATCH_H

#include <gtk/gtk.h>

#define HPMVIZ_TYPE_SWATCH (hpmviz_swatch_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSwatch, hpmviz_swatch, HPMVIZ, SWATCH,
                     GtkCellRenderer)

GtkCellRenderer *hpmviz_swatch_new(void);

/* "#rrggbb"; NULL: no box. */
void hpmviz_swatch_set(HpmvizSwatch *swatch, const char *colour);

#endif
