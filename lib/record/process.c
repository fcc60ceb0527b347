/* SPDX-License-Identifier: BSD-3-Clause
 * Process scope: sections of all threads together, and of the children. */
#include "record/process.h"

#include <string.h>

#include "model/experiment.h"
#include "record/checkpointer.h"
#include "source/clock.h"

enum { A_SECOND = 1000 };

void
hpm_process_init(struct hpm_process *process, const struct hpm_eventset *set,
                 const struct hpm_filter *filter, struct hpm_threads *threads,
                 struct hpm_problems *problems)
{
    process->set = set;
    process->filter = filter;
    process->threads = threads;
    process->problems = problems;
}

void
hpm_process_clear(struct hpm_process *process)
{
    hpm_meter_close(process->meter);
    hpm_forest_free(process->forest);
}

struct hpm_forest *
hpm_process_new_forest(const struct hpm_process *process,
                       const struct hpm_costs *costs,
                       const struct hpm_filter *filter)
{
    const struct hpm_shape shape = hpm_thread_shape(process->meter);

    return hpm_forest_new(&shape, costs, filter, process->problems);
}

void
hpm_process_open(struct hpm_process *process)
{
    hpm_children_begin(&process->children);
    process->meter = hpm_meter_open(process->set, HPM_TARGET_PROCESS, 0, NULL);
    if (process->meter != NULL)
        process->forest =
            hpm_process_new_forest(process, &process->costs, process->filter);
    if (process->forest == NULL)
        hpm_problems_add(process->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){.label = "process scope"}, 1);
    else if (process->meter->tasks == HPM_TASKS_RESTLESS)
        hpm_problems_add(process->problems, HPM_PROBLEM_THREADS_MISSED,
                         &(struct hpm_place){.label = NULL}, 1);
    else if (process->meter->tasks == HPM_TASKS_UNKNOWN)
        hpm_problems_add(process->problems, HPM_PROBLEM_THREADS_UNKNOWN,
                         &(struct hpm_place){.label = NULL}, 1);
}

static void
publish_innermost(struct hpm_process *process)
{
    if (!process->is_trial)
        atomic_store_explicit(&process->innermost,
                              hpm_forest_innermost(process->forest),
                              memory_order_release);
}

/* Thread `tid` starts at `place` what another one has open. */
static void
note_open_elsewhere(struct hpm_process *process, int tid,
                    const struct hpm_place *place,
                    const struct hpm_frame *frame)
{
    const struct hpm_node *node = hpm_frame_node(frame);
    const struct hpm_place other = {.label = node->label,
                                    .file = node->file,
                                    .line = node->line_start,
                                    .has_tid = true,
                                    .tid = frame->opener};
    struct hpm_place here = *place;

    here.has_tid = true;
    here.tid = tid;
    here.other = &other;
    hpm_problems_add(process->problems, HPM_PROBLEM_OPEN_ELSEWHERE, &here, 1);
}

/* With the lock held. */
static bool
is_open_elsewhere(struct hpm_process *process, int tid,
                  const struct hpm_place *place)
{
    const struct hpm_frame *frame =
        hpm_forest_find_open(process->forest, place->instance);

    if (frame == NULL || frame->opener == tid)
        return false;
    note_open_elsewhere(process, tid, place, frame);
    return true;
}

/* With the lock held. */
static uint64_t *
start_section(struct hpm_process *process, int tid, int parent,
              const struct hpm_place *place)
{
    struct hpm_forest *forest = process->forest;
    const struct hpm_frame *top = forest->top;
    uint64_t *row = NULL;

    if (!is_open_elsewhere(process, tid, place))
        row = hpm_forest_start(forest, place->instance, parent, place->label,
                               place->file, place->line, NULL);
    if (forest->top != top)
        forest->top->opener = tid;
    publish_innermost(process);
    return row;
}

/* The charge of a row's instant: the others' part is there already; time is
 * that of the thread which makes the edge. */
static void
add_own_charge(const struct hpm_forest *forest, const struct hpm_thread *thread,
               uint64_t *row)
{
    uint64_t *charge = row + forest->n_slots;
    size_t n = thread->forest->n_charged;

    charge[0] = hpm_forest_charge_of(thread->forest, 0);
    for (size_t i = 1; i < n && i < forest->n_charged; i++)
        charge[i] += hpm_forest_charge_of(thread->forest, i);
}

/* What the thread has done since `begin` until the reading is charged when the
 * call ends; the section that ends with this reading has it inside already. */
static void
add_charge_to_come(const struct hpm_forest *forest,
                   const struct hpm_thread *thread, const uint64_t *begin,
                   uint64_t *row)
{
    uint64_t *charge = row + forest->n_slots;

    for (size_t i = 0; i < thread->forest->n_charged && i < forest->n_charged;
         i++) {
        if (hpm_meter_is_charged(thread->meter, i))
            charge[i] += thread->end[i] - begin[i];
    }
}

static void
read_now(struct hpm_process *process, struct hpm_thread *thread)
{
    hpm_thread_reach_reading(thread);
    process->forest->now[process->meter->time_slot] = hpm_clock_read();
    hpm_meter_read(process->meter, process->forest->now);
}

static void
charge_now(struct hpm_process *process, const struct hpm_thread *thread,
           const uint64_t *begin)
{
    struct hpm_forest *forest = process->forest;

    hpm_threads_sum_charges(process->threads, thread,
                            forest->now + forest->n_slots, forest->n_charged);
    add_own_charge(forest, thread, forest->now);
    add_charge_to_come(forest, thread, begin, forest->now);
}

void
hpm_process_sample(struct hpm_process *process, struct hpm_thread *thread,
                   const uint64_t *begin)
{
    read_now(process, thread);
    charge_now(process, thread, begin);
}

/* As a thread puts its own table aside.  The row of the section that is opened
 * has all of the sample but the starts and stops. */
static void
put_aside_at_start(struct hpm_process *process, struct hpm_thread *thread,
                   uint64_t *row)
{
    struct hpm_forest *forest = process->forest;
    uint64_t clock = thread->begin[thread->meter->time_slot];
    const struct hpm_checkpointer *checkpointer = thread->checkpointer;

    if (!hpm_checkpointer_is_due(checkpointer, forest, clock) &&
        (row == NULL ||
         !hpm_checkpointer_is_wanted(checkpointer, forest, clock)))
        return;
    hpm_process_sample(process, thread, thread->begin);
    if (row != NULL)
        memcpy(row, forest->now,
               (forest->n_slots + forest->n_charged) * sizeof *row);
    checkpointer->put_process(process, thread);
}

/* All that takes its time comes before the thread's charge is brought up to
 * date; what follows takes the same number of instructions every time. */
void
hpm_process_start(struct hpm_process *process, struct hpm_thread *thread,
                  int instance, int parent, const char *label, const char *file,
                  int line)
{
    const struct hpm_place place = {
        .instance = instance, .label = label, .file = file, .line = line};
    struct hpm_forest *forest = process->forest;
    uint64_t *row;

    if (forest == NULL)
        return;
    hpm_thread_begin_long(thread);
    hpm_lock_take(&process->lock);
    row = start_section(process, thread->tid, parent, &place);
    put_aside_at_start(process, thread, row);
    if (row != NULL)
        hpm_threads_sum_charges(process->threads, thread, row + forest->n_slots,
                                forest->n_charged);
    hpm_thread_end_long(thread, HPM_COST_PROCESS_START, NULL);
    if (row != NULL) {
        add_own_charge(forest, thread, row);
        hpm_meter_read(process->meter, row);
        row[process->meter->time_slot] = hpm_clock_read();
    } else {
        hpm_meter_pass(process->meter);
    }
    hpm_lock_give(&process->lock);
}

/* A thread that stops what another one has started cannot say how much of the
 * time in between was ours: then nothing is taken off. */
static void
settle_time_charge(const struct hpm_forest *forest, int tid, int instance)
{
    const struct hpm_frame *frame = hpm_forest_find_open(forest, instance);

    if (frame != NULL && frame->opener != tid)
        forest->now[forest->n_slots] = frame->start[forest->n_slots];
}

void
hpm_process_stop(struct hpm_process *process, struct hpm_thread *thread,
                 int instance, const char *file, int line)
{
    struct hpm_forest *forest = process->forest;
    struct hpm_frame *frame;
    bool is_due = false;

    if (forest == NULL)
        return;
    hpm_thread_begin_long(thread);
    /* The clock is read under the lock: before it, another thread could start
     * a section in between, and its time would begin after this end. */
    hpm_lock_take(&process->lock);
    read_now(process, thread);
    frame = hpm_forest_find_open(forest, instance);
    if (frame != NULL && frame->left_out != NULL) {
        hpm_forest_stop_off(forest, frame);
    } else {
        charge_now(process, thread, thread->begin);
        settle_time_charge(forest, thread->tid, instance);
        hpm_forest_stop(forest, instance, file, line);
        is_due =
            hpm_checkpointer_is_due(thread->checkpointer, forest,
                                    forest->now[process->meter->time_slot]);
        if (is_due)
            thread->checkpointer->put_process(process, thread);
    }
    publish_innermost(process);
    hpm_lock_give(&process->lock);
    if (is_due)
        thread->checkpointer->put_due(thread, thread->begin);
    hpm_thread_end_long(thread, HPM_COST_PROCESS_STOP, NULL);
}

bool
hpm_process_add_work(struct hpm_process *process, int instance, uint64_t amount,
                     const char *unit)
{
    bool is_open_section;

    hpm_lock_take(&process->lock);
    is_open_section =
        process->forest != NULL &&
        hpm_forest_add_work(process->forest, instance, amount, unit);
    hpm_lock_give(&process->lock);
    return is_open_section;
}

void
hpm_process_begin_run(struct hpm_process *process, struct hpm_thread *thread)
{
    if (hpm_meter_is_replayed(process->meter))
        return;
    hpm_lock_take(&process->lock);
    hpm_thread_begin_long(thread);
    hpm_process_sample(process, thread, thread->begin);
    process->opener = thread->tid;
    hpm_forest_begin_run(process->forest);
    hpm_lock_give(&process->lock);
}

/* Time is known from init on; counts are from the moment of opening.  Where
 * that hardly differs both are from there on, else counts are not given. */
uint64_t
hpm_process_uncounted(const struct hpm_process *process, uint64_t init)
{
    const struct hpm_forest *forest = process->forest;
    size_t slot = process->meter->time_slot;
    uint64_t begin = forest->first[slot];
    uint64_t before = begin > init && init > 0 ? begin - init : 0;

    if (!forest->is_running || before <= (forest->now[slot] - begin) / 1000)
        return 0;
    return before;
}

static void
settle_begin(struct hpm_process *process, uint64_t init)
{
    uint64_t before = hpm_process_uncounted(process, init);

    process->is_late = before > 0;
    process->forest->first[process->meter->time_slot] -= before;
}

/* The charge of time is that of one thread: known where the one that opened
 * the scope closes it. */
static void
close_run(struct hpm_process *process, const struct hpm_thread *self,
          uint64_t init)
{
    struct hpm_forest *forest = process->forest;
    uint64_t *charge = forest->now + forest->n_slots;

    forest->now[process->meter->time_slot] = hpm_clock_read();
    hpm_meter_read(process->meter, forest->now);
    hpm_threads_sum_charges(process->threads, NULL, charge, forest->n_charged);
    if (hpm_forest_depth(forest) > 0) {
        *charge = forest->innermost->frame->start[forest->n_slots];
        hpm_forest_close_all(forest);
    }
    *charge = self != NULL && self->tid == process->opener
                  ? hpm_forest_charge_of(self->forest, 0)
                  : forest->first[forest->n_slots];
    settle_begin(process, init);
    if (!hpm_forest_end_run(forest))
        hpm_problems_add(process->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){.label = HPM_OUTSIDE_LABEL}, 1);
    publish_innermost(process);
}

bool
hpm_process_end_run(struct hpm_process *process, const struct hpm_thread *self,
                    uint64_t init)
{
    struct hpm_forest *forest = process->forest;

    if (!hpm_lock_wait(&process->lock, A_SECOND))
        return false;
    if (forest != NULL && (hpm_forest_depth(forest) > 0 || forest->is_running))
        close_run(process, self, init);
    hpm_lock_give(&process->lock);
    return true;
}
