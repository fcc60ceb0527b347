/* SPDX-License-Identifier: BSD-3-Clause
 * The viewer without a display: what it would show, printed, exported, drawn.
 */
#ifndef HPMVIZ_SHELL_HEADLESS_H
#define HPMVIZ_SHELL_HEADLESS_H

#include <glib.h>

/* Exit statuses, see hpmviz(1). */
enum hpmviz_status {
    HPMVIZ_GOOD = 0,
    HPMVIZ_USAGE = 2,
    HPMVIZ_NOTHING = 3, /* no display, or nothing that can be shown */
    HPMVIZ_OUTPUT = 4,  /* what was to be written could not be */
};

/* What is wanted; files are new ones, "-" is standard output. */
struct hpmviz_headless {
    gboolean is_printed;
    char *csv, *screenshot; /* files, or NULL */
    gboolean is_dark;
    gboolean is_compared; /* each word is a run; what changed is wanted */
    char *view; /* "sections", "trees", "distribution", "scatter" (that, of two
                     * metrics); NULL: the first */
    char *section; /* of the distribution, or NULL: the costliest */
    char *
        *metrics; /* of trees one, of the distribution up to two; NULL: time */
    char *topology; /* as in hpmviz/data/topology.h, or NULL */
};

/* Is there a view of that name?  NULL is one.  The most metrics that it takes. */
gboolean hpmviz_headless_has_view(const char *view);
guint hpmviz_headless_most_metrics(const char *view);

gboolean hpmviz_headless_is_wanted(const struct hpmviz_headless *headless);

/* Read what the words stand for and do all that is wanted of it.  What is wrong
 * is said on standard error. */
enum hpmviz_status hpmviz_headless_run(const struct hpmviz_headless *headless,
                                       char *const *words);

#endif
