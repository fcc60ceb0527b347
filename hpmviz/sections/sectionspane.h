/* SPDX-License-Identifier: BSD-3-Clause
 * The sections that were measured, the costliest first: the left pane.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONSPANE_H
#define HPMVIZ_SECTIONS_SECTIONSPANE_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_SECTIONSPANE (hpmviz_sectionspane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSectionspane, hpmviz_sectionspane, HPMVIZ,
                     SECTIONSPANE, GtkBox)

/* Signals:
 *
 *   "entered"    the selected section is to be worked on: its source gets the
 *                focus (double click)
 *   "opened"     its metrics are wanted (right click, Enter)
 *
 * Its menu (menu key, Shift+F10, Ctrl and right click) has win.metrics and
 * win.source of the window around it, and actions of its own.
 */

GtkWidget *hpmviz_sectionspane_new(HpmvizSession *session);

/* Give the list, or the entry above it, the focus. */
void hpmviz_sectionspane_focus(HpmvizSectionspane *pane);
void hpmviz_sectionspane_find(HpmvizSectionspane *pane);

/* Let the user choose which columns are shown. */
void hpmviz_sectionspane_choose_columns(HpmvizSectionspane *pane);

/* Is any metric among them? */
gboolean hpmviz_sectionspane_has_metric(const HpmvizSectionspane *pane);

/* Put the selected row into the clipboard: headings and values with tabs
 * between, of the columns shown. */
void hpmviz_sectionspane_copy(HpmvizSectionspane *pane);

#endif
