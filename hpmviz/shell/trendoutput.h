/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side without a display. */
#ifndef HPMVIZ_SHELL_TRENDOUTPUT_H
#define HPMVIZ_SHELL_TRENDOUTPUT_H

#include "hpmviz/data/session.h"
#include "hpmviz/shell/drawing.h"

/* Draw the runs that are open: which they are, the costliest section from run to
 * run, and tables of exclusive time, speed-up and efficiency. */
struct hpmviz_drawing *hpmviz_trendoutput_draw(const HpmvizSession *session,
                                               gboolean is_dark);

#endif
