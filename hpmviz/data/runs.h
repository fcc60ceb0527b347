/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are open, in the order in which they came.  The first is the
 * reference until another is: what is compared is compared with it.
 */
#ifndef HPMVIZ_DATA_RUNS_H
#define HPMVIZ_DATA_RUNS_H

#include <gio/gio.h>

#include "hpmviz/data/run.h"

#define HPMVIZ_TYPE_RUNS (hpmviz_runs_get_type())
G_DECLARE_FINAL_TYPE(HpmvizRuns, hpmviz_runs, HPMVIZ, RUNS, GObject)

/* Letters end there. */
enum { HPMVIZ_MOST_RUNS = 26 };

/* Signal, without arguments: "changed", when a run came, went, was read again
 * or renamed, or another is the reference. */

HpmvizRuns *hpmviz_runs_new(void);

/* HpmvizRun objects; the list stays the same one. */
GListModel *hpmviz_runs_list(const HpmvizRuns *runs);
guint hpmviz_runs_count(const HpmvizRuns *runs);

/* Borrowed; NULL for an id of none, and for an index behind the last. */
HpmvizRun *hpmviz_runs_find(const HpmvizRuns *runs, guint id);
HpmvizRun *hpmviz_runs_at(const HpmvizRuns *runs, guint index);

/* Add one with the first letter that is free; its id, or HPMVIZ_NO_RUN where
 * all letters are taken.  An id is never given twice. */
guint hpmviz_runs_add(HpmvizRuns *runs, char *const *words,
                      struct hpmviz_loaded *loaded);

/* The only run from now on. */
guint hpmviz_runs_start(HpmvizRuns *runs, char *const *words,
                        struct hpmviz_loaded *loaded);

/* Where the reference goes, the first that stays is it.  The last run cannot
 * be removed: FALSE. */
gboolean hpmviz_runs_remove(HpmvizRuns *runs, guint id);

/* Its id; HPMVIZ_NO_RUN where none is open. */
guint hpmviz_runs_reference(const HpmvizRuns *runs);
void hpmviz_runs_set_reference(HpmvizRuns *runs, guint id);

/* A run was read again, from these words; or could not be. */
void hpmviz_runs_renew(HpmvizRuns *runs, guint id, char *const *words,
                       struct hpmviz_loaded *loaded);
void hpmviz_runs_set_stale(HpmvizRuns *runs, guint id);

#endif
