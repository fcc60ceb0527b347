/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting for a session of the viewer. */
#ifndef TESTS_VIZ_SETTLING_H
#define TESTS_VIZ_SETTLING_H

#include "hpmviz/data/session.h"

static inline gboolean
give_up(gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

/* Wait until nothing is being read or compared. */
static inline void
settle(HpmvizSession *session)
{
    gboolean is_over = FALSE;
    guint limit = g_timeout_add_seconds(300, give_up, &is_over);
    guint n_done, n_files;

    while (!is_over && (hpmviz_session_is_loading(session, &n_done, &n_files) ||
                        hpmviz_session_is_comparing(session)))
        g_main_context_iteration(NULL, TRUE);
    if (!is_over)
        g_source_remove(limit);
}

#endif
