/* SPDX-License-Identifier: BSD-3-Clause
 * A cell as assistive technologies see it: its text, and as its description
 * what the cell's renderer says. */
#ifndef HPMVIZ_WIDGETS_CELLACCESSIBLE_H
#define HPMVIZ_WIDGETS_CELLACCESSIBLE_H

#include "hpmviz/widgets/textaccessible.h"

#define HPMVIZ_TYPE_CELLACCESSIBLE (hpmviz_cellaccessible_get_type())
G_DECLARE_FINAL_TYPE(HpmvizCellaccessible, hpmviz_cellaccessible, HPMVIZ,
                     CELLACCESSIBLE, HpmvizTextaccessible)

/* What is to be said of the cell that a renderer draws in the row at this place,
 * for g_free, or NULL. */
typedef char *hpmviz_cellaccessible_describe(GtkCellRenderer *renderer,
                                             guint place);

/* Cells are described by this function, asked when somebody reads them. */
void hpmviz_cellaccessible_use(hpmviz_cellaccessible_describe *describe);

#endif
