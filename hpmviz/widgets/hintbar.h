/* SPDX-License-Identifier: BSD-3-Clause
 * A bar of hints: the worst in one line, all of them below it when it is
 * opened. */
#ifndef HPMVIZ_WIDGETS_HINTBAR_H
#define HPMVIZ_WIDGETS_HINTBAR_H

#include <gtk/gtk.h>

#include "hpmviz/data/hints.h"
#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_HINTBAR (hpmviz_hintbar_get_type())
G_DECLARE_FINAL_TYPE(HpmvizHintbar, hpmviz_hintbar, HPMVIZ, HINTBAR, GtkBox)

/* Signal:
 *
 *   "chosen" (const struct hpmviz_hint *)   its value is to be looked at
 */

/* Whether it is opened is remembered under this group. */
GtkWidget *hpmviz_hintbar_new(HpmvizSession *session, const char *group);

/* Show hints of a section and of the whole run (hpmviz/data/hints.h); either may be
 * NULL.  They are kept. */
void hpmviz_hintbar_set(HpmvizHintbar *bar, GPtrArray *section, GPtrArray *run);

/* The hint of the one line; NULL when there is none. */
const struct hpmviz_hint *hpmviz_hintbar_worst(const HpmvizHintbar *bar);

/* From now on, show those of the section that is selected in the session, and
 * of the run. */
void hpmviz_hintbar_follow(HpmvizHintbar *bar);

#endif
