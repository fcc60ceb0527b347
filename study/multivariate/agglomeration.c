/* SPDX-License-Identifier: BSD-3-Clause
 * Agglomerative hierarchical clustering. */
#include "study/multivariate/agglomeration.h"

#include <math.h>
#include <stdint.h>

#include "host/memory.h"

/* So many distances are computed before they are compared: they fit into the
 * first-level cache. */
enum { BLOCK = 512 };

/* ---- single: a minimum spanning tree -------------------------------- */

/* The points that are not in the tree yet, without gaps: a point that joins the
 * tree is replaced by the last one.  This changes the order of points, so each
 * has its number. */
struct outside {
    struct hpm_matrix points; /* n_rows stays the number at first */
    size_t n;
    size_t *numbers;
    size_t *nearest; /* nearest point in the tree, by number */
    double *squares; /* of the distance to it */
};

/* Compute the distances from the point that has joined; returns the position of
 * the point closest to the tree, of several the one with the lowest number. */
static size_t
approach(struct outside *outside, const double *joined, size_t number)
{
    double squares[BLOCK], least = INFINITY;
    size_t best = 0;

    for (size_t first = 0; first < outside->n; first += BLOCK) {
        size_t n = outside->n - first < BLOCK ? outside->n - first : BLOCK;

        hpm_matrix_distances(&outside->points, first, n, joined, squares);
        for (size_t i = 0; i < n; i++) {
            size_t at = first + i;

            if (squares[i] < outside->squares[at]) {
                outside->squares[at] = squares[i];
                outside->nearest[at] = number;
            }
            if (outside->squares[at] < least ||
                (outside->squares[at] == least &&
                 outside->numbers[at] < outside->numbers[best])) {
                least = outside->squares[at];
                best = at;
            }
        }
    }
    return best;
}

/* Remove a point, with its values to `joined`. */
static void
take_out(struct outside *outside, size_t at, double *joined)
{
    size_t last = --outside->n;

    for (size_t j = 0; j < outside->points.n_columns; j++) {
        double *column = hpm_matrix_column(&outside->points, j);

        joined[j] = column[at];
        column[at] = column[last];
    }
    outside->numbers[at] = outside->numbers[last];
    outside->nearest[at] = outside->nearest[last];
    outside->squares[at] = outside->squares[last];
}

static bool
init_outside(struct outside *outside, const struct hpm_matrix *matrix)
{
    size_t n = matrix->n_rows;

    outside->n = n;
    outside->numbers = hpm_memory_new(n + 1, sizeof *outside->numbers);
    outside->nearest = hpm_memory_new(n + 1, sizeof *outside->nearest);
    outside->squares = hpm_memory_new(n + 1, sizeof *outside->squares);
    if (outside->numbers == NULL || outside->nearest == NULL ||
        outside->squares == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        outside->numbers[i] = i;
        outside->squares[i] = INFINITY;
    }
    return hpm_matrix_take_rows(&outside->points, matrix, outside->numbers, n);
}

static bool
run_single(const struct hpm_matrix *matrix, struct hpm_tree_edge *edges)
{
    struct outside outside = {0};
    double *joined = hpm_memory_new(matrix->n_columns + 1, sizeof *joined);
    bool is_good = joined != NULL && init_outside(&outside, matrix);
    size_t number = 0;

    if (is_good && matrix->n_rows > 0)
        take_out(&outside, 0, joined);
    for (size_t i = 0; is_good && outside.n > 0; i++) {
        size_t best = approach(&outside, joined, number);

        number = outside.numbers[best];
        edges[i] = (struct hpm_tree_edge){.a = outside.nearest[best],
                                          .b = number,
                                          .height = sqrt(outside.squares[best]),
                                          .order = i};
        take_out(&outside, best, joined);
    }
    hpm_memory_free(joined);
    hpm_memory_free(outside.numbers);
    hpm_memory_free(outside.nearest);
    hpm_memory_free(outside.squares);
    hpm_matrix_clear(&outside.points);
    return is_good;
}

/* ---- chains of nearest neighbours ----------------------------------- */

/* Clusters that are left, at places without gaps; each has the number of its
 * first point.  The chain consists of numbers, since places change. */
struct chain {
    size_t n;                 /* clusters left */
    size_t *numbers, *places; /* number of a place, place of a number */
    size_t *links, n_links;   /* the chain */
    size_t n_edges;
    struct hpm_tree_edge *edges;
};

/* Functions that differ by linkage. */
struct linkage {
    void *owner;
    /* The place of the cluster nearest to the one at `place`; `before` is the
     * place of the one before it in the chain, or SIZE_MAX.  *ret_height is the
     * distance. */
    size_t (*find)(void *owner, const struct chain *chain, size_t place,
                   size_t before, double *ret_height);
    /* Merge b into a, then move the cluster at place `last` to where b was. */
    void (*merge)(void *owner, const struct chain *chain, size_t a, size_t b,
                  size_t last);
};

static bool
init_chain(struct chain *chain, size_t n, struct hpm_tree_edge *edges)
{
    *chain = (struct chain){.n = n,
                            .numbers = hpm_memory_new(n + 1, sizeof(size_t)),
                            .places = hpm_memory_new(n + 1, sizeof(size_t)),
                            .links = hpm_memory_new(n + 1, sizeof(size_t)),
                            .edges = edges};
    if (chain->numbers == NULL || chain->places == NULL || chain->links == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        chain->numbers[i] = chain->places[i] = i;
    return true;
}

static void
clear_chain(struct chain *chain)
{
    hpm_memory_free(chain->numbers);
    hpm_memory_free(chain->places);
    hpm_memory_free(chain->links);
}

static void
join(struct chain *chain, const struct linkage *linkage, size_t a, size_t b,
     double height)
{
    size_t last = chain->n - 1;

    if (chain->numbers[a] > chain->numbers[b]) {
        size_t other = a;

        a = b;
        b = other;
    }
    chain->edges[chain->n_edges] =
        (struct hpm_tree_edge){.a = chain->numbers[a],
                               .b = chain->numbers[b],
                               .height = height,
                               .order = chain->n_edges};
    chain->n_edges++;
    linkage->merge(linkage->owner, chain, a, b, last);
    chain->numbers[b] = chain->numbers[last];
    chain->places[chain->numbers[b]] = b;
    chain->n = last;
}

/* Two clusters that are each other's nearest are merged: they would be merged
 * in the end anyway. */
static void
run_chain(struct chain *chain, const struct linkage *linkage)
{
    while (chain->n > 1) {
        size_t top, before, nearest;
        double height;

        if (chain->n_links == 0)
            chain->links[chain->n_links++] = chain->numbers[0];
        top = chain->places[chain->links[chain->n_links - 1]];
        before = chain->n_links > 1
                     ? chain->places[chain->links[chain->n_links - 2]]
                     : SIZE_MAX;
        nearest = linkage->find(linkage->owner, chain, top, before, &height);
        if (nearest != before) {
            chain->links[chain->n_links++] = chain->numbers[nearest];
            continue;
        }
        chain->n_links -= 2;
        join(chain, linkage, top, nearest, height);
    }
}

/* Is the distance to a place less than the least so far, or equal with a lower
 * number?  Of equal ones the cluster before in the chain comes first. */
static inline bool
is_nearer(const struct chain *chain, double distance, size_t place,
          double least, size_t best, size_t before)
{
    return distance < least || (distance == least && best != before &&
                                chain->numbers[place] < chain->numbers[best]);
}

/* ---- ward: means and sizes ------------------------------------------ */

struct ward {
    struct hpm_matrix means;
    double *sizes, *point;
};

static size_t
find_ward(void *owner, const struct chain *chain, size_t place, size_t before,
          double *ret_height)
{
    struct ward *ward = owner;
    double squares[BLOCK], least = INFINITY, size = ward->sizes[place];
    size_t best = before;

    for (size_t j = 0; j < ward->means.n_columns; j++)
        ward->point[j] = hpm_matrix_get(&ward->means, place, j);
    if (before != SIZE_MAX) {
        hpm_matrix_distances(&ward->means, before, 1, ward->point, squares);
        least = squares[0] * (size * ward->sizes[before]) /
                (size + ward->sizes[before]);
    }
    for (size_t first = 0; first < chain->n; first += BLOCK) {
        size_t n = chain->n - first < BLOCK ? chain->n - first : BLOCK;
        const double *sizes = ward->sizes + first;

        hpm_matrix_distances(&ward->means, first, n, ward->point, squares);
        for (size_t i = 0; i < n; i++)
            squares[i] = squares[i] * (size * sizes[i]) / (size + sizes[i]);
        for (size_t i = 0; i < n; i++) {
            if (squares[i] <= least && first + i != before &&
                first + i != place &&
                (best == SIZE_MAX || is_nearer(chain, squares[i], first + i,
                                               least, best, before))) {
                least = squares[i];
                best = first + i;
            }
        }
    }
    *ret_height = sqrt(2.0 * least);
    return best;
}

static void
merge_ward(void *owner, const struct chain *chain, size_t a, size_t b,
           size_t last)
{
    struct ward *ward = owner;
    double size = ward->sizes[a] + ward->sizes[b];

    (void)chain;
    for (size_t j = 0; j < ward->means.n_columns; j++) {
        double *column = hpm_matrix_column(&ward->means, j);

        column[a] =
            (ward->sizes[a] * column[a] + ward->sizes[b] * column[b]) / size;
        column[b] = column[last];
    }
    ward->sizes[a] = size;
    ward->sizes[b] = ward->sizes[last];
}

static bool
run_ward(const struct hpm_matrix *matrix, const size_t *weights,
         struct hpm_tree_edge *edges)
{
    size_t n = matrix->n_rows;
    struct ward ward = {
        .sizes = hpm_memory_new(n + 1, sizeof(double)),
        .point = hpm_memory_new(matrix->n_columns + 1, sizeof(double))};
    const struct linkage linkage = {&ward, find_ward, merge_ward};
    struct chain chain;
    bool is_good = init_chain(&chain, n, edges) && ward.sizes != NULL &&
                   ward.point != NULL &&
                   hpm_matrix_take_rows(&ward.means, matrix, chain.places, n);

    for (size_t i = 0; i < n && is_good; i++)
        ward.sizes[i] = weights != NULL ? (double)weights[i] : 1.0;
    if (is_good)
        run_chain(&chain, &linkage);
    clear_chain(&chain);
    hpm_matrix_clear(&ward.means);
    hpm_memory_free(ward.sizes);
    hpm_memory_free(ward.point);
    return is_good;
}

/* ---- complete and average: all distances ---------------------------- */

/* Row i of the triangle has the distances from the points before i.  A merged
 * cluster gets the lower of its two places, so rows move as places do. */
struct triangle {
    double *distances;
    double *sizes;
    bool is_average;
};

static inline double *
cell(const struct triangle *triangle, size_t a, size_t b)
{
    size_t low = a < b ? a : b, high = a < b ? b : a;

    return &triangle->distances[high * (high - 1) / 2 + low];
}

/* The nearest cluster so far. */
struct nearest {
    const struct chain *chain;
    size_t best, before;
    double least;
};

static inline void
look_at(struct nearest *nearest, size_t i, double distance)
{
    if (distance > nearest->least || i == nearest->before)
        return;
    if (nearest->best == SIZE_MAX ||
        is_nearer(nearest->chain, distance, i, nearest->least, nearest->best,
                  nearest->before)) {
        nearest->least = distance;
        nearest->best = i;
    }
}

/* Distances from clusters at lower places are in its own row, from those at
 * higher places one in each of their rows. */
static size_t
find_pair(void *owner, const struct chain *chain, size_t place, size_t before,
          double *ret_height)
{
    const struct triangle *triangle = owner;
    struct nearest nearest = {chain, before, before, INFINITY};
    const double *distances = triangle->distances;
    size_t behind = (place + 1) * place / 2; /* begin of the next row */

    if (before != SIZE_MAX)
        nearest.least = *cell(triangle, place, before);
    for (size_t i = 0; i < place; i++)
        look_at(&nearest, i, distances[behind - place + i]);
    for (size_t i = place + 1; i < chain->n; i++) {
        look_at(&nearest, i, distances[behind + place]);
        behind += i;
    }
    *ret_height = nearest.least;
    return nearest.best;
}

static void
merge_pair(void *owner, const struct chain *chain, size_t a, size_t b,
           size_t last)
{
    struct triangle *triangle = owner;
    double n_a = triangle->sizes[a], n_b = triangle->sizes[b];

    for (size_t i = 0; i < chain->n; i++) {
        double *to_a, to_b;

        if (i == a || i == b)
            continue;
        to_a = cell(triangle, a, i);
        to_b = *cell(triangle, b, i);
        *to_a = triangle->is_average ? (n_a * *to_a + n_b * to_b) / (n_a + n_b)
                                     : fmax(*to_a, to_b);
    }
    for (size_t i = 0; i < last && b != last; i++) {
        if (i != b)
            *cell(triangle, b, i) = *cell(triangle, last, i);
    }
    triangle->sizes[a] = n_a + n_b;
    triangle->sizes[b] = triangle->sizes[last];
}

static void
fill_triangle(struct triangle *triangle, const struct hpm_matrix *matrix,
              double *point)
{
    for (size_t i = 1; i < matrix->n_rows; i++) {
        double *row = cell(triangle, i, 0);

        for (size_t j = 0; j < matrix->n_columns; j++)
            point[j] = hpm_matrix_get(matrix, i, j);
        hpm_matrix_distances(matrix, 0, i, point, row);
        for (size_t k = 0; k < i; k++)
            row[k] = sqrt(row[k]);
    }
}

static bool
run_pairs(const struct hpm_matrix *matrix, bool is_average,
          struct hpm_tree_edge *edges)
{
    size_t n = matrix->n_rows;
    double *point = hpm_memory_new(matrix->n_columns + 1, sizeof *point);
    struct triangle triangle = {
        .distances =
            hpm_memory_take((n * (n > 0 ? n - 1 : 0) / 2 + 1) * sizeof(double)),
        .sizes = hpm_memory_new(n + 1, sizeof(double)),
        .is_average = is_average};
    const struct linkage linkage = {&triangle, find_pair, merge_pair};
    struct chain chain;
    bool is_good = init_chain(&chain, n, edges) && point != NULL &&
                   triangle.distances != NULL && triangle.sizes != NULL;

    for (size_t i = 0; i < n && is_good; i++)
        triangle.sizes[i] = 1.0;
    if (is_good) {
        fill_triangle(&triangle, matrix, point);
        run_chain(&chain, &linkage);
    }
    clear_chain(&chain);
    hpm_memory_free(point);
    hpm_memory_free(triangle.distances);
    hpm_memory_free(triangle.sizes);
    return is_good;
}

/* ---- all linkages --------------------------------------------------- */

size_t
hpm_agglomeration_bytes(enum hpm_linkage linkage, size_t n_rows,
                        size_t n_columns)
{
    size_t per_row = (n_columns + 12) * sizeof(double);

    if (linkage == HPM_LINKAGE_COMPLETE || linkage == HPM_LINKAGE_AVERAGE)
        per_row = n_rows / 2 * sizeof(double) + 12 * sizeof(double);
    return n_rows > 0 && per_row > SIZE_MAX / n_rows ? SIZE_MAX
                                                     : n_rows * per_row;
}

bool
hpm_agglomeration_run(struct hpm_tree *ret_tree,
                      const struct hpm_matrix *matrix, enum hpm_linkage linkage,
                      const size_t *weights)
{
    struct hpm_tree_edge *edges =
        hpm_memory_new(matrix->n_rows + 1, sizeof *edges);
    bool is_good = edges != NULL;

    if (is_good && linkage == HPM_LINKAGE_SINGLE)
        is_good = run_single(matrix, edges);
    else if (is_good && linkage == HPM_LINKAGE_WARD)
        is_good = run_ward(matrix, weights, edges);
    else if (is_good)
        is_good = run_pairs(matrix, linkage == HPM_LINKAGE_AVERAGE, edges);
    is_good =
        is_good && hpm_tree_init(ret_tree, matrix->n_rows, edges, weights);
    hpm_memory_free(edges);
    return is_good;
}
