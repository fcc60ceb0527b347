/* SPDX-License-Identifier: BSD-3-Clause
 * What a performance file says before its records. */
#include "study/file/describe.h"

#include <stdlib.h>

#include "study/columns/cartesian.h"
#include "study/columns/taskgraph.h"
#include "study/columns/lacks.h"

/* ---- the file -------------------------------------------- */

static void
check_version(struct hpm_describe *describe, struct hpm_xmlguard *guard)
{
    const char *version = describe->file.version;
    char *end;
    long number;

    if (version == NULL)
        return;
    number = strtol(version, &end, 10);
    if (end == version || (*end != '\0' && *end != '.') || number < 1)
        hpm_xmlguard_stop(
            guard, NULL,
            "version '%.20s' of the file is not known; expected %d", version,
            HPM_FORMAT_VERSION);
    else if (number > HPM_FORMAT_VERSION)
        hpm_xmlguard_stop(
            guard, NULL,
            "the file has version %ld, newer than %d, which is read "
            "here; use the program that came with it",
            number, HPM_FORMAT_VERSION);
}

uint32_t
hpm_describe_task(struct hpm_describe *describe, struct hpm_number number)
{
    struct hpm_study *study = describe->study;
    int64_t task = 0;

    if (number.kind == HPM_NUMBER_NONE && study->n_tasks == 1)
        return 0;
    hpm_number_to_integer(number, 0, INT32_MAX, &task);
    return hpm_study_add_task(study, (int)task);
}

static void
take_file(struct hpm_describe *describe, const struct hpm_format_file *file,
          struct hpm_xmlguard *guard)
{
    describe->file = *file;
    if (file->kind != 0)
        describe->study->kind = (enum hpm_study_kind)(file->kind - 1);
    check_version(describe, guard);
}

/* Append an element to a list of the study. */
static bool
append(struct hpm_describe *describe, void *list, size_t *n, size_t *capacity,
       const void *thing, size_t size)
{
    char *all;

    if (!hpm_arena_grow(&describe->study->arena, list, capacity, *n + 1, size))
        return false;
    memcpy(&all, list, sizeof all);
    memcpy(all + (*n)++ * size, thing, size);
    return true;
}

static bool
take_source(struct hpm_describe *describe,
            const struct hpm_study_source *source)
{
    struct hpm_study *study = describe->study;

    return source->file == NULL ||
           append(describe, &study->sources, &study->n_sources,
                  &study->sources_capacity, source, sizeof *source);
}

static bool
take_left_out(struct hpm_describe *describe,
              const struct hpm_format_left_out *left_out)
{
    if (left_out->said.file != NULL)
        return hpm_lacks_add(describe->study, left_out->said.file,
                             left_out->said.reason);
    if (left_out->count.kind == HPM_NUMBER_COUNT)
        describe->study->n_left_out_more += left_out->count.amount;
    return true;
}

bool
hpm_describe_add_source(struct hpm_describe *describe, const char *file)
{
    return take_source(describe, &(struct hpm_study_source){.file = file});
}

static void
say_again(struct hpm_describe *describe, const struct hpm_xmlguard *guard,
          const char *what, int task)
{
    struct hpm_xmlguard_position position = hpm_xmlguard_locate(guard, NULL);

    hpm_notes_add(describe->notes,
                  "%s:%ld:%ld: a second %s of task %d; left out",
                  describe->name, position.line, position.column, what, task);
}

static void
leave_place_out(struct hpm_describe *describe, const struct hpm_task *task,
                bool is_graph, const char *why,
                const struct hpm_xmlguard *guard)
{
    struct hpm_xmlguard_position position = hpm_xmlguard_locate(guard, NULL);

    hpm_notes_add(
        describe->notes,
        is_graph ? "%s:%ld:%ld: Run of task %d: %s; its place in a graph of "
                   "tasks is left out"
                 : "%s:%ld:%ld: Run of task %d: %s; its place in a grid of "
                   "tasks is left out",
        describe->name, position.line, position.column, task->number, why);
}

/* What is no place in a grid or a graph is left out; so is any, in a file of
 * somebody else. */
static void
take_place(struct hpm_describe *describe, struct hpm_task *task,
           const struct hpm_format_run *run, const struct hpm_xmlguard *guard)
{
    struct hpm_cartesian_place place;
    struct hpm_taskgraph_place node;
    struct hpm_error err;

    if (run->dims != NULL || run->periods != NULL || run->coords != NULL) {
        if (hpm_cartesian_read(run->dims, run->periods, run->coords, &place,
                               &err)) {
            task->dims = run->dims;
            task->periods = run->periods;
            task->coords = run->coords;
        } else {
            leave_place_out(describe, task, false, err.text, guard);
        }
    }
    if (run->degrees == NULL && run->sources == NULL &&
        run->destinations == NULL)
        return;
    if (hpm_taskgraph_read(run->degrees, run->sources, run->destinations, &node,
                           &err)) {
        task->degrees = run->degrees;
        task->sources = run->sources;
        task->destinations = run->destinations;
    } else {
        leave_place_out(describe, task, true, err.text, guard);
    }
}

static bool
take_run(struct hpm_describe *describe, const struct hpm_format_run *run,
         const struct hpm_xmlguard *guard)
{
    struct hpm_task *task;

    describe->task = hpm_describe_task(describe, run->task);
    if (describe->task == HPM_NO_INDEX)
        return false;
    task = &describe->study->tasks[describe->task];
    if (task->has_run) {
        say_again(describe, guard, "Run", task->number);
        describe->task = HPM_NO_INDEX;
        return true;
    }
    task->has_run = true;
    task->program = run->program;
    task->job = run->job;
    task->start = run->start;
    task->exit = run->exit;
    task->tool = run->tool;
    task->pid = run->pid;
    task->forked_from = run->forked_from;
    task->seconds = run->seconds;
    task->n_runs = run->n_runs;
    task->is_complete = (enum hpm_answer)run->complete;
    task->reason = run->reason;
    task->only = run->only;
    task->except = run->except;
    task->n_skipped = run->n_skipped;
    task->members = run->members;
    task->n_members = run->n_members;
    take_place(describe, task, run, guard);
    return true;
}

static bool
take_resource(struct hpm_describe *describe,
              const struct hpm_task_resource *resource)
{
    struct hpm_task *task;

    if (describe->task == HPM_NO_INDEX || resource->name == NULL)
        return true;
    task = &describe->study->tasks[describe->task];
    return append(describe, &task->resources, &task->n_resources,
                  &task->resources_capacity, resource, sizeof *resource);
}

static bool
take_machine(struct hpm_describe *describe,
             const struct hpm_format_machine *machine,
             const struct hpm_xmlguard *guard)
{
    uint32_t i = hpm_describe_task(describe, machine->task);
    struct hpm_task *task;

    if (i == HPM_NO_INDEX)
        return false;
    task = &describe->study->tasks[i];
    if (task->has_machine) {
        say_again(describe, guard, "Machine", task->number);
        return true;
    }
    task->has_machine = true;
    task->machine = machine->said;
    return true;
}

static bool
take_counters(struct hpm_describe *describe,
              const struct hpm_format_counters *counters,
              const struct hpm_xmlguard *guard)
{
    struct hpm_task *task;

    describe->task = hpm_describe_task(describe, counters->task);
    if (describe->task == HPM_NO_INDEX)
        return false;
    task = &describe->study->tasks[describe->task];
    if (task->has_counters) {
        say_again(describe, guard, "Counters", task->number);
        describe->task = HPM_NO_INDEX;
    }
    task->has_counters = true;
    return true;
}

static bool
take_counter(struct hpm_describe *describe,
             const struct hpm_task_counter *counter)
{
    struct hpm_task *task;

    if (describe->task == HPM_NO_INDEX || counter->name == NULL)
        return true;
    task = &describe->study->tasks[describe->task];
    return append(describe, &task->counters, &task->n_counters,
                  &task->counters_capacity, counter, sizeof *counter);
}

static bool
take_calibration(struct hpm_describe *describe,
                 const struct hpm_format_calibration *calibration)
{
    struct hpm_task *task;

    describe->task = hpm_describe_task(describe, calibration->task);
    if (describe->task == HPM_NO_INDEX)
        return false;
    task = &describe->study->tasks[describe->task];
    return append(describe, &task->calibrations, &task->n_calibrations,
                  &task->calibrations_capacity, &calibration->said,
                  sizeof calibration->said);
}

static bool
take_cost(struct hpm_describe *describe, const struct hpm_task_cost *cost)
{
    struct hpm_task *task = &describe->study->tasks[describe->task];
    struct hpm_task_calibration *calibration =
        &task->calibrations[task->n_calibrations - 1];

    return cost->name == NULL ||
           append(describe, &calibration->costs, &calibration->n_costs,
                  &calibration->costs_capacity, cost, sizeof *cost);
}

static bool
take_problem(struct hpm_describe *describe,
             const struct hpm_format_problem *problem)
{
    uint32_t i = hpm_describe_task(describe, problem->task);
    struct hpm_task *task;

    if (i == HPM_NO_INDEX)
        return false;
    task = &describe->study->tasks[i];
    return append(describe, &task->problems, &task->n_problems,
                  &task->problems_capacity, &problem->said,
                  sizeof problem->said);
}

/* ---- any element ----------------------------------------------------- */

bool
hpm_describe_take(struct hpm_describe *describe, enum hpm_format_name element,
                  const union hpm_format_any *any, struct hpm_xmlguard *guard)
{
    switch (element) {
    case HPM_FORMAT_FILE:
        take_file(describe, &any->file, guard);
        return true;
    case HPM_FORMAT_SOURCE:
        return take_source(describe, &any->source.said);
    case HPM_FORMAT_LEFT_OUT:
        return take_left_out(describe, &any->left_out);
    case HPM_FORMAT_RUN:
        return take_run(describe, &any->run, guard);
    case HPM_FORMAT_RESOURCE:
        return take_resource(describe, &any->resource.said);
    case HPM_FORMAT_MACHINE:
        return take_machine(describe, &any->machine, guard);
    case HPM_FORMAT_COUNTERS:
        return take_counters(describe, &any->counters, guard);
    case HPM_FORMAT_COUNTER:
        return take_counter(describe, &any->counter.said);
    case HPM_FORMAT_CALIBRATION:
        return take_calibration(describe, &any->calibration);
    case HPM_FORMAT_COST:
        return take_cost(describe, &any->cost.said);
    case HPM_FORMAT_PROBLEM:
        return take_problem(describe, &any->problem);
    default:
        return true;
    }
}
