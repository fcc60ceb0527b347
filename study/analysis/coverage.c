/* SPDX-License-Identifier: BSD-3-Clause
 * How much of what a name says is in a group. */
#include "study/analysis/coverage.h"

#include <string.h>

#include "study/points/pointlabels.h"

static bool
are_of_one(const struct hpm_point *a, const struct hpm_point *b,
           enum hpm_coverage_owner owner)
{
    return owner == HPM_COVERAGE_OF_ALL ||
           (a->task == b->task &&
            (owner == HPM_COVERAGE_OF_TASK || a->thread == b->thread));
}

/* Points stand by task, thread and call: equal numbers of an owner stand side by
 * side. */
struct hpm_coverage
hpm_coverage_find(const struct hpm_observations *observations,
                  const size_t *labels, size_t label,
                  hpm_number_of_point *number, enum hpm_coverage_owner owner)
{
    const struct hpm_preparation *kept = &observations->preparation;
    const struct hpm_points *points = observations->points;
    const struct hpm_point *member = NULL; /* the last one of the owner */
    struct hpm_coverage coverage = {0};
    size_t row = 0;

    for (size_t i = 0; i < points->n; i++) {
        const struct hpm_point *here = &points->all[i];
        bool is_kept = row < kept->matrix.n_rows && kept->rows[row] == i;
        bool is_member = is_kept && labels[row] == label;

        row += is_kept;
        if (i == 0 || !are_of_one(here, here - 1, owner)) {
            coverage.n_owners++;
            member = NULL;
        }
        if (!is_member)
            continue;
        coverage.n_with += member == NULL;
        coverage.n_there += member == NULL || number(member) != number(here);
        member = here;
    }
    return coverage;
}

size_t
hpm_coverage_lacking(const struct hpm_observations *observations,
                     const char *host)
{
    const struct hpm_preparation *kept = &observations->preparation;
    size_t row = 0, n = 0;

    for (size_t i = 0; i < observations->points->n; i++) {
        if (row < kept->matrix.n_rows && kept->rows[row] == i)
            row++;
        else
            n += strcmp(hpm_pointlabels_host(observations->points, i), host) ==
                 0;
    }
    return n;
}
