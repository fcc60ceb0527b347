/* SPDX-License-Identifier: BSD-3-Clause
 * What the descriptions of several runs of a task agree on. */
#include "study/columns/agree.h"

#include <stdlib.h>

#include "study/columns/average.h"
#include "study/columns/runlist.h"

/* The runs of one task, and the task that describes them all. */
struct agreement {
    struct hpm_study *result;
    struct hpm_task *to;
    const struct hpm_task **runs;
    size_t n;
    struct hpm_arena *arena;
    bool is_out_of_memory;
};

static const char *
own(struct agreement *agreement, const char *text)
{
    const char *kept = hpm_names_keep_text(&agreement->result->names, text);

    agreement->is_out_of_memory |= kept == NULL && text != NULL;
    return kept;
}

/* ---- single fields --------------------------------------------------- */

/* The text at this offset in all runs; NULL where the runs differ. */
static const char *
agree_on_text(struct agreement *agreement, size_t offset)
{
    const char *text = NULL;

    for (size_t i = 0; i < agreement->n; i++) {
        const char *other =
            *(const char *const *)(const void *)((const char *)
                                                     agreement->runs[i] +
                                                 offset);

        if (i > 0 && hpm_string_compare(text, other) != 0)
            return NULL;
        text = other;
    }
    return own(agreement, text);
}

static struct hpm_number
agree_on_number(const struct agreement *agreement, size_t offset)
{
    struct hpm_number number = {0};

    for (size_t i = 0; i < agreement->n; i++) {
        struct hpm_number other =
            *(const struct hpm_number *)(const void *)((const char *)
                                                           agreement->runs[i] +
                                                       offset);

        if (i > 0 && hpm_number_compare(number, other) != 0)
            return (struct hpm_number){0};
        number = other;
    }
    return number;
}

static uint64_t
runs_of(const struct hpm_task *task)
{
    return task->n_runs.kind == HPM_NUMBER_COUNT && task->n_runs.amount > 0 &&
                   task->n_runs.amount < UINT32_MAX
               ? task->n_runs.amount
               : 1;
}

/* ---- the run and its machine ----------------------------------------- */

/* All times of day have one form, so alphabetical order is time order. */
static const char *
earliest_start(struct agreement *agreement)
{
    const char *start = NULL;

    for (size_t i = 0; i < agreement->n; i++) {
        const char *other = agreement->runs[i]->start;

        if (other != NULL && (start == NULL || strcmp(other, start) < 0))
            start = other;
    }
    return own(agreement, start);
}

static void
agree_on_completeness(struct agreement *agreement)
{
    struct hpm_task *to = agreement->to;

    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task *run = agreement->runs[i];

        if (to->is_complete != HPM_NO && run->is_complete != HPM_UNSAID)
            to->is_complete = run->is_complete;
        if (run->is_complete == HPM_NO && run->reason != NULL &&
            (to->reason == NULL || strcmp(run->reason, to->reason) < 0))
            to->reason = own(agreement, run->reason);
    }
}

static void
add_problem(struct agreement *agreement, const struct hpm_task_problem *problem)
{
    struct hpm_task *to = agreement->to;

    for (size_t i = 0; i < to->n_problems; i++) {
        if (hpm_string_compare(to->problems[i].text, problem->text) != 0)
            continue;
        to->problems[i].count =
            hpm_number_sum(to->problems[i].count, problem->count);
        return;
    }
    if (!hpm_arena_grow(&agreement->result->arena, &to->problems,
                        &to->problems_capacity, to->n_problems + 1,
                        sizeof *to->problems)) {
        agreement->is_out_of_memory = true;
        return;
    }
    to->problems[to->n_problems++] = (struct hpm_task_problem){
        own(agreement, problem->text), problem->count};
}

/* Where the runs left out different sections, each of these sections may be
 * missing in one of the runs.  There its values are part of the exclusive
 * values of the section around it. */
static void
agree_on_filters(struct agreement *agreement)
{
    struct hpm_task *to = agreement->to;
    bool are_same = true;

    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task *run = agreement->runs[i];
        const struct hpm_task *first = agreement->runs[0];

        are_same &= hpm_string_compare(run->only, first->only) == 0 &&
                    hpm_string_compare(run->except, first->except) == 0;
        if (hpm_number_compare(run->n_skipped, first->n_skipped) != 0)
            are_same = false;
        if (hpm_number_compare(run->n_skipped, to->n_skipped) > 0)
            to->n_skipped = run->n_skipped;
    }
    if (are_same) {
        to->only = own(agreement, agreement->runs[0]->only);
        to->except = own(agreement, agreement->runs[0]->except);
        return;
    }
    to->except = own(agreement, "*");
    add_problem(agreement,
                &(struct hpm_task_problem){
                    .text = "the runs left out different sections (HPM_ONLY, "
                            "HPM_EXCEPT, HPM_SKIP): exclusive values of what "
                            "is around these sections have them in some runs "
                            "only",
                    .count = hpm_number_count(1)});
}

static struct hpm_weighted *
new_weighted(struct agreement *agreement)
{
    struct hpm_weighted *numbers =
        hpm_arena_new(agreement->arena, agreement->n, sizeof *numbers);

    agreement->is_out_of_memory |= numbers == NULL;
    return numbers;
}

/* All of a place in a grid, or none. */
static void
agree_on_place(struct agreement *agreement)
{
    struct hpm_task *to = agreement->to;

    to->dims = agree_on_text(agreement, offsetof(struct hpm_task, dims));
    to->periods = agree_on_text(agreement, offsetof(struct hpm_task, periods));
    to->coords = agree_on_text(agreement, offsetof(struct hpm_task, coords));
    if (to->dims == NULL || to->periods == NULL || to->coords == NULL)
        to->dims = to->periods = to->coords = NULL;
    to->degrees = agree_on_text(agreement, offsetof(struct hpm_task, degrees));
    to->sources = agree_on_text(agreement, offsetof(struct hpm_task, sources));
    to->destinations =
        agree_on_text(agreement, offsetof(struct hpm_task, destinations));
    if (to->degrees == NULL)
        to->sources = to->destinations = NULL;
    to->members = agree_on_text(agreement, offsetof(struct hpm_task, members));
    if (to->members != NULL)
        to->n_members = agreement->runs[0]->n_members;
}

static void
agree_on_run(struct agreement *agreement)
{
    struct hpm_task *to = agreement->to;
    struct hpm_weighted *seconds = new_weighted(agreement);
    uint64_t n_runs = 0;

    if (seconds == NULL)
        return;
    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task *run = agreement->runs[i];

        to->has_run |= run->has_run;
        seconds[i] = (struct hpm_weighted){run->seconds, runs_of(run)};
        n_runs += runs_of(run);
    }
    to->program = agree_on_text(agreement, offsetof(struct hpm_task, program));
    to->job = agree_on_text(agreement, offsetof(struct hpm_task, job));
    to->exit = agree_on_text(agreement, offsetof(struct hpm_task, exit));
    to->tool = agree_on_text(agreement, offsetof(struct hpm_task, tool));
    to->pid = agree_on_number(agreement, offsetof(struct hpm_task, pid));
    agree_on_place(agreement);
    to->forked_from =
        agree_on_number(agreement, offsetof(struct hpm_task, forked_from));
    to->start = earliest_start(agreement);
    to->seconds = hpm_average_of(seconds, agreement->n);
    to->n_runs = hpm_number_count(n_runs);
    agree_on_completeness(agreement);
    agree_on_filters(agreement);
}

#define MACHINE(field) offsetof(struct hpm_task, machine.field)

static void
agree_on_machine(struct agreement *agreement)
{
    struct hpm_task_machine *machine = &agreement->to->machine;

    for (size_t i = 0; i < agreement->n; i++) {
        agreement->to->has_machine |= agreement->runs[i]->has_machine;
        if (i == 0)
            machine->is_virtual = agreement->runs[i]->machine.is_virtual;
        else if (machine->is_virtual != agreement->runs[i]->machine.is_virtual)
            machine->is_virtual = HPM_UNSAID;
    }
    machine->host = agree_on_text(agreement, MACHINE(host));
    machine->system = agree_on_text(agreement, MACHINE(system));
    machine->architecture = agree_on_text(agreement, MACHINE(architecture));
    machine->cpu = agree_on_text(agreement, MACHINE(cpu));
    machine->pmu = agree_on_text(agreement, MACHINE(pmu));
    machine->mhz_source = agree_on_text(agreement, MACHINE(mhz_source));
    machine->facts = agree_on_text(agreement, MACHINE(facts));
    machine->counters = agree_on_text(agreement, MACHINE(counters));
    machine->reason = agree_on_text(agreement, MACHINE(reason));
    machine->binding = agree_on_text(agreement, MACHINE(binding));
    machine->numa_nodes = agree_on_text(agreement, MACHINE(numa_nodes));
    machine->n_cpus = agree_on_number(agreement, MACHINE(n_cpus));
    machine->n_allowed = agree_on_number(agreement, MACHINE(n_allowed));
    machine->mhz = agree_on_number(agreement, MACHINE(mhz));
}

/* ---- resources ------------------------------------------------------- */

static const struct hpm_task_resource *
find_resource(const struct hpm_task *task, const char *name)
{
    for (size_t i = 0; i < task->n_resources; i++) {
        if (hpm_string_compare(task->resources[i].name, name) == 0)
            return &task->resources[i];
    }
    return NULL;
}

static void
add_resource(struct agreement *agreement,
             const struct hpm_task_resource *resource)
{
    struct hpm_task *to = agreement->to;
    struct hpm_weighted *values = new_weighted(agreement);
    struct hpm_task_resource *added;

    if (values == NULL ||
        !hpm_arena_grow(&agreement->result->arena, &to->resources,
                        &to->resources_capacity, to->n_resources + 1,
                        sizeof *to->resources)) {
        agreement->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task_resource *other =
            find_resource(agreement->runs[i], resource->name);

        values[i] = (struct hpm_weighted){0};
        if (other != NULL)
            values[i] = (struct hpm_weighted){other->value,
                                              runs_of(agreement->runs[i])};
    }
    added = &to->resources[to->n_resources++];
    *added = *resource;
    added->name = own(agreement, resource->name);
    added->unit = own(agreement, resource->unit);
    added->value = hpm_average_of(values, agreement->n);
    if (added->value.kind != HPM_NUMBER_NONE)
        added->said_state = 0;
}

static void
agree_on_resources(struct agreement *agreement)
{
    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task *run = agreement->runs[i];

        for (size_t j = 0; j < run->n_resources; j++) {
            if (find_resource(agreement->to, run->resources[j].name) == NULL)
                add_resource(agreement, &run->resources[j]);
        }
    }
}

/* ---- counters and problems ------------------------------------------- */

static struct hpm_task_counter *
find_counter(const struct hpm_task *task, const char *name)
{
    for (size_t i = 0; i < task->n_counters; i++) {
        if (hpm_string_compare(task->counters[i].name, name) == 0)
            return &task->counters[i];
    }
    return NULL;
}

/* Runs of an integration that counted the counter, in both descriptions.  Two
 * counters that no run counted together in one description have no common run
 * in the result. */
static void
agree_on_runs(struct agreement *agreement, struct hpm_task_counter *to,
              const struct hpm_task_counter *other)
{
    struct hpm_string text = {0};

    if (other->runs == NULL || hpm_string_compare(to->runs, other->runs) == 0)
        return;
    if (to->runs == NULL) {
        to->runs = own(agreement, other->runs);
        return;
    }
    if (hpm_runlist_intersect(to->runs, other->runs, &text))
        to->runs = own(agreement, hpm_string_text(&text));
    else
        agreement->is_out_of_memory = true;
    hpm_string_free(&text);
}

/* What two descriptions of a counter agree on, with the better state of the
 * two. */
static void
agree_on_counter(struct agreement *agreement, struct hpm_task_counter *to,
                 const struct hpm_task_counter *other)
{
    agree_on_runs(agreement, to, other);
    if (hpm_string_compare(to->source, other->source) != 0)
        to->source = NULL;
    if (hpm_string_compare(to->domain, other->domain) != 0)
        to->domain = NULL;
    if (hpm_string_compare(to->unit, other->unit) != 0)
        to->unit = NULL;
    if (hpm_string_compare(to->description, other->description) != 0)
        to->description = NULL;
    if (hpm_said_state(other->said_state) < hpm_said_state(to->said_state))
        to->said_state = 1 + (int)hpm_said_state(other->said_state);
    if (hpm_state_has_value(hpm_said_state(to->said_state)))
        to->reason = NULL;
}

static void
add_counter(struct agreement *agreement, const struct hpm_task_counter *counter)
{
    struct hpm_task *to = agreement->to;
    struct hpm_task_counter *added;

    if (!hpm_arena_grow(&agreement->result->arena, &to->counters,
                        &to->counters_capacity, to->n_counters + 1,
                        sizeof *to->counters)) {
        agreement->is_out_of_memory = true;
        return;
    }
    added = &to->counters[to->n_counters++];
    *added = *counter;
    added->name = own(agreement, counter->name);
    added->source = own(agreement, counter->source);
    added->domain = own(agreement, counter->domain);
    added->unit = own(agreement, counter->unit);
    added->reason = own(agreement, counter->reason);
    added->description = own(agreement, counter->description);
    added->runs = own(agreement, counter->runs);
}

static void
agree_on_counters(struct agreement *agreement)
{
    struct hpm_task *to = agreement->to;

    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task *run = agreement->runs[i];

        to->has_counters |= run->has_counters;
        for (size_t j = 0; j < run->n_counters; j++) {
            struct hpm_task_counter *known =
                find_counter(to, run->counters[j].name);

            if (known != NULL)
                agree_on_counter(agreement, known, &run->counters[j]);
            else
                add_counter(agreement, &run->counters[j]);
        }
    }
}

static void
agree_on_problems(struct agreement *agreement)
{
    for (size_t i = 0; i < agreement->n; i++) {
        const struct hpm_task *run = agreement->runs[i];

        for (size_t j = 0; j < run->n_problems; j++)
            add_problem(agreement, &run->problems[j]);
    }
}

/* What any of the runs counted of others is in the result. */
static void
agree_on_lacks(struct agreement *agreement)
{
    for (size_t i = 0; i < agreement->n; i++) {
        agreement->to->lacks_threads |= agreement->runs[i]->lacks_threads;
        agreement->to->lacks_neighbours |= agreement->runs[i]->lacks_neighbours;
    }
}

/* ---- public functions ------------------------------------------------ */

static bool
describe_task(struct hpm_align *align, size_t task,
              const struct hpm_task **runs)
{
    struct agreement agreement = {.result = align->result,
                                  .to = &align->result->tasks[task],
                                  .runs = runs,
                                  .arena = &align->arena};

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from = align->tasks[task * align->n + i];

        if (from != HPM_NO_INDEX)
            runs[agreement.n++] = &align->studies[i]->tasks[from];
    }
    agree_on_lacks(&agreement);
    agree_on_run(&agreement);
    agree_on_machine(&agreement);
    agree_on_resources(&agreement);
    agree_on_counters(&agreement);
    agree_on_problems(&agreement);
    return !agreement.is_out_of_memory;
}

bool
hpm_agree_describe(struct hpm_align *align)
{
    const struct hpm_task **runs =
        hpm_arena_new(&align->arena, align->n, sizeof *runs);

    if (runs == NULL)
        return false;
    for (size_t i = 0; i < align->result->n_tasks; i++) {
        if (!describe_task(align, i, runs))
            return false;
    }
    return true;
}

/* The file from which all tasks were read; NULL where there is no such file. */
static const char *
find_file(const struct hpm_study *study)
{
    const char *file = study->n_tasks > 0 ? study->tasks[0].file : NULL;

    for (size_t i = 1; i < study->n_tasks && file != NULL; i++) {
        if (study->tasks[i].file == NULL ||
            strcmp(study->tasks[i].file, file) != 0)
            file = NULL;
    }
    return file;
}

void
hpm_agree_add_name(const struct hpm_study *study, struct hpm_string *string)
{
    const char *file = find_file(study);

    if (file != NULL) {
        hpm_string_add(string, file);
        return;
    }
    if (study->n_sources == 0) {
        hpm_string_add(string, "an experiment");
        return;
    }
    hpm_string_add(string, study->sources[0].file);
    if (study->n_sources > 1)
        hpm_string_add_format(string, " and %zu more", study->n_sources - 1);
}

bool
hpm_agree_on_pmu(const struct hpm_study *const *studies, size_t n,
                 struct hpm_error *err)
{
    const struct hpm_study *first_study = NULL;
    const struct hpm_task *first = NULL;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < studies[i]->n_tasks; j++) {
            const struct hpm_task *task = &studies[i]->tasks[j];
            struct hpm_string a = {0}, b = {0};

            if (task->machine.pmu == NULL)
                continue;
            if (first == NULL) {
                first = task;
                first_study = studies[i];
            }
            if (strcmp(first->machine.pmu, task->machine.pmu) == 0)
                continue;
            hpm_agree_add_name(first_study, &a);
            hpm_agree_add_name(studies[i], &b);
            hpm_error_set(err,
                          "%.150s was counted by the processor's PMU '%.30s', "
                          "%.150s by '%.30s': counters of different "
                          "processors are not combined",
                          hpm_string_text(&a), first->machine.pmu,
                          hpm_string_text(&b), task->machine.pmu);
            hpm_string_free(&a);
            hpm_string_free(&b);
            return false;
        }
    }
    return true;
}
