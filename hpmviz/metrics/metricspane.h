/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of the section that is selected, the worst first, with its reason
 * and what usually helps: below the list of sections.
 */
#ifndef HPMVIZ_METRICS_METRICSPANE_H
#define HPMVIZ_METRICS_METRICSPANE_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_METRICSPANE (hpmviz_metricspane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMetricspane, hpmviz_metricspane, HPMVIZ, METRICSPANE,
                     GtkBox)

/* It follows the session.  A row that is selected is the session's metric;
 * signal:
 *
 *   "opened"   the window of all threads is wanted (right click, Enter, double
 *              click)
 */
GtkWidget *hpmviz_metricspane_new(HpmvizSession *session);

#endif
