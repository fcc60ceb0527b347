/* SPDX-License-Identifier: BSD-3-Clause
 * The tree of a hierarchical clustering (dendrogram), drawn. */
#ifndef HPM_STUDY_ANALYSIS_DRAWING_H
#define HPM_STUDY_ANALYSIS_DRAWING_H

#include "base/string.h"
#include "study/analysis/picture.h"
#include "study/multivariate/tree.h"

/* At most so many lines or branches are drawn; what is joined below them is
 * one, with the number of its points. */
enum { HPM_DRAWING_MOST = 64 };

/* What the points are called: name(owner, point, string) appends it. */
struct hpm_drawing {
    const struct hpm_tree *tree;
    size_t n_leaves; /* at most; 1 or more */
    void (*name)(const void *owner, size_t point, struct hpm_string *string);
    const void *owner;
    const size_t *weights; /* how many each point stands for; NULL: one */
    const char *title;
};

/* Lines of text, the tree growing to the right, under it the scale of heights;
 * at most `width` wide (0: 80). */
void hpm_drawing_add_text(struct hpm_string *string,
                          const struct hpm_drawing *drawing, size_t width);

/* As a picture, which is empty, the leaves below, as in the paper of Ahn and
 * Vetter. */
void hpm_drawing_draw(struct hpm_picture *picture,
                      const struct hpm_drawing *drawing);

/* All of the tree in the format of phylogenetics, which many programs draw:
 * each length is the difference of two heights. */
void hpm_drawing_add_newick(struct hpm_string *string,
                            const struct hpm_drawing *drawing);

#endif
