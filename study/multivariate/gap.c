/* SPDX-License-Identifier: BSD-3-Clause
 * The number of groups, by the gap statistic. */
#include "study/multivariate/gap.h"

#include <math.h>

#include "study/multivariate/evenpoints.h"
#include "study/multivariate/kmeans.h"

enum { N_EVEN = 20 };

/* The sums of squares within 1 to n groups. */
static bool
find_squares(const struct hpm_matrix *matrix, uint64_t seed, size_t n_starts,
             size_t n, double *ret_squares)
{
    for (size_t k = 1; k <= n; k++) {
        const struct hpm_kmeans_options how = {
            .k = k, .seed = seed, .n_starts = n_starts};
        struct hpm_grouping_of_points groups;

        if (!hpm_kmeans_run(&groups, matrix, &how))
            return false;
        ret_squares[k - 1] = groups.within;
        hpm_grouping_clear(&groups);
    }
    return true;
}

static size_t
choose(const struct hpm_gap *gap)
{
    size_t most = 0, best = 1;

    for (size_t i = 1; i < gap->n; i++)
        most = gap->of[i].gap > gap->of[most].gap ? i : most;
    if (gap->of[0].gap >= gap->of[most].gap - gap->of[most].error)
        return 1;
    while (best + 1 < gap->n &&
           gap->of[best].gap < gap->of[best + 1].gap - gap->of[best + 1].error)
        best++;
    return best + 1;
}

/* sums[] and squares[] are of the logarithms for even points. */
static void
finish(struct hpm_gap *gap, const double *ours, const double *sums,
       const double *squares)
{
    for (size_t i = 0; i < gap->n; i++) {
        double mean = sums[i] / N_EVEN;
        double variance = fmax(squares[i] / N_EVEN - mean * mean, 0.0);

        gap->of[i].gap = ours[i] > 0.0 ? mean - log(ours[i]) : INFINITY;
        gap->of[i].error = sqrt(variance * (1.0 + 1.0 / N_EVEN));
    }
    gap->best = choose(gap);
}

static bool
sum_even(const struct hpm_evenpoints *even, struct hpm_matrix *other,
         uint64_t seed, size_t n, double *sums, double *squares)
{
    struct hpm_random random = {.state = seed};
    const size_t few_starts = 4;

    for (int i = 0; i < N_EVEN; i++) {
        double within[HPM_GAP_MOST];

        hpm_evenpoints_fill(even, &random, other);
        if (!find_squares(other, seed, few_starts, n, within))
            return false;
        for (size_t j = 0; j < n; j++) {
            double here = log(fmax(within[j], 1e-300));

            sums[j] += here;
            squares[j] += here * here;
        }
    }
    return true;
}

static bool
find(struct hpm_gap *ret_gap, const struct hpm_matrix *matrix, uint64_t seed,
     size_t n_starts)
{
    double ours[HPM_GAP_MOST], sums[HPM_GAP_MOST] = {0};
    double squares[HPM_GAP_MOST] = {0};
    struct hpm_evenpoints even;
    struct hpm_matrix other;
    size_t n = matrix->n_rows / 2;
    bool is_good;

    *ret_gap = (struct hpm_gap){.n_points = matrix->n_rows,
                                .n = n < 1              ? 1
                                     : n < HPM_GAP_MOST ? n
                                                        : HPM_GAP_MOST};
    if (!hpm_evenpoints_init(&even, matrix))
        return false;
    is_good = hpm_matrix_init(&other, matrix->n_rows, matrix->n_columns);
    if (is_good) {
        is_good = find_squares(matrix, seed, n_starts, ret_gap->n, ours) &&
                  sum_even(&even, &other, seed, ret_gap->n, sums, squares);
        hpm_matrix_clear(&other);
    }
    hpm_evenpoints_clear(&even);
    if (is_good)
        finish(ret_gap, ours, sums, squares);
    return is_good;
}

bool
hpm_gap_find(struct hpm_gap *ret_gap, const struct hpm_matrix *matrix,
             uint64_t seed, size_t n_starts)
{
    struct hpm_matrix sample = {0};
    bool is_good;

    if (matrix->n_rows <= HPM_GAP_SAMPLE)
        return find(ret_gap, matrix, seed, n_starts);
    is_good = hpm_kmeans_sample(&sample, matrix, HPM_GAP_SAMPLE, seed) &&
              find(ret_gap, &sample, seed, n_starts);
    hpm_matrix_clear(&sample);
    return is_good;
}
