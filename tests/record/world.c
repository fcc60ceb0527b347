/* SPDX-License-Identifier: BSD-3-Clause
 * The expected results of a program of a sequence. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static void
begin_model(struct model *model, const struct sequence *sequence,
            bool is_process)
{
    model->left_out = sequence->except;
    if (sequence->only != 0)
        model->left_out |= ~sequence->only;
    model->n_skipped = sequence->n_skipped;
    model->is_process = is_process;
    model->nesting = is_process ? MODEL_FREE : sequence->nesting;
    model->start_cost = model->again_cost = model->off_cost = 0;
    model->stop_cost = model->counted_cost = 0;
    model->n_records = model->n_open = 0;
    model->n_beyond = model->n_problems = 0;
}

/* The thread of that number; it gets its tid with its first call. */
static struct world_thread *
enter(struct world *world, struct world_process *process, int number)
{
    int tid = process->tids[number];
    struct world_thread *thread;

    if (tid >= 0)
        return &process->threads[tid];
    if (process->n_threads == WORLD_MAX_TIDS)
        abort();
    tid = process->tids[number] = process->n_threads++;
    thread = &process->threads[tid];
    begin_model(&thread->model, world->sequence, false);
    thread->is_there = true;
    thread->outside = 0;
    return thread;
}

static void
note_edge(const struct world *world, int tid)
{
    if (world->edge != NULL)
        world->edge(world->context, tid, world->now);
}

/* A thread ends; open sections take a sample. */
static void
leave(struct world *world, struct world_process *process, int number)
{
    int tid = process->tids[number];

    if (tid >= 0) {
        note_edge(world, tid);
        model_end(&process->threads[tid].model);
        process->threads[tid].is_there = false;
    }
    process->tids[number] = -1;
    process->scopes[number].n = 0;
}

/* ---- calls ----------------------------------------------------------- */

static void
start(struct world *world, struct world_process *process,
      const struct sequence_step *step)
{
    struct world_thread *thread = enter(world, process, step->thread);
    const struct model_section section = {
        step->id, step->label, world->door.has_lines ? step->line : -1};
    int parent = world->door.has_parents && step->kind != '('
                     ? step->parent
                     : MODEL_AUTO_PARENT;
    int tid = process->tids[step->thread];

    note_edge(world, step->is_process ? -1 : tid);
    model_start(step->is_process ? &process->process : &thread->model, tid,
                &section, parent);
}

static void
stop(struct world *world, struct world_process *process, int number, int id,
     bool is_process, bool is_scope)
{
    struct world_thread *thread = enter(world, process, number);
    struct model *model = is_process ? &process->process : &thread->model;

    note_edge(world, is_process ? -1 : process->tids[number]);
    if (is_scope && world->door.has_scopes)
        model_stop_scope(model, id);
    else
        model_stop(model, id, false);
}

static void
work(struct world *world, struct world_process *process,
     const struct sequence_step *step)
{
    struct world_thread *thread = enter(world, process, step->thread);

    if (!model_work(&thread->model, step->id, step->amount) &&
        !model_work(&process->process, step->id, step->amount))
        process->n_problems++;
}

static bool
is_outside(const struct model *model)
{
    for (int i = 0; i < model->n_open; i++) {
        if (model->open[i].is_measured)
            return false;
    }
    return true;
}

static void
pass(struct world *world, struct world_process *process, unsigned amount)
{
    for (int i = 0; i < process->n_threads; i++) {
        struct world_thread *thread = &process->threads[i];

        if (!thread->is_there)
            continue;
        thread->outside += is_outside(&thread->model) ? amount : 0;
        model_pass(&thread->model, MODEL_TICKS, amount);
    }
    model_pass(&process->process, MODEL_TICKS, amount);
    world->now += amount;
}

/* ---- scopes ---------------------------------------------------------- */

/* End the last scope: its object stops its section, a jump does not. */
static void
end_scope(struct world *world, struct world_process *process, int number,
          bool is_stopped)
{
    struct world_scopes *scopes = &process->scopes[number];

    if (scopes->n == 0)
        return;
    scopes->n--;
    if (is_stopped)
        stop(world, process, number, scopes->open[scopes->n].id,
             scopes->open[scopes->n].is_process, true);
}

static void
begin_scope(struct world *world, struct world_process *process,
            const struct sequence_step *step)
{
    struct world_scopes *scopes = &process->scopes[step->thread];

    if (scopes->n == WORLD_MAX_SCOPES)
        abort();
    scopes->open[scopes->n++] =
        (struct world_scope){step->id, step->is_process};
    start(world, process, step);
}

/* ---- threads and processes ------------------------------------------- */

/* A thread returns from all its scopes. */
static void
end_thread(struct world *world, struct world_process *process, int number)
{
    if (number == process->root)
        return;
    while (world->door.has_scopes && process->scopes[number].n > 0)
        end_scope(world, process, number, true);
    leave(world, process, number);
}

static void
end_process(struct world *world, struct world_process *process)
{
    for (int i = 0; i < SEQUENCE_N_THREADS; i++)
        end_thread(world, process, i);
    leave(world, process, process->root);
    note_edge(world, -1);
    model_end(&process->process);
}

static struct world_process *
add_process(struct world *world, int root)
{
    struct world_process **process = &world->processes[world->n_processes];

    if (world->n_processes == WORLD_MAX_PROCESSES)
        abort();
    if (*process == NULL)
        *process = calloc(1, sizeof **process);
    if (*process == NULL)
        abort();
    world->n_processes++;
    (*process)->n_threads = 0;
    (*process)->n_problems = 0;
    (*process)->root = root;
    for (int i = 0; i < SEQUENCE_N_THREADS; i++) {
        (*process)->tids[i] = -1;
        (*process)->scopes[i].n = 0;
    }
    begin_model(&(*process)->process, world->sequence, true);
    return *process;
}

static void do_steps(struct world *world, struct world_process *process,
                     int from, int end);

/* The child starts from zero, inside the scopes of its thread. */
static void
do_child(struct world *world, const struct world_process *parent, int fork)
{
    int number = world->sequence->steps[fork].thread;
    struct world_process *child = add_process(world, number);
    uint64_t now = world->now;

    child->scopes[number] = parent->scopes[number];
    do_steps(world, child, fork + 1, sequence_find_end(world->sequence, fork));
    world->now = now;
}

static void
do_step(struct world *world, struct world_process *process,
        const struct sequence_step *step)
{
    switch (step->kind) {
    case 'p':
        pass(world, process, step->amount);
        break;
    case '+':
        start(world, process, step);
        break;
    case '-':
        stop(world, process, step->thread, step->id, step->is_process, false);
        break;
    case '(':
        begin_scope(world, process, step);
        break;
    case ')':
        end_scope(world, process, step->thread, true);
        break;
    case '!':
        for (int i = 0; i < step->id; i++)
            end_scope(world, process, step->thread, world->door.has_scopes);
        break;
    case '*':
        work(world, process, step);
        break;
    case 'g':
        end_thread(world, process, step->thread);
        break;
    default:
        break;
    }
}

static void
do_steps(struct world *world, struct world_process *process, int from, int end)
{
    for (int i = from; i < end; i++) {
        const struct sequence_step *step = &world->sequence->steps[i];

        if (step->kind == 'f') {
            do_child(world, process, i);
            i = sequence_find_end(world->sequence, i);
        } else {
            do_step(world, process, step);
        }
    }
    end_process(world, process);
}

void
world_run(struct world *world, const struct sequence *sequence)
{
    struct world_process *first;

    world->sequence = sequence;
    world->now = 0;
    world->n_processes = 0;
    first = add_process(world, 0);
    enter(world, first, 0); /* by hpmInit */
    do_steps(world, first, 0, sequence->n_steps);
}
