/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of a table as items of a menu, each to be shown or not. */
#ifndef HPMVIZ_WIDGETS_COLUMNMENU_H
#define HPMVIZ_WIDGETS_COLUMNMENU_H

#include <gtk/gtk.h>

struct hpmviz_columnmenu;

/* Of a view whose columns are made by hpmviz/widgets/tablecolumn.h and remembered by
 * hpmviz/widgets/columns.h; the items go into `menu`, what they do into `actions`,
 * which is known as `prefix`.  The menu is empty until it is listed. */
struct hpmviz_columnmenu *hpmviz_columnmenu_new(GtkTreeView *view, GMenu *menu,
                                                GActionMap *actions,
                                                const char *prefix);
void hpmviz_columnmenu_free(struct hpmviz_columnmenu *menu);

/* The columns are other ones. */
void hpmviz_columnmenu_list(struct hpmviz_columnmenu *menu);

/* Show all columns. */
void hpmviz_columnmenu_show_all(struct hpmviz_columnmenu *menu);

#endif
