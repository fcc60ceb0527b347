/* SPDX-License-Identifier: BSD-3-Clause
 * Reading performance files away from the main loop: what they hold, and what
 * is wrong with them.
 *
 * Metrics of many records take longer to work out than the files to be read.
 * So what is loaded in a thread is surveyed in brief (study/survey/survey.h), which
 * is enough to see where the time goes, and then again with metrics.
 */
#ifndef HPMVIZ_DATA_LOADER_H
#define HPMVIZ_DATA_LOADER_H

#include <gio/gio.h>

#include "hpmviz/data/loaded.h"

/* How far it is; read by any thread meanwhile. */
struct hpmviz_progress {
    gint n_done, n_files; /* g_atomic_int_get, for each of these */
    gint are_read;        /* only surveys are missing */
};

/* Read what the words stand for in a thread: files, folders, patterns
 * (study/file/inputs.h), but not standard input.  The runs of several files are
 * merged, and the surveys of many records are brief.  `progress` may be NULL;
 * `callback` is called in the main loop.  NULL when nothing of it can be used, or
 * it is cancelled; the error has the problems, a line each. */
void hpmviz_loader_start(char *const *words, enum hpm_precision precision,
                         struct hpmviz_progress *progress,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer data);
struct hpmviz_loaded *hpmviz_loader_finish(GAsyncResult *result,
                                           GError **error);

/* Take only the threads of a group of its pictures (struct hpm_kindmembers), or
 * with HPMVIZ_NO_GROUP all that it is a part of, in a thread; ends with
 * hpmviz_loader_finish. */
void hpmviz_loader_restrict(struct hpmviz_loaded *loaded, size_t group,
                            enum hpm_precision precision,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer data);

/* The same of the places with are_kept[place of the study of hpmviz_loaded_whole],
 * which is copied; `name` says what they have in common. */
void hpmviz_loader_choose(struct hpmviz_loaded *loaded, const bool *are_kept,
                          const char *name, enum hpm_precision precision,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer data);

/* Survey it with metrics, in a thread.  The survey is the caller's, and must
 * not outlive `loaded`; *ret_kinds, for g_free, is the sentence about kinds where
 * the survey is by sections, else NULL, and *ret_pictures what belongs to it; of a
 * group both are those of the whole, and none are here. */
void hpmviz_loader_survey(struct hpmviz_loaded *loaded,
                          enum hpm_grouping grouping,
                          enum hpm_precision precision,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer data);
struct hpm_survey *
hpmviz_loader_survey_finish(GAsyncResult *result, char **ret_kinds,
                            struct hpm_kindpictures *ret_pictures,
                            GError **error);

#endif
