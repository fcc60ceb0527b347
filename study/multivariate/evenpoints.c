/* SPDX-License-Identifier: BSD-3-Clause
 * Random points without groups. */
#include "study/multivariate/evenpoints.h"

#include <math.h>

#include "host/memory.h"
#include "study/multivariate/components.h"

static bool
find_box(struct hpm_evenpoints *points, const struct hpm_matrix *matrix,
         const struct hpm_components *components)
{
    double *scores = hpm_memory_new(matrix->n_rows + 1, sizeof *scores);

    for (size_t k = 0; k < components->n && scores != NULL; k++) {
        points->low[k] = INFINITY;
        points->high[k] = -INFINITY;
        hpm_components_score(components, matrix, k, scores);
        for (size_t i = 0; i < matrix->n_rows; i++) {
            points->low[k] = fmin(points->low[k], scores[i]);
            points->high[k] = fmax(points->high[k], scores[i]);
        }
    }
    hpm_memory_free(scores);
    return scores != NULL;
}

bool
hpm_evenpoints_init(struct hpm_evenpoints *points,
                    const struct hpm_matrix *matrix)
{
    struct hpm_components components;
    bool is_good = hpm_components_init(&components, matrix);

    *points = (struct hpm_evenpoints){0};
    if (!is_good)
        return false;
    points->n = components.n;
    points->low = hpm_memory_new(points->n + 1, sizeof *points->low);
    points->high = hpm_memory_new(points->n + 1, sizeof *points->high);
    is_good = points->low != NULL && points->high != NULL &&
              find_box(points, matrix, &components);
    hpm_components_clear(&components);
    if (!is_good)
        hpm_evenpoints_clear(points);
    return is_good;
}

void
hpm_evenpoints_clear(struct hpm_evenpoints *points)
{
    hpm_memory_free(points->low);
    hpm_memory_free(points->high);
    *points = (struct hpm_evenpoints){0};
}

/* The box is not turned back to the columns: distances would be the same. */
void
hpm_evenpoints_fill(const struct hpm_evenpoints *points,
                    struct hpm_random *random, struct hpm_matrix *matrix)
{
    for (size_t k = 0; k < points->n; k++) {
        double *column = hpm_matrix_column(matrix, k);
        double width = points->high[k] - points->low[k];

        for (size_t i = 0; i < matrix->n_rows; i++)
            column[i] =
                points->low[k] +
                width * ((double)(hpm_random_next(random) >> 11) * 0x1p-53);
    }
}
