/* SPDX-License-Identifier: BSD-3-Clause
 * What the sources of the linked trees (trees.h) share. */
#ifndef HPMVIZ_DATA_TREESTATE_H
#define HPMVIZ_DATA_TREESTATE_H

#include "hpmviz/data/details.h"
#include "hpmviz/data/loaded.h"
#include "hpmviz/data/metrictree.h"
#include "hpmviz/data/palette.h"
#include "hpmviz/data/pathtree.h"
#include "hpmviz/data/systemtree.h"

enum hpmviz_tree {
    HPMVIZ_TREE_METRICS,
    HPMVIZ_TREE_PATHS,
    HPMVIZ_TREE_SYSTEM,
    HPMVIZ_N_TREES
};

/* How numbers are shown.  What has no sum, ratios and maxima, has no share: it is
 * shown as it is. */
enum hpmviz_treemode {
    HPMVIZ_TREE_ABSOLUTE,
    HPMVIZ_TREE_OF_ROOT,      /* per cent of the whole of its hierarchy in the
                               * run */
    HPMVIZ_TREE_OF_SELECTION, /* per cent of what is selected in the tree to the
                               * left */
    HPMVIZ_TREE_OF_PEER,      /* of a difference: per cent of the first run */
    HPMVIZ_TREE_N_MODES
};

struct hpmviz_treevalue {
    double number;      /* as shown; NAN for none */
    double base;        /* in a difference: what it was in the first run */
    const char *reason; /* why there is none, or NULL; or, of a metric: */
    enum hpm_cause cause;
    enum hpm_privilege privilege;
    const char *culprit;         /* the counter that it lacks */
    size_t n_missing, n_records; /* or so many of its records have none */
    struct hpmviz_marks marks;
    enum hpm_verdict verdict; /* of a metric with limits, of a closed path or a
                               * thread */
    gboolean is_present;      /* FALSE: neither a value nor a reason */
    gboolean is_pending;      /* still to be worked out */
};

/* Which node is selected, and whether it is open. */
struct hpmviz_treechoice {
    guint node; /* HPMVIZ_NO_NODE for none */
    gboolean is_open;
};

struct hpmviz_trees {
    struct hpmviz_loaded *loaded; /* a reference */
    struct hpm_survey *paths;     /* of it */
    int scope;
    enum hpmviz_palette palette; /* of verdicts */
    enum hpm_precision precision;
    struct hpmviz_metrictree *metrics;
    struct hpmviz_pathtree *forward; /* call paths, from the outermost on */
    struct hpmviz_pathtree *callers; /* or NULL: not asked for yet */
    struct hpmviz_pathtree *calls;   /* the one of both that is shown */
    guint *node_of; /* by subject, of forward; G_MAXUINT for none */
    struct hpmviz_callervalues *known; /* by node of callers; NULL without */
    guint *ranks; /* of places, by task and thread; NULL without callers */
    struct hpmviz_systemtree *system;
    struct hpmviz_treechoice choices[HPMVIZ_N_TREES];
    enum hpmviz_treemode mode;
    double largest[HPMVIZ_N_TREES]; /* amount of a closed node, of call paths
                                     * and the system; 0 for none */
    guint next;                     /* node to be looked at for that: of the
                                     * system, then of call paths */
    double *bases; /* of a difference: seconds of all threads in the first run,
                    * exclusive and inclusive by subject; NAN: not added yet */
    struct hpmviz_totals *totals;       /* by node of metrics */
    struct hpmviz_systemvalues *places; /* by node of the system */
};

#endif
