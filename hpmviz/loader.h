/* SPDX-License-Identifier: BSD-3-Clause
 * Reading performance files away from the main loop: what they hold, and what
 * is wrong with them. */
#ifndef HPMVIZ_LOADER_H
#define HPMVIZ_LOADER_H

#include <gio/gio.h>

#include "report/survey.h"

/* What has been read.  Nobody changes it any more but by asking the surveys,
 * which is for one thread at a time. */
struct hpmviz_loaded {
    struct hpm_study *study;
    struct hpm_survey *sections; /* a subject per section */
    struct hpm_survey *paths;    /* a subject per call path */
    GPtrArray *problems;         /* sentences (char *), each naming its file */
    guint n_files;               /* of which something is used */
    guint n_bad;                 /* of which something is not */
    double seconds;              /* it took */
};

void hpmviz_loaded_free(struct hpmviz_loaded *loaded);

/* How far it is; read by any thread meanwhile. */
struct hpmviz_progress {
    gint n_done, n_files; /* g_atomic_int_get */
};

/* Read what the words stand for: files, folders, patterns (file/inputs.h).  The
 * runs of several files are merged.  NULL when nothing of it can be used, or it
 * is cancelled; the error has the first problem.  `progress` may be NULL. */
struct hpmviz_loaded *hpmviz_loader_load(char *const *words,
                                         enum hpm_precision precision,
                                         struct hpmviz_progress *progress,
                                         GCancellable *cancellable,
                                         GError **error);

/* The same in a thread; `callback` is called in the main loop. */
void hpmviz_loader_start(char *const *words, enum hpm_precision precision,
                         struct hpmviz_progress *progress,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer data);
struct hpmviz_loaded *hpmviz_loader_finish(GAsyncResult *result,
                                           GError **error);

#endif
