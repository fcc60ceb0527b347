/* SPDX-License-Identifier: BSD-3-Clause
 * How long statistics of points take: one method, with points from a file.
 *
 *     alike make ROWS COLUMNS GROUPS FILE    random points, around GROUPS
 *     alike METHOD ROWS COLUMNS FILE         "seconds MiB figure"
 *
 * The file has doubles, column by column.  Seconds are processor time, so that
 * busy neighbours do not count.  MiB is the memory that the method took beyond
 * the points.  The figure is computed by the compared program, too, and shows
 * that both did the same: the last height of a tree, the squares within groups,
 * the largest eigenvalue, the objective of a fit; for "cuts" it is the worst of
 * cuts of the approximate tree into 2 to 8 groups, relative to the squares
 * within those of the exact one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "study/inference/random.h"
#include "study/multivariate/agglomeration.h"
#include "study/multivariate/components.h"
#include "study/multivariate/correlation.h"
#include "study/multivariate/factors.h"
#include "study/multivariate/kmeans.h"
#include "study/multivariate/preparation.h"
#include "study/multivariate/smallgroups.h"

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double
peak_in_mib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

static void
fail(const char *why)
{
    fprintf(stderr, "alike: %s\n", why);
    exit(1);
}

/* ---- points -------------------------------------------------------------- */

/* Nearly normal: twelve numbers from 0 to 1 have mean 6 and deviation 1. */
static double
by_chance(struct hpm_random *random)
{
    double sum = -6.0;

    for (int i = 0; i < 12; i++)
        sum += (double)(hpm_random_next(random) >> 11) * 0x1p-53;
    return sum;
}

static void
make(size_t n, size_t p, size_t k, const char *path)
{
    struct hpm_random random = {20020716};
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        fail("cannot write the points");
    for (size_t j = 0; j < p; j++) {
        for (size_t i = 0; i < n; i++) {
            double value =
                by_chance(&random) + 4.0 * (double)((i % k) * (j + 3) % k);

            if (fwrite(&value, sizeof value, 1, file) != 1)
                fail("cannot write the points");
        }
    }
    if (fclose(file) != 0)
        fail("cannot write the points");
}

static void
read_points(struct hpm_matrix *matrix, size_t n, size_t p, const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL || !hpm_matrix_init(matrix, n, p) ||
        fread(matrix->values, sizeof(double), n * p, file) != n * p)
        fail("cannot read the points");
    fclose(file);
}

/* ---- methods -------------------------------------------------------- */

static double
run_tree(const struct hpm_matrix *matrix, enum hpm_linkage linkage)
{
    struct hpm_tree tree;
    double height;

    if (!hpm_agglomeration_run(&tree, matrix, linkage, NULL))
        fail("no memory");
    height = tree.merges[matrix->n_rows - 2].height;
    hpm_tree_clear(&tree);
    return height;
}

/* The squares within of the groups that labels[] makes. */
static double
within_of(const struct hpm_matrix *matrix, const size_t *labels, size_t k)
{
    struct hpm_grouping_of_points groups;
    double within;

    if (!hpm_grouping_init(&groups, matrix, labels, k))
        fail("no memory");
    within = groups.within;
    hpm_grouping_clear(&groups);
    return within;
}

struct approximate {
    struct hpm_grouping_of_points groups;
    struct hpm_tree tree;
    size_t *labels;
};

static void
init_approximate(struct approximate *it, const struct hpm_matrix *matrix)
{
    it->labels = calloc(matrix->n_rows, sizeof *it->labels);
    if (it->labels == NULL ||
        !hpm_smallgroups_init(&it->groups, matrix, HPM_SMALLGROUPS_USUAL,
                              HPM_KMEANS_SEED) ||
        !hpm_smallgroups_tree(&it->groups, &it->tree))
        fail("no memory");
}

static void
clear_approximate(struct approximate *it)
{
    hpm_grouping_clear(&it->groups);
    hpm_tree_clear(&it->tree);
    free(it->labels);
}

static double
cut_approximate(struct approximate *it, const struct hpm_matrix *matrix,
                size_t k)
{
    if (!hpm_smallgroups_cut(&it->groups, &it->tree, matrix, k, it->labels, &k))
        fail("no memory");
    return within_of(matrix, it->labels, k);
}

static double
run_approximate(const struct hpm_matrix *matrix)
{
    struct approximate it;
    double within;

    init_approximate(&it, matrix);
    within = cut_approximate(&it, matrix, 4);
    clear_approximate(&it);
    return within;
}

static double
run_cuts(const struct hpm_matrix *matrix)
{
    struct approximate it;
    struct hpm_tree exact;
    double worst = 0.0;

    init_approximate(&it, matrix);
    if (!hpm_agglomeration_run(&exact, matrix, HPM_LINKAGE_WARD, NULL))
        fail("no memory");
    for (size_t k = 2; k <= 8; k++) {
        double within = cut_approximate(&it, matrix, k);

        if (!hpm_tree_cut(&exact, k, it.labels))
            fail("no memory");
        worst = fmax(worst, within / within_of(matrix, it.labels, k));
    }
    hpm_tree_clear(&exact);
    clear_approximate(&it);
    return worst;
}

static double
run_kmeans(const struct hpm_matrix *matrix)
{
    const struct hpm_kmeans_options options = {.k = 4, .seed = HPM_KMEANS_SEED};
    struct hpm_grouping_of_points grouping;
    double within;

    if (!hpm_kmeans_run(&grouping, matrix, &options))
        fail("no memory");
    within = grouping.within;
    hpm_grouping_clear(&grouping);
    return within;
}

static double
run_components(const struct hpm_matrix *matrix)
{
    struct hpm_components components;
    double largest;

    if (!hpm_components_init(&components, matrix))
        fail("no memory");
    largest = components.values[0];
    hpm_components_clear(&components);
    return largest;
}

static double
run_factors(const struct hpm_matrix *matrix)
{
    size_t p = matrix->n_columns;
    double *correlations = calloc(p * p, sizeof *correlations);
    struct hpm_factors factors;
    double f;

    if (correlations == NULL || !hpm_correlation_fill(matrix, correlations) ||
        !hpm_factors_init(&factors, correlations, p, 6, HPM_KMEANS_SEED))
        fail("no memory");
    f = factors.f;
    hpm_factors_clear(&factors);
    free(correlations);
    return f;
}

static double
run(const char *method, const struct hpm_matrix *matrix)
{
    static const char *const linkages[] = {"single", "complete", "average",
                                           "ward"};

    for (int i = 0; i < 4; i++) {
        if (strcmp(method, linkages[i]) == 0)
            return run_tree(matrix, (enum hpm_linkage)i);
    }
    if (strcmp(method, "approximate") == 0)
        return run_approximate(matrix);
    if (strcmp(method, "cuts") == 0)
        return run_cuts(matrix);
    if (strcmp(method, "kmeans") == 0)
        return run_kmeans(matrix);
    if (strcmp(method, "components") == 0)
        return run_components(matrix);
    if (strcmp(method, "factors") == 0)
        return run_factors(matrix);
    fail("unknown method");
    return 0.0;
}

int
main(int argc, char **argv)
{
    struct hpm_matrix matrix;
    double start, before, figure;

    if (argc == 6 && strcmp(argv[1], "make") == 0) {
        make(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
             strtoul(argv[4], NULL, 10), argv[5]);
        return 0;
    }
    if (argc != 5)
        fail("expected METHOD ROWS COLUMNS FILE, or make ROWS COLUMNS GROUPS "
             "FILE");
    read_points(&matrix, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                argv[4]);
    before = peak_in_mib();
    start = now();
    figure = run(argv[1], &matrix);
    printf("%.4f %.1f %.12g\n", now() - start, peak_in_mib() - before, figure);
    hpm_matrix_clear(&matrix);
    return 0;
}
