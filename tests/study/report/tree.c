/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics as text: trees, marks, numbers; the list of metrics and the
 * description of one; formulas in ordinary notation. */
#include "config.h"

#include "study/report/tree.h"

#include <stdlib.h>

#include "metric/trial.h"
#include "report/text.h"
#include "study/metric/formula.h"
#include "study/tool/catalogue.h"
#include "study/tool/explanation.h"
#include "tap.h"

/* ---- trees ----------------------------------------------------------- */

static const struct {
    const char *sentence;
    const char *definitions;
    const char *counts;
    const char *text;
} trees[] = {
    {"a ratio and what it is", "ratio A = X / Y label \"per Y\" unit \"1/y\"",
     "X 3, Y 2",
     "  A                                            1.500 1/y    per Y\n"},
    {"counts have commas, and no decimals", "compute A = X * 1000 unit \"n\"",
     "X 1234567", "  A                                    1,234,567,000 n\n"},
    {"times have six decimals", "compute A = X + 0 unit \"s\"", "X 2",
     "  A                                         2.000000 s\n"},
    {"what is bad, and why", "ratio A = X / Y bad > 1", "X 3, Y 2",
     "  A                                            1.500      ! (bad: above "
     "1)\n"},
    {"what is good, and why", "ratio A = X / Y label \"a\" bad > 5 good < 2.5",
     "X 3, Y 2",
     "  A                                            1.500      + a (good: "
     "below 2.5)\n"},
    {"no value, but a reason", "ratio A = X / Y", "X 3, Y 0",
     "  A                                                -        'Y' is 0\n"},
    {"a plain count is not repeated", "measure A = X", "X 3", ""},
    {"unless it can be judged", "measure A = X bad > 5", "X 3",
     "  A                                                3\n"},
    {"parts under their wholes",
     "compose A = B + C compose B = D + E measure C = X", "D 1, E 2, X 4",
     "  A                                                7\n"
     "    B                                              3\n"
     "      D                                            1\n"
     "      E                                            2\n"
     "    C                                              4\n"},
    {"what is incomplete has a mark", "compose A = B + C measure B = X", "X 4",
     "  ~A                                               4\n"
     "    B                                              4\n"},
    {"what is inferred says so",
     "compose A = B + C measure A = X measure B = Y", "X 9, Y 4",
     "  A                                                9\n"
     "    B                                              4\n"
     "    C                                              5        "
     "(inferred)\n"},
    {"several missing parts are one line",
     "compose A = B + C + D measure A = X measure B = Y bad > 100", "X 9, Y 4",
     "  A                                                9\n"
     "    B                                              4\n"
     "    (other)                                        5\n"},
    {"a ratio under a metric", "ratio A = X / Y ratio B = Z / Y under A",
     "X 4, Y 2, Z 1",
     "  A                                            2.000\n"
     "    B                                          0.500\n"},
    {"a name of its own", "ratio A = X / Y as \"X per Y\"", "X 4, Y 2",
     "  X per Y                                      2.000\n"},
};

static void
test_trees(void)
{
    const struct hpm_tree_style style = {.precision = HPM_PRECISION_DOUBLE};

    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        struct hpm_spec *spec = read_text(trees[i].definitions, 1);
        struct hpm_metrics *metrics = choose(spec, NULL, 0);
        struct hpm_metric_value *values = evaluate(metrics, trees[i].counts);
        struct hpm_string text = {0};

        hpm_tree_add_text(&text, metrics, values, &style);
        is_text(hpm_string_text(&text), trees[i].text, trees[i].sentence);
        hpm_string_free(&text);
        free(values);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

static void
test_styles(void)
{
    struct hpm_spec *spec =
        read_text("ratio A = 100 * X / Y label \"a\" sbad > 1 dgood < 999 "
                  "ratio B = X / Y measure C = X",
                  1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_metric_value *values = evaluate(metrics, "X 3, Y 2");
    bool is_chosen[] = {true, false, true};
    struct hpm_tree_style style = {.is_chosen = is_chosen,
                                   .has_formulas = true,
                                   .is_coloured = true,
                                   .precision = HPM_PRECISION_DOUBLE};
    struct hpm_string text = {0};

    hpm_tree_add_text(&text, metrics, values, &style);
    is_text(hpm_string_text(&text),
            "  A                                          "
            "\033[32m150.000\033[0m      + = 100 * X / Y (good: below 999)\n"
            "  C                                                3        = X\n",
            "what was chosen, with formulas and colours");
    style.precision = HPM_PRECISION_SINGLE;
    hpm_string_clear(&text);
    hpm_tree_add_text(&text, metrics, values, &style);
    ok(strstr(hpm_string_text(&text), "\033[31m150.000\033[0m      ! ") != NULL,
       "single precision has limits of its own");
    hpm_string_free(&text);
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* ---- formulas -------------------------------------------------------- */

static const char *const formulas[] = {
    "A + B - C",         "A - (B - C)",   "A - (B + C)",
    "A * B / C",         "A / (B * C)",   "A / (B / C)",
    "(A + B) * C",       "-A * B",        "-(A + B)",
    "100 * (1 - A / B)", "min(A, B + C)", "max(A * 2, 0.5)",
    "A / total(A)",      "A - -B",        "1000000 * A / time::wall",
    "A * -2 - -3",       "A / (-B * C)",  "A * (B * C)",
};

/* A formula is written as it was read, without brackets that mean nothing. */
static void
test_formulas(void)
{
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        struct hpm_string text = {0}, written = {0};
        struct hpm_spec *spec;
        struct hpm_metrics *metrics;
        const char *expected =
            strcmp(formulas[i], "A * (B * C)") == 0 ? "A * B * C" : formulas[i];

        hpm_string_add_format(&text, "ratio R = %s", formulas[i]);
        spec = read_text(hpm_string_text(&text), 1);
        metrics = choose(spec, NULL, 0);
        hpm_formula_add(&written, metrics, metrics->metrics[0].rules.first);
        is_text(hpm_string_text(&written), expected,
                "a formula is written as it was read");
        hpm_string_free(&text);
        hpm_string_free(&written);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

/* ---- the catalogue --------------------------------------------------- */

static const char definitions[] =
    "measure CYCLES = C1 | C2 unit \"cycles\" label \"cycles\"\n"
    "measure WORK = W label \"work\"\n"
    "ratio RATE = WORK / CYCLES label \"how fast\" unit \"1/cycle\"\n"
    "  bad < 0.5 sgood > 2 dgood > 4 source \"a book\" info \"with care\"\n"
    "  range 0, 4 * 2 rises \"with this\" falls \"with that\" why \"it "
    "costs\"\n"
    "  evidence WORK CYCLES next BOTH try \"less\"\n"
    "const TOP = 2 * 3 label \"the most\" unit \"n\" source \"a table\"\n"
    "compose ALL = WORK + REST label \"all\"\n"
    "ratio LOST = NOWHERE / time::wall label \"lost\"\n"
    "set BOTH = RATE W\n";

/* Only the counters C2 and W exist. */
static enum hpm_countable
ask(const char *event, void *context)
{
    int *n_asked = context;

    ++*n_asked;
    if (strcmp(event, "time::wall") == 0)
        return HPM_COUNTABLE_FREE;
    return strcmp(event, "C2") == 0 || strcmp(event, "W") == 0
               ? HPM_COUNTABLE_YES
               : HPM_COUNTABLE_NO;
}

static void
check_events(const struct hpm_request *request, const char *expected,
             const char *sentence)
{
    struct hpm_string events = {0};

    hpm_request_add_events(request, &events);
    is_text(hpm_string_text(&events), expected, sentence);
    hpm_string_free(&events);
}

static void
test_request(struct hpm_request *request)
{
    const struct hpm_metrics *metrics = request->metrics;
    struct hpm_error err;

    is_count(
        hpm_request_ask_metric(request, hpm_metrics_find(metrics, "CYCLES")),
        HPM_FEASIBLE_ALL, "one of the alternatives is enough");
    is_count(hpm_request_ask_metric(request, hpm_metrics_find(metrics, "ALL")),
             HPM_FEASIBLE_PART, "some of the parts are something");
    is_count(hpm_request_ask_metric(request, hpm_metrics_find(metrics, "LOST")),
             HPM_FEASIBLE_NO, "without its event a metric cannot be");
    hpm_request_add_list(request, "RATE", 64, &err);
    check_events(request, "C2,W", "a metric needs the events that are there");
    hpm_request_forget(request);
    hpm_request_add_list(request, "BOTH", 64, &err);
    check_events(request, "C2,W", "a set has those of its members");
    hpm_request_forget(request);
    hpm_request_add_list(request, "all", 64, &err);
    check_events(request, "C2,W", "all has those of all that can be");
    ok(!request->is_chosen[hpm_metrics_find(metrics, "ALL")] &&
           request->is_chosen[hpm_metrics_find(metrics, "RATE")],
       "and leaves out what can be in part only");
    hpm_request_forget(request);
    hpm_request_add_all(request, 1);
    check_events(request, "C2", "and stops where events are too many");
    hpm_request_forget(request);
    ok(!hpm_request_add_list(request, "RATES", 64, &err),
       "a name that is none");
    is_text(err.text, "there is no metric 'RATES'; did you mean 'RATE'?",
            "is told with the nearest");
}

static void
test_lists(struct hpm_request *request)
{
    struct hpm_table table = {0}, sets = {0};
    struct hpm_string text = {0};

    hpm_catalogue_fill(&table, request, true);
    hpm_catalogue_fill_sets(&sets, request);
    hpm_text_add_table(&text, &table);
    hpm_text_add_table(&text, &sets);
    is_text(hpm_string_text(&text),
            "metric (-m)  here?    unit     meaning\n"
            "CYCLES       yes      cycles   cycles\n"
            "WORK         yes               work\n"
            "RATE         yes      1/cycle  how fast\n"
            "ALL          in part           all\n"
            "LOST         no                lost\n"
            "set (-s)  here?  members\n"
            "BOTH      yes    RATE W\n",
            "the list of metrics and sets");
    hpm_string_free(&text);
    hpm_table_clear(&table);
    hpm_table_clear(&sets);
}

static void
test_explained(struct hpm_request *request)
{
    const struct hpm_metrics *metrics = request->metrics;
    struct hpm_string text = {0};

    hpm_explanation_add(&text, request, hpm_metrics_find(metrics, "RATE"));
    is_text(hpm_string_text(&text),
            "RATE: how fast\n"
            "  meaning    with care\n"
            "  formula    WORK / CYCLES (test.hpm:3)\n"
            "  in words   [work] / [cycles]\n"
            "  unit       1/cycle, from 0 to 8\n"
            "  single     bad below 0.5, good above 2; of one thread or "
            "process\n"
            "  double     bad below 0.5, good above 4; of one thread or "
            "process\n"
            "  source     a book\n"
            "  rises      with this\n"
            "  falls      with that\n"
            "  here       yes, by C2,W: hpmcount -m RATE\n"
            "\n"
            "  Where it is bad, as a hint and no verdict:\n"
            "  why        it costs\n"
            "  look at    WORK, CYCLES\n"
            "  explains   the time that passed, times how far the value is "
            "beyond the limit;\n"
            "             no hint below a twentieth of the time\n"
            "  next       hpmcount -s BOTH\n"
            "  try        less\n"
            "\n"
            "  What it is made of:\n"
            "    CYCLES = C1 | C2: cycles\n"
            "    WORK = W: work\n",
            "all that is known of a metric");
    hpm_string_free(&text);
}

static void
test_uses(struct hpm_request *request)
{
    const struct hpm_metrics *metrics = request->metrics;
    struct hpm_string text = {0};

    hpm_explanation_add(&text, request, hpm_metrics_find(metrics, "LOST"));
    ok(strstr(hpm_string_text(&text),
              "  here       no: it needs 'NOWHERE', which cannot be counted "
              "here\n") != NULL,
       "and why it cannot be measured");
    ok(strstr(hpm_string_text(&text), "  in words   NOWHERE / [time that "
                                      "passed, in seconds]\n") != NULL,
       "what every record has is said in words, too");
    hpm_string_clear(&text);
    hpm_explanation_add(&text, request, hpm_metrics_find(metrics, "WORK"));
    is_text(hpm_string_text(&text),
            "WORK: work\n"
            "  counter    W (test.hpm:2)\n"
            "  unit       a count, from 0 on\n"
            "  part of    ALL (all)\n"
            "  used by    RATE\n"
            "  here       yes, by W: hpmcount -m WORK\n",
            "a count says what it is used for");
    hpm_string_free(&text);
}

static void
test_others(struct hpm_request *request)
{
    const struct hpm_metrics *metrics = request->metrics;
    struct hpm_string text = {0};

    hpm_explanation_add_set(&text, request,
                            hpm_metrics_find_set(metrics, "BOTH"));
    hpm_explanation_add_constant(&text, metrics, "TOP");
    hpm_explanation_add_event(&text, request, "C1");
    is_text(hpm_string_text(&text),
            "BOTH: a set, counted together by hpmcount -s BOTH\n"
            "  members    RATE (how fast), here: yes\n"
            "             W, here: yes\n"
            "TOP: a constant, the most\n"
            "  value      6 n\n"
            "  source     a table\n"
            "  change     'const TOP = ...' in a file named in HPM_DEFS sets "
            "another value\n"
            "C1: an event, which is counted\n"
            "  used by    CYCLES\n"
            "  here       no\n",
            "sets, constants and events are explained, too");
    hpm_string_free(&text);
}

static void
test_catalogue(void)
{
    struct hpm_spec *spec = read_text(definitions, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_request request;
    int n_asked = 0;

    hpm_request_init(&request, metrics, ask, &n_asked, NULL);
    test_lists(&request);
    test_explained(&request);
    test_uses(&request);
    test_others(&request);
    test_request(&request);
    ok(n_asked <= (int)metrics->n_leaves, "each event is asked for once");
    hpm_request_clear(&request);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

int
main(void)
{
    test_trees();
    test_styles();
    test_formulas();
    test_catalogue();
    return done();
}
