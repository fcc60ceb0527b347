/* SPDX-License-Identifier: BSD-3-Clause
 * The description of a task as a row of bytes.
 *
 * Each function serves both directions, so what is written is what is read. */
#include "study/columns/taskstream.h"

/* Not said, and each state or scope. */
enum {
    N_SAID_STATES = HPM_STATE_UNDEFINED + 2,
    N_SAID_SCOPES = HPM_SCOPE_PROCESS + 2
};

void
hpm_taskstream_take_array(struct hpm_stream *stream, struct hpm_study *study,
                          void *array, size_t n, size_t size)
{
    void *taken;

    if (!stream->is_reading)
        return;
    taken = stream->failed ? NULL : hpm_arena_new(&study->arena, n, size);
    stream->failed = stream->failed || taken == NULL;
    memcpy(array, &taken, sizeof taken);
}

/* The length of a list, and where reading its array. */
#define BEGIN_LIST(stream, study, list, n, capacity)                           \
    do {                                                                       \
        hpm_stream_length(stream, &(n));                                       \
        hpm_taskstream_take_array(stream, study, &(list), n, sizeof *(list));  \
        if ((stream)->is_reading) {                                            \
            (n) = (stream)->failed ? 0 : (n);                                  \
            (capacity) = (n);                                                  \
        }                                                                      \
    } while (0)

static void
do_texts(struct hpm_stream *stream, const char **const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hpm_stream_text(stream, texts[i]);
}

#define DO_TEXTS(stream, ...)                                                  \
    do_texts(stream, (const char **const[]){__VA_ARGS__},                      \
             sizeof((const char **const[]){__VA_ARGS__}) /                     \
                 sizeof(const char **))

static void
do_answer(struct hpm_stream *stream, enum hpm_answer *answer)
{
    unsigned char byte = (unsigned char)*answer;

    hpm_stream_byte(stream, &byte);
    stream->failed = stream->failed || byte > HPM_NO;
    *answer = stream->failed ? HPM_UNSAID : (enum hpm_answer)byte;
}

static void
do_run(struct hpm_stream *stream, struct hpm_task *task)
{
    hpm_stream_int(stream, &task->number);
    hpm_stream_bool(stream, &task->has_run);
    DO_TEXTS(stream, &task->file, &task->program, &task->job, &task->start,
             &task->exit, &task->tool, &task->reason, &task->only,
             &task->except, &task->members, &task->dims, &task->periods,
             &task->coords, &task->degrees, &task->sources,
             &task->destinations);
    hpm_stream_number(stream, &task->n_members);
    hpm_stream_number(stream, &task->pid);
    hpm_stream_number(stream, &task->seconds);
    hpm_stream_number(stream, &task->forked_from);
    do_answer(stream, &task->is_complete);
    hpm_stream_number(stream, &task->n_runs);
    hpm_stream_number(stream, &task->n_skipped);
    hpm_stream_bool(stream, &task->lacks_threads);
    hpm_stream_bool(stream, &task->lacks_neighbours);
}

static void
do_machine(struct hpm_stream *stream, struct hpm_task *task)
{
    struct hpm_task_machine *machine = &task->machine;

    hpm_stream_bool(stream, &task->has_machine);
    DO_TEXTS(stream, &machine->host, &machine->system, &machine->architecture,
             &machine->cpu, &machine->pmu, &machine->mhz_source,
             &machine->facts, &machine->counters, &machine->reason,
             &machine->binding, &machine->numa_nodes);
    hpm_stream_number(stream, &machine->n_cpus);
    hpm_stream_number(stream, &machine->n_allowed);
    hpm_stream_number(stream, &machine->mhz);
    do_answer(stream, &machine->is_virtual);
}

static void
do_resources(struct hpm_stream *stream, struct hpm_study *study,
             struct hpm_task *task)
{
    BEGIN_LIST(stream, study, task->resources, task->n_resources,
               task->resources_capacity);
    for (size_t i = 0; i < task->n_resources; i++) {
        struct hpm_task_resource *resource = &task->resources[i];

        DO_TEXTS(stream, &resource->name, &resource->unit);
        hpm_stream_number(stream, &resource->value);
        hpm_stream_word(stream, &resource->said_state, N_SAID_STATES);
    }
}

static void
do_counters(struct hpm_stream *stream, struct hpm_study *study,
            struct hpm_task *task)
{
    hpm_stream_bool(stream, &task->has_counters);
    BEGIN_LIST(stream, study, task->counters, task->n_counters,
               task->counters_capacity);
    for (size_t i = 0; i < task->n_counters; i++) {
        struct hpm_task_counter *counter = &task->counters[i];

        DO_TEXTS(stream, &counter->name, &counter->source, &counter->domain,
                 &counter->unit, &counter->reason, &counter->description,
                 &counter->runs);
        hpm_stream_word(stream, &counter->said_state, N_SAID_STATES);
    }
}

static void
do_costs(struct hpm_stream *stream, struct hpm_study *study,
         struct hpm_task_calibration *calibration)
{
    BEGIN_LIST(stream, study, calibration->costs, calibration->n_costs,
               calibration->costs_capacity);
    for (size_t i = 0; i < calibration->n_costs; i++) {
        struct hpm_task_cost *cost = &calibration->costs[i];

        hpm_stream_text(stream, &cost->name);
        for (int j = 0; j < HPM_N_CALIBRATED; j++)
            hpm_stream_number(stream, &cost->numbers[j]);
    }
}

static void
do_calibrations(struct hpm_stream *stream, struct hpm_study *study,
                struct hpm_task *task)
{
    BEGIN_LIST(stream, study, task->calibrations, task->n_calibrations,
               task->calibrations_capacity);
    for (size_t i = 0; i < task->n_calibrations; i++) {
        struct hpm_task_calibration *calibration = &task->calibrations[i];

        hpm_stream_text(stream, &calibration->when);
        hpm_stream_word(stream, &calibration->said_scope, N_SAID_SCOPES);
        hpm_stream_number(stream, &calibration->n_calls);
        do_costs(stream, study, calibration);
    }
}

static void
do_problems(struct hpm_stream *stream, struct hpm_study *study,
            struct hpm_task *task)
{
    BEGIN_LIST(stream, study, task->problems, task->n_problems,
               task->problems_capacity);
    for (size_t i = 0; i < task->n_problems; i++) {
        hpm_stream_text(stream, &task->problems[i].text);
        hpm_stream_number(stream, &task->problems[i].count);
    }
}

static void
do_sampled(struct hpm_stream *stream, struct hpm_study *study,
           struct hpm_task *task)
{
    BEGIN_LIST(stream, study, task->sampled, task->n_sampled,
               task->sampled_capacity);
    for (size_t i = 0; i < task->n_sampled; i++) {
        struct hpm_task_sampled *sampled = &task->sampled[i];

        DO_TEXTS(stream, &sampled->name, &sampled->domain, &sampled->unit,
                 &sampled->chains);
        hpm_stream_number(stream, &sampled->period);
        hpm_stream_number(stream, &sampled->count);
        hpm_stream_number(stream, &sampled->n_taken);
        hpm_stream_number(stream, &sampled->n_lost);
        hpm_stream_number(stream, &sampled->n_threads_without);
    }
}

/* Indices that each stand for a thing of the study. */
static void
do_indices(struct hpm_stream *stream, uint32_t *indices, size_t n,
           size_t n_things)
{
    for (size_t i = 0; i < n; i++) {
        hpm_stream_index(stream, &indices[i], n_things);
        stream->failed = stream->failed || indices[i] == UINT32_MAX;
    }
}

void
hpm_taskstream(struct hpm_stream *stream, struct hpm_study *study,
               struct hpm_task *task)
{
    do_run(stream, task);
    do_machine(stream, task);
    do_resources(stream, study, task);
    do_counters(stream, study, task);
    do_calibrations(stream, study, task);
    do_problems(stream, study, task);
    do_sampled(stream, study, task);
    BEGIN_LIST(stream, study, task->modules, task->n_modules,
               task->modules_capacity);
    do_indices(stream, task->modules, task->n_modules, study->n_modules);
    BEGIN_LIST(stream, study, task->columns, task->n_columns,
               task->columns_capacity);
    do_indices(stream, task->columns, task->n_columns, study->n_columns);
}
