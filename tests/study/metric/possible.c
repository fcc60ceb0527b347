/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics that some counts make possible: evaluating only these gives the same
 * values as evaluating all, for any counts of those leaves. */
#include "config.h"

#include "metric/trial.h"
#include "study/metric/possible.h"
#include "tap.h"

static uint64_t seed = 1;

/* A number from 0 to n - 1; the same in every run of the test. */
static size_t
draw(size_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % n;
}

static struct hpm_tally
draw_count(void)
{
    struct hpm_tally count = {.is_present = draw(8) != 0, .is_events = true};

    count.value = draw(5) == 0 ? 0.0 : (double)draw(1000000);
    if (draw(8) == 0)
        count.state = HPM_STATE_UNSUPPORTED;
    return count;
}

static bool
is_same(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    return a->is_present == b->is_present && a->is_partial == b->is_partial &&
           a->doubt == b->doubt &&
           (!a->is_present || (a->state == b->state && a->way == b->way &&
                               a->cause == b->cause)) &&
           (a->value == b->value || (isnan(a->value) && isnan(b->value)));
}

struct trial {
    const struct hpm_metrics *metrics;
    size_t *live, n_live;
    struct hpm_tally *counts;
    struct hpm_metric_value *all, *some;
};

static void
choose_live(struct trial *trial, size_t n)
{
    trial->n_live = 0;
    for (size_t i = 0; i < trial->metrics->n_leaves; i++) {
        if (draw(trial->metrics->n_leaves) < n)
            trial->live[trial->n_live++] = i;
    }
}

/* Number of metrics that differ, over a few sets of counts. */
static size_t
count_wrong(struct trial *trial, const struct hpm_possible *possible)
{
    size_t n = trial->metrics->n_metrics, n_wrong = 0;

    memset(trial->counts, 0, trial->metrics->n_leaves * sizeof *trial->counts);
    hpm_metrics_evaluate(trial->metrics, trial->counts, NULL, trial->some);
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < trial->n_live; i++)
            trial->counts[trial->live[i]] = draw_count();
        hpm_metrics_evaluate(trial->metrics, trial->counts, NULL, trial->all);
        hpm_metrics_evaluate_possible(trial->metrics, possible->order,
                                      possible->n, trial->counts, NULL,
                                      trial->some);
        for (size_t i = 0; i < n; i++)
            n_wrong += !is_same(&trial->all[i], &trial->some[i]);
    }
    return n_wrong;
}

static void
try_machine(struct hpm_spec *shipped, const char *pmu)
{
    struct hpm_metrics *metrics = choose(shipped, pmu, 63);
    struct trial trial = {
        .metrics = metrics,
        .live = calloc(metrics->n_leaves + 1, sizeof(size_t)),
        .counts = calloc(metrics->n_leaves + 1, sizeof *trial.counts),
        .all = calloc(metrics->n_metrics + 1, sizeof *trial.all),
        .some = calloc(metrics->n_metrics + 1, sizeof *trial.some)};
    size_t n_wrong = 0, least = metrics->n_metrics, most = 0;

    for (size_t n = 1; n < 200; n += 1 + n / 8) {
        struct hpm_possible possible;

        choose_live(&trial, n);
        hpm_possible_init(&possible, metrics, trial.live, trial.n_live, NULL);
        n_wrong += count_wrong(&trial, &possible);
        least = possible.n < least ? possible.n : least;
        most = possible.n > most ? possible.n : most;
        hpm_possible_clear(&possible);
    }
    printf("# %s: %zu to %zu of %zu metrics\n", pmu, least, most,
           metrics->n_metrics);
    is_count(n_wrong, 0, pmu);
    ok(least < metrics->n_metrics / 4 && most > least,
       "few counts make few metrics possible, more of them more");
    free(trial.live);
    free(trial.counts);
    free(trial.all);
    free(trial.some);
    hpm_metrics_free(metrics);
}

int
main(void)
{
    static const char *const pmus[] = {"skl",    "spr",    "amd64_fam19h_zen4",
                                       "arm_n1", "power9", "power4"};
    struct hpm_spec *shipped = read_shipped();

    for (size_t i = 0; i < sizeof pmus / sizeof pmus[0]; i++)
        try_machine(shipped, pmus[i]);
    hpm_spec_free(shipped);
    return done();
}
