/* SPDX-License-Identifier: BSD-3-Clause
 * A cell of a table: text, maybe with a bar that shows a share, or the
 * colour of a verdict, which stays when the row is selected.
 */
#ifndef HPMVIZ_CELL_H
#define HPMVIZ_CELL_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HPMVIZ_TYPE_CELL (hpmviz_cell_get_type())
G_DECLARE_FINAL_TYPE(HpmvizCell, hpmviz_cell, HPMVIZ, CELL, GtkCellRendererText)

GtkCellRenderer *hpmviz_cell_new(void);

/* Draw a bar of this part of the cell's width, 0 to 1, below the text; NAN for
 * none. */
void hpmviz_cell_set_share(HpmvizCell *cell, double share);

/* Fill the cell with a colour ("#rrggbb"), and write in another; NULL leaves
 * what the theme has. */
void hpmviz_cell_set_colours(HpmvizCell *cell, const char *background,
                             const char *text);

G_END_DECLS

#endif
