/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of an experiment: spellings of events, units, spans, scopes and facts
 * about a machine. */
#include "config.h"

#include "metric/binding.h"

#include <stdlib.h>

#include "host/memory.h"
#include "metric/alias.h"
#include "metric/trial.h"
#include "tap.h"

/* ---- spellings ------------------------------------------------------- */

static const struct {
    const char *a, *b;
    bool is_same;
} spellings[] = {
    {"cpu::topdown-retiring", "topdown-retiring", true},
    {"cpu::topdown-retiring", "cpu/topdown-retiring/", true},
    {"cpu::topdown-retiring", "cpu_core/topdown-retiring/", true},
    {"cpu::slots", "cpu/slots/", true},
    {"cpu::topdown-retiring", "topdown-fe-bound", false},
    {"cpu::mhz", "mhz", false},
    {"task-clock", "sw::task-clock", true},
    {"task-clock", "perf::TASK-CLOCK", true},
    {"task-clock", "PERF_COUNT_SW_TASK_CLOCK", true},
    {"task-clock", "perf::PERF_COUNT_SW_TASK_CLOCK", true},
    {"cpu-cycles", "perf::cycles", true},
    {"branch-instructions", "branches", true},
    {"cs", "context-switches", true},
    {"faults", "sw::page-faults", true},
    {"L1-dcache-load-misses", "perf::L1-DCACHE-LOAD-MISSES", true},
    {"FOO:BAR", "skx::FOO:BAR", true},
    {"FOO.BAR", "FOO:BAR", true},
    {"FOO:BAR:c=1:i=1", "FOO:BAR:i=1:c=1", true},
    {"FOO:BAR:cmask=1:inv", "FOO:BAR:c=1:i=1", true},
    {"FOO:BAR:u", "FOO:BAR", true},
    {"FOO:B:A", "FOO:A:B", true},
    {"DATA_HIT_L1$", "data_hit_l1$", false},
    {"EC_misses", "EC_MISSES", false},
    {"CYCLES", "cycles", false},
    {"inst_retired:any_p", "INST_RETIRED:ANY_P", true},
    {"papi_tot_ins", "PAPI_TOT_INS", true},
    {"PM_CYC:u", "PM_CYC", true},
    {"ru::UTIME", "ru::utime", false},
    {"FOO:BAR", "FOO:BAZ", false},
    {"FOO:BAR:c=1", "FOO:BAR", false},
    {"FOO:BAR:c=1", "FOO:BAR:c=2", false},
    {"CPU_CYCLES", "cpu-cycles", false},
    {"ru::utime", "utime", false},
    {"time::wall", "sw::wall", false},
};

static void
test_spellings(void)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct hpm_string a = {0}, b = {0};
        char sentence[128];

        hpm_alias_add(&a, spellings[i].a);
        hpm_alias_add(&b, spellings[i].b);
        snprintf(sentence, sizeof sentence, "%s %s %s", spellings[i].a,
                 spellings[i].is_same ? "is" : "is not", spellings[i].b);
        ok((strcmp(hpm_string_text(&a), hpm_string_text(&b)) == 0) ==
               spellings[i].is_same,
           sentence);
        hpm_string_free(&a);
        hpm_string_free(&b);
    }
}

/* A name that no event has: as written, or in small letters. */
static void
test_long_name(void)
{
    struct hpm_string text = {0};
    char name[301], small[301];

    memset(name, 'A', sizeof name - 1);
    memset(small, 'a', sizeof small - 1);
    name[300] = small[300] = '\0';
    name[10] = small[10] = '-';
    hpm_alias_add(&text, name);
    is_text(hpm_string_text(&text), name, "a name that is too long stays");
    hpm_string_clear(&text);
    hpm_alias_add_folded(&text, name);
    is_text(hpm_string_text(&text), small, "but for its letters");
    hpm_string_free(&text);
}

/* ---- an experiment --------------------------------------------------- */

static void
add_counter(struct hpm_experiment *experiment, const char *name,
            const char *unit)
{
    struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

    hpm_experiment_set_text(&counter->name, name);
    hpm_experiment_set_text(&counter->unit, unit);
}

static void
add_record(struct hpm_experiment *experiment, size_t parent,
           enum hpm_scope scope, uint64_t total, uint64_t exclusive)
{
    struct hpm_record *record = hpm_experiment_add_record(experiment);
    size_t i = experiment->n_records - 1;

    hpm_experiment_set_text(&record->label, "");
    hpm_experiment_set_text(&record->file, "");
    record->parent = parent;
    record->scope = scope;
    record->calls = 10;
    record->time.total = 2000000000;
    record->time.exclusive = 500000000;
    for (size_t j = 0; j < experiment->n_counters; j++)
        *hpm_experiment_value(experiment, i, j) =
            (struct hpm_value){.is_present = true,
                               .has_exclusive = true,
                               .total = total,
                               .exclusive = exclusive};
}

static struct hpm_experiment *
make_experiment(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    add_counter(experiment, "instructions", "");
    add_counter(experiment, "task-clock", "ns");
    add_counter(experiment, "ru::minflt", "");
    experiment->run.ns = 4000000000;
    *hpm_experiment_add_resource(experiment) =
        (struct hpm_resource){"ru::maxrss", "", "kB", 3, true};
    *hpm_experiment_add_resource(experiment) =
        (struct hpm_resource){"ru::nswap", "", "", 0, false};
    add_record(experiment, HPM_NO_RECORD, HPM_SCOPE_THREAD, 3000, 1000);
    add_record(experiment, 0, HPM_SCOPE_THREAD, 2000, 2000);
    add_record(experiment, HPM_NO_RECORD, HPM_SCOPE_THREAD, 5000, 5000);
    add_record(experiment, HPM_NO_RECORD, HPM_SCOPE_PROCESS, 70000, 70000);
    return experiment;
}

static const char definitions[] =
    "measure INSTRUCTION = perf::instructions "
    "ratio RATE = INSTRUCTION / time::wall "
    "measure CPU = sw::task-clock measure FAULTS = ru::minflt "
    "measure MEMORY = ru::maxrss measure SWAPS = ru::nswap "
    "ratio PER_CALL = INSTRUCTION / Count "
    "ratio PART = 100 * INSTRUCTION / total(INSTRUCTION) "
    "compute CLOCK = cpu::mhz + 0 compute CORES = cpu::count + 0 "
    "compute MINE = cpu::allowed + 0";

struct bound {
    struct hpm_spec *spec;
    struct hpm_metrics *metrics;
    struct hpm_experiment *experiment;
    struct hpm_binding binding;
    struct hpm_tally counts[32], all[32];
    struct hpm_metric_value values[32], totals[32];
};

static void
bind(struct bound *bound, bool is_whole_run)
{
    *bound = (struct bound){.spec = read_text(definitions, 1),
                            .experiment = make_experiment()};
    bound->metrics = choose(bound->spec, NULL, 0);
    hpm_binding_init(&bound->binding, bound->metrics, bound->experiment,
                     is_whole_run, NULL);
}

static void
count(struct bound *bound, size_t record, enum hpm_span span)
{
    struct hpm_whole whole = {bound->all, bound->totals};

    hpm_binding_count_all(&bound->binding,
                          bound->experiment->records[record].scope, bound->all);
    hpm_metrics_evaluate(bound->metrics, bound->all, NULL, bound->totals);
    hpm_binding_count(&bound->binding, record, span, bound->counts);
    hpm_metrics_evaluate(bound->metrics, bound->counts, &whole, bound->values);
}

static const char *
value(const struct bound *bound, const char *name)
{
    return shown(bound->metrics, bound->values, name);
}

static void
unbind(struct bound *bound)
{
    hpm_binding_clear(&bound->binding);
    hpm_metrics_free(bound->metrics);
    hpm_spec_free(bound->spec);
    hpm_experiment_free(bound->experiment);
}

static void
test_records(void)
{
    struct bound bound;

    bind(&bound, false);
    count(&bound, 0, HPM_SPAN_INCLUSIVE);
    is_text(value(&bound, "INSTRUCTION"), "3000", "the inclusive count");
    is_text(value(&bound, "RATE"), "1500", "over the inclusive time");
    is_text(value(&bound, "CPU"), "3e-06", "nanoseconds become seconds");
    is_text(value(&bound, "PER_CALL"), "300", "Count is the number of calls");
    is_text(value(&bound, "PART"), "37.5",
            "the whole is every thread record once, and no process record");
    is_text(value(&bound, "MEMORY"),
            "not shown: needs 'ru::maxrss', which was not counted",
            "resources of the run are not those of a section");
    is_text(value(&bound, "CLOCK"),
            "unsupported: needs 'cpu::mhz', which is unsupported",
            "an unknown clock leaves no value");
    count(&bound, 0, HPM_SPAN_EXCLUSIVE);
    is_text(value(&bound, "INSTRUCTION"), "1000", "the exclusive count");
    is_text(value(&bound, "RATE"), "2000", "over the exclusive time");
    count(&bound, 3, HPM_SPAN_INCLUSIVE);
    is_text(value(&bound, "PART"), "100", "processes are a whole of their own");
    unbind(&bound);
}

static void
test_states(void)
{
    struct bound bound;
    struct hpm_value *instructions, *clock;

    bind(&bound, false);
    instructions = hpm_experiment_value(bound.experiment, 0, 0);
    clock = hpm_experiment_value(bound.experiment, 0, 1);
    instructions->state = HPM_STATE_LOST;
    clock->is_present = false;
    count(&bound, 0, HPM_SPAN_INCLUSIVE);
    is_text(value(&bound, "RATE"),
            "lost: needs 'perf::instructions', which is lost",
            "a lost counter is lost to metrics");
    is_text(value(&bound, "CPU"),
            "not shown: needs 'sw::task-clock', which was not counted",
            "a counter that a record does not have was not counted there");
    instructions->state = HPM_STATE_COUNTED;
    instructions->has_exclusive = false;
    count(&bound, 0, HPM_SPAN_EXCLUSIVE);
    is_text(value(&bound, "INSTRUCTION"),
            "not shown: needs 'perf::instructions', which was not counted",
            "without an exclusive count there is no exclusive metric");
    unbind(&bound);
}

/* Of a record that is hardly longer than its own measuring, each count is in doubt. */
static void
test_short(void)
{
    struct bound bound;
    bool are_short = true;

    bind(&bound, false);
    bound.experiment->records[0].is_short = true;
    count(&bound, 1, HPM_SPAN_INCLUSIVE);
    for (size_t i = 0; i < bound.metrics->n_leaves; i++)
        are_short &= bound.counts[i].doubt < HPM_DOUBT_SHORT;
    ok(are_short, "the counts of other records are not in doubt");
    count(&bound, 0, HPM_SPAN_INCLUSIVE);
    are_short = bound.metrics->n_leaves > 0;
    for (size_t i = 0; i < bound.metrics->n_leaves; i++)
        are_short &= bound.counts[i].doubt == HPM_DOUBT_SHORT;
    ok(are_short, "those of one that was too short are");
    unbind(&bound);
}

static void
test_whole_run(void)
{
    struct bound bound;

    bind(&bound, true);
    bound.experiment->machine.mhz = 2500.0;
    bound.experiment->machine.n_cpus = 4;
    bound.experiment->machine.n_allowed = 3;
    count(&bound, 3, HPM_SPAN_INCLUSIVE);
    is_text(value(&bound, "MEMORY"), "3072", "kilobytes become bytes");
    is_text(value(&bound, "SWAPS"),
            "unsupported: needs 'ru::nswap', which is unsupported",
            "what the system does not keep is no 0");
    is_text(value(&bound, "CLOCK"), "2500", "the nominal clock");
    is_text(value(&bound, "CORES"), "4", "the processors online");
    is_text(value(&bound, "MINE"), "3", "those it may use");
    count(&bound, 2, HPM_SPAN_INCLUSIVE);
    is_text(value(&bound, "CORES"), "4", "threads have the machine, too");
    is_text(value(&bound, "MINE"),
            "not shown: needs 'cpu::allowed', which was not counted",
            "but not the processors of the process: each can use but one");
    hpm_binding_begin_late(&bound.binding);
    count(&bound, 0, HPM_SPAN_INCLUSIVE);
    is_text(value(&bound, "MEMORY"),
            "not shown: needs 'ru::maxrss', which was not counted",
            "unless the counts begin later");
    is_text(value(&bound, "FAULTS"),
            "not shown: needs 'ru::minflt', which was not counted",
            "nor is what getrusage has counted of the whole run");
    is_text(value(&bound, "RATE"), "1500", "which changes nothing else");
    unbind(&bound);
}

/* Each lack of memory is said, or changes no value. */
static void
test_no_memory(void)
{
    bool is_good = true;
    size_t n_said = 0;

    for (unsigned long n = 1; n < 200 && is_good; n++) {
        struct bound bound = {.spec = read_text(definitions, 1),
                              .experiment = make_experiment()};
        struct hpm_error err = {""};
        bool is_bound;

        bound.metrics = choose(bound.spec, NULL, 0);
        hpm_memory_fail_at(n, false);
        is_bound = hpm_binding_init(&bound.binding, bound.metrics,
                                    bound.experiment, false, &err);
        hpm_memory_fail_at(0, false);
        n_said += !is_bound;
        if (is_bound) {
            count(&bound, 0, HPM_SPAN_INCLUSIVE);
            is_good = strcmp(value(&bound, "INSTRUCTION"), "3000") == 0 &&
                      strcmp(value(&bound, "PER_CALL"), "300") == 0 &&
                      strcmp(value(&bound, "CPU"), "3e-06") == 0;
        } else {
            is_good = strcmp(err.text, "out of memory") == 0;
        }
        if (!is_good)
            printf("# allocation %lu: '%s' %s %s\n", n, err.text,
                   is_bound ? value(&bound, "INSTRUCTION") : "",
                   is_bound ? value(&bound, "PER_CALL") : "");
        unbind(&bound);
    }
    ok(is_good, "each lack of memory is said, or changes no value");
    ok(n_said > 10, "most of them are said");
}

/* The ratio of these two counters; `a` and `b` are their domains. */
static const char *
ratio_of(const char *first, const char *a, const char *second, const char *b)
{
    struct bound bound = {
        .spec = read_text("measure CYC = cycles measure INS = instructions "
                          "ratio IPC = INS / CYC "
                          "ratio KERNEL = instructions:k / cycles:u",
                          1),
        .experiment = hpm_experiment_new()};
    const char *text;

    add_counter(bound.experiment, first, "");
    add_counter(bound.experiment, second, "");
    hpm_experiment_set_text(&bound.experiment->counters[0].domain, a);
    hpm_experiment_set_text(&bound.experiment->counters[1].domain, b);
    add_record(bound.experiment, HPM_NO_RECORD, HPM_SCOPE_THREAD, 3000, 3000);
    hpm_experiment_value(bound.experiment, 0, 1)->total = 1000;
    bound.metrics = choose(bound.spec, NULL, 0);
    hpm_binding_init(&bound.binding, bound.metrics, bound.experiment, false,
                     NULL);
    count(&bound, 0, HPM_SPAN_INCLUSIVE);
    text =
        value(&bound, strcmp(first, "instructions:k") == 0 ? "KERNEL" : "IPC");
    unbind(&bound);
    return text;
}

static void
test_domains(void)
{
    is_text(ratio_of("instructions", "user", "cycles", "user"), "3",
            "counters of the default domain");
    is_text(ratio_of("instructions:u", "user", "cycles", "user"), "3",
            "one that says it is");
    is_text(ratio_of("instructions:u", "user", "cycles:k", "kernel"),
            "unsupported: 'cycles:k' counts the kernel only",
            "a counter of another domain serves no metric");
    is_text(ratio_of("instructions:uk", "all", "cycles:uk", "all"), "3",
            "those of all domains together do");
    is_text(ratio_of("instructions:uk", "all", "cycles", "user"),
            "undefined: its counters count different domains",
            "but not with those of one");
    is_text(ratio_of("instructions", "kernel", "cycles:k", "kernel"), "3",
            "where the kernel is counted by default, it serves");
    is_text(ratio_of("instructions", "all", "cycles:u", "user"),
            "unsupported: 'cycles:u' counts user code only",
            "where all is, one of users does not");
    is_text(ratio_of("instructions:k", "kernel", "cycles:u", "user"), "3",
            "a formula that names domains gets them");
}

static void
test_target(void)
{
    struct hpm_experiment *experiment = make_experiment();
    struct hpm_platform platform = hpm_platform_of(&experiment->machine);

    is_count(platform.known, 0,
             "of a machine nothing is said about, nothing is "
             "known");
    hpm_experiment_set_text(&experiment->machine.pmu, "skx");
    hpm_experiment_set_text(&experiment->machine.facts,
                            "L2 L3 no-SMT FMA no-NUMA other LINE=256 "
                            "L3_SIZE=1048576 LINES=7 WIDTH=");
    experiment->machine.mhz = 2000.0;
    platform = hpm_platform_of(&experiment->machine);
    is_text(platform.pmu, "skx", "the PMU of a machine");
    is_count(platform.facts, HPM_FACT_L2 | HPM_FACT_L3 | HPM_FACT_FMA,
             "facts that hold");
    is_count(platform.known,
             HPM_FACT_L2 | HPM_FACT_L3 | HPM_FACT_SMT | HPM_FACT_FMA |
                 HPM_FACT_NUMA,
             "facts that are known");
    ok(platform.numbers[HPM_MACHINE_LINE] == 256.0 &&
           platform.numbers[HPM_MACHINE_L3_SIZE] == 1048576.0 &&
           platform.numbers[HPM_MACHINE_MHZ] == 2000.0,
       "numbers the machine tells");
    ok(platform.numbers[HPM_MACHINE_WIDTH] == 0.0 &&
           platform.numbers[HPM_MACHINE_L2_SIZE] == 0.0,
       "and those it does not");
    hpm_experiment_free(experiment);
}

/* The value of LINE, defined in this layer, on a machine whose line is 256. */
static const char *
line_of(unsigned layer, double setting)
{
    struct hpm_spec *spec =
        read_text("const LINE = 64 ratio MINE = LINE * X", layer);
    struct hpm_setting settings[] = {{"LINE", setting}};
    struct hpm_platform platform = {.numbers[HPM_MACHINE_LINE] = 256.0,
                                    .settings = settings,
                                    .n_settings = setting > 0.0};
    struct hpm_metrics *metrics = hpm_metrics_new(spec, &platform, NULL);
    struct hpm_metric_value *values = evaluate(metrics, "X 1");
    const char *text = shown(metrics, values, "MINE");

    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    return text;
}

static void
test_machine_numbers(void)
{
    is_text(line_of(0, 0.0), "256", "the machine stands over a shipped number");
    is_text(line_of(1, 0.0), "64", "a user's definition over the machine");
    is_text(line_of(0, 512.0), "512", "a user's setting over both");
}

/* ---- upper and lower case ----------------------------------------------- */

/* Counters, each with the count given, and the value of a metric. */
static const struct {
    const char *sentence, *definitions, *pmu;
    const char *counters[4];
    uint64_t counts[4];
    const char *name, *value;
} cases[] = {
    {"the event EC_misses is not the metric EC_MISSES",
     NULL,
     "ultra3",
     {"EC_misses", "EC_miss_local", "EC_miss_remote"},
     {1000, 300, 100},
     "EC_MISSES",
     "400"},
    {"nor is a counter that has the metric's name the event",
     NULL,
     "ultra3",
     {"EC_MISSES", "EC_rd_miss", "EC_ic_miss"},
     {1000, 300, 100},
     "DATA_STORE_INTO_MEM",
     "not shown: needs 'EC_misses', which was not counted"},
    {"a counter that has the metric's name is that metric, measured",
     NULL,
     "ultra3",
     {"EC_MISSES", "EC_miss_local", "EC_miss_remote"},
     {1000, 300, 100},
     "EC_MISSES",
     "1000"},
    {"the kernel's event is not the metric of its name in capitals",
     "measure STALLS = X_STALLS | perf::cycles compute CYCLES = Y * 2",
     NULL,
     {"cycles", "Y"},
     {7, 5},
     "CYCLES",
     "10"},
    {"libpfm4's events are known in any case",
     "measure A = RETIRED_INSTRUCTIONS",
     NULL,
     {"retired_instructions"},
     {5},
     "A",
     "5"},
    {"and with masks",
     "measure A = INST_RETIRED:ANY_P",
     NULL,
     {"skx::inst_retired.any_p"},
     {5},
     "A",
     "5"},
    {"so are PAPI's",
     "measure A = PAPI_TOT_INS",
     NULL,
     {"papi_tot_ins"},
     {5},
     "A",
     "5"},
    {"but not where two differ in nothing else",
     "measure A = Foo_bar measure B = FOO_bar",
     NULL,
     {"foo_BAR"},
     {5},
     "A",
     "not shown: needs 'Foo_bar', which was not counted"},
    {"the spelling of the definition goes before another one",
     "measure A = Foo_bar",
     NULL,
     {"FOO_BAR", "Foo_bar"},
     {5, 6},
     "A",
     "6"},
    {"a metric of another case is not measured by a counter",
     "ratio Rate = X / Y",
     NULL,
     {"RATE"},
     {5},
     "Rate",
     "not shown: needs 'X', which was not counted"},
};

static void
test_case(size_t i)
{
    struct bound bound = {.spec = cases[i].definitions != NULL
                                      ? read_text(cases[i].definitions, 1)
                                      : read_shipped(),
                          .experiment = hpm_experiment_new()};
    struct hpm_tally *counts;
    struct hpm_metric_value *values;
    size_t n = 0;

    for (; n < 4 && cases[i].counters[n] != NULL; n++)
        add_counter(bound.experiment, cases[i].counters[n], "");
    add_record(bound.experiment, HPM_NO_RECORD, HPM_SCOPE_THREAD, 0, 0);
    for (size_t j = 0; j < n; j++)
        hpm_experiment_value(bound.experiment, 0, j)->total =
            cases[i].counts[j];
    bound.metrics = choose(bound.spec, cases[i].pmu, HPM_FACT_L2);
    hpm_binding_init(&bound.binding, bound.metrics, bound.experiment, false,
                     NULL);
    counts = calloc(bound.metrics->n_leaves, sizeof *counts);
    values = calloc(bound.metrics->n_metrics, sizeof *values);
    hpm_binding_count(&bound.binding, 0, HPM_SPAN_INCLUSIVE, counts);
    hpm_metrics_evaluate(bound.metrics, counts, NULL, values);
    is_text(shown(bound.metrics, values, cases[i].name), cases[i].value,
            cases[i].sentence);
    free(counts);
    free(values);
    unbind(&bound);
}

int
main(void)
{
    test_spellings();
    test_long_name();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        test_case(i);
    test_records();
    test_states();
    test_short();
    test_whole_run();
    test_domains();
    test_target();
    test_machine_numbers();
    test_no_memory();
    return done();
}
