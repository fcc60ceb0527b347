/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics from counts, and verdicts on them. */
#include "config.h"

#include "metric/evaluate.h"

#include "metric/trial.h"
#include "tap.h"

/* The shown value of a name, for given definitions and counts. */
static const struct {
    const char *sentence;
    const char *definitions;
    const char *counts;
    const char *name;
    const char *value;
} cases[] = {
    /* ways to a value */
    {"a counter measures", "measure A = X", "X 5", "A", "5"},
    {"what was not counted is not shown", "measure A = X", "Y 5", "A",
     "not shown: needs 'X', which was not counted"},
    {"the first choice that was counted wins", "measure A = X | Y | Z",
     "Y 2, Z 3", "A", "2"},
    {"measured before computed before composed",
     "compose A = P + Q compute A = R + 0 measure A = S",
     "P 1, Q 2, R 10, S 20", "A", "20"},
    {"computed before composed",
     "compose A = P + Q compute A = R measure A = S", "P 1, Q 2, R 10", "A",
     "10"},
    {"composed when nothing else can be",
     "compose A = P + Q compute A = R measure A = S", "P 1, Q 2", "A", "3"},
    {"a counter of the metric's name is that metric, measured",
     "compose A = P + Q measure A = S", "A 7, P 1, Q 2, S 9", "A", "7"},
    {"a name that is not defined is a counter", "compose A = PM_X + PM_Y",
     "PM_X 1, PM_Y 2", "A", "3"},
    {"alternative computations are tried as written",
     "compute A = X - Y compute A = Z", "Z 4", "A", "4"},
    {"a metric measures another one", "measure A = B compute B = X * 2", "X 3",
     "A", "6"},

    /* 0 has no sign */
    {"minus none is none", "compute A = -X", "X 0", "A", "0"},
    {"none by what is negative is none", "ratio A = X / (0 - 3)", "X 0", "A",
     "0"},
    {"so is it of a constant", "const C = -0 compute A = C", "X 0", "A", "0"},
    {"without any input the first definition tells what is needed",
     "compute A = X + 0 compute A = Y + 0", "Z 1", "A",
     "not shown: needs 'X', which was not counted"},

    /* incomplete compositions */
    {"an incomplete composition is kept and marked", "compose A = P + Q + R",
     "P 1, Q 2", "A", "~3"},
    {"what is composed of a partial one is partial",
     "compose A = B + P compose B = Q + R", "P 1, Q 2", "A", "~3"},
    {"an incomplete computation is not shown", "compute A = P - Q", "P 1", "A",
     "not shown: needs 'Q', which was not counted"},
    {"a computation from a partial composition is not shown",
     "compute A = B - X compose B = P + Q", "X 1, P 5", "A",
     "not shown: needs 'B', parts of which were not counted"},
    {"neither where another input is lost",
     "compute A = X - B compose B = P + Q", "X lost, P 5", "A",
     "not shown: needs 'B', parts of which were not counted"},
    {"nor does its other input decide then between definitions",
     "compute A = X / Y - B compute A = Z compose B = P + Q",
     "X lost, Y 1, P 5, Z unsupported", "A",
     "unsupported: needs 'Z', which is unsupported"},
    {"a composition without any part is not shown", "compose A = P + Q", "X 1",
     "A", "not shown: needs 'P', which was not counted"},
    {"a complete measure is better than a partial composition",
     "measure A = B | X compose B = P + Q", "P 1, X 9", "A", "9"},
    {"a composition of what is undefined leaves an incomplete one",
     "compose A = P + Q compose A = B + R compute B = X / Y", "P 1, X 1, Y 0",
     "A", "~1"},
    {"so does a formula that is undefined",
     "compose B = P + Q measure A = B compute A = X / Y", "P 1, X 1, Y 0", "A",
     "~1"},
    {"a partial one is better than none", "measure A = B compose B = P + Q",
     "P 1", "A", "~1"},

    /* counters and getrusage: the reported definition is the one used */
    {"a measured whole is what its counter says, whatever its parts say",
     "compose A = P + Q measure A = X measure P = ru::minflt "
     "measure Q = ru::majflt",
     "X 49, ru::minflt 76, ru::majflt 1", "A", "49"},
    {"without it, what its parts say",
     "compose A = P + Q measure A = X measure P = ru::minflt "
     "measure Q = ru::majflt",
     "ru::minflt 76, ru::majflt 1", "A", "77"},

    /* inferring */
    {"the one missing part is inferred", "compose A = P + Q + R measure A = X",
     "X 10, P 1, Q 2", "R", "7 inferred"},
    {"of two missing parts none is inferred",
     "compose A = P + Q + R measure A = X", "X 10, P 1", "R",
     "not shown: needs 'R', which was not counted"},
    {"nothing is inferred from what is composed", "compose A = P + Q", "P 1",
     "Q", "not shown: needs 'Q', which was not counted"},
    {"nothing is inferred beside a partial part",
     "compose A = B + Q measure A = X compose B = R + S", "X 10, R 1", "Q",
     "not shown: needs 'Q', which was not counted"},
    {"a partial part is not replaced by what is left",
     "compose A = B + Q measure A = X compose B = R + S", "X 10, R 1, Q 2", "B",
     "~1"},
    {"what is inferred may lead to the next",
     "compose A = B + P measure A = X compose B = R", "X 10, P 1", "R",
     "9 inferred"},
    {"what is inferred serves computations",
     "compose A = B + P measure A = X ratio C = 100 * B / A", "X 10, P 1", "C",
     "90 inferred"},
    {"what is inferred completes compositions",
     "compose A = B + P measure A = X compose D = B + Y", "X 10, P 1, Y 5", "D",
     "14 inferred"},
    {"a part of two wholes is inferred from the outer one",
     "compose A = B + P measure A = X compose B = P + R measure B = Y",
     "X 10, Y 4, R 1", "P", "6 inferred"},
    {"what is inferred has a worse state of its inputs",
     "compose A = B + P measure A = X", "X recorded, P 1", "B", "99 recorded"},
    {"parts that exceed the whole leave nothing to infer",
     "compose A = B + P measure A = X", "X 10, P 11", "B",
     "undefined: the other parts of 'A' exceed it"},
    {"what needs such a part lacks the same, not what the part lacked before",
     "compose A = B + P measure A = X ratio C = B / V",
     "X 10, P 11, B unscheduled, V 2", "C",
     "undefined: the other parts of 'A' exceed it"},
    {"what needs such a part is worked out once another whole gives its value",
     "compose A = B + P measure A = X compose C = D + Q measure C = Y "
     "compute D = B + 1 compute Q = U + R compose S = T + R measure S = Z "
     "ratio E = D / V",
     "X 10, P 11, Y 30, U 5, Z 7, T 2, V 4", "E", "5 inferred"},
    {"in a difference less than nothing may be left",
     "compose A = B + P measure A = X", "X -10, P 11", "B", "-21 inferred"},
    {"neither is it too much where a part of several is less than nothing",
     "compose A = B + P + Q measure A = X", "X 10, P -3, Q 20", "B",
     "-7 inferred"},

    /* formulas */
    {"products bind before sums", "compute A = 1 + X * 3 - 8 / Y", "X 2, Y 4",
     "A", "5"},
    {"numbers have fractions and powers of ten, with any sign",
     "compute A = X * 1.5E2 + 2.5e-1 + 75E-2 + 3E+1 + 1e1 + 2.25", "X 2", "A",
     "343.25"},
    {"no blank is needed", "compute A=2*3+40-5+X", "X 1", "A", "42"},
    {"brackets and signs", "compute A = -(X - 10) * - - 2", "X 4", "A", "12"},
    {"the lesser and the greater", "compute A = min(X, Y) + 10 * max(X, Y)",
     "X 2, Y 3", "A", "32"},
    {"less than is 1", "compute A = 7 + less(X, Y)", "X 2, Y 3", "A", "8"},
    {"equal is not less", "compute A = 7 + less(X, Y)", "X 3, Y 3", "A", "7"},
    {"a choice", "compute A = less(X, Y) * 5 + (1 - less(X, Y)) * Z",
     "X 4, Y 3, Z 9", "A", "9"},
    {"less by one of 2^60", "compute A = less(X, Y)",
     "X 1152921504606846976, Y 1152921504606846977", "A", "1"},
    {"a difference is taken from the left", "compute A = X - Y - 1",
     "X 10, Y 3", "A", "6"},
    {"a slash inside a name is part of it", "compute A = HT_I/O * 2",
     "HT_I/O 4", "A", "8"},
    {"events stand in formulas", "ratio A = FOO:BAR:c=1:i=1 / sw::task-clock",
     "FOO:BAR:c=1:i=1 8, sw::task-clock 2", "A", "4"},
    {"a dollar and three colons", "compute A = P$_READS + papi:::X",
     "P$_READS 1, papi:::X 2", "A", "3"},
    {"division by zero has no result", "ratio A = X / Y", "X 1, Y 0", "A",
     "undefined: 'Y' is 0"},
    {"neither has one by a difference of 0", "ratio A = X / (Y - Z)",
     "X 1, Y 3, Z 3", "A", "undefined: division by 0"},
    {"what grows beyond all numbers has none", "compute A = X * X", "X 1e300",
     "A", "undefined: the result is too large"},
    {"total() is the whole program's", "ratio A = X / total(X)", "X 4", "A",
     "1"},
    {"a scale divides what is shown", "compute A = X + Y scale 1e3 unit \"k\"",
     "X 1500, Y 500", "A", "2"},
    {"but not what is computed from it",
     "compute A = X scale 1e3 compute B = A + 1", "X 1500", "B", "1501"},

    /* constants */
    {"constants are worked out from others",
     "const W = 2 * V const V = 3 compute A = X * W", "X 2", "A", "12"},
    {"of two constants the later holds",
     "const W = 2 const W = 5 "
     "compute A = X * W",
     "X 2", "A", "10"},

    /* states */
    {"a metric has the state of its counter", "measure A = X", "X shared", "A",
     "100 shared"},
    {"a metric has the worst state of its inputs", "compute A = X + Y",
     "X shared, Y inferred", "A", "200 inferred"},
    {"a lost counter leaves no value", "measure A = X", "X lost", "A",
     "lost: needs 'X', which is lost"},
    {"what needs a lost counter is lost", "ratio A = X / Y", "X 1, Y lost", "A",
     "lost: needs 'Y', which is lost"},
    {"an unsupported counter says so", "ratio A = X / Y", "X unsupported, Y 1",
     "A", "unsupported: needs 'X', which is unsupported"},
    {"beside a lost part a composition is partial", "compose A = X + Y",
     "X 1, Y lost", "A", "~1"},
    {"a partial one has the worst state of its present parts",
     "compose A = X + Y + Z", "X 1, Y shared", "A", "~101 shared"},
    {"nobody asked for a metric whose other counter was not counted",
     "ratio A = X / Y", "X lost", "A",
     "not shown: needs 'Y', which was not counted"},
    {"the next choice serves where the first is unsupported",
     "measure A = X | Y", "X unsupported, Y 3", "A", "3"},

    /* machines */
    {"a guard that holds", "measure A = X | Y if no L3", "Y 3", "A",
     "not shown: needs 'X', which was not counted"},
    {"a guard that does not hold", "measure A = X | Y if no SMT", "Y 3", "A",
     "3"},
    {"guards of formulas", "compute A = X if SMT compute A = Y if no SMT",
     "X 1, Y 2", "A", "2"},
    {"guards name PMUs", "measure A = X if skx | Y if zen2", "X 1, Y 2", "A",
     "1"},
    {"definitions of other machines do not hold",
     "measure A = Y arch zen2 measure A = X", "X 1, Y 2", "A", "2"},
    {"those of this machine go first",
     "measure A = Y arch zen2 skx "
     "measure A = X",
     "X 1, Y 2", "A", "1"},
    {"the general one serves where this machine's cannot",
     "measure A = Y arch skx measure A = X", "Y 2", "A", "2"},
    {"a machine's composition replaces the general one",
     "compose A = P + Q arch skx compose A = P + Q + R", "P 1, Q 2", "A", "~3"},
    {"what is removed is gone",
     "measure A = X compute B = A + 1 remove A "
     "measure A = Y",
     "X 1, Y 5", "B", "6"},

    /* definitions that refer back */
    {"a composition that leads back gives way",
     "compute S = 4 * X compose S = F + B measure F = Y compute B = S - F",
     "X 10, Y 15", "B", "25"},
    {"and does so where it was defined first",
     "compose S = F + B compute B = S - F measure F = Y compute S = 4 * X",
     "X 10, Y 15", "S", "40"},
};

static void
test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hpm_spec *spec = read_text(cases[i].definitions, 1);
        struct hpm_metrics *metrics = choose(spec, "skx", HPM_FACT_L3);
        struct hpm_metric_value *values = evaluate(metrics, cases[i].counts);

        is_text(shown(metrics, values, cases[i].name), cases[i].value,
                cases[i].sentence);
        if (spec->n_complaints > 0)
            printf("# %s", hpm_string_text(&spec->complaints));
        free(values);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

static void
test_unknown_machine(void)
{
    struct hpm_spec *spec = read_text("measure A = X if L3 | Y if no L3", 1);
    struct hpm_platform platform = {.pmu = NULL};
    struct hpm_metrics *metrics = hpm_metrics_new(spec, &platform, NULL);
    struct hpm_metric_value *values = evaluate(metrics, "X 1, Y 2");

    is_text(shown(metrics, values, "A"),
            "not shown: whether this machine has L3 is not known",
            "what is not known of a machine decides nothing");
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* ---- users ----------------------------------------------------------- */

static void
test_users(void)
{
    struct hpm_spec *spec =
        read_text("const C = 2 measure A = X compute B = X * C bad < 5 "
                  "label \"shipped\" arch skx measure A = Y",
                  0);
    struct hpm_setting setting = {"C", 10.0};
    struct hpm_platform platform = {.pmu = "skx"};
    const char *first = "const C = 3 measure A = Z tune B bad < 6";
    const char *later = "measure A = W";
    struct hpm_metrics *metrics;
    struct hpm_metric_value *values;
    size_t b;

    hpm_spec_read(spec, "first.hpm", first, strlen(first), 1, NULL, NULL, NULL);
    hpm_spec_read(spec, "later.hpm", later, strlen(later), 2, NULL, NULL, NULL);
    metrics = hpm_metrics_new(spec, &platform, NULL);
    values = evaluate(metrics, "X 1, Y 2, Z 3, W 4");
    is_text(shown(metrics, values, "A"), "4", "the later user file wins");
    is_text(shown(metrics, values, "B"), "3",
            "a user's constant replaces the shipped one");
    free(values);
    values = evaluate(metrics, "X 1, Y 2, Z 3");
    is_text(shown(metrics, values, "A"), "3",
            "a user's definition goes before one for the machine");
    free(values);
    b = hpm_metrics_find(metrics, "B");
    is_near(metrics->metrics[b].limits[1].bad.value, 6.0, 0.0,
            "tune changes a limit");
    is_text(metrics->metrics[b].texts[HPM_TEXT_LABEL], "shipped",
            "and leaves the rest");
    hpm_metrics_free(metrics);

    platform.settings = &setting;
    platform.n_settings = 1;
    metrics = hpm_metrics_new(spec, &platform, NULL);
    values = evaluate(metrics, "X 1");
    is_text(shown(metrics, values, "B"), "10",
            "a setting replaces every definition of a constant");
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* ---- the whole program ----------------------------------------------- */

/* The count of a leaf by name, for a record and for the whole program. */
static void
count(const struct hpm_metrics *metrics, struct hpm_tally *counts,
      const char *name, double value)
{
    for (size_t i = 0; i < metrics->n_leaves; i++) {
        if (strcmp(metrics->leaves[i], name) == 0)
            counts[i] = (struct hpm_tally){.is_present = true, .value = value};
    }
}

static void
test_total(void)
{
    struct hpm_spec *spec = read_text("measure A = X ratio R = A / total(A) "
                                      "ratio Q = X / total(Y)",
                                      1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_tally part[8] = {{0}}, all[8] = {{0}};
    struct hpm_metric_value totals[8], values[8];
    struct hpm_whole whole = {all, totals};

    count(metrics, part, "X", 3.0);
    count(metrics, part, "Y", 5.0);
    count(metrics, all, "X", 12.0);
    count(metrics, all, "Y", 30.0);
    hpm_metrics_evaluate(metrics, all, NULL, totals);
    hpm_metrics_evaluate(metrics, part, &whole, values);
    is_text(shown(metrics, values, "R"), "0.25",
            "a section's part of the program's metric");
    is_text(shown(metrics, values, "Q"), "0.1", "and of the program's counter");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* ---- errors of measurement ------------------------------------------- */

static void
test_errors(void)
{
    struct hpm_spec *spec = read_text("ratio R = 100 * X / (Y - 1)", 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_tally counts[8] = {{0}};
    struct hpm_metric_value values[8];

    for (size_t i = 0; i < metrics->n_leaves; i++) {
        bool is_x = strcmp(metrics->leaves[i], "X") == 0;
        bool is_y = strcmp(metrics->leaves[i], "Y") == 0;

        counts[i] = (struct hpm_tally){.is_present = is_x || is_y,
                                       .value = is_x ? 8.0 : 5.0,
                                       .error = 0.5};
    }
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    is_text(shown(metrics, values, "R"), "200", "a ratio of inexact counts");
    is_near(values[0].error, 37.5, 1e-9,
            "has the errors of both, relative to the denominator");
    ok(values[0].doubt == HPM_DOUBT_FEW,
       "it divides by 4, off by an eighth: doubtful");
    for (size_t i = 0; i < metrics->n_leaves; i++)
        counts[i].error = 0.25;
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    ok(values[0].doubt == HPM_DOUBT_NONE, "off by a sixteenth it is not");
    for (size_t i = 0; i < metrics->n_leaves; i++) {
        counts[i].error = 0.0;
        counts[i].is_events = true;
    }
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    ok(values[0].doubt == HPM_DOUBT_FEW,
       "so is what is divided by a few events");
    for (size_t i = 0; i < metrics->n_leaves; i++)
        counts[i].value *= HPM_FEW_EVENTS;
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    ok(values[0].doubt == HPM_DOUBT_NONE, "and not by more of them");
    for (size_t i = 0; i < metrics->n_leaves; i++)
        counts[i].value /= HPM_FEW_EVENTS;
    for (size_t i = 0; i < metrics->n_leaves; i++)
        counts[i].error = 4.0;
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    is_text(shown(metrics, values, "R"),
            "undefined: division by a number that is not above its measuring "
            "error",
            "there is no ratio to what may be nothing but error");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* The value of R of these two counts. */
static struct hpm_metric_value
value_of(const struct hpm_metrics *metrics, struct hpm_tally x,
         struct hpm_tally y)
{
    struct hpm_tally counts[8] = {{0}};
    struct hpm_metric_value values[8];

    for (size_t i = 0; i < metrics->n_leaves; i++) {
        bool is_x = strcmp(metrics->leaves[i], "X") == 0;

        counts[i] = is_x ? x : y;
        counts[i].is_present = is_x || strcmp(metrics->leaves[i], "Y") == 0;
    }
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    return values[hpm_metrics_find(metrics, "R")];
}

/* Counts of user code and counts of the kernel are no counts of the same
 * thing. */
static void
test_domains(const char *formula)
{
    struct hpm_spec *spec = read_text(formula, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_tally x = {.value = 8.0, .privilege = HPM_PRIVILEGE_USER};
    struct hpm_tally y = {.value = 5.0, .privilege = HPM_PRIVILEGE_KERNEL};
    struct hpm_metric_value value = value_of(metrics, x, y);

    ok(isnan(value.value) && value.state == HPM_STATE_UNDEFINED &&
           value.cause == HPM_CAUSE_DOMAIN,
       formula);
    y.privilege = HPM_PRIVILEGE_USER;
    value = value_of(metrics, x, y);
    ok(value.value > 0.0 && value.privilege == HPM_PRIVILEGE_USER,
       "and of one domain it has that");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* If a part cannot be subtracted from its whole, nothing is known about the
 * other part. */
static void
test_nothing_left(struct hpm_tally x, struct hpm_tally y, const char *sentence)
{
    struct hpm_spec *spec = read_text("compose W = X + R measure W = Y", 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_metric_value value = value_of(metrics, x, y);

    ok(isnan(value.value) && value.state != HPM_STATE_INFERRED, sentence);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* An error is the largest change of the value when each input changes by its
 * own error, up or down; the same holds for coarseness. */
static void
test_worst(const char *formula)
{
    static const double signs[] = {-1.0, 1.0};
    const double x_off = 0.0003, y_off = 0.0002;
    struct hpm_spec *spec = read_text(formula, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_tally x = {.value = 8.0, .error = x_off, .resolution = x_off};
    struct hpm_tally y = {.value = 5.0, .error = y_off, .resolution = y_off};
    struct hpm_metric_value exact = value_of(metrics, x, y);
    double worst = 0.0;

    for (size_t i = 0; i < 4; i++) {
        struct hpm_tally far_x = {.value = 8.0 + signs[i / 2] * x_off};
        struct hpm_tally far_y = {.value = 5.0 + signs[i % 2] * y_off};

        worst = fmax(worst,
                     fabs(value_of(metrics, far_x, far_y).value - exact.value));
    }
    ok(worst > 0.0, formula);
    is_near(exact.error, worst, 1e-3 * worst, "its error");
    is_near(exact.coarse, worst, 1e-3 * worst, "and so for coarse counts");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* If it is not sure which of two is less, the choice may be off by the
 * difference of the two results. */
static void
test_choice(void)
{
    struct hpm_spec *spec =
        read_text("compute R = less(X, Y) * 100 + (1 - less(X, Y)) * 7", 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_tally x = {.value = 8.0}, y = {.value = 8.5};

    is_near(value_of(metrics, x, y).value, 100.0, 0.0, "a choice by counts");
    is_near(value_of(metrics, x, y).error, 0.0, 0.0, "is exact where they are");
    y.error = 1.0;
    ok(value_of(metrics, x, y).error >= 93.0,
       "may be the other where they are nearer than their error");
    y.error = 0.25;
    is_near(value_of(metrics, x, y).error, 0.0, 0.0,
            "and not where they are further apart");
    y.error = 0.0;
    y.resolution = 1.0;
    ok(value_of(metrics, x, y).coarse >= 93.0, "and so for coarse counts");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

static void
test_all_worst(void)
{
    test_domains("compute R = X + Y");
    test_domains("compose R = X + Y");
    test_nothing_left(
        (struct hpm_tally){.value = 2.0, .privilege = HPM_PRIVILEGE_USER},
        (struct hpm_tally){.value = 5.0, .privilege = HPM_PRIVILEGE_KERNEL},
        "what the kernel did is no rest of what user code did");
    test_nothing_left((struct hpm_tally){.value = -1.7e308},
                      (struct hpm_tally){.value = 1.7e308},
                      "what is too large for a number is no rest");
    test_choice();
    test_worst("compute R = X + Y");
    test_worst("compute R = X - Y");
    test_worst("compute R = X * Y");
    test_worst("compute R = (0 - X) * Y");
    test_worst("compute R = X * (0 - Y)");
    test_worst("ratio R = X / Y");
    test_worst("compute R = min(X, Y)");
    test_worst("compute R = max(X, Y)");
    test_worst("compute R = X - 2 * (3 - Y)");
    test_worst("compose R = X + Y");
}

/* ---- verdicts -------------------------------------------------------- */

static const struct {
    const char *sentence;
    const char *definitions;
    const char *counts;
    const char *name;
    const char *verdict; /* single, double */
} verdicts[] = {
    {"below the bad limit", "ratio A = X / Y bad < 1 good > 2", "X 1, Y 2", "A",
     "bad bad"},
    {"above the good limit", "ratio A = X / Y bad < 1 good > 2", "X 5, Y 2",
     "A", "good good"},
    {"between the limits", "ratio A = X / Y bad < 1 good > 2", "X 3, Y 2", "A",
     "neutral neutral"},
    {"a value equal to a limit is neutral", "ratio A = X / Y bad < 1 good > 1",
     "X 2, Y 2", "A", "neutral neutral"},
    {"high values may be bad", "ratio A = X / Y bad > 5 good < 2", "X 6, Y 1",
     "A", "bad bad"},
    {"low values may be good", "ratio A = X / Y bad > 5 good < 2", "X 1, Y 1",
     "A", "good good"},
    {"limits differ by precision", "ratio A = X / Y sbad < 4 dbad < 2",
     "X 3, Y 1", "A", "bad neutral"},
    {"limits are worked out", "const W = 4 ratio A = X / Y good > W / 2",
     "X 3, Y 1", "A", "good good"},
    {"limits are in the unit shown", "compute A = X scale 1e6 bad > 2", "X 3e6",
     "A", "bad bad"},
    {"without limits there is no verdict", "ratio A = X / Y", "X 1, Y 2", "A",
     " "},
    {"without a value there is none", "ratio A = X / Y bad < 1", "X 1, Y 0",
     "A", " "},
    {"of a part of a value there is none", "compose A = X + Y bad < 5", "X 1",
     "A", " "},
    {"a child counts where its parent is bad",
     "compose A = B + Y bad > 5 measure B = X bad > 2", "X 3, Y 3", "B",
     "bad bad"},
    {"and is neutral where its parent is not",
     "compose A = B + Y bad > 5 measure B = X bad > 2", "X 3, Y 1", "B",
     "neutral neutral"},
    {"a parent without limits asks the one above",
     "compose A = B + Y bad > 5 compose B = C + Z measure C = X bad > 2",
     "X 3, Y 1, Z 0", "C", "neutral neutral"},
    {"ratios are put under others by name",
     "ratio A = X / Y bad > 5 ratio B = Z / Y bad > 1 under A", "X 4, Y 1, Z 3",
     "B", "neutral neutral"},
    {"and count where those are bad",
     "ratio A = X / Y bad > 5 ratio B = Z / Y bad > 1 under A", "X 6, Y 1, Z 3",
     "B", "bad bad"},
};

static void
test_verdicts(void)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        struct hpm_spec *spec = read_text(verdicts[i].definitions, 1);
        struct hpm_metrics *metrics = choose(spec, NULL, 0);
        struct hpm_metric_value *values = evaluate(metrics, verdicts[i].counts);
        size_t metric = hpm_metrics_find(metrics, verdicts[i].name);
        char verdict[64];

        snprintf(verdict, sizeof verdict, "%s %s",
                 hpm_verdict_name(hpm_metrics_judge(metrics, values, metric,
                                                    HPM_PRECISION_SINGLE)),
                 hpm_verdict_name(hpm_metrics_judge(metrics, values, metric,
                                                    HPM_PRECISION_DOUBLE)));
        is_text(verdict, verdicts[i].verdict, verdicts[i].sentence);
        free(values);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

/* A special definition, for the machine or of a user, and the general one. */
static const struct {
    const char *sentence;
    const char *general, *special, *counts, *value;
} replacements[] = {
    {"a special formula is the one that is used", "ratio A = P / Q",
     "ratio A = R / S", "P 1, Q 2, R 3, S 4", "0.75"},
    {"where its result is undefined, so is the metric", "ratio A = P / Q",
     "ratio A = R / S", "P 1, Q 2, R 3, S 0", "undefined: 'S' is 0"},
    {"where its inputs were not counted, the general one is not taken",
     "ratio A = P / Q", "ratio A = R / S", "P 1, Q 2, R 3",
     "not shown: needs 'S', which was not counted"},
    {"nor is it where the special one's guard cannot be decided",
     "ratio A = P / Q", "ratio A = R / S if L3", "P 1, Q 2, R 3, S 4",
     "not shown: whether this machine has L3 is not known"},
    {"it is where the guard does not hold", "ratio A = P / Q",
     "ratio A = R / S if nopmu", "P 1, Q 2, R 3, S 4", "0.5"},
    {"alternatives as special as it are", "ratio A = P / Q",
     "ratio A = R / S ratio A = T / U", "P 1, Q 2, R 3, S 0, T 2, U 8", "0.25"},
    {"a special formula goes before a general counter", "measure A = P",
     "compute A = R + S", "P 1, R 3, S 4", "7"},
    {"which serves where the formula's inputs were not counted",
     "measure A = P", "compute A = R + S", "P 1, R 3", "1"},
    {"but not where its result is undefined", "measure A = P",
     "compute A = R / S", "P 1, R 3, S 0", "undefined: 'S' is 0"},
    {"nor does a composition", "compose A = P + Q", "compute A = R / S",
     "P 1, Q 2, R 3, S 0", "undefined: 'S' is 0"},
    {"nor is it inferred", "compose W = A + P measure W = V",
     "compute A = R / S", "V 9, P 1, R 3, S 0", "undefined: 'S' is 0"},
    {"nor where inputs of an alternative were not counted",
     "compose W = A + P measure W = V", "compute A = T + U compute A = R / S",
     "V 9, P 1, R 3, S 0", "undefined: 'S' is 0"},
    {"without all inputs nothing is undefined", "measure A = P",
     "compute A = R / S + T", "P 1, R 3, S 0, T lost", "1"},
    {"a constant whose guard does not hold is none", "const A_LOT = 7",
     "const A_LOT = 9 if nopmu compute A = A_LOT * P", "P 2", "14"},
    {"nor is one whose guard cannot be decided", "const A_LOT = 7",
     "const A_LOT = 9 if L3 compute A = A_LOT * P", "P 2", "14"},
    {"total() of what needs a total() later defined",
     "compute A = total(B) compute B = 2 * total(C) compose D = C + E", "",
     "C 3, E 4", "6"},
    {"the same count by another counter still serves", "measure A = P",
     "measure A = R", "P 1", "1"},
};

static void
test_replacement(size_t i, bool is_users)
{
    struct hpm_spec *spec = read_text(replacements[i].general, 0);
    struct hpm_platform platform = {.pmu = "skx", .known = HPM_FACT_L2};
    struct hpm_metrics *metrics;
    struct hpm_metric_value *values;
    char special[256];

    snprintf(special, sizeof special, "%s%s", is_users ? "" : "arch skx ",
             replacements[i].special);
    hpm_spec_read(spec, "special.hpm", special, strlen(special), is_users, NULL,
                  NULL, NULL);
    metrics = hpm_metrics_new(spec, &platform, NULL);
    values = evaluate(metrics, replacements[i].counts);
    is_text(shown(metrics, values, "A"), replacements[i].value,
            replacements[i].sentence);
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Executed mispredictions over executed branches, never over retired ones. */
static void
test_nehalem(void)
{
    struct hpm_spec *spec = read_shipped();
    struct hpm_metrics *metrics = choose(spec, "nhm", HPM_FACT_L2);
    struct hpm_metric_value *values =
        evaluate(metrics, "BR_MISP_EXEC:ANY 500, BR_INST_EXEC:ANY 0, "
                          "BR_INST_RETIRED:ALL_BRANCHES 1000");

    is_text(shown(metrics, values, "BRANCH_MISP_PCT"),
            "undefined: 'BR_INST_EXEC:ANY' is 0",
            "Nehalem's branches mispredicted are not mixed");
    free(values);
    values = evaluate(metrics, "BR_MISP_EXEC:ANY 500, "
                               "BR_INST_RETIRED:ALL_BRANCHES 1000");
    is_text(shown(metrics, values, "BRANCH_MISP_PCT"),
            "not shown: needs 'BR_INST_EXEC:ANY', which was not counted",
            "nor where executed branches were not counted");
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Which metrics a report lists beside the counters. */
static void
test_derived(void)
{
    struct hpm_spec *spec =
        read_text("measure PLAIN = X measure LIMITED = Y bad > 5 "
                  "compute MADE = X + 1 compute ABSENT = Z + 1",
                  0);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_metric_value *values = evaluate(metrics, "X 1, Y 2");
    static const struct {
        const char *name;
        bool is_derived;
    } expected[] = {
        {"PLAIN", false}, {"LIMITED", true}, {"MADE", true}, {"ABSENT", false}};

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        size_t metric = hpm_metrics_find(metrics, expected[i].name);

        ok(hpm_metrics_is_derived(metrics, metric, &values[metric]) ==
               expected[i].is_derived,
           "derived is what a formula or a limit makes more than a count");
    }
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

int
main(void)
{
    test_cases();
    test_derived();
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++) {
        test_replacement(i, false);
        test_replacement(i, true);
    }
    test_nehalem();
    test_unknown_machine();
    test_users();
    test_total();
    test_errors();
    test_all_worst();
    test_verdicts();
    return done();
}
