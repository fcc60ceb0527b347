/* SPDX-License-Identifier: BSD-3-Clause
 * Definition files that need not be read for a PMU: those that make no
 * difference for it. */
#include "metric/language/peek.h"

#include <stdlib.h>
#include <string.h>

#include "metric/language/builtin.h"
#include "metric/language/definitions.h"
#include "metric/trial.h"
#include "tap.h"

/* In memory of exactly that size, so that a sanitizer sees a read beyond its
 * end. */
static bool
is_for_others(const char *text, const char *pmu)
{
    size_t length = strlen(text);
    char *exact = malloc(length + 1);
    bool answer;

    memcpy(exact, text, length + 1);
    answer = hpm_peek_is_for_others(exact, length, pmu);
    free(exact);
    return answer;
}

static void
test_texts(void)
{
    static const struct {
        const char *text, *sentence;
        bool expected; /* the file is for other PMUs than skx */
    } cases[] = {
        {"arch nhm wsm\nmeasure A = E1", "another PMU's", true},
        {"# words\n\narch nhm \"A title\"\nmeasure A = E1",
         "another PMU's, after a comment", true},
        {"arch nhm\nmeasure A = E1\narch wsm\nmeasure A = E2",
         "two other PMUs'", true},
        {"arch nhm\n  skx\nmeasure A = E1", "this PMU's, among others", false},
        {"arch nhm\nmeasure A = E1\narch skx\nmeasure A = E2",
         "another one's, then this one's", false},
        {"arch nhm\nmeasure A = E1 arch any measure B = E2",
         "for any PMU at its end", false},
        {"measure A = E1\narch nhm\nmeasure A = E2",
         "for any PMU at its beginning", false},
        {"arch nhm\ninclude \"other.hpm\"", "one that includes another", false},
        {"arch nhm\nmeasure A = E1 info \"includes arches, nothing else\"",
         "one that talks of including", true},
        {"arch any\nmeasure A = E1", "for any PMU", false},
        {"arch", "cut after its first word", true},
        {"arch \"", "with a fault", false},
        {"", "empty", false},
        {"arch skxx\nmeasure A = E1", "of a PMU with a longer name", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(is_for_others(cases[i].text, "skx") == cases[i].expected,
           cases[i].sentence);
    ok(is_for_others("arch skx\nmeasure A = E1", NULL),
       "any PMU's, where the PMU is not known");
}

/* ---- the shipped ones ------------------------------------------------ */

static const char *
name_of(const struct hpm_metrics *metrics, struct hpm_input input)
{
    return input.is_metric ? metrics->metrics[input.index].name
                           : metrics->leaves[input.index];
}

static void
add_rule(struct hpm_string *text, const struct hpm_metrics *metrics,
         const struct hpm_rule *rule)
{
    hpm_string_add_format(text, " kind %d", (int)rule->kind);
    for (size_t i = 0; i < rule->inputs.count; i++)
        hpm_string_add_format(
            text, " %s",
            name_of(metrics, metrics->inputs[rule->inputs.first + i]));
    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step = &metrics->steps[rule->steps.first + i];
        bool is_name = step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL;

        hpm_string_add_format(text, " %d %g %s", (int)step->kind, step->number,
                              is_name ? name_of(metrics, step->input) : "");
    }
}

/* The metrics are in the order of the statements; the order of steps and leaves
 * may differ. */
static void
add_metrics(struct hpm_string *text, const struct hpm_metrics *metrics)
{
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &metrics->metrics[i];

        hpm_string_add_format(text, "%s limit %g", metric->name,
                              metric->limits[0].bad.value);
        for (size_t j = 0; j < metric->rules.count; j++)
            add_rule(text, metrics, &metrics->rules[metric->rules.first + j]);
        hpm_string_add_char(text, '\n');
    }
    hpm_string_add_format(text, "%zu leaves, %zu sets\n", metrics->n_leaves,
                          metrics->n_sets);
}

/* All metrics made for a PMU, as text; *ret_n is the number of statements. */
static struct hpm_string
describe(const char *pmu, bool is_glanced, size_t *ret_n)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_platform platform = {.pmu = pmu};
    struct hpm_string text = {0};
    struct hpm_metrics *metrics;

    if (is_glanced)
        hpm_definitions_read_for(spec, "", pmu, NULL);
    else
        hpm_definitions_read(spec, "", NULL);
    metrics = hpm_metrics_new(spec, &platform, NULL);
    add_metrics(&text, metrics);
    *ret_n = spec->n_statements;
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    return text;
}

static bool
is_same(const char *pmu, size_t *n_statements)
{
    size_t n_all;
    struct hpm_string all = describe(pmu, false, &n_all);
    struct hpm_string glanced = describe(pmu, true, n_statements);
    bool answer = strcmp(hpm_string_text(&all), hpm_string_text(&glanced)) == 0;

    if (!answer)
        printf("# %s: %zu of %zu statements\n", pmu != NULL ? pmu : "(none)",
               *n_statements, n_all);
    hpm_string_free(&all);
    hpm_string_free(&glanced);
    return answer;
}

static void
test_shipped(void)
{
    struct hpm_spec *spec = hpm_spec_new();
    bool are_same = true, are_fewer = true;
    size_t n;

    hpm_definitions_read_also("mpi"); /* as tools do */
    hpm_definitions_read_also("node");
    hpm_definitions_read_also("openmp");
    hpm_definitions_read(spec, "", NULL);
    for (size_t i = 0; i < spec->n_pmus; i++) {
        are_same &= is_same(hpm_spec_text(spec, spec->pmus[i]), &n);
        are_fewer &= n < spec->n_statements;
    }
    ok(spec->n_pmus > 0 && are_same,
       "what is passed over is missed by none of the PMUs in shipped files");
    ok(are_fewer, "and something is passed over for each");
    ok(is_same("another", &n) && is_same(NULL, &n),
       "nor by one that no file is about, or one not known");
    hpm_spec_free(spec);
}

int
main(void)
{
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    test_texts();
    test_shipped();
    return done();
}
