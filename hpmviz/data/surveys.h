/* SPDX-License-Identifier: BSD-3-Clause
 * Surveys of what was read, or made of what was; in any thread.
 */
#ifndef HPMVIZ_DATA_SURVEYS_H
#define HPMVIZ_DATA_SURVEYS_H

#include <gio/gio.h>

#include "hpmviz/data/loaded.h"

/* Make both of the study there, at a time; of many records in brief.  FALSE, and
 * why, when one fails or it is cancelled. */
gboolean hpmviz_surveys_make(struct hpmviz_loaded *loaded,
                             enum hpm_precision precision,
                             GCancellable *cancellable, struct hpm_error *err);

/* One with metrics, parts of it by as many threads as there are processors.
 * NULL, and why, when one of them fails. */
struct hpm_survey *hpmviz_surveys_make_whole(const struct hpm_study *study,
                                             enum hpm_grouping grouping,
                                             enum hpm_precision precision,
                                             GCancellable *cancellable,
                                             struct hpm_error *err);

/* The sentence about kinds of threads, for g_free, and its pictures.  NULL when
 * nobody wants to know any more. */
char *hpmviz_surveys_find_kinds(struct hpm_survey *survey,
                                struct hpm_kindpictures *pictures,
                                GCancellable *cancellable);

#endif
