/* SPDX-License-Identifier: BSD-3-Clause
 * How the threads of a section differ, as pictures: the tree, where the threads are
 * along the first two principal components, what these are made of, and what tells
 * the groups apart. */
#ifndef HPM_STUDY_ANALYSIS_KINDPICTURES_H
#define HPM_STUDY_ANALYSIS_KINDPICTURES_H

#include "study/analysis/kindmembers.h"

/* In the order in which they are looked at. */
enum hpm_kindpicture {
    HPM_KINDPICTURE_RATIOS,  /* what tells the groups apart */
    HPM_KINDPICTURE_POINTS,  /* along two components, coloured by group */
    HPM_KINDPICTURE_WEIGHTS, /* of metrics in these components */
    HPM_KINDPICTURE_TREE,
    HPM_N_KINDPICTURES
};

/* Start from {0}; one without shapes is not there. */
struct hpm_kindpictures {
    struct hpm_picture all[HPM_N_KINDPICTURES];
    struct hpm_kindmembers members; /* of the groups in them */
};

void hpm_kindpictures_clear(struct hpm_kindpictures *pictures);

/* Those that there are of these clusters: without a tree none of it, without
 * groups none of what tells them apart, of one column no components.  False, and
 * none, when there is no memory. */
bool hpm_kindpictures_draw(struct hpm_kindpictures *pictures,
                           const struct hpm_clusters *clusters);

/* An array of those that there are (study/analysis/picture.h). */
void hpm_kindpictures_add_json(const struct hpm_kindpictures *pictures,
                               struct hpm_string *json);

#endif
