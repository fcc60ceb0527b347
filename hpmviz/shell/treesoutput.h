/* SPDX-License-Identifier: BSD-3-Clause
 * The linked trees without a display. */
#ifndef HPMVIZ_SHELL_TREESOUTPUT_H
#define HPMVIZ_SHELL_TREESOUTPUT_H

#include "hpmviz/data/trees.h"
#include "hpmviz/shell/drawing.h"

/* Of what the session shows: with a metric by its name, NULL for the session's,
 * the call path with most of it, and all worked out.  NULL, and *ret_reason (for
 * g_free), where there is no such metric. */
struct hpmviz_trees *hpmviz_treesoutput_new(const HpmvizSession *session,
                                            const char *metric,
                                            char **ret_reason);

/* Draw them below each other. */
struct hpmviz_drawing *hpmviz_treesoutput_draw(const struct hpmviz_trees *trees,
                                               gboolean is_dark);

#endif
