/* SPDX-License-Identifier: BSD-3-Clause
 * A text cell of a list as assistive technologies see it, which may ask where it is
 * before the list is on the screen. */
#ifndef HPMVIZ_WIDGETS_TEXTACCESSIBLE_H
#define HPMVIZ_WIDGETS_TEXTACCESSIBLE_H

#include <gtk/gtk-a11y.h>
#include <gtk/gtk.h>

#define HPMVIZ_TYPE_TEXTACCESSIBLE (hpmviz_textaccessible_get_type())
G_DECLARE_DERIVABLE_TYPE(HpmvizTextaccessible, hpmviz_textaccessible, HPMVIZ,
                         TEXTACCESSIBLE, GtkTextCellAccessible)

struct _HpmvizTextaccessibleClass {
    GtkTextCellAccessibleClass parent_class;
};

/* From now on all text cells of the program are such; before the first list is
 * made. */
void hpmviz_textaccessible_use(void);

#endif
