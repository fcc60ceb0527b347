/* SPDX-License-Identifier: BSD-3-Clause
 * The line below the panes: what is open, whose values are shown, what is
 * selected. */
#ifndef HPMVIZ_SHELL_STATUSLINE_H
#define HPMVIZ_SHELL_STATUSLINE_H

#include "hpmviz/data/session.h"

/* For g_free.  `awaits_metrics`: somebody asked for metrics that are still
 * being worked out. */
char *hpmviz_statusline_text(const HpmvizSession *session,
                             gboolean awaits_metrics);

#endif
