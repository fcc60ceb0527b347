/* SPDX-License-Identifier: BSD-3-Clause
 * The call paths of a scope, in the order of a tree model. */
#ifndef HPMVIZ_DATA_PATHTREE_H
#define HPMVIZ_DATA_PATHTREE_H

#include <glib.h>

#include "study/survey/survey.h"

struct hpmviz_pathtree {
    guint n;
    guint *subjects; /* of the survey of paths: the section that a node shows is
                      * the end of this path */
    guint *parents;  /* nodes, each before its children; G_MAXUINT for none */
    guint *children; /* the first child of a node, G_MAXUINT for none; not of
                      * callers, of which this is NULL */
    guint *siblings; /* the next child of the same parent, so, too */

    /* Of callers (callertree.h), else NULL: by node, the paths that lead from its
     * section to that of the topmost node, in ends[]; and which of them begins
     * there, or G_MAXUINT. */
    guint *first, *count, *outermost;
    guint *ends; /* subjects */
};

/* Paths stand below the path around them, siblings in the order of the survey;
 * what no section covers comes last. */
struct hpmviz_pathtree *hpmviz_pathtree_new(const struct hpm_survey *paths,
                                            int scope);
void hpmviz_pathtree_free(struct hpmviz_pathtree *tree);

/* The paths whose values a node has: one, but of a closed node of callers all; of an
 * open one the path that begins there, if there is one. */
const guint *hpmviz_pathtree_paths(const struct hpmviz_pathtree *tree,
                                   guint node, gboolean is_open, guint *ret_n);

/* Is that section, of the survey of sections of the same study, the end of this
 * path? */
gboolean hpmviz_pathtree_ends_in(const struct hpm_survey *paths, size_t path,
                                 const struct hpm_study_section *section);

#endif
