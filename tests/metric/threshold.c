/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts by limits, cases without a verdict, and verdicts on several rows. */
#include "config.h"

#include "metric/language/threshold.h"

#include <math.h>

#include "metric/trial.h"
#include "tap.h"

/* bad above 50, good below 10; in single precision bad above 90 */
static const struct hpm_limits limits[2] = {
    {.bad = {true, true, 90.0}, .good = {true, false, 10.0}},
    {.bad = {true, true, 50.0}, .good = {true, false, 10.0}}};

static const struct {
    const char *sentence;
    struct hpm_judged judged;
    enum hpm_doubt doubt;
    const char *verdict;
} cases[] = {
    {"beyond the limit", {60, 0, 0, 100, 0, false}, HPM_DOUBT_NONE, "bad"},
    {"at the limit", {50, 0, 0, 100, 0, false}, HPM_DOUBT_NONE, "neutral"},
    {"below both", {9, 0, 0, 100, 0, false}, HPM_DOUBT_NONE, "good"},
    {"at the end of the range",
     {100, 0, 0, 100, 0, false},
     HPM_DOUBT_NONE,
     "bad"},
    {"a rounding beyond it",
     {100 + 1e-8, 0, 0, 100, 0, false},
     HPM_DOUBT_NONE,
     "bad"},
    {"beyond it", {300, 0, 0, 100, 0, false}, HPM_DOUBT_RANGE, ""},
    {"below it", {-6.75, 0, 0, 100, 0, false}, HPM_DOUBT_RANGE, ""},
    {"without a range", {-6.75, 0, NAN, NAN, 0, false}, HPM_DOUBT_NONE, "good"},
    {"with no end", {300, 0, 0, NAN, 0, false}, HPM_DOUBT_NONE, "bad"},
    {"off by less than the limit is away",
     {60, 9, 0, 100, 0, false},
     HPM_DOUBT_NONE,
     "bad"},
    {"off by more", {60, 11, 0, 100, 0, false}, HPM_DOUBT_COARSE, ""},
    {"off by more, neutral", {42, 11, 0, 100, 0, false}, HPM_DOUBT_COARSE, ""},
    {"near the limit of the other precision",
     {85, 6, 0, 100, 0, false},
     HPM_DOUBT_COARSE,
     ""},
    {"an input is in doubt",
     {60, 0, 0, 100, HPM_DOUBT_SHARE, false},
     HPM_DOUBT_SHARE,
     ""},
    {"and it cannot be",
     {160, 0, 0, 100, HPM_DOUBT_SHARE, false},
     HPM_DOUBT_RANGE,
     ""},
    {"partial", {60, 0, 0, 100, 0, true}, HPM_DOUBT_NONE, ""},
    {"no value", {NAN, 0, 0, 100, HPM_DOUBT_FEW, false}, HPM_DOUBT_NONE, ""},
};

static void
test_values(void)
{
    static const struct hpm_limits none[2];
    struct hpm_judged judged = {2, 1, NAN, NAN, HPM_DOUBT_NONE, false};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        is_count(hpm_judged_doubt(&cases[i].judged, limits), cases[i].doubt,
                 cases[i].sentence);
        is_text(hpm_verdict_name(hpm_judged_verdict(&cases[i].judged, limits,
                                                    HPM_PRECISION_DOUBLE)),
                cases[i].verdict, "and its verdict");
    }
    is_count(hpm_judged_doubt(&judged, none), HPM_DOUBT_NONE,
             "without limits half of it is sure");
    judged.error = 3;
    is_count(hpm_judged_doubt(&judged, none), HPM_DOUBT_SMALL,
             "and nothing of it is not");
}

static void
test_inputs(void)
{
    is_count(hpm_doubt_of_share(0.9, 100, NAN), HPM_DOUBT_NONE,
             "counted nine tenths of the time");
    is_count(hpm_doubt_of_share(0.89, 100, 1), HPM_DOUBT_SHARE, "or less");
    is_count(hpm_doubt_of_share(0.95, 100, 10), HPM_DOUBT_NONE,
             "off by a tenth");
    is_count(hpm_doubt_of_share(0.95, -100, 11), HPM_DOUBT_ERROR, "or more");
    is_count(hpm_doubt_of_share(NAN, 100, NAN), HPM_DOUBT_NONE,
             "counted all the time");
    is_count(hpm_doubt_of_time("ns", false, 11, 0, 100), HPM_DOUBT_ERROR,
             "a time as it was read is doubtful where more was added");
    is_count(hpm_doubt_of_time("ns", false, 10, 10, 100), HPM_DOUBT_NONE,
             "but not for a tenth");
    is_count(hpm_doubt_of_time("ns", true, 11, NAN, 100), HPM_DOUBT_NONE,
             "nor where it was taken off");
    is_count(hpm_doubt_of_time(NULL, false, 11, 11, 100), HPM_DOUBT_NONE,
             "nor for what is no time");
    is_count(hpm_doubt_of_time("ns", false, NAN, NAN, -1), HPM_DOUBT_NONE,
             "nor where nobody knows");
    is_near(hpm_count_resolution("ru::stime", "L2 TICK_NS=4000000 VM"), 0.012,
            1e-12, "three ticks of 4 ms");
    is_near(hpm_count_resolution("ru::utime", "L2"), 0.03, 1e-12,
            "of a kernel that is not known three of 10 ms");
    is_near(hpm_count_resolution("ru::utime", NULL), 0.03, 1e-12,
            "nor anything of the machine");
    is_near(hpm_count_resolution("sw::task-clock", "TICK_NS=4000000"), 0.0,
            1e-12, "no other clock ticks");
}

static const char *
together(const char *rows)
{
    struct hpm_rows sum = {0};

    for (const char *row = rows; *row != '\0'; row++)
        hpm_rows_add(&sum,
                     *row == 'b'   ? HPM_VERDICT_BAD
                     : *row == 'n' ? HPM_VERDICT_NEUTRAL
                     : *row == 'g' ? HPM_VERDICT_GOOD
                                   : HPM_VERDICT_NONE,
                     *row == '?' ? HPM_DOUBT_FEW : HPM_DOUBT_NONE);
    return hpm_verdict_name(hpm_rows_verdict(&sum));
}

static void
test_rows(void)
{
    is_text(together("ggggbg"), "bad", "as bad as the worst row");
    is_text(together("ggng"), "neutral", "good only if all are");
    is_text(together("gg"), "good", "and then good");
    is_text(together("g?-g"), "good", "what is not judged says nothing");
    is_text(together("?-"), "", "and alone nothing at all");
    is_text(together(""), "", "nor does nobody");
}

/* ---- the worst row --------------------------------------------------- */

static const struct hpm_limits above = {.bad = {true, true, 10}};
static const struct hpm_limits below = {.bad = {true, false, 10}};
static const struct hpm_limits good_above = {.good = {true, true, 10}};

/* The worst of some values by limits. */
static struct hpm_worst
worst_of(const struct hpm_limits *by, const double *values, uint32_t n)
{
    struct hpm_worst worst = {0};

    for (uint32_t i = 0; i < n; i++)
        hpm_worst_add(&worst, hpm_limits_judge(by, values[i]),
                      hpm_limits_excess(by, values[i]), values[i], i);
    return worst;
}

static void
test_worst(void)
{
    static const double values[] = {-3, -7, 5, 12, 40, 40, 10};
    struct hpm_worst worst = worst_of(&above, values, 7);

    is_near(worst.value, 40, 0, "of values above a limit the largest");
    is_count(worst.who, 4, "of equal ones the first");
    worst = worst_of(&above, values, 3);
    is_near(worst.value, 5, 0, "where none is, the nearest");
    worst = worst_of(&above, values, 2);
    is_near(worst.value, -3, 0, "also below 0");
    worst = worst_of(&below, values, 7);
    is_near(worst.value, -7, 0, "of values below a limit the smallest");
    worst = worst_of(&below, values + 3, 3);
    is_near(worst.value, 12, 0, "where none is, the nearest");
    worst = worst_of(&good_above, values, 7);
    is_near(worst.value, -7, 0, "without \"bad\" the one farthest from good");
    is_text(hpm_verdict_name(worst.verdict), "neutral", "which is not bad");
    hpm_worst_add(&worst, HPM_VERDICT_BAD, -9, 11, 8);
    is_near(worst.value, 11, 0, "a verdict counts more than a distance");
    worst = (struct hpm_worst){0};
    hpm_worst_add(&worst, HPM_VERDICT_NONE, 9, 11, 8);
    ok(worst.has_limits && worst.verdict == HPM_VERDICT_NONE,
       "what is not judged is not the worst, but has limits");
}

/* ---- metrics --------------------------------------------------------- */

/* The verdict on R, or the doubt about it. */
static const char *
verdict_of(const char *text, const struct hpm_tally *system,
           const struct hpm_tally *user)
{
    struct hpm_spec *spec = read_text(text, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_tally counts[16] = {{0}};
    struct hpm_metric_value values[16];
    size_t metric = hpm_metrics_find(metrics, "R");
    const char *said;

    for (size_t i = 0; i < metrics->n_leaves; i++) {
        if (strcmp(metrics->leaves[i], "ru::stime") == 0)
            counts[i] = *system;
        else if (strcmp(metrics->leaves[i], "ru::utime") == 0)
            counts[i] = *user;
    }
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    said = hpm_metrics_doubt(metrics, values, metric) != HPM_DOUBT_NONE
               ? hpm_doubt_text(hpm_metrics_doubt(metrics, values, metric))
               : hpm_verdict_name(hpm_metrics_judge(metrics, values, metric,
                                                    HPM_PRECISION_DOUBLE));
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    return said;
}

static const char *
share_of_kernel(double system, double user)
{
    struct hpm_tally s = {
        .is_present = true, .value = system, .resolution = 0.012};
    struct hpm_tally u = {
        .is_present = true, .value = user, .resolution = 0.012};

    return verdict_of("measure S = ru::stime measure U = ru::utime "
                      "ratio R = 100 * S / (S + U) bad > 5 range 0, 100",
                      &s, &u);
}

static void
test_ticks(void)
{
    is_text(share_of_kernel(0.004, 0.046),
            "too near a limit for how exact its inputs are",
            "one tick of 50 ms is no verdict");
    is_text(share_of_kernel(0.0, 0.05),
            "too near a limit for how exact its inputs are", "nor is none");
    is_text(share_of_kernel(0.05, 0.0), "bad", "nothing but the kernel is");
    is_text(share_of_kernel(0.1, 0.9), "bad", "as is a tenth of a second");
    is_text(share_of_kernel(0.01, 0.99), "neutral", "a hundredth is not");
}

static void
test_of_run(void)
{
    struct hpm_spec *spec =
        read_text("ratio R = X / Y bad > 5 of run ratio Q = X / Y bad > 5\n"
                  "tune Q good < 1 ratio P = X / Y bad > 5 tune P of run\n"
                  "ratio O = X / Y of thread",
                  1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);

    ok(metrics->metrics[hpm_metrics_find(metrics, "R")].is_of_run,
       "a definition says that its limits are of the run");
    ok(!metrics->metrics[hpm_metrics_find(metrics, "Q")].is_of_run,
       "or does not");
    ok(metrics->metrics[hpm_metrics_find(metrics, "P")].is_of_run,
       "as tune does");
    ok(strstr(hpm_string_text(&spec->complaints), "expected 'run' after of") !=
           NULL,
       "of nothing else");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

int
main(void)
{
    test_values();
    test_inputs();
    test_rows();
    test_worst();
    test_ticks();
    test_of_run();
    return done();
}
