/* SPDX-License-Identifier: BSD-3-Clause
 * The selected place in a window of metrics: a line that names it, and the table's
 * cursor in its row. */
#ifndef HPMVIZ_METRICS_METRICSPLACE_H
#define HPMVIZ_METRICS_METRICSPLACE_H

#include "hpmviz/metrics/metricspages.h"

/* The line.  From now on the table follows the place that the session has selected,
 * and a row that the user goes to becomes the selected place.  `pages` lives as
 * long as the line. */
GtkWidget *hpmviz_metricsplace_new(HpmvizSession *session,
                                   struct hpmviz_metricspages *pages);

/* Another sheet is shown: name the place, and with `goes_there` put the cursor into
 * its row, if it has one. */
void hpmviz_metricsplace_show(GtkWidget *line, gboolean goes_there);

#endif
