/* SPDX-License-Identifier: BSD-3-Clause
 * The places with the largest and the smallest values, as a table.
 *
 * Signal "chosen" (row): the user chose the place of a row of the sheet (guint). */
#ifndef HPMVIZ_PLACES_EXTREMESLIST_H
#define HPMVIZ_PLACES_EXTREMESLIST_H

#include <gtk/gtk.h>

#include "hpmviz/data/distribution.h"

#define HPMVIZ_TYPE_EXTREMESLIST (hpmviz_extremeslist_get_type())
G_DECLARE_FINAL_TYPE(HpmvizExtremeslist, hpmviz_extremeslist, HPMVIZ,
                     EXTREMESLIST, GtkScrolledWindow)

GtkWidget *hpmviz_extremeslist_new(void);

/* Show those of a distribution, which may go afterwards; NULL: none. */
void hpmviz_extremeslist_set(HpmvizExtremeslist *list,
                             const struct hpmviz_distribution *distribution);

/* Select the line of a row of the sheet, if the list has one. */
void hpmviz_extremeslist_select(HpmvizExtremeslist *list, guint row);

#endif
