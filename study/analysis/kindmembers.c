/* SPDX-License-Identifier: BSD-3-Clause
 * Who is in which group of threads. */
#include "study/analysis/kindmembers.h"

#include "host/memory.h"
#include "study/analysis/membership.h"

void
hpm_kindmembers_clear(struct hpm_kindmembers *members)
{
    for (size_t c = 0; c < members->n_groups; c++)
        hpm_string_free(&members->groups[c].name);
    hpm_memory_free(members->places);
    hpm_memory_free(members->labels);
    *members = (struct hpm_kindmembers){0};
}

static bool
name_groups(struct hpm_kindmembers *members,
            const struct hpm_clusters *clusters)
{
    bool is_good = true;

    members->n_groups = clusters->groups.k;
    for (size_t c = 0; c < members->n_groups; c++) {
        struct hpm_kindgroup *group = &members->groups[c];

        hpm_membership_add(clusters->observations, clusters->groups.labels, c,
                           &group->name);
        group->n = clusters->groups.sizes[c];
        is_good &= !group->name.failed;
    }
    return is_good;
}

bool
hpm_kindmembers_take(struct hpm_kindmembers *members,
                     const struct hpm_clusters *clusters)
{
    const struct hpm_observations *observations = clusters->observations;
    const struct hpm_points *points = observations->points;
    size_t n = observations->preparation.matrix.n_rows;
    bool is_good;

    *members = (struct hpm_kindmembers){0};
    if (points->calls != NULL || clusters->groups.k < 2 ||
        clusters->groups.k > HPM_CLUSTERS_MOST)
        return true;
    members->places = hpm_memory_new(n + 1, sizeof *members->places);
    members->labels = hpm_memory_new(n + 1, sizeof *members->labels);
    is_good = members->places != NULL && members->labels != NULL &&
              name_groups(members, clusters);
    for (size_t i = 0; i < n && is_good; i++) {
        const struct hpm_point *point =
            &points->all[observations->preparation.rows[i]];

        members->places[i] = point->place;
        members->labels[i] = clusters->groups.labels[i];
        members->are_threads |= point->thread >= 0;
        members->n++;
    }
    if (!is_good)
        hpm_kindmembers_clear(members);
    return is_good;
}
