/* SPDX-License-Identifier: BSD-3-Clause
 * Places one has been to, to go back to and forward again. */
#ifndef HPMVIZ_SOURCE_HISTORY_H
#define HPMVIZ_SOURCE_HISTORY_H

#include <glib.h>

struct hpmviz_visit {
    char *file;
    int line;
};

struct hpmviz_history;

struct hpmviz_history *hpmviz_history_new(void);
void hpmviz_history_free(struct hpmviz_history *history);

/* One is there now: what was forward is forgotten.  A place visited twice in a
 * row is one; of more than a hundred the first are forgotten. */
void hpmviz_history_visit(struct hpmviz_history *history, const char *file,
                          int line);

/* Go so many places back (by < 0) or forward; NULL, and one stays, where there
 * is none.  The place lasts until the next call. */
const struct hpmviz_visit *hpmviz_history_go(struct hpmviz_history *history,
                                             int by);
gboolean hpmviz_history_can_go(const struct hpmviz_history *history, int by);

#endif
