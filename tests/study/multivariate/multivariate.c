/* SPDX-License-Identifier: BSD-3-Clause
 * Statistics of points, from inside: empty input, the same bits each time, and
 * every allocation failing once.  tests/cli/cluster.py, factors.py, outliers.py
 * and, for R, the oracles there check the numbers. */
#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/inference/random.h"
#include "study/multivariate/agglomeration.h"
#include "study/multivariate/components.h"
#include "study/multivariate/correlation.h"
#include "study/multivariate/factors.h"
#include "study/multivariate/kmeans.h"
#include "study/multivariate/outliers.h"
#include "study/multivariate/preparation.h"
#include "study/multivariate/separation.h"
#include "study/multivariate/smallgroups.h"
#include "tap.h"

enum { N = 60, P = 6 };

static double table[P][N];

static void
fill_table(void)
{
    struct hpm_random random = {7};

    for (size_t j = 0; j < P; j++) {
        for (size_t i = 0; i < N; i++)
            table[j][i] = (double)(hpm_random_next(&random) >> 11) * 0x1p-53 +
                          (i % 3 == 0 ? 3.0 : 0.0);
    }
}

static bool
prepare(struct hpm_preparation *preparation)
{
    struct hpm_raw_column columns[P];

    for (size_t j = 0; j < P; j++)
        columns[j] = (struct hpm_raw_column){.values = table[j]};
    return hpm_preparation_init(preparation, columns, P, N, HPM_SCALING_Z);
}

/* ---- every method, on the same points ------------------------------- */

/* Each method gives one number of its result; false when there was no
 * memory. */
typedef bool method(const struct hpm_matrix *matrix, double *ret_number);

static bool
make_tree(const struct hpm_matrix *matrix, enum hpm_linkage linkage,
          double *ret_number)
{
    struct hpm_tree tree;
    size_t labels[N], order[N];
    bool is_good = hpm_agglomeration_run(&tree, matrix, linkage, NULL);

    if (!is_good)
        return false;
    *ret_number = tree.merges[N - 2].height;
    is_good = hpm_tree_cut(&tree, 3, labels) && hpm_tree_order(&tree, order) &&
              isfinite(hpm_tree_cophenetic(&tree, matrix));
    hpm_tree_clear(&tree);
    return is_good;
}

static bool
single(const struct hpm_matrix *matrix, double *ret_number)
{
    return make_tree(matrix, HPM_LINKAGE_SINGLE, ret_number);
}

static bool
average(const struct hpm_matrix *matrix, double *ret_number)
{
    return make_tree(matrix, HPM_LINKAGE_AVERAGE, ret_number);
}

static bool
ward(const struct hpm_matrix *matrix, double *ret_number)
{
    return make_tree(matrix, HPM_LINKAGE_WARD, ret_number);
}

static bool
kmeans(const struct hpm_matrix *matrix, double *ret_number)
{
    const struct hpm_kmeans_options options = {
        .k = 2, .seed = HPM_KMEANS_SEED, .n_starts = 3};
    struct hpm_separation separation;
    struct hpm_grouping_of_points groups;
    bool is_good = hpm_kmeans_run(&groups, matrix, &options);

    if (!is_good)
        return false;
    is_good = isfinite(hpm_grouping_silhouette(&groups, matrix, NULL)) &&
              hpm_separation_find(&groups, matrix, 1, &separation);
    *ret_number = separation.gap;
    hpm_grouping_clear(&groups);
    return is_good;
}

/* An approximate tree, and a cut of it. */
static bool
small_groups(const struct hpm_matrix *matrix, double *ret_number)
{
    struct hpm_grouping_of_points groups;
    struct hpm_tree tree;
    size_t labels[N], k;
    bool is_good =
        hpm_smallgroups_init(&groups, matrix, N / 4, HPM_KMEANS_SEED);

    if (!is_good)
        return false;
    is_good = hpm_smallgroups_tree(&groups, &tree);
    if (is_good) {
        *ret_number = tree.merges[groups.k - 2].height;
        is_good = hpm_smallgroups_cut(&groups, &tree, matrix, 3, labels, &k) &&
                  k == 3 && tree.merges[groups.k - 2].size == N;
        hpm_tree_clear(&tree);
    }
    hpm_grouping_clear(&groups);
    return is_good;
}

static bool
components(const struct hpm_matrix *matrix, double *ret_number)
{
    struct hpm_components found;

    if (!hpm_components_init(&found, matrix))
        return false;
    *ret_number = found.values[0];
    hpm_components_clear(&found);
    return true;
}

static bool
factors(const struct hpm_matrix *matrix, double *ret_number)
{
    double correlations[P * P];
    struct hpm_factors found;

    if (!hpm_correlation_fill(matrix, correlations) ||
        !hpm_factors_init(&found, correlations, P, 2, HPM_KMEANS_SEED))
        return false;
    *ret_number = found.f;
    hpm_factors_clear(&found);
    return true;
}

static bool
outliers(const struct hpm_matrix *matrix, double *ret_number)
{
    struct hpm_outliers found;

    if (!hpm_outliers_init(&found, matrix))
        return false;
    *ret_number = found.distances[1];
    hpm_outliers_clear(&found);
    return true;
}

/* A sentence about one of several. */
static const char *
about(const char *name, const char *words)
{
    static char sentence[120];

    snprintf(sentence, sizeof sentence, "%s: %s", name, words);
    return sentence;
}

static const struct {
    const char *name;
    method *run;
    unsigned long step; /* every step-th allocation fails */
} methods[] = {{"single", single, 1},
               {"average", average, 1},
               {"ward", ward, 1},
               {"k-means", kmeans, 97},
               {"small groups", small_groups, 1},
               {"components", components, 1},
               {"factors", factors, 1},
               {"outliers", outliers, 1}};

/* ---- tests ---------------------------------------------------------- */

static void
test_same_bits(const struct hpm_matrix *matrix)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double first = NAN, again = NAN;
        bool is_good =
            methods[i].run(matrix, &first) && methods[i].run(matrix, &again);

        ok(is_good && memcmp(&first, &again, sizeof first) == 0,
           about(methods[i].name, "the same bits each time"));
    }
}

static void
test_no_memory(const struct hpm_matrix *matrix)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        unsigned long n = 1;
        double number;
        bool is_good = false;

        for (; !is_good && n < 1000000; n += methods[i].step) {
            hpm_memory_fail_at(n, true);
            is_good = methods[i].run(matrix, &number);
            hpm_memory_fail_at(0, false);
        }
        ok(is_good && n > 1, about(methods[i].name, "any allocation may fail"));
    }
}

/* For few points the exact tree is made as well, to compare. */
static void
test_small_groups(const struct hpm_matrix *matrix)
{
    struct hpm_grouping_of_points groups, exact, approximate;
    struct hpm_tree tree, whole;
    size_t labels[N], cut[N], k;

    ok(hpm_smallgroups_init(&groups, matrix, N, HPM_KMEANS_SEED) &&
           groups.k > N / 2 && hpm_smallgroups_tree(&groups, &tree) &&
           hpm_agglomeration_run(&whole, matrix, HPM_LINKAGE_WARD, NULL),
       "small groups of about one point each");
    ok(hpm_smallgroups_cut(&groups, &tree, matrix, 2, labels, &k) && k == 2 &&
           hpm_tree_cut(&whole, 2, cut) &&
           hpm_grouping_init(&approximate, matrix, labels, 2) &&
           hpm_grouping_init(&exact, matrix, cut, 2) &&
           approximate.within <= 1.02 * exact.within,
       "a cut of the approximate tree is as good as one of the exact");
    ok(fabs(tree.merges[groups.k - 2].height / whole.merges[N - 2].height - 1) <
           0.02,
       "and so is its last height, which numbers of points weigh");
    hpm_grouping_clear(&groups);
    hpm_grouping_clear(&exact);
    hpm_grouping_clear(&approximate);
    hpm_tree_clear(&tree);
    hpm_tree_clear(&whole);
}

static void
test_preparation_without_memory(void)
{
    struct hpm_preparation preparation;
    bool is_good = false;
    unsigned long n = 0;

    while (!is_good && n < 1000) {
        hpm_memory_fail_at(++n, true);
        is_good = prepare(&preparation);
        hpm_memory_fail_at(0, false);
    }
    ok(is_good && n > 5, "preparation: any allocation may fail");
    hpm_preparation_clear(&preparation);
}

static void
test_odd_columns(void)
{
    static const double some[4] = {1.0, NAN, 3.0, INFINITY};
    static const double few[4] = {NAN, 2.0, NAN, NAN};
    static const double large[4] = {4e15, 4e15 + 1, 4e15, 4e15 + 1};
    const struct hpm_raw_column columns[] = {
        {some, false}, {few, false}, {large, true}, {large, false}};
    static const double tiny[4] = {1e-300, 2e-300, 1e-300, 2e-300};
    static const double vast[4] = {1e300, 2e300, 1e300, 2e300};
    const struct hpm_raw_column extreme[] = {{tiny, false}, {vast, false}};
    struct hpm_preparation made;

    ok(hpm_preparation_init(&made, columns, 4, 4, HPM_SCALING_Z) &&
           made.fates[0] == HPM_FATE_KEPT && made.fates[1] == HPM_FATE_MISSING,
       "a column missing in more than half of the rows goes");
    ok(made.n_dropped_rows == 2 && made.rows[0] == 0 && made.rows[1] == 2,
       "then rows in which a value is missing, or infinite");
    hpm_preparation_clear(&made);
    ok(hpm_preparation_init(&made, columns + 2, 2, 4, HPM_SCALING_Z) &&
           made.fates[0] == HPM_FATE_KEPT && made.fates[1] == HPM_FATE_CONSTANT,
       "counts that differ by 1 of 4e15 are kept; of what was computed that is "
       "rounding");
    ok(fabs(made.matrix.values[0] + sqrt(0.75)) < 1e-12,
       "and are scaled without loss");
    hpm_preparation_clear(&made);
    ok(hpm_preparation_init(&made, extreme, 2, 4, HPM_SCALING_Z) &&
           made.fates[0] == HPM_FATE_KEPT && made.fates[1] == HPM_FATE_KEPT &&
           fabs(made.matrix.values[0] + sqrt(0.75)) < 1e-12 &&
           fabs(made.matrix.values[4] + sqrt(0.75)) < 1e-12,
       "and so are numbers whose squares are too small or too large");
    hpm_preparation_clear(&made);
}

static void
test_few_points(void)
{
    static const char *const linkages[] = {"single", "complete", "average",
                                           "ward"};
    struct hpm_matrix one = {0}, two = {0};
    struct hpm_tree tree = {0};
    size_t label = 9, order = 9;

    ok(hpm_matrix_init(&one, 1, 1) &&
           hpm_agglomeration_run(&tree, &one, HPM_LINKAGE_WARD, NULL) &&
           hpm_tree_cut(&tree, 1, &label) && label == 0 &&
           hpm_tree_order(&tree, &order) && order == 0,
       "one point is a tree");
    hpm_tree_clear(&tree);
    for (int linkage = 0; linkage < 4; linkage++) {
        ok(hpm_matrix_init(&two, 2, 3) &&
               hpm_agglomeration_run(&tree, &two, (enum hpm_linkage)linkage,
                                     NULL) &&
               tree.merges[0].height == 0.0 && tree.merges[0].a == -1 &&
               tree.merges[0].b == -2,
           about(linkages[linkage], "two equal points are joined at 0"));
        hpm_tree_clear(&tree);
        hpm_matrix_clear(&two);
    }
    hpm_matrix_clear(&one);
}

/* Of very many points the starts use a sample, and all points come to the best. */
static void
test_very_many_points(void)
{
    enum { MANY = 50001 };
    const struct hpm_kmeans_options options = {
        .k = 3, .seed = HPM_KMEANS_SEED, .n_starts = 2};
    struct hpm_random random = {11};
    struct hpm_grouping_of_points groups;
    struct hpm_matrix matrix;
    size_t n_right = 0;

    if (!hpm_matrix_init(&matrix, MANY, 2))
        return;
    for (size_t i = 0; i < MANY; i++) {
        for (size_t j = 0; j < 2; j++)
            hpm_matrix_column(&matrix, j)[i] =
                (double)(hpm_random_next(&random) >> 11) * 0x1p-53 +
                (i % 3 == j ? 40.0 : 0.0);
    }
    if (hpm_kmeans_run(&groups, &matrix, &options)) {
        for (size_t i = 0; i < MANY; i++)
            n_right += groups.labels[i] == i % 3;
        ok(groups.k == 3 && n_right == MANY && groups.sizes[2] == MANY / 3,
           "k-means by a sample has the three kinds of very many points");
        hpm_grouping_clear(&groups);
    }
    hpm_matrix_clear(&matrix);
}

int
main(void)
{
    struct hpm_preparation preparation;

    fill_table();
    if (!prepare(&preparation))
        return 1;
    test_same_bits(&preparation.matrix);
    test_no_memory(&preparation.matrix);
    test_small_groups(&preparation.matrix);
    test_preparation_without_memory();
    test_odd_columns();
    test_few_points();
    test_very_many_points();
    hpm_preparation_clear(&preparation);
    return done();
}
