/* SPDX-License-Identifier: BSD-3-Clause
 * hpm compare --until with known noise: how often equal programs are called
 * different, and how often a difference of 3 % is found. */
#include "study/compare/stopping.h"

#include <math.h>
#include <stdlib.h>

#include "study/inference/random.h"
#include "tap.h"

enum { TRIALS = 100, MOST = 300, N_METRICS = 2, SANITIZED_TRIALS = 5 };

/* The numbers are the same in all builds: with sanitizers a few trials are
 * enough, and other builds check how many of a hundred differ. */
static bool
is_sanitized(void)
{
    const char *sanitizers = getenv("sanitizers");

    return sanitizers != NULL && sanitizers[0] != '\0';
}

/* Noise like that of many programs: a tail to the right, a machine that is slow
 * for a while, and now and then a run that is far off. */
static double
draw_time(struct hpm_random *random, size_t run, double *slow)
{
    double sum = 0.0;

    for (int i = 0; i < 12; i++)
        sum += (double)hpm_random_below(random, 1000000) / 1e6;
    if (hpm_random_below(random, 20) == 0)
        *slow = 1.0 + (double)hpm_random_below(random, 10) / 100;
    (void)run;
    return *slow * exp(0.02 * (sum - 6.0)) *
           (hpm_random_below(random, 15) == 0 ? 1.5 : 1.0);
}

/* Add runs of both, up to n. */
static void
add_runs(struct hpm_samples *samples, struct hpm_random *random, double *slow,
         size_t n, double slower)
{
    for (size_t run = samples->sides[0].n_runs; run < n; run++) {
        for (size_t metric = 0; metric < N_METRICS; metric++) {
            for (size_t side = 0; side < 2; side++)
                hpm_samples_set(samples, 0, metric, side, run,
                                draw_time(random, run, slow) *
                                    (side == 1 ? slower : 1.0));
        }
    }
}

struct outcome {
    bool differs;
    size_t n_runs;
};

/* One comparison with --until 3; the first metric is watched. */
static struct outcome
compare(uint64_t seed, double slower)
{
    struct hpm_random random = {seed};
    struct hpm_samples samples = {.block = HPM_COMPARISON_BLOCK};
    struct hpm_comparisons comparisons = {0};
    enum hpm_stopping stopping = HPM_STOPPING_GO_ON;
    struct outcome outcome = {false, 0};
    struct hpm_error err;
    double slow = 1.0;

    hpm_samples_add_subject(&samples, "");
    hpm_samples_add_metric(&samples, "TIME", HPM_SAMPLES_TIME);
    hpm_samples_add_metric(&samples, "CPU_TIME", HPM_SAMPLES_TIME);
    hpm_samples_add_side(&samples, "a");
    hpm_samples_add_side(&samples, "b");
    while (stopping == HPM_STOPPING_GO_ON && outcome.n_runs < MOST) {
        outcome.n_runs = hpm_stopping_next(outcome.n_runs, MOST);
        add_runs(&samples, &random, &slow, outcome.n_runs, slower);
        hpm_comparisons_clear(&comparisons);
        hpm_comparisons_make(&comparisons, &samples, hpm_stopping_n_looks(MOST),
                             seed, &err);
        stopping = hpm_stopping_judge(&comparisons.all[0], 0.03, MOST);
        outcome.differs = hpm_finding_is_difference(comparisons.all[0].finding);
    }
    hpm_comparisons_clear(&comparisons);
    hpm_samples_clear(&samples);
    return outcome;
}

static void
try(uint64_t n, double slower, size_t *ret_n_found, double *ret_runs)
{
    *ret_n_found = 0;
    *ret_runs = 0.0;
    for (uint64_t i = 0; i < n; i++) {
        struct outcome outcome = compare(1000 + i, slower);

        *ret_n_found += outcome.differs;
        *ret_runs += (double)outcome.n_runs / (double)n;
    }
}

static void
test_looks(void)
{
    static const size_t looks[] = {10, 15, 20, 30, 45, 65, 95, 140, 210, 300};
    size_t n = 0, at = 0;

    while ((n = hpm_stopping_next(n, 300)) != 0 && n == looks[at])
        at++;
    ok(n == 0 && at == 10, "looks are after half as many runs again");
    is_count(hpm_stopping_n_looks(300), 10, "and all are counted");
    is_count(hpm_stopping_n_looks(5), 1, "the last run is always looked at");
    is_count(hpm_stopping_least(0.05 / 4, 5), 5, "five runs for four tests");
    is_count(hpm_stopping_least(0.05, 0), 4, "four for one");
}

static void
test_rates(void)
{
    size_t n_found;
    double n_runs;

    try(TRIALS, 1.0, &n_found, &n_runs);
    ok(n_found <= 5, "equal programs differ in at most 5 of 100");
    printf("# "
           "%zu of %d, after %.0f runs"
           "\n",
           n_found, TRIALS, n_runs);
    try(TRIALS, 1.03, &n_found, &n_runs);
    ok(n_found >= 90, "3 % more is found in 90 of 100 and more");
    printf("# "
           "%zu of %d, after %.0f runs"
           "\n",
           n_found, TRIALS, n_runs);
    ok(n_runs < 150, "in fewer than half of the runs there may be");
}

static void
test_few(void)
{
    size_t n_found;
    double n_runs;

    try(SANITIZED_TRIALS, 1.0, &n_found, &n_runs);
    ok(n_found == 0, "equal programs do not differ in 5 of 5");
    try(SANITIZED_TRIALS, 1.03, &n_found, &n_runs);
    ok(n_found == SANITIZED_TRIALS, "3 % more is found in 5 of 5");
}

int
main(void)
{
    test_looks();
    if (is_sanitized())
        test_few();
    else
        test_rates();
    return done();
}
