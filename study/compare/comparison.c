/* SPDX-License-Identifier: BSD-3-Clause
 * Do two sides differ in a metric, and how far? */
#include "study/compare/comparison.h"

#include <math.h>

#include "host/memory.h"
#include "study/inference/bootstrap.h"
#include "study/inference/holm.h"
#include "study/inference/permutation.h"
#include "study/statistics/quantile.h"

/* The values of both sides, and working memory. */
struct bench {
    double *a, *b;
    size_t n_a, n_b, capacity;
    size_t *block_a, *block_b; /* number of each value's block */
    double *room;
    size_t block; /* runs of a side in a block */
};

/* Values as they are tested: their logarithms, because noise is proportional to
 * the value; the values themselves where one is 0 or less. */
struct scale {
    bool is_logarithm;
    double *a, *b; /* in bench->room */
};

static bool
open_bench(struct bench *bench, const struct hpm_samples *samples)
{
    size_t most = 0, room;

    for (size_t i = 0; i < samples->n_sides; i++) {
        if (samples->sides[i].n_runs > most)
            most = samples->sides[i].n_runs;
    }
    room = hpm_permutation_room(most, most) + 2 * most;
    if (room < 2 * most + HPM_BOOTSTRAP_TIMES)
        room = 2 * most + HPM_BOOTSTRAP_TIMES;
    bench->block = samples->block;
    bench->room = hpm_memory_new(room, sizeof *bench->room);
    bench->a = hpm_memory_new(most + 1, sizeof *bench->a);
    bench->b = hpm_memory_new(most + 1, sizeof *bench->b);
    bench->block_a = hpm_memory_new(most + 1, sizeof *bench->block_a);
    bench->block_b = hpm_memory_new(most + 1, sizeof *bench->block_b);
    return bench->room != NULL && bench->a != NULL && bench->b != NULL &&
           bench->block_a != NULL && bench->block_b != NULL;
}

static void
close_bench(struct bench *bench)
{
    hpm_memory_free(bench->room);
    hpm_memory_free(bench->a);
    hpm_memory_free(bench->b);
    hpm_memory_free(bench->block_a);
    hpm_memory_free(bench->block_b);
}

/* Take the values that are there, each with its block. */
static size_t
take_side(const struct hpm_samples_series *series, size_t block,
          double *ret_values, size_t *ret_blocks)
{
    size_t n = 0;

    for (size_t i = 0; i < series->n; i++) {
        if (isnan(series->values[i]))
            continue;
        ret_blocks[n] = block > 0 ? i / block : 0;
        ret_values[n++] = series->values[i];
    }
    return n;
}

static void
take_values(struct bench *bench, const struct hpm_samples_series *a,
            const struct hpm_samples_series *b)
{
    bench->n_a = take_side(a, bench->block, bench->a, bench->block_a);
    bench->n_b = take_side(b, bench->block, bench->b, bench->block_b);
}

/* ---- describing both sides -------------------------------------------- */

static double
median_of(const double *values, size_t n, double *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = values[i];
    hpm_quantile_sort(room, n);
    return hpm_quantile_median(room, n);
}

/* The median distance from the median, relative to the median. */
static double
noise_of(const double *values, size_t n, double median, double *room)
{
    double distance;

    for (size_t i = 0; i < n; i++)
        room[i] = fabs(values[i] - median);
    hpm_quantile_sort(room, n);
    distance = hpm_quantile_median(room, n);
    if (distance == 0.0)
        return 0.0;
    return median != 0.0 ? distance / fabs(median) : NAN;
}

static void
describe(const struct bench *bench, struct hpm_comparison *found)
{
    double a = median_of(bench->a, bench->n_a, bench->room);
    double b = median_of(bench->b, bench->n_b, bench->room);

    found->median_a = a;
    found->median_b = b;
    found->noise = fmax(noise_of(bench->a, bench->n_a, a, bench->room),
                        noise_of(bench->b, bench->n_b, b, bench->room));
    if (a != 0.0)
        found->ratio = b / a;
    else if (b == 0.0)
        found->ratio = 1.0;
}

static bool
repeats(const double *values, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (values[i] != values[0])
            return false;
    }
    return true;
}

static bool
is_exact(const struct bench *bench, const struct hpm_samples_metric *metric)
{
    return metric->kind == HPM_SAMPLES_COUNT &&
           !hpm_samples_is_scheduling(metric->name) &&
           !hpm_samples_is_drawn(metric->name) &&
           bench->n_a >= HPM_COMPARISON_EXACT &&
           bench->n_b >= HPM_COMPARISON_EXACT &&
           repeats(bench->a, bench->n_a) && repeats(bench->b, bench->n_b);
}

/* ---- the test --------------------------------------------------------- */

static bool
are_positive(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(values[i] > 0.0))
            return false;
    }
    return true;
}

static struct scale
make_scale(const struct bench *bench)
{
    struct scale scale = {.a = bench->room,
                          .b = bench->room + bench->n_a,
                          .is_logarithm = are_positive(bench->a, bench->n_a) &&
                                          are_positive(bench->b, bench->n_b)};

    for (size_t i = 0; i < bench->n_a; i++)
        scale.a[i] = scale.is_logarithm ? log(bench->a[i]) : bench->a[i];
    for (size_t i = 0; i < bench->n_b; i++)
        scale.b[i] = scale.is_logarithm ? log(bench->b[i]) : bench->b[i];
    return scale;
}

static struct hpm_permutation
groups_of(const struct bench *bench, const struct scale *scale)
{
    return (struct hpm_permutation){.a = scale->a,
                                    .b = scale->b,
                                    .n_a = bench->n_a,
                                    .n_b = bench->n_b,
                                    .block_a = bench->block_a,
                                    .block_b = bench->block_b};
}

static double
test(const struct bench *bench)
{
    struct scale scale = make_scale(bench);
    struct hpm_permutation groups = groups_of(bench, &scale);

    return hpm_permutation_test(&groups, scale.b + bench->n_b);
}

/* The smallest difference that would be found, relative to a. */
static double
smallest_seen(const struct bench *bench, double median_a, double level)
{
    struct scale scale = make_scale(bench);
    struct hpm_permutation groups = groups_of(bench, &scale);
    double shift = hpm_permutation_seen(&groups, level, scale.b + bench->n_b);

    if (scale.is_logarithm || isinf(shift))
        return expm1(shift);
    return median_a != 0.0 ? shift / fabs(median_a) : INFINITY;
}

/* ---- one metric ------------------------------------------------------- */

static void
compare(const struct bench *bench, const struct hpm_samples_metric *metric,
        uint64_t seed, struct hpm_comparison *found)
{
    struct hpm_bootstrap_pair pair = {
        bench->a, bench->b, bench->n_a, bench->n_b,
        bench->block > 0 && bench->n_a == bench->n_b};

    found->n_a = bench->n_a;
    found->n_b = bench->n_b;
    if (bench->n_a == 0 || bench->n_b == 0)
        return;
    describe(bench, found);
    if (is_exact(bench, metric)) {
        found->finding =
            bench->a[0] == bench->b[0] ? HPM_FINDING_SAME : HPM_FINDING_EXACT;
        found->low = found->high = found->ratio;
        found->noise = 0.0;
        return;
    }
    hpm_bootstrap_ratio(&pair, seed, bench->room, &found->low, &found->high);
    found->p = test(bench);
}

static bool
add_comparison(struct hpm_comparisons *comparisons, struct bench *bench,
               const struct hpm_samples *samples,
               const struct hpm_comparison *which, uint64_t seed)
{
    const struct hpm_samples_series *a =
        hpm_samples_get(samples, which->subject, which->metric, 0);
    const struct hpm_samples_series *b =
        hpm_samples_get(samples, which->subject, which->metric, which->side);
    struct hpm_comparison *found;

    if (a == NULL || b == NULL)
        return true;
    if (!hpm_memory_grow(&comparisons->all, &comparisons->capacity,
                         comparisons->n + 1, sizeof *comparisons->all))
        return false;
    found = &comparisons->all[comparisons->n++];
    *found = *which;
    take_values(bench, a, b);
    compare(bench, &samples->metrics[which->metric], seed, found);
    comparisons->n_tests += !isnan(found->p);
    return true;
}

/* ---- all metrics ------------------------------------------------------ */

static bool
adjust(struct hpm_comparisons *comparisons)
{
    size_t n = comparisons->n;
    double *p = hpm_memory_new(2 * n + 1, sizeof *p);

    if (p == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        p[i] = comparisons->all[i].p;
    hpm_holm_adjust(p, n, p + n);
    for (size_t i = 0; i < n; i++)
        comparisons->all[i].adjusted =
            fmin(1.0, p[i] * (double)comparisons->n_looks);
    for (size_t i = 0; i < n; i++) {
        if (isnan(p[i]))
            comparisons->all[i].adjusted = NAN;
    }
    hpm_memory_free(p);
    return true;
}

/* The test uses ranks, which may differ where medians do not.  No difference is
 * reported where the interval of the ratio contains 1. */
static bool
contains_one(const struct hpm_comparison *found)
{
    return found->ratio == 1.0 || (found->low <= 1.0 && found->high >= 1.0);
}

static void
decide(const struct hpm_comparisons *comparisons, struct bench *bench,
       const struct hpm_samples *samples, struct hpm_comparison *found)
{
    if (isnan(found->p))
        return;
    take_values(
        bench, hpm_samples_get(samples, found->subject, found->metric, 0),
        hpm_samples_get(samples, found->subject, found->metric, found->side));
    found->seen = smallest_seen(bench, found->median_a,
                                hpm_comparisons_level(comparisons));
    if (found->adjusted <= HPM_COMPARISON_LEVEL && !contains_one(found))
        found->finding = HPM_FINDING_DIFFERS;
    else
        found->finding =
            isinf(found->seen) ? HPM_FINDING_TOO_FEW : HPM_FINDING_UNDECIDED;
}

static bool
compare_all(struct hpm_comparisons *comparisons, struct bench *bench,
            const struct hpm_samples *samples, uint64_t seed)
{
    for (size_t i = 0; i < samples->n_subjects; i++) {
        for (size_t j = 0; j < samples->n_metrics; j++) {
            for (size_t k = 1; k < samples->n_sides; k++) {
                struct hpm_comparison which = {.subject = i,
                                               .metric = j,
                                               .side = k,
                                               .median_a = NAN,
                                               .median_b = NAN,
                                               .noise = NAN,
                                               .ratio = NAN,
                                               .low = NAN,
                                               .high = NAN,
                                               .p = NAN,
                                               .adjusted = NAN,
                                               .seen = NAN};

                if (!add_comparison(comparisons, bench, samples, &which, seed))
                    return false;
            }
        }
    }
    return true;
}

bool
hpm_comparisons_make(struct hpm_comparisons *comparisons,
                     const struct hpm_samples *samples, size_t n_looks,
                     uint64_t seed, struct hpm_error *err)
{
    struct bench bench = {0};
    bool is_good;

    *comparisons = (struct hpm_comparisons){.n_looks = n_looks};
    is_good = open_bench(&bench, samples) &&
              compare_all(comparisons, &bench, samples, seed) &&
              adjust(comparisons);
    for (size_t i = 0; is_good && i < comparisons->n; i++)
        decide(comparisons, &bench, samples, &comparisons->all[i]);
    close_bench(&bench);
    return is_good || hpm_error_no_memory(err);
}

void
hpm_comparisons_clear(struct hpm_comparisons *comparisons)
{
    hpm_memory_free(comparisons->all);
    *comparisons = (struct hpm_comparisons){0};
}

/* Index of the first comparison whose subject is not smaller. */
static size_t
place_of(const struct hpm_comparisons *comparisons, size_t subject)
{
    size_t low = 0, high = comparisons->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (comparisons->all[middle].subject < subject)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct hpm_comparison *
hpm_comparisons_of(const struct hpm_comparisons *comparisons, size_t subject,
                   size_t *ret_n)
{
    size_t first = place_of(comparisons, subject);

    *ret_n = place_of(comparisons, subject + 1) - first;
    return *ret_n > 0 ? &comparisons->all[first] : NULL;
}

const struct hpm_comparison *
hpm_comparisons_find(const struct hpm_comparisons *comparisons, size_t subject,
                     size_t metric, size_t side)
{
    size_t n;
    const struct hpm_comparison *all =
        hpm_comparisons_of(comparisons, subject, &n);

    for (size_t i = 0; i < n; i++) {
        if (all[i].metric == metric && all[i].side == side)
            return &all[i];
    }
    return NULL;
}

double
hpm_comparisons_level(const struct hpm_comparisons *comparisons)
{
    return HPM_COMPARISON_LEVEL /
           (double)(comparisons->n_looks *
                    (comparisons->n_tests > 0 ? comparisons->n_tests : 1));
}
