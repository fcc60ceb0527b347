/* SPDX-License-Identifier: BSD-3-Clause
 * A test whether groups are real. */
#include "study/multivariate/separation.h"

#include <math.h>

#include "host/memory.h"
#include "study/inference/random.h"
#include "study/multivariate/evenpoints.h"
#include "study/multivariate/kmeans.h"

enum { N_EVEN = 20, N_SHUFFLED = 99, N_STARTS = 4 };

static const double LEAST_GAP = 3.0, MOST_P = 0.01;

struct work {
    const struct hpm_matrix *matrix;
    size_t k;
    struct hpm_random random;
    struct hpm_matrix other; /* of the same size: random points */
};

/* The squares within k groups of the random points, and their silhouette. */
static bool
group_other(struct work *work, double *ret_within, double *ret_silhouette)
{
    const struct hpm_kmeans_options options = {
        .k = work->k, .seed = HPM_KMEANS_SEED, .n_starts = N_STARTS};
    struct hpm_grouping_of_points groups;

    if (!hpm_kmeans_run(&groups, &work->other, &options))
        return false;
    *ret_within = groups.within;
    if (ret_silhouette != NULL)
        *ret_silhouette = hpm_grouping_silhouette(&groups, &work->other, NULL);
    hpm_grouping_clear(&groups);
    return ret_silhouette == NULL || !isnan(*ret_silhouette);
}

static double
squares_of(const struct hpm_matrix *matrix)
{
    double sum = 0.0;

    for (size_t j = 0; j < matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(matrix, j);
        double mean = 0.0;

        for (size_t i = 0; i < matrix->n_rows; i++)
            mean += column[i] / (double)matrix->n_rows;
        for (size_t i = 0; i < matrix->n_rows; i++)
            sum += (column[i] - mean) * (column[i] - mean);
    }
    return sum;
}

/* ---- the gap -------------------------------------------------------- */

static bool
find_gap(struct work *work, double within, double *ret_gap)
{
    double ours = log(within) - log(squares_of(work->matrix));
    double sum = 0.0, squares = 0.0, deviation;
    struct hpm_evenpoints points;
    bool is_good = hpm_evenpoints_init(&points, work->matrix);

    for (int i = 0; i < N_EVEN && is_good; i++) {
        double even = 1.0;

        hpm_evenpoints_fill(&points, &work->random, &work->other);
        is_good = group_other(work, &even, NULL);
        even = log(even) - log(squares_of(&work->other));
        sum += even;
        squares += even * even;
    }
    hpm_evenpoints_clear(&points);
    deviation =
        sqrt(fmax(squares / N_EVEN - sum / N_EVEN * (sum / N_EVEN), 1e-12) *
             (1.0 + 1.0 / N_EVEN));
    *ret_gap = (sum / N_EVEN - ours) / deviation;
    return is_good;
}

/* ---- shuffled columns ----------------------------------------------- */

static void
shuffle(struct work *work, size_t *order)
{
    size_t n = work->matrix->n_rows;

    for (size_t j = 0; j < work->matrix->n_columns; j++) {
        const double *from = hpm_matrix_column(work->matrix, j);
        double *to = hpm_matrix_column(&work->other, j);

        hpm_random_shuffle(&work->random, order, n);
        for (size_t i = 0; i < n; i++)
            to[i] = from[order[i]];
    }
}

/* If one shuffle is as wide, p is above MOST_P already. */
static bool
find_p(struct work *work, double silhouette, double *ret_p)
{
    size_t *order = hpm_memory_new(work->matrix->n_rows + 1, sizeof *order);
    bool is_good = order != NULL;
    int n_wider = 0;

    for (size_t i = 0; i < work->matrix->n_rows && is_good; i++)
        order[i] = i;
    for (int i = 0; i < N_SHUFFLED && is_good && n_wider == 0; i++) {
        double within = 0.0, shuffled = 0.0;

        shuffle(work, order);
        is_good = group_other(work, &within, &shuffled);
        n_wider = shuffled >= silhouette;
    }
    hpm_memory_free(order);
    *ret_p = (1.0 + n_wider) / (1.0 + N_SHUFFLED);
    return is_good;
}

/* ---- all three tests ------------------------------------------------ */

bool
hpm_separation_find(const struct hpm_grouping_of_points *groups,
                    const struct hpm_matrix *matrix, uint64_t seed,
                    struct hpm_separation *ret_separation)
{
    struct work work = {
        .matrix = matrix, .k = groups->k, .random = {.state = seed}};
    bool is_good;

    *ret_separation = (struct hpm_separation){
        .silhouette = hpm_grouping_silhouette(groups, matrix, NULL),
        .gap = -INFINITY,
        .p = 1.0};
    if (!(ret_separation->silhouette >= HPM_SEPARATION_SILHOUETTE))
        return !isnan(ret_separation->silhouette);
    is_good = hpm_matrix_init(&work.other, matrix->n_rows, matrix->n_columns) &&
              find_gap(&work, groups->within, &ret_separation->gap);
    if (is_good && ret_separation->gap > LEAST_GAP)
        is_good = find_p(&work, ret_separation->silhouette, &ret_separation->p);
    hpm_matrix_clear(&work.other);
    return is_good;
}

bool
hpm_separation_is_clear(const struct hpm_separation *separation)
{
    return separation->silhouette >= HPM_SEPARATION_SILHOUETTE &&
           separation->gap > LEAST_GAP && separation->p <= MOST_P;
}
