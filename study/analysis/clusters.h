/* SPDX-License-Identifier: BSD-3-Clause
 * Which points of a section are alike, and in what groups differ. */
#ifndef HPM_STUDY_ANALYSIS_CLUSTERS_H
#define HPM_STUDY_ANALYSIS_CLUSTERS_H

#include "study/analysis/observations.h"
#include "study/analysis/picture.h"
#include "study/multivariate/agglomeration.h"
#include "study/multivariate/gap.h"
#include "study/multivariate/grouping.h"

enum {
    HPM_CLUSTERS_MOST = 10
}; /* groups that are tried without being asked for */

struct hpm_cluster_options {
    enum hpm_linkage linkage;
    size_t k;          /* groups; 0: as many as tell most */
    bool is_by_gap;    /* 0: as many as the gap statistic says */
    bool is_cut;       /* groups by a cut of the tree, not by k-means */
    uint64_t seed;     /* of k-means */
    size_t n_starts;   /* the same; 0: hpm_kmeans_starts */
    size_t most_bytes; /* that the tree may take; 0: 2 GB */
};

struct hpm_clusters {
    const struct hpm_observations *observations;
    struct hpm_cluster_options options;
    struct hpm_gap gap;                   /* n 0: nobody asked for it */
    struct hpm_tree tree;                 /* no points: there is none */
    struct hpm_grouping_of_points leaves; /* k above 0: there are so many points
                                           * that the tree is approximate, of
                                           * these small groups of them */
    size_t *firsts; /* the first point of each of these leaves */
    const char *why_no_tree;
    struct hpm_grouping_of_points groups; /* k 0: none are natural */
    double silhouette, pooled_f;          /* of the groups */
    double *widths;                       /* silhouette of each point */
    size_t n_choices;
    struct hpm_cluster_choice {
        size_t k;
        double pooled_f, silhouette, within;
    } choices[HPM_CLUSTERS_MOST -
              1]; /* of the numbers of groups from 2 to 10 */
};

/* Cluster at least 2 points with at least 1 column; they must outlive the
 * result. False, and nothing to clear, when there is no memory or not so many
 * groups. */
bool hpm_clusters_init(struct hpm_clusters *clusters,
                       const struct hpm_observations *observations,
                       const struct hpm_cluster_options *options,
                       struct hpm_error *err);
void hpm_clusters_clear(struct hpm_clusters *clusters);

/* All that was found; a tree drawn as text is at most `width` wide. */
void hpm_clusters_describe(const struct hpm_clusters *clusters, size_t width,
                           struct hpm_account *account);

/* Only the tree, as a picture (one that is empty), as a file of that, or in the
 * Newick format.  False, and why, where there is none. */
bool hpm_clusters_draw(const struct hpm_clusters *clusters,
                       struct hpm_picture *picture, struct hpm_error *err);
bool hpm_clusters_add_svg(const struct hpm_clusters *clusters,
                          struct hpm_string *string, struct hpm_error *err);
bool hpm_clusters_add_newick(const struct hpm_clusters *clusters,
                             struct hpm_string *string, struct hpm_error *err);

#endif
