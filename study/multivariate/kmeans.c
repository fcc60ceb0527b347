/* SPDX-License-Identifier: BSD-3-Clause
 * k-means. */
#include "study/multivariate/kmeans.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/inference/random.h"

enum {
    BLOCK = 512, /* points whose distances fit into the first-level cache */
    MOST_PASSES = 1000,
    SAMPLED_FROM = 50000,
    SAMPLE = 20000,
    MOVED_UP_TO = 100000,
    EACH_MOVED_UP_TO = 10000
};

/* Groups while they are made. */
struct groups {
    const struct hpm_matrix *matrix;
    size_t k;
    double *centers; /* k centers, with one value per column */
    double *sums;    /* the same for sums of the points */
    size_t *sizes;
    size_t *labels;
    double *nearest; /* per point: the squared distance to its center */
    double *trial;   /* the same, for a trial */
    double *row;     /* the values of one point */
    double within;
};

static void
clear_groups(struct groups *groups)
{
    hpm_memory_free(groups->centers);
    hpm_memory_free(groups->sums);
    hpm_memory_free(groups->sizes);
    hpm_memory_free(groups->labels);
    hpm_memory_free(groups->nearest);
    hpm_memory_free(groups->trial);
    hpm_memory_free(groups->row);
}

static bool
init_groups(struct groups *groups, const struct hpm_matrix *matrix, size_t k)
{
    size_t p = matrix->n_columns, n = matrix->n_rows;

    *groups =
        (struct groups){.matrix = matrix,
                        .k = k,
                        .centers = hpm_memory_new(k * p + 1, sizeof(double)),
                        .sums = hpm_memory_new(k * p + 1, sizeof(double)),
                        .sizes = hpm_memory_new(k + 1, sizeof(size_t)),
                        .labels = hpm_memory_new(n + 1, sizeof(size_t)),
                        .nearest = hpm_memory_new(n + 1, sizeof(double)),
                        .trial = hpm_memory_new(n + 1, sizeof(double)),
                        .row = hpm_memory_new(p + 1, sizeof(double))};
    return groups->centers != NULL && groups->sums != NULL &&
           groups->sizes != NULL && groups->labels != NULL &&
           groups->nearest != NULL && groups->trial != NULL &&
           groups->row != NULL;
}

/* ---- the start ------------------------------------------------------ */

static double *
center(const struct groups *groups, size_t c)
{
    return groups->centers + c * groups->matrix->n_columns;
}

static void
put_center(struct groups *groups, size_t c, size_t point)
{
    for (size_t j = 0; j < groups->matrix->n_columns; j++)
        center(groups, c)[j] = hpm_matrix_get(groups->matrix, point, j);
}

/* Draw a point, with a probability proportional to its squared distance from
 * the centers. */
static size_t
draw(struct hpm_random *random, const double *squares, size_t n, double sum)
{
    double at = (double)(hpm_random_next(random) >> 11) * 0x1p-53 * sum;
    size_t last = 0;

    for (size_t i = 0; i < n; i++) {
        at -= squares[i];
        last = squares[i] > 0.0 ? i : last;
        if (at < 0.0)
            return i;
    }
    return last;
}

/* The squared distances if `point` became a center, too, in trial[]; returns
 * their sum. */
static double
try_center(struct groups *groups, size_t c, size_t point)
{
    size_t n = groups->matrix->n_rows;
    double sum = 0.0;

    put_center(groups, c, point);
    hpm_matrix_distances(groups->matrix, 0, n, center(groups, c),
                         groups->trial);
    for (size_t i = 0; i < n; i++) {
        if (c > 0 && groups->nearest[i] < groups->trial[i])
            groups->trial[i] = groups->nearest[i];
        sum += groups->trial[i];
    }
    return sum;
}

static void
take_trial(struct groups *groups)
{
    double *trial = groups->trial;

    groups->trial = groups->nearest;
    groups->nearest = trial;
}

/* Add the next center: the best of some candidates.  Returns the sum of the
 * squared distances left. */
static double
add_center(struct groups *groups, size_t c, double sum,
           struct hpm_random *random)
{
    size_t n = groups->matrix->n_rows, best = 0;
    int n_candidates = 2 + (int)log((double)groups->k);
    double least = INFINITY;

    for (int i = 0; i < n_candidates; i++) {
        size_t point = draw(random, groups->nearest, n, sum);
        double left = try_center(groups, c, point);

        if (left < least) {
            least = left;
            best = point;
        }
    }
    try_center(groups, c, best);
    take_trial(groups);
    return least;
}

static void
choose_centers(struct groups *groups, struct hpm_random *random)
{
    size_t c = 1;
    double left =
        try_center(groups, 0, hpm_random_below(random, groups->matrix->n_rows));

    take_trial(groups);
    for (; c < groups->k && left > 0.0; c++)
        left = add_center(groups, c, left, random);
    groups->k = c;
}

/* ---- Lloyd ---------------------------------------------------------- */

static void
add_point(struct groups *groups, size_t c, size_t point, double sign)
{
    double *sums = groups->sums + c * groups->matrix->n_columns;

    for (size_t j = 0; j < groups->matrix->n_columns; j++)
        sums[j] += sign * hpm_matrix_get(groups->matrix, point, j);
}

/* The nearest center of each point of a block; of several the first. */
static void
find_nearest(struct groups *groups, size_t first, size_t n, size_t *labels)
{
    double squares[BLOCK];
    double *nearest = groups->nearest + first;

    hpm_matrix_distances(groups->matrix, first, n, center(groups, 0), nearest);
    memset(labels, 0, n * sizeof *labels);
    for (size_t c = 1; c < groups->k; c++) {
        hpm_matrix_distances(groups->matrix, first, n, center(groups, c),
                             squares);
        for (size_t i = 0; i < n; i++) {
            bool is_nearer = squares[i] < nearest[i];

            labels[i] = is_nearer ? c : labels[i];
            nearest[i] = is_nearer ? squares[i] : nearest[i];
        }
    }
}

/* Add up a block, column by column, so that memory is read in order. */
static void
add_block(struct groups *groups, size_t first, size_t n, const size_t *labels)
{
    size_t p = groups->matrix->n_columns;

    for (size_t i = 0; i < n; i++)
        groups->sizes[labels[i]]++;
    for (size_t j = 0; j < p; j++) {
        const double *column = hpm_matrix_column(groups->matrix, j) + first;

        for (size_t i = 0; i < n; i++)
            groups->sums[labels[i] * p + j] += column[i];
    }
}

/* A center without points takes the point that is farthest from its own
 * center. */
static void
fill_empty(struct groups *groups)
{
    for (size_t c = 0; c < groups->k; c++) {
        size_t best = 0;

        if (groups->sizes[c] > 0)
            continue;
        for (size_t i = 1; i < groups->matrix->n_rows; i++) {
            if (groups->nearest[i] > groups->nearest[best])
                best = i;
        }
        groups->sizes[groups->labels[best]]--;
        add_point(groups, groups->labels[best], best, -1.0);
        groups->labels[best] = c;
        groups->nearest[best] = 0.0;
        groups->sizes[c] = 1;
        add_point(groups, c, best, 1.0);
    }
}

static void
move_centers(struct groups *groups)
{
    size_t p = groups->matrix->n_columns;

    for (size_t i = 0; i < groups->k * p; i++)
        groups->centers[i] = groups->sums[i] / (double)groups->sizes[i / p];
}

/* One pass; returns how many points changed their group. */
static size_t
assign(struct groups *groups)
{
    size_t labels[BLOCK], n_changed = 0, n = groups->matrix->n_rows;

    memset(groups->sums, 0,
           groups->k * groups->matrix->n_columns * sizeof *groups->sums);
    memset(groups->sizes, 0, groups->k * sizeof *groups->sizes);
    groups->within = 0.0;
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t n_here = n - first < BLOCK ? n - first : BLOCK;

        find_nearest(groups, first, n_here, labels);
        add_block(groups, first, n_here, labels);
        for (size_t i = 0; i < n_here; i++) {
            n_changed += labels[i] != groups->labels[first + i];
            groups->within += groups->nearest[first + i];
            groups->labels[first + i] = labels[i];
        }
    }
    fill_empty(groups);
    return n_changed;
}

static void
run_lloyd(struct groups *groups, int most_passes)
{
    for (size_t i = 0; i < groups->matrix->n_rows; i++)
        groups->labels[i] = groups->k;
    for (int i = 0; i < most_passes && assign(groups) > 0; i++)
        move_centers(groups);
}

/* ---- Hartigan ------------------------------------------------------- */

/* A point is compared with all centers, and its values are a column apart. */
static void
take_row(struct groups *groups, size_t point)
{
    for (size_t j = 0; j < groups->matrix->n_columns; j++)
        groups->row[j] = hpm_matrix_get(groups->matrix, point, j);
}

/* Of the point that was taken; the same number as hpm_matrix_distances() has,
 * whose loop is made for many points and takes four times as long for one. */
static double
square_from(const struct groups *groups, size_t c)
{
    const double *at = center(groups, c);
    double square = 0.0;

    for (size_t j = 0; j < groups->matrix->n_columns; j++)
        square += (groups->row[j] - at[j]) * (groups->row[j] - at[j]);
    return square;
}

static void
move_point(struct groups *groups, size_t point, size_t to)
{
    size_t from = groups->labels[point], p = groups->matrix->n_columns;

    add_point(groups, from, point, -1.0);
    add_point(groups, to, point, 1.0);
    groups->sizes[from]--;
    groups->sizes[to]++;
    groups->labels[point] = to;
    for (size_t j = 0; j < p; j++) {
        center(groups, from)[j] =
            groups->sums[from * p + j] / (double)groups->sizes[from];
        center(groups, to)[j] =
            groups->sums[to * p + j] / (double)groups->sizes[to];
    }
}

/* Is it better to move the point?  Yes if its group loses more than another one
 * gains, by more than rounding. */
static bool
improve(struct groups *groups, size_t point)
{
    size_t from = groups->labels[point], best = from;
    double size = (double)groups->sizes[from], gain, least;

    if (groups->sizes[from] < 2)
        return false;
    take_row(groups, point);
    gain = size / (size - 1.0) * square_from(groups, from);
    least = gain * (1.0 - 1e-12);
    for (size_t c = 0; c < groups->k; c++) {
        double other = (double)groups->sizes[c], loss;

        if (c == from)
            continue;
        loss = other / (other + 1.0) * square_from(groups, c);
        if (loss < least) {
            least = loss;
            best = c;
        }
    }
    if (best != from)
        move_point(groups, point, best);
    return best != from;
}

static void
run_moves(struct groups *groups)
{
    size_t n = groups->matrix->n_rows, n_still = 0;

    move_centers(groups);
    for (size_t i = 0; n_still < n && i < (size_t)MOST_PASSES * n; i++)
        n_still = improve(groups, i % n) ? 0 : n_still + 1;
    groups->within = 0.0;
    for (size_t i = 0; i < n; i++) {
        take_row(groups, i);
        groups->within += square_from(groups, groups->labels[i]);
    }
}

/* ---- the whole run -------------------------------------------------- */

static int
passes_of(const struct hpm_kmeans_options *options)
{
    return options->most_passes > 0 ? options->most_passes : MOST_PASSES;
}

/* The centers of the best start, in *best, which has the same matrix. */
static bool
run_starts(struct groups *best, const struct hpm_kmeans_options *options)
{
    struct hpm_random random = {options->seed};
    struct groups groups;
    size_t k = best->k, n_starts = options->n_starts;

    if (n_starts == 0)
        n_starts = hpm_kmeans_starts(best->matrix->n_rows);
    best->within = INFINITY;
    if (!init_groups(&groups, best->matrix, k)) {
        clear_groups(&groups);
        return false;
    }
    for (size_t i = 0; i < n_starts; i++) {
        groups.k = k;
        choose_centers(&groups, &random);
        run_lloyd(&groups, passes_of(options));
        if (options->most_passes == 0 &&
            groups.matrix->n_rows <= EACH_MOVED_UP_TO)
            run_moves(&groups);
        if (groups.within < best->within) {
            struct groups better = groups;

            groups = *best;
            *best = better;
        }
    }
    clear_groups(&groups);
    return true;
}

bool
hpm_kmeans_sample(struct hpm_matrix *ret_sample,
                  const struct hpm_matrix *matrix, size_t n, uint64_t seed)
{
    struct hpm_random random = {seed ^ UINT64_C(0x5a5a5a5a)};
    size_t *rows = hpm_memory_new(n + 1, sizeof *rows);
    size_t n_rows = 0;
    bool is_good;

    for (size_t i = 0; i < matrix->n_rows && rows != NULL && n_rows < n; i++) {
        if (hpm_random_below(&random, matrix->n_rows - i) < n - n_rows)
            rows[n_rows++] = i;
    }
    is_good =
        rows != NULL && hpm_matrix_take_rows(ret_sample, matrix, rows, n_rows);
    hpm_memory_free(rows);
    return is_good;
}

/* Run the starts on a sample, then use the best centers for all points. */
static bool
start_by_sample(struct groups *groups, const struct hpm_kmeans_options *options)
{
    struct hpm_matrix sample = {0};
    struct groups best = {0};
    bool is_good =
        hpm_kmeans_sample(&sample, groups->matrix, SAMPLE, options->seed) &&
        init_groups(&best, &sample, groups->k) && run_starts(&best, options);

    if (is_good) {
        groups->k = best.k;
        memcpy(groups->centers, best.centers,
               best.k * sample.n_columns * sizeof *best.centers);
        run_lloyd(groups, passes_of(options));
    }
    clear_groups(&best);
    hpm_matrix_clear(&sample);
    return is_good;
}

size_t
hpm_kmeans_starts(size_t n_points)
{
    enum { LEAST = 10, MOST = 500, POINTS = 100000 };
    size_t n = n_points > 0 ? POINTS / n_points : MOST;

    return n < LEAST ? LEAST : n > MOST ? MOST : n;
}

bool
hpm_kmeans_run(struct hpm_grouping_of_points *ret_grouping,
               const struct hpm_matrix *matrix,
               const struct hpm_kmeans_options *options)
{
    struct groups groups;
    bool is_good = init_groups(&groups, matrix, options->k);

    if (is_good)
        is_good = matrix->n_rows > SAMPLED_FROM
                      ? start_by_sample(&groups, options)
                      : run_starts(&groups, options);
    if (is_good && options->most_passes == 0 &&
        matrix->n_rows > EACH_MOVED_UP_TO && matrix->n_rows <= MOVED_UP_TO)
        run_moves(&groups);
    is_good = is_good &&
              hpm_grouping_init(ret_grouping, matrix, groups.labels, groups.k);
    clear_groups(&groups);
    return is_good;
}
