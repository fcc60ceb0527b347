/* SPDX-License-Identifier: BSD-3-Clause
 * Generated performance files of all kinds. */
#include "config.h"

#include "file/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/writer.h"
#include "host/memory.h"
#include "metric/making.h"

static uint64_t random_state = 20261121;

void
begin_random(uint64_t seed)
{
    random_state = seed;
}

uint64_t
next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int
below(int n)
{
    return (int)(next_random() % (unsigned)n);
}

/* ---- experiments of all kinds ---------------------------------------- */

static void
random_text(char **field)
{
    static const char *const texts[] = {
        "",          "main loop",          "a<b>&\"c\"'",  "tab\tnew\nline",
        "C:\\x41\\", "gr\xc3\xb6\xc3\x9f", "\xff\xfe\x01", "#7",
        "  blanks  "};

    hpm_experiment_set_text(field, texts[below(9)]);
}

static uint64_t
random_count(void)
{
    return next_random() >> below(64);
}

static double
random_real(void)
{
    return below(4) == 0 ? NAN
                         : (double)random_count() / (double)(1 + below(1000));
}

static struct hpm_value
random_value(void)
{
    struct hpm_value value = {.is_present = below(8) != 0,
                              .has_exclusive = below(4) != 0,
                              .lacks_total = below(10) == 0,
                              .total = random_count(),
                              .exclusive = random_count(),
                              .mean = random_real(),
                              .deviation = random_real(),
                              .share = NAN,
                              .has_overhead = below(2) == 0,
                              .overhead = random_count(),
                              .uncertainty = (double)below(1000),
                              .n_clamped = below(3)};

    if (value.lacks_total)
        value.has_exclusive = true;
    if (below(6) == 0) {
        value.state = (enum hpm_state)below(7);
        value.share = (double)below(100) / 100.0;
    }
    return value;
}

static void
add_random_counters(struct hpm_experiment *experiment)
{
    int n = below(6);

    for (int i = 0; i < n; i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);
        char name[32];

        snprintf(name, sizeof name, "event<%d>", i);
        hpm_experiment_set_text(&counter->name, name);
        hpm_experiment_set_text(&counter->unit, below(2) ? "ns" : "");
        hpm_experiment_set_text(&counter->source, "kernel");
        hpm_experiment_set_text(&counter->domain, "user");
        random_text(&counter->reason);
        random_text(&counter->description);
        counter->kind = (enum hpm_counter_kind)below(2);
        counter->is_hidden = below(4) == 0;
        counter->state = (enum hpm_state)below(7);
    }
}

static void
add_random_record(struct hpm_experiment *experiment)
{
    size_t i = experiment->n_records;
    struct hpm_record *record = hpm_experiment_add_record(experiment);

    record->scope = (enum hpm_scope)(below(4) == 0);
    record->tid = record->scope == HPM_SCOPE_PROCESS ? -1 : below(3);
    for (size_t j = i; j-- > 0;) {
        const struct hpm_record *other = &experiment->records[j];

        if (other->scope == record->scope && other->tid == record->tid &&
            below(2))
            record->parent = j;
        if (other->scope == HPM_SCOPE_PROCESS && below(2))
            record->within = j;
    }
    record->instance = below(5) - 2;
    random_text(&record->label);
    hpm_experiment_set_text(&record->file,
                            below(4) ? "/src/swim.f" : "/other/swim.f");
    record->line_start = (int)i + 1;
    record->line_end = below(1000);
    record->calls = random_count();
    record->outer = below(2) ? record->calls : random_count();
    record->n_skipped = (uint64_t)below(2);
    record->n_threads = below(2);
    record->omp = below(3) - 1;
    record->is_open = below(2);
    record->is_short = below(2);
    record->has_overlap = below(2);
    record->has_first_calls = below(2);
    record->watched.via = (enum hpm_via)below(HPM_N_VIAS);
    if (record->watched.via != HPM_VIA_CALL && below(2)) {
        random_text(&record->watched.module);
        record->watched.offset = random_count() / 2;
    }
    record->time = random_value();
    for (size_t j = 0; j < experiment->n_counters; j++)
        *hpm_experiment_value(experiment, i, j) = random_value();
}

static void
add_random_calls(struct hpm_experiment *experiment)
{
    size_t n = (size_t)below(4), n_counters = experiment->n_counters;
    struct hpm_calls *calls =
        hpm_experiment_add_calls(experiment, n, n_counters);

    calls->record = experiment->n_records - 1;
    calls->n_made = n + 1 + random_count() / 2;
    for (size_t i = 0; i < n; i++)
        calls->calls[i] =
            (struct hpm_call){1 + random_count() / 2, below(2000) - 1000,
                              (int64_t)(random_count() >> 3) - 1000};
    for (size_t i = 0; i < n * n_counters; i++)
        calls->counts[i] = (struct hpm_call_count){
            (int64_t)(random_count() >> 1) - 1000, below(4) > 0, below(2)};
}

static void
add_random_calibration(struct hpm_experiment *experiment)
{
    struct hpm_calibrated *calibrated =
        hpm_experiment_add_calibration(experiment, experiment->n_counters + 1);

    calibrated->scope = (enum hpm_scope)below(2);
    calibrated->when = below(2) ? "init" : "end";
    calibrated->n_calls = below(100);
    for (size_t i = 0; i < calibrated->n_costs; i++) {
        struct hpm_calibrated_cost *cost = &calibrated->costs[i];

        cost->counter = i == 0 ? HPM_NO_COUNTER : i - 1;
        for (int j = 0; j < 3; j++) {
            cost->self[j] = below(2000) - 1000;
            cost->pair[j] = below(2000) - 1000;
        }
        cost->start = below(100);
    }
}

struct hpm_experiment *
random_experiment(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_run *run = &experiment->run;
    struct hpm_machine *machine = &experiment->machine;
    int n_records = below(12);

    run->task = below(100000);
    random_text(&run->program);
    random_text(&run->job);
    run->pid = below(100000);
    hpm_experiment_set_text(&run->start, "2026-11-20T11:30:00.123Z");
    run->ns = random_count();
    run->is_complete = below(2);
    if (!run->is_complete)
        random_text(&run->reason);
    random_text(&run->exit_status);
    *hpm_experiment_add_resource(experiment) = (struct hpm_resource){
        "ru::utime", "user time", "ns", random_count(), below(2)};
    random_text(&machine->host);
    machine->n_cpus = below(8);
    machine->n_allowed = below(8);
    machine->mhz = (double)below(4000) / 3.0;
    machine->is_virtual = below(2);
    hpm_experiment_set_text(&machine->facts, below(2) ? "L2 no-L3" : "VM");
    add_random_counters(experiment);
    add_random_calibration(experiment);
    if (below(2)) {
        struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

        random_text(&problem->text);
        problem->count = random_count();
    }
    for (int i = 0; i < n_records; i++) {
        add_random_record(experiment);
        if (below(3) == 0)
            add_random_calls(experiment);
    }
    return experiment;
}

/* ---- through files --------------------------------------------------- */

/* Metrics of all kinds: with limits, without a value, incomplete. */
static const char definitions[] =
    "ratio RATE = Count / time::wall unit \"1/s\" sbad < 1 dgood > 5.5\n"
    "ratio NONE = Count / (Count - Count)\n"
    "compose PART = Count + MISSING\n";

char *
written_by_recorder(const struct hpm_experiment *experiment, size_t *ret_size)
{
    const struct hpm_platform platform = {.pmu = NULL};
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_metrics *metrics;
    struct hpm_derived *derived;
    char folder[] = "/tmp/hpm-test-XXXXXX", path[64];
    struct hpm_destination destination;
    struct hpm_output *output;
    char *kept = NULL, *bytes = NULL;
    FILE *file;

    if (mkdtemp(folder) == NULL)
        exit(99);
    snprintf(path, sizeof path, "%s/x", folder);
    if (!hpm_destination_fix(&destination, path, NULL))
        exit(99);
    hpm_spec_read(spec, "test.hpm", definitions, strlen(definitions), 1, NULL,
                  NULL, NULL);
    metrics = hpm_metrics_new(spec, &platform, NULL);
    derived = hpm_derived_new(metrics, experiment, false, NULL);
    output = hpm_output_open(&destination, NULL);
    if (!hpm_writer_write(experiment, derived, output, NULL) ||
        !hpm_output_commit(output, false, &kept, NULL))
        exit(99);
    hpm_derived_free(derived);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    file = fopen(path, "r");
    bytes = malloc(1 << 20);
    *ret_size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    unlink(path);
    rmdir(folder);
    hpm_memory_free(kept);
    hpm_destination_clear(&destination);
    return bytes;
}
