/* SPDX-License-Identifier: BSD-3-Clause
 * What was read of performance files, or made of what was, with its surveys.
 */
#ifndef HPMVIZ_DATA_LOADED_H
#define HPMVIZ_DATA_LOADED_H

#include <glib.h>

#include "study/analysis/kindpictures.h"
#include "study/hotspot/callgraph.h"
#include "study/hotspot/hotspots.h"
#include "study/survey/survey.h"

/* All threads: no group. */
#define HPMVIZ_NO_GROUP SIZE_MAX

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
    /* Where this is some places that the user chose: what they have in common, and
     * the group is HPMVIZ_NO_GROUP; else NULL. */
    char *chosen;
    /* What the study of two runs was made of, where it works out numbers from
     * these (hpm_diff_of_kept); else NULL. */
    struct hpmviz_loaded *sides[2];
};

/* In any thread.  The last that frees it does. */
struct hpmviz_loaded *hpmviz_loaded_ref(struct hpmviz_loaded *loaded);
void hpmviz_loaded_free(struct hpmviz_loaded *loaded);

/* What has the sentence and the pictures: all that was read. */
const struct hpmviz_loaded *
hpmviz_loaded_whole(const struct hpmviz_loaded *loaded);

#endif
