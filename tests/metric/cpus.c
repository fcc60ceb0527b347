/* SPDX-License-Identifier: BSD-3-Clause
 * The models of processors, with the counts of one made-up section each
 * (tests/data/cpus/PMU.counts): every part of every hierarchy has a value,
 * parts add up to their wholes, and the slots of top-down add up to all
 * slots. */
#include "config.h"

#include "metric/trial.h"
#include "tap.h"

static const struct {
    const char *pmu;
    const char *also;        /* a PMU whose definitions are the same */
    const char *no_top_down; /* the reason; NULL if level 1 exists */
    const char *level_2;     /* slots of level 1 that have parts */
} cpus[] = {
    {"skx", "clx", NULL, "FRONTEND BAD_SPEC BACKEND RETIRING"},
    {"icx", NULL, NULL, "FRONTEND BAD_SPEC BACKEND"},
    {"spr", "emr", NULL, "FRONTEND BAD_SPEC BACKEND RETIRING"},
    {"amd64_fam17h_zen2", NULL, "no event counts slots", ""},
    {"amd64_fam19h_zen3", NULL, "no event counts slots", ""},
    {"amd64_fam19h_zen4", NULL, NULL, "FRONTEND BAD_SPEC BACKEND RETIRING"},
    {"arm_n1", NULL, "stalls are counted in cycles, not in slots", ""},
    {"arm_v1", NULL, NULL, "BACKEND"},
    {"arm_ac57", NULL, "no event tells stalls", ""},
    {"arm_a64fx", NULL, "cycles are counted by what they wait for, not slots",
     ""},
    {"power9", NULL, "cycles are counted by what they wait for, not slots", ""},
};

enum { N_CPUS = sizeof cpus / sizeof cpus[0] };

/* One record, and the metrics made of it. */
struct trial {
    const char *pmu;
    struct hpm_metrics *metrics;
    struct hpm_metric_value *values;
    size_t n_counts;
    size_t n_strangers; /* counts that no metric needs */
};

static void
ok_for(const struct trial *trial, bool is_true, const char *what)
{
    char sentence[160];

    snprintf(sentence, sizeof sentence, "%s: %s", trial->pmu, what);
    ok(is_true, sentence);
}

static FILE *
open_record(const char *pmu)
{
    const char *root = getenv("top_srcdir");
    char path[512];

    snprintf(path, sizeof path, "%s/tests/data/cpus/%s.counts",
             root != NULL ? root : ".", pmu);
    return fopen(path, "r");
}

static unsigned
facts_of(const char *line)
{
    unsigned facts = 0;

    facts |= strstr(line, "L2") != NULL ? HPM_FACT_L2 : 0;
    facts |= strstr(line, "L3") != NULL ? HPM_FACT_L3 : 0;
    facts |= strstr(line, "SMT") != NULL ? HPM_FACT_SMT : 0;
    facts |= strstr(line, "FMA") != NULL ? HPM_FACT_FMA : 0;
    return facts;
}

static void
take_count(struct trial *trial, struct hpm_tally *counts, const char *name,
           double value)
{
    trial->n_counts++;
    for (size_t i = 0; i < trial->metrics->n_leaves; i++) {
        if (strcmp(trial->metrics->leaves[i], name) != 0)
            continue;
        counts[i].is_present = true;
        counts[i].value = value;
        return;
    }
    trial->n_strangers++;
}

/* Evaluate the record `record` as one of `pmu`; false if there is none. */
static bool
begin(struct trial *trial, struct hpm_spec *shipped, const char *record,
      const char *pmu)
{
    FILE *file = open_record(record);
    struct hpm_tally *counts = NULL;
    char line[512], name[400];
    double value;

    *trial = (struct trial){.pmu = pmu};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "facts ", 6) == 0) {
            trial->metrics = choose(shipped, pmu, facts_of(line));
            counts = calloc(trial->metrics->n_leaves + 1, sizeof *counts);
            trial->values =
                calloc(trial->metrics->n_metrics + 1, sizeof *trial->values);
        } else if (line[0] != '#' && counts != NULL &&
                   sscanf(line, "%399s %lf", name, &value) == 2) {
            take_count(trial, counts, name, value);
        }
    }
    if (file != NULL)
        fclose(file);
    if (counts == NULL)
        return false;
    hpm_metrics_evaluate(trial->metrics, counts, NULL, trial->values);
    free(counts);
    return true;
}

static void
end(struct trial *trial)
{
    hpm_metrics_free(trial->metrics);
    free(trial->values);
}

/* ---- hierarchies ----------------------------------------------------- */

static bool
has_value(const struct trial *trial, size_t metric)
{
    return trial->values[metric].is_present &&
           !isnan(trial->values[metric].value);
}

static double
value_of(const struct trial *trial, const char *name)
{
    size_t metric = hpm_metrics_find(trial->metrics, name);

    return metric != HPM_NO_METRIC && has_value(trial, metric)
               ? trial->values[metric].value
               : (double)NAN;
}

/* A tree without any count belongs to another machine. */
static bool
is_used(const struct trial *trial, size_t metric)
{
    while (trial->metrics->metrics[metric].parent != HPM_NO_METRIC)
        metric = trial->metrics->metrics[metric].parent;
    return has_value(trial, metric);
}

struct trees {
    size_t n_leaves, n_without, n_negative, n_wrong_sums;
};

static void
look_at_tree(const struct trial *trial, size_t whole, struct trees *trees)
{
    const struct hpm_metrics *metrics = trial->metrics;
    const struct hpm_rule *tree = &metrics->rules[metrics->metrics[whole].tree];
    double sum = 0.0;

    for (size_t i = 0; i < tree->inputs.count; i++) {
        struct hpm_input part = metrics->inputs[tree->inputs.first + i];
        const char *name = part.is_metric ? metrics->metrics[part.index].name
                                          : metrics->leaves[part.index];

        trees->n_leaves +=
            !part.is_metric || metrics->metrics[part.index].tree == HPM_NO_RULE;
        if (!part.is_metric || !has_value(trial, part.index)) {
            printf("# %s: '%s' of '%s' has no value\n", trial->pmu, name,
                   metrics->metrics[whole].name);
            trees->n_without++;
            continue;
        }
        if (trial->values[part.index].value < 0.0) {
            printf("# %s: '%s' is %g\n", trial->pmu, name,
                   trial->values[part.index].value);
            trees->n_negative++;
        }
        sum += trial->values[part.index].value;
    }
    if (fabs(sum - trial->values[whole].value) > 1e-9 * sum + 8.0) {
        printf("# %s: the parts of '%s' are %.0f, it is %.0f\n", trial->pmu,
               metrics->metrics[whole].name, sum, trial->values[whole].value);
        trees->n_wrong_sums++;
    }
}

static void
check_trees(const struct trial *trial)
{
    struct trees trees = {0};

    for (size_t i = 0; i < trial->metrics->n_metrics; i++) {
        if (trial->metrics->metrics[i].tree != HPM_NO_RULE && is_used(trial, i))
            look_at_tree(trial, i, &trees);
    }
    printf("# %s: %zu counts, %zu leaves of hierarchies\n", trial->pmu,
           trial->n_counts, trees.n_leaves);
    ok_for(trial, trees.n_leaves > 15 && trees.n_without == 0,
           "every leaf of its hierarchies is placed");
    ok_for(trial, trees.n_negative == 0, "no part is less than nothing");
    ok_for(trial, trees.n_wrong_sums == 0, "parts add up to their wholes");
    ok_for(trial, trial->n_strangers == 0, "each count is of use");
}

/* Each processor has at least these wholes of the paper's hierarchy. */
static void
check_wholes(const struct trial *trial)
{
    static const char *const wholes[] = {"CYCLES",      "INSTRUCTION",
                                         "DATA_ACCESS", "INST_ACCESS",
                                         "MEMORY",      "FLOATING_POINT"};

    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
        size_t metric = hpm_metrics_find(trial->metrics, wholes[i]);
        char sentence[64];

        snprintf(sentence, sizeof sentence, "there is a tree of %s", wholes[i]);
        ok_for(trial,
               metric != HPM_NO_METRIC && has_value(trial, metric) &&
                   trial->metrics->metrics[metric].tree != HPM_NO_RULE,
               sentence);
    }
}

/* ---- ratios ---------------------------------------------------------- */

static void
check_ratios(const struct trial *trial)
{
    size_t n = 0, n_odd = 0;

    for (size_t i = 0; i < trial->metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &trial->metrics->metrics[i];
        const char *unit = metric->texts[HPM_TEXT_UNIT];
        double value = trial->values[i].value;

        if (!metric->is_ratio || unit == NULL || strcmp(unit, "%") != 0 ||
            !has_value(trial, i))
            continue;
        n++;
        if (value >= 0.0 && value <= 100.0)
            continue;
        printf("# %s: %s is %g %%\n", trial->pmu, metric->name, value);
        n_odd++;
    }
    printf("# %s: %zu percentages\n", trial->pmu, n);
    ok_for(trial, n >= 5 && n_odd == 0, "percentages are from 0 to 100");
    ok_for(trial,
           fabs(value_of(trial, "IPC") - value_of(trial, "INSTRUCTION") /
                                             value_of(trial, "CYCLES")) < 1e-12,
           "instructions per cycle are those of its own counts");
    ok_for(trial,
           fabs(value_of(trial, "MIPS") -
                value_of(trial, "INSTRUCTION") / 0.4e6) < 1e-6,
           "so are a million of them per second");
}

/* ---- top-down -------------------------------------------------------- */

static double
percent_of(const struct trial *trial, const char *slots)
{
    char name[64];

    snprintf(name, sizeof name, "%s_PCT", slots);
    return value_of(trial, name);
}

static void
check_level_2(const struct trial *trial, const char *wholes)
{
    static const char *const parts[][3] = {
        {"FRONTEND", "FETCH_LATENCY", "FETCH_BANDWIDTH"},
        {"BAD_SPEC", "MISPREDICTS", "MACHINE_CLEARS"},
        {"BACKEND", "MEMORY_BOUND", "CORE_BOUND"},
        {"RETIRING", "HEAVY_OPS", "LIGHT_OPS"}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double whole = value_of(trial, parts[i][0]);
        double sum =
            value_of(trial, parts[i][1]) + value_of(trial, parts[i][2]);
        char sentence[96];

        snprintf(sentence, sizeof sentence, "level 2 of %s %s", parts[i][0],
                 strstr(wholes, parts[i][0]) != NULL ? "adds up to it"
                                                     : "is not told");
        ok_for(trial,
               strstr(wholes, parts[i][0]) != NULL
                   ? fabs(sum - whole) <= 1e-9 * whole
                   : isnan(sum),
               sentence);
    }
}

static void
check_top_down(const struct trial *trial, const char *no_top_down,
               const char *level_2)
{
    static const char *const level_1[] = {"FRONTEND", "BACKEND", "BAD_SPEC",
                                          "RETIRING"};
    double lost = percent_of(trial, "SMT_LOST"), sum = 0.0;

    for (size_t i = 0; i < 4; i++)
        sum += percent_of(trial, level_1[i]);
    if (no_top_down != NULL) {
        printf("# %s: no top-down: %s\n", trial->pmu, no_top_down);
        ok_for(trial, isnan(sum), "nothing is called top-down that is not");
        return;
    }
    sum += isnan(lost) ? 0.0 : lost;
    printf("# %s: level 1 of top-down is %.6f %%\n", trial->pmu, sum);
    ok_for(trial, fabs(sum - 100.0) < 0.001,
           "level 1 of top-down is all slots");
    check_level_2(trial, level_2);
}

static void
check_cpu(struct hpm_spec *shipped, size_t i, const char *pmu)
{
    struct trial trial;

    if (!begin(&trial, shipped, cpus[i].pmu, pmu)) {
        ok_for(&trial, false, "there is a record of it");
        return;
    }
    check_trees(&trial);
    check_wholes(&trial);
    check_ratios(&trial);
    check_top_down(&trial, cpus[i].no_top_down, cpus[i].level_2);
    end(&trial);
}

int
main(void)
{
    struct hpm_spec *shipped = read_shipped();

    for (size_t i = 0; i < N_CPUS; i++) {
        check_cpu(shipped, i, cpus[i].pmu);
        if (cpus[i].also != NULL)
            check_cpu(shipped, i, cpus[i].also);
    }
    ok(shipped->n_complaints == 0, "the definitions are without complaint");
    printf("%s", shipped->n_complaints > 0
                     ? hpm_string_text(&shipped->complaints)
                     : "");
    hpm_spec_free(shipped);
    return done();
}
