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

#include "study/analysis/kindpictures.h"
#include "study/hotspot/callgraph.h"
#include "study/hotspot/hotspots.h"
#include "study/survey/survey.h"

/* What has been read.  Nobody changes the study any more, so any thread may
 * read it; a survey is for one thread at a time. */
struct hpmviz_loaded {
    gint n_users; /* see hpmviz_loaded_ref */
    struct hpm_study *study;
    struct hpm_survey *sections; /* a subject per section */
    struct hpm_survey *paths;    /* a subject per call path */
    /* those that they took the place of, or NULL */
    struct hpm_survey *brief_sections, *brief_paths;
    struct hpm_hotspots *hotspots; /* functions and lines; NULL: no samples */
    struct hpm_callgraph
        callgraph; /* without entries: samples have no callers */
    /* a sentence about kinds of threads, "" for none; NULL while metrics are being
     * worked out (study/analysis/kindsentence.h) */
    char *kinds;
    struct hpm_kindpictures pictures; /* then, of how threads differ */
    GPtrArray *problems; /* sentences (char *), each naming its file */
    GPtrArray *files;    /* paths (char *) of all that were looked at */
    guint n_files;       /* of which something is used */
    guint n_bad;         /* of which something is not */
    double seconds;      /* it took */

    /* Where this is only a group of threads of what was read: that, whose kinds and
     * pictures stay to be seen, and the number of the group; else NULL. */
    struct hpmviz_loaded *whole;
    size_t group;
};

/* In any thread.  The last that frees it does. */
struct hpmviz_loaded *hpmviz_loaded_ref(struct hpmviz_loaded *loaded);
void hpmviz_loaded_free(struct hpmviz_loaded *loaded);

/* What has the sentence and the pictures: all that was read. */
const struct hpmviz_loaded *
hpmviz_loaded_whole(const struct hpmviz_loaded *loaded);

/* How far it is; read by any thread meanwhile. */
struct hpmviz_progress {
    gint n_done, n_files; /* g_atomic_int_get */
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

/* All threads again. */
#define HPMVIZ_NO_GROUP SIZE_MAX

/* Take only the threads of a group of its pictures (struct hpm_kindmembers), or
 * all that it is a part of, in a thread; ends with hpmviz_loader_finish. */
void hpmviz_loader_restrict(struct hpmviz_loaded *loaded, size_t group,
                            enum hpm_precision precision,
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
