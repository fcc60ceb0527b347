/* SPDX-License-Identifier: BSD-3-Clause
 * The papers' own numbers: Figure 3 of the HPM Toolkit paper, and the CMSSW
 * report's formulas in tables worked out by hand (cmssw-*.table). */
#include "config.h"

#include <stdlib.h>

#include "metric/binding.h"
#include "metric/trial.h"
#include "tap.h"

/* ---- Figure 3 -------------------------------------------------------- */

static const struct {
    const char *name;
    uint64_t value;
} figure_counts[] = {
    {"PM_CYC", 169719339},     {"PM_INST_CMPL", 135603862},
    {"PM_ST_CMPL", 8255773},   {"PM_LD_CMPL", 56883532},
    {"PM_FPU0_CMPL", 6463248}, {"PM_FPU1_CMPL", 5122784},
    {"PM_EXEC_FMA", 7697521},
};

static const struct {
    const char *name;
    double printed;
    const char *verdict;
} figure_metrics[] = {
    {"User time", 0.764, ""},    {"Use rate", 0.262, ""},
    {"Total LS", 65.139, ""},    {"Instr/LS", 2.082, "neutral"},
    {"MIPS", 46.476, ""},        {"Ipc", 0.799, "bad"},
    {"HW FP/Cyc", 0.068, ""},    {"FPI+FMA", 19.284, ""},
    {"Mflip/s", 6.609, ""},      {"FMA %", 79.835, "good"},
    {"Comp Int.", 0.296, "bad"},
};

enum { N_FIGURE_METRICS = sizeof figure_metrics / sizeof figure_metrics[0] };

/* The record of the figure, for a run of so many seconds at that clock. */
static struct hpm_experiment *
make_figure(double seconds, double mhz)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_record *record;

    hpm_experiment_set_text(&experiment->machine.pmu, "power3");
    experiment->machine.mhz = mhz;
    for (size_t i = 0; i < sizeof figure_counts / sizeof figure_counts[0];
         i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

        hpm_experiment_set_text(&counter->name, figure_counts[i].name);
        hpm_experiment_set_text(&counter->unit, "");
    }
    record = hpm_experiment_add_record(experiment);
    hpm_experiment_set_text(&record->label, "Loop 300");
    hpm_experiment_set_text(&record->file, "swim.f");
    record->calls = 1198;
    record->time.total = record->time.exclusive =
        (uint64_t)(seconds * 1e9 + 0.5);
    for (size_t i = 0; i < experiment->n_counters; i++)
        *hpm_experiment_value(experiment, 0, i) = (struct hpm_value){
            .is_present = true, .total = figure_counts[i].value};
    return experiment;
}

static size_t
count_shown(const struct hpm_metrics *metrics,
            const struct hpm_metric_value *values)
{
    size_t n = 0;

    for (size_t i = 0; i < metrics->n_metrics; i++)
        n += hpm_metrics_is_derived(metrics, i, &values[i]);
    return n;
}

static void
test_figure(struct hpm_spec *shipped, double seconds, double mhz,
            double relative, const char *what)
{
    struct hpm_experiment *experiment = make_figure(seconds, mhz);
    struct hpm_platform platform = hpm_platform_of(&experiment->machine);
    struct hpm_metrics *metrics = hpm_metrics_new(shipped, &platform, NULL);
    struct hpm_metric_value *values =
        calloc(metrics->n_metrics, sizeof *values);
    struct hpm_tally *counts = calloc(metrics->n_leaves, sizeof *counts);
    struct hpm_binding binding;
    char sentence[128];

    hpm_binding_init(&binding, metrics, experiment, false, NULL);
    hpm_binding_count(&binding, 0, HPM_SPAN_INCLUSIVE, counts);
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    for (size_t i = 0; i < N_FIGURE_METRICS; i++) {
        size_t metric = hpm_metrics_find(metrics, figure_metrics[i].name);
        double printed = figure_metrics[i].printed;
        double tolerance = relative > 0.0 ? 0.001 + relative * printed : 0.0005;

        snprintf(sentence, sizeof sentence, "%s of Figure 3 from %s",
                 figure_metrics[i].name, what);
        is_near(values[metric].value / metrics->metrics[metric].scale, printed,
                tolerance, sentence);
        snprintf(sentence, sizeof sentence, "the verdict on %s",
                 figure_metrics[i].name);
        is_text(hpm_verdict_name(hpm_metrics_judge(metrics, values, metric,
                                                   HPM_PRECISION_DOUBLE)),
                figure_metrics[i].verdict, sentence);
    }
    is_count(count_shown(metrics, values), N_FIGURE_METRICS,
             "no other metrics come of these counts");
    hpm_binding_clear(&binding);
    free(values);
    free(counts);
    hpm_metrics_free(metrics);
    hpm_experiment_free(experiment);
}

/* Are these the limits that the figure writes as sbad and sgood? */
static void
test_figure_limits(struct hpm_spec *shipped)
{
    static const struct {
        const char *name;
        double bad, good;
    } limits[] = {{"Instr/LS", -1.0, 2.5},
                  {"Ipc", -1.0, 2.0},
                  {"FMA %", -40.0, 70.0},
                  {"Comp Int.", -0.7, 1.4}};
    struct hpm_metrics *metrics = choose(shipped, "power3", 0);

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct hpm_metric *metric =
            &metrics->metrics[hpm_metrics_find(metrics, limits[i].name)];

        for (int p = 0; p < 2; p++)
            ok(hpm_limit_to_file(&metric->limits[p].bad) == limits[i].bad &&
                   hpm_limit_to_file(&metric->limits[p].good) == limits[i].good,
               "limits are those of Figure 3");
    }
    hpm_metrics_free(metrics);
}

/* Table 1 has 24 metrics; all but the snoop hit ratio come of the toolkit's
 * four sets. */
static void
test_table_1(struct hpm_spec *shipped)
{
    struct hpm_metrics *metrics = choose(shipped, "power3", 0);
    struct hpm_string counts = {0};
    struct hpm_metric_value *values;
    size_t n = 0;

    hpm_string_add(&counts, "time::wall 2, cpu::mhz 200, "
                            "PM_SNOOP 1000, PM_SNOOP_L2HIT 500, ");
    for (size_t i = 0; i < metrics->n_sets; i++) {
        const struct hpm_range range = metrics->sets[i].inputs;

        if (strncmp(metrics->sets[i].name, "POWER3_", 7) != 0)
            continue;
        is_count(range.count, 8, "a set has the eight counters of a POWER3");
        for (size_t j = range.first; j < range.first + range.count; j++)
            hpm_string_add_format(&counts, "%s 1000, ",
                                  metrics->leaves[metrics->inputs[j].index]);
    }
    values = evaluate(metrics, hpm_string_text(&counts));
    for (size_t i = 0; i < metrics->n_metrics; i++)
        n += hpm_metrics_is_derived(metrics, i, &values[i]) &&
             !isnan(values[i].value);
    is_count(
        n, 24,
        "the four sets and the snoop counters give the 24 metrics of Table 1");
    free(values);
    hpm_string_free(&counts);
    hpm_metrics_free(metrics);
}

/* ---- CMSSW ----------------------------------------------------------- */

struct table {
    struct hpm_metrics *metrics;
    struct hpm_tally *counts, *totals;
    struct hpm_metric_value *values, *whole_values;
    size_t n_values;
    bool *is_checked;
};

static void
set_count(const struct table *table, struct hpm_tally *counts, const char *name,
          double value)
{
    for (size_t i = 0; i < table->metrics->n_leaves; i++) {
        if (strcmp(table->metrics->leaves[i], name) == 0) {
            counts[i] = (struct hpm_tally){.is_present = true, .value = value};
            return;
        }
    }
    ok(false, "an event of the table is in the definitions");
    printf("# %s\n", name);
}

static void
calculate(struct table *table)
{
    struct hpm_whole whole = {table->totals, table->whole_values};

    hpm_metrics_evaluate(table->metrics, table->totals, NULL,
                         table->whole_values);
    hpm_metrics_evaluate(table->metrics, table->counts, &whole, table->values);
}

static void
check_value(struct table *table, const char *name, double expected)
{
    size_t metric = hpm_metrics_find(table->metrics, name);
    char sentence[128];

    snprintf(sentence, sizeof sentence, "%s is as worked out by hand", name);
    if (metric == HPM_NO_METRIC) {
        ok(false, sentence);
        return;
    }
    if (table->n_values++ == 0)
        calculate(table);
    table->is_checked[metric] = true;
    is_near(table->values[metric].value, expected,
            1e-9 * (fabs(expected) > 1.0 ? fabs(expected) : 1.0), sentence);
}

static void
begin(struct table *table, struct hpm_spec *spec, const char *pmu)
{
    struct hpm_metrics *metrics = choose(spec, pmu, HPM_FACT_L2);

    *table = (struct table){.metrics = metrics};
    table->counts = calloc(metrics->n_leaves, sizeof *table->counts);
    table->totals = calloc(metrics->n_leaves, sizeof *table->totals);
    table->values = calloc(metrics->n_metrics, sizeof *table->values);
    table->whole_values =
        calloc(metrics->n_metrics, sizeof *table->whole_values);
    table->is_checked = calloc(metrics->n_metrics, sizeof(bool));
}

static void
end(struct table *table)
{
    free(table->counts);
    free(table->totals);
    free(table->values);
    free(table->whole_values);
    free(table->is_checked);
    hpm_metrics_free(table->metrics);
}

static void
read_line(struct table *table, struct hpm_spec *spec, const char *line)
{
    char word[16], name[96];
    double number;
    int n = sscanf(line, "%15s %95s %lf", word, name, &number);

    if (n == 2 && strcmp(word, "pmu") == 0) {
        begin(table, spec, name);
    } else if (n == 3 && strcmp(word, "count") == 0) {
        set_count(table, table->counts, name, number);
        set_count(table, table->totals, name, number);
    } else if (n == 3 && strcmp(word, "total") == 0) {
        set_count(table, table->totals, name, number);
    } else if (n == 3 && strcmp(word, "value") == 0) {
        check_value(table, name, number);
    }
}

/* All metrics of the machine's own file must be in the table; ratios that every
 * machine has need not be. */
static void
check_complete(const struct table *table, const char *file)
{
    const struct hpm_spec *spec = table->metrics->spec;
    size_t n_forgotten = 0;

    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *statement = &spec->statements[i];
        size_t metric = table->metrics->metric_of[statement->name];

        if (strcmp(hpm_spec_text(spec, statement->place.file), file) != 0 ||
            metric == 0 || table->is_checked[metric - 1])
            continue;
        /* plain measures that other lines are made of, and hints */
        if (statement->kind == HPM_STATEMENT_MEASURE ||
            statement->kind == HPM_STATEMENT_TUNE)
            continue;
        printf("# %s\n", table->metrics->metrics[metric - 1].name);
        n_forgotten++;
    }
    is_count(n_forgotten, 0, "every metric of the file is in the table");
}

static void
test_table(struct hpm_spec *shipped, const char *name, const char *file)
{
    const char *root = getenv("top_srcdir");
    struct table table = {0};
    char path[512], line[256];
    FILE *input;

    snprintf(path, sizeof path, "%s/tests/metric/%s", root != NULL ? root : ".",
             name);
    input = fopen(path, "r");
    ok(input != NULL, "the table is there");
    if (input == NULL)
        return;
    while (fgets(line, sizeof line, input) != NULL)
        read_line(&table, shipped, line);
    fclose(input);
    check_complete(&table, file);
    end(&table);
}

static void
test_override(struct hpm_spec *shipped)
{
    const char *user = "const I7_L3_MISS_LOCAL_DRAM_HIT_CYCLES = 190 "
                       "source \"measured on node 12\"";
    struct hpm_metrics *metrics;
    struct hpm_metric_value *values;

    hpm_spec_read(shipped, "my.hpm", user, strlen(user), 1, NULL, NULL, NULL);
    metrics = choose(shipped, "nhm", HPM_FACT_L2);
    values = evaluate(metrics, "MEM_UNCORE_RETIRED:LOCAL_DRAM 800");
    is_text(shown(metrics, values, "LOCAL_DRAM_IMPACT"), "152000",
            "a user's constant replaces the report's");
    free(values);
    hpm_metrics_free(metrics);
}

int
main(void)
{
    struct hpm_spec *shipped = read_shipped();

    test_figure(shipped, 2.9177, 222.1, 0.0, "2.9177 s and 222.1 MHz");
    test_figure(shipped, 2.918, 222.0, 0.0001, "the printed 2.918 s, 222 MHz");
    test_figure_limits(shipped);
    test_table_1(shipped);
    test_table(shipped, "cmssw-core.table", "core.hpm");
    test_table(shipped, "cmssw-nehalem.table", "nhm.hpm");
    test_override(shipped);
    hpm_spec_free(shipped);
    return done();
}
