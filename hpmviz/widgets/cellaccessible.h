/* SPDX-License-Identifier: BSD-3-Clause
 * A cell as assistive technologies see it: its text, and as its description
 * what hpmviz_cell_set_describe says. */
#ifndef HPMVIZ_WIDGETS_CELLACCESSIBLE_H
#define HPMVIZ_WIDGETS_CELLACCESSIBLE_H

#include <gtk/gtk-a11y.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HPMVIZ_TYPE_CELLACCESSIBLE (hpmviz_cellaccessible_get_type())
G_DECLARE_FINAL_TYPE(HpmvizCellaccessible, hpmviz_cellaccessible, HPMVIZ,
                     CELLACCESSIBLE, GtkTextCellAccessible)

G_END_DECLS

#endif
