/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment: what was measured, on what machine, in raw counts. */
#include "model/experiment.h"

#include "host/memory.h"
#include "host/path.h"

struct hpm_experiment *
hpm_experiment_new(void)
{
    return hpm_memory_new(1, sizeof(struct hpm_experiment));
}

static void
free_run(struct hpm_run *run)
{
    hpm_memory_free(run->program);
    hpm_memory_free(run->job);
    hpm_memory_free(run->start);
    hpm_memory_free(run->reason);
    hpm_memory_free(run->exit_status);
    hpm_memory_free(run->only);
    hpm_memory_free(run->except);
    for (int i = 0; i < HPM_N_PLACE; i++)
        hpm_memory_free(run->place[i]);
}

static void
free_machine(struct hpm_machine *machine)
{
    hpm_memory_free(machine->host);
    hpm_memory_free(machine->system);
    hpm_memory_free(machine->architecture);
    hpm_memory_free(machine->cpu);
    hpm_memory_free(machine->pmu);
    hpm_memory_free(machine->mhz_source);
    hpm_memory_free(machine->facts);
    hpm_memory_free(machine->binding);
    hpm_memory_free(machine->numa_nodes);
    hpm_memory_free(machine->no_counters_reason);
}

static void
free_counter(struct hpm_counter *counter)
{
    hpm_memory_free(counter->name);
    hpm_memory_free(counter->source);
    hpm_memory_free(counter->description);
    hpm_memory_free(counter->unit);
    hpm_memory_free(counter->domain);
    hpm_memory_free(counter->reason);
}

void
hpm_experiment_free(struct hpm_experiment *experiment)
{
    if (experiment == NULL)
        return;
    free_run(&experiment->run);
    free_machine(&experiment->machine);
    for (size_t i = 0; i < experiment->n_counters; i++)
        free_counter(&experiment->counters[i]);
    for (size_t i = 0; i < experiment->n_records; i++) {
        hpm_memory_free(experiment->records[i].label);
        hpm_memory_free(experiment->records[i].watched.module);
        hpm_memory_free(experiment->records[i].file);
    }
    for (size_t i = 0; i < experiment->n_calibrations; i++)
        hpm_memory_free(experiment->calibrations[i].costs);
    for (size_t i = 0; i < experiment->n_problems; i++)
        hpm_memory_free(experiment->problems[i].text);
    for (size_t i = 0; i < experiment->n_calls; i++) {
        hpm_memory_free(experiment->calls[i].calls);
        hpm_memory_free(experiment->calls[i].counts);
    }
    hpm_profile_clear(&experiment->profile);
    hpm_memory_free(experiment->calls);
    hpm_memory_free(experiment->resources);
    hpm_memory_free(experiment->counters);
    hpm_memory_free(experiment->records);
    hpm_memory_free(experiment->values);
    hpm_memory_free(experiment->calibrations);
    hpm_memory_free(experiment->problems);
    hpm_memory_free(experiment);
}

struct hpm_resource *
hpm_experiment_add_resource(struct hpm_experiment *experiment)
{
    if (!hpm_memory_grow(
            &experiment->resources, &experiment->resources_capacity,
            experiment->n_resources + 1, sizeof *experiment->resources))
        return NULL;
    return &experiment->resources[experiment->n_resources++];
}

struct hpm_counter *
hpm_experiment_add_counter(struct hpm_experiment *experiment)
{
    if (!hpm_memory_grow(&experiment->counters, &experiment->counters_capacity,
                         experiment->n_counters + 1,
                         sizeof *experiment->counters))
        return NULL;
    return &experiment->counters[experiment->n_counters++];
}

struct hpm_record *
hpm_experiment_add_record(struct hpm_experiment *experiment)
{
    struct hpm_record *record;

    if (!hpm_memory_grow(&experiment->records, &experiment->records_capacity,
                         experiment->n_records + 1,
                         sizeof *experiment->records) ||
        !hpm_memory_grow(&experiment->values, &experiment->values_capacity,
                         (experiment->n_records + 1) * experiment->n_counters,
                         sizeof *experiment->values))
        return NULL;
    record = &experiment->records[experiment->n_records++];
    record->parent = HPM_NO_RECORD;
    record->within = HPM_NO_RECORD;
    record->omp = -1;
    return record;
}

struct hpm_calibrated *
hpm_experiment_add_calibration(struct hpm_experiment *experiment,
                               size_t n_costs)
{
    struct hpm_calibrated *calibrated;

    if (!hpm_memory_grow(
            &experiment->calibrations, &experiment->calibrations_capacity,
            experiment->n_calibrations + 1, sizeof *experiment->calibrations))
        return NULL;
    calibrated = &experiment->calibrations[experiment->n_calibrations];
    *calibrated = (struct hpm_calibrated){.n_costs = n_costs};
    calibrated->costs = hpm_memory_new(n_costs, sizeof *calibrated->costs);
    if (calibrated->costs == NULL)
        return NULL;
    experiment->n_calibrations++;
    return calibrated;
}

struct hpm_calls *
hpm_experiment_add_calls(struct hpm_experiment *experiment, size_t n,
                         size_t n_counters)
{
    struct hpm_calls *calls;

    if (!hpm_memory_grow(&experiment->calls, &experiment->calls_capacity,
                         experiment->n_calls + 1, sizeof *experiment->calls))
        return NULL;
    calls = &experiment->calls[experiment->n_calls];
    *calls = (struct hpm_calls){.n = n, .n_counters = n_counters};
    calls->calls = hpm_memory_new(n, sizeof *calls->calls);
    calls->counts = hpm_memory_new(n * n_counters, sizeof *calls->counts);
    if (calls->calls == NULL || calls->counts == NULL) {
        hpm_memory_free(calls->calls);
        hpm_memory_free(calls->counts);
        return NULL;
    }
    experiment->n_calls++;
    return calls;
}

struct hpm_problem *
hpm_experiment_add_problem(struct hpm_experiment *experiment)
{
    if (!hpm_memory_grow(&experiment->problems, &experiment->problems_capacity,
                         experiment->n_problems + 1,
                         sizeof *experiment->problems))
        return NULL;
    return &experiment->problems[experiment->n_problems++];
}

bool
hpm_experiment_tell(struct hpm_experiment *experiment, struct hpm_string *text)
{
    struct hpm_problem *problem = hpm_experiment_add_problem(experiment);
    bool is_good = problem != NULL && !text->failed &&
                   hpm_experiment_set_text(&problem->text, text->text);

    if (problem != NULL)
        problem->count = 1;
    hpm_string_free(text);
    return is_good;
}

struct hpm_value *
hpm_experiment_value(const struct hpm_experiment *experiment, size_t record,
                     size_t counter)
{
    return &experiment->values[record * experiment->n_counters + counter];
}

bool
hpm_experiment_set_text(char **ret_field, const char *text)
{
    char *copy = hpm_memory_copy_text(text);

    if (copy == NULL && text != NULL)
        return false;
    hpm_memory_free(*ret_field);
    *ret_field = copy;
    return true;
}

const char *
hpm_via_name(enum hpm_via via)
{
    static const char *const names[HPM_N_VIAS] = {NULL, "hook", "xray",
                                                  "wrapper", "uprobe"};

    return names[via];
}

const char *
hpm_scope_name(enum hpm_scope scope)
{
    return scope == HPM_SCOPE_PROCESS ? "process" : "thread";
}

void
hpm_record_add_label(const struct hpm_record *record, struct hpm_string *string)
{
    if (record->label[0] != '\0')
        hpm_string_add(string, record->label);
    else
        hpm_string_add_format(string, "#%d", record->instance);
}

void
hpm_record_add_lid(const struct hpm_record *record, struct hpm_string *string)
{
    if (record->file[0] == '\0')
        hpm_record_add_label(record, string);
    else
        hpm_string_add_format(string, "%s%d", hpm_path_base_name(record->file),
                              record->line_start);
}

size_t
hpm_experiment_depth(const struct hpm_experiment *experiment, size_t record)
{
    size_t depth = 0;

    while (experiment->records[record].parent != HPM_NO_RECORD) {
        record = experiment->records[record].parent;
        depth++;
    }
    return depth;
}
