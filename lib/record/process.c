/* SPDX-License-Identifier: BSD-3-Clause
 * Process scope: sections of all threads together, and of the children. */
#include "record/process.h"

#include <string.h>

#include "host/ownusage.h"
#include "model/experiment.h"
#include "record/checkpointer.h"
#include "record/sharing.h"
#include "source/clock.h"

enum { A_SECOND = 1000 };

void
hpm_process_init(struct hpm_process *process, const struct hpm_eventset *set,
                 const struct hpm_filter *filter, struct hpm_threads *threads,
                 struct hpm_problems *problems)
{
    process->lock = &process->own_lock;
    process->set = set;
    process->filter = filter;
    process->threads = threads;
    process->problems = problems;
}

void
hpm_process_init_trial(struct hpm_process *trial, struct hpm_process *process,
                       struct hpm_calltree *tree, struct hpm_problems *problems)
{
    memset(trial, 0, sizeof *trial);
    hpm_process_init(trial, process->set, NULL, process->threads, problems);
    trial->lock = process->lock;
    trial->meter = process->meter;
    trial->tree = tree;
    trial->is_opened = true;
}

bool
hpm_process_is_usable(struct hpm_process *process)
{
    if (process->tree == NULL || !hpm_lock_wait(process->lock, A_SECOND))
        return false;
    hpm_lock_give(process->lock);
    return true;
}

void
hpm_process_clear(struct hpm_process *process)
{
    hpm_meter_close(process->meter);
    hpm_calltree_free(process->tree);
}

struct hpm_calltree *
hpm_process_new_calltree(const struct hpm_process *process,
                         const struct hpm_costs *costs,
                         const struct hpm_filter *filter)
{
    const struct hpm_shape shape = hpm_thread_shape(process->meter);
    struct hpm_calltree *tree =
        hpm_calltree_new(&shape, costs, filter, process->problems);

    if (tree == NULL)
        return NULL;
    /* its sections come from threads that know nothing of each other */
    tree->nesting = HPM_NESTING_FREE;
    hpm_calltree_set_shares(tree, hpm_shares_new(process->meter));
    return tree;
}

void
hpm_process_open(struct hpm_process *process)
{
    hpm_children_begin(&process->children);
    process->meter = hpm_meter_open(process->set, HPM_TARGET_PROCESS, 0, NULL);
    if (process->meter != NULL)
        process->tree =
            hpm_process_new_calltree(process, &process->costs, process->filter);
    if (process->tree == NULL)
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
    atomic_store_explicit(&process->innermost,
                          hpm_calltree_innermost(process->tree),
                          memory_order_release);
}

/* Thread `tid` starts at `place` a section that another thread has open. */
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

/* Hold the lock. */
static bool
is_open_elsewhere(struct hpm_process *process, int tid,
                  const struct hpm_place *place)
{
    const struct hpm_frame *frame =
        hpm_calltree_find_open(process->tree, place->instance);

    if (frame == NULL || frame->opener == tid)
        return false;
    note_open_elsewhere(process, tid, place, frame);
    return true;
}

/* Hold the lock. */
static uint64_t *
start_section(struct hpm_process *process, int tid, int parent,
              const struct hpm_place *place)
{
    struct hpm_calltree *tree = process->tree;
    const struct hpm_frame *top = tree->top;
    uint64_t *row = NULL;

    if (!is_open_elsewhere(process, tid, place))
        row = hpm_calltree_start(tree, place->instance, parent, place->label,
                                 place->file, place->line, NULL);
    if (tree->top != top)
        tree->top->opener = tid;
    publish_innermost(process);
    return row;
}

/* Complete a row's overhead: the part of other threads is in it already; the
 * overhead of time is that of the calling thread. */
static void
add_own_overhead(const struct hpm_calltree *tree,
                 const struct hpm_thread *thread, uint64_t *row)
{
    uint64_t *overhead = row + tree->n_slots;
    size_t n = thread->tree->n_overheads;

    overhead[0] = hpm_calltree_overhead_of(thread->tree, 0);
    for (size_t i = 1; i < n && i < tree->n_overheads; i++)
        overhead[i] += hpm_calltree_overhead_of(thread->tree, i);
}

/* The thread's work from `begin` until the reading is charged to the thread
 * only when the call ends; but the section that ends with this reading contains
 * it already. */
static void
add_overhead_to_come(const struct hpm_calltree *tree,
                     const struct hpm_thread *thread, const uint64_t *begin,
                     uint64_t *row)
{
    uint64_t *overhead = row + tree->n_slots;

    for (size_t i = 0; i < thread->tree->n_overheads && i < tree->n_overheads;
         i++) {
        if (hpm_meter_is_charged(thread->meter, i))
            overhead[i] += thread->end[i] - begin[i];
    }
}

static void
read_now(struct hpm_process *process, struct hpm_thread *thread)
{
    hpm_thread_reach_reading(thread);
    process->tree->now[process->meter->time_slot] = hpm_clock_read();
    hpm_meter_read(process->meter, process->tree->now);
}

static void
overhead_now(struct hpm_process *process, const struct hpm_thread *thread,
             const uint64_t *begin)
{
    struct hpm_calltree *tree = process->tree;

    hpm_threads_sum_overheads(process->threads, thread,
                              tree->now + tree->n_slots, tree->n_overheads);
    add_own_overhead(tree, thread, tree->now);
    add_overhead_to_come(tree, thread, begin, tree->now);
}

void
hpm_process_sample(struct hpm_process *process, struct hpm_thread *thread,
                   const uint64_t *begin)
{
    read_now(process, thread);
    overhead_now(process, thread, begin);
}

/* Like a thread does with its own table.  The row of the section that is opened
 * gets all of the sample but the numbers of starts and stops. */
static void
put_aside_at_start(struct hpm_process *process, struct hpm_thread *thread,
                   uint64_t *row)
{
    struct hpm_calltree *tree = process->tree;
    uint64_t clock = thread->begin[thread->meter->time_slot];
    const struct hpm_checkpointer *checkpointer = thread->checkpointer;

    if (!hpm_checkpointer_is_due(checkpointer, tree, clock) &&
        (row == NULL || !hpm_checkpointer_is_wanted(checkpointer, tree, clock)))
        return;
    hpm_process_sample(process, thread, thread->begin);
    if (row != NULL)
        memcpy(row, tree->now,
               (tree->n_slots + tree->n_overheads) * sizeof *row);
    checkpointer->put_process(process, thread);
}

/* All steps of varying length come before the thread's overhead is completed;
 * the steps after that take the same number of instructions every time. */
void
hpm_process_start(struct hpm_process *process, struct hpm_thread *thread,
                  int instance, int parent, const char *label, const char *file,
                  int line)
{
    const struct hpm_place place = {
        .instance = instance, .label = label, .file = file, .line = line};
    struct hpm_calltree *tree = process->tree;
    uint64_t *row;

    if (tree == NULL)
        return;
    hpm_thread_begin_long(thread);
    hpm_lock_take(process->lock);
    hpm_threads_collect_samples(process->threads);
    row = start_section(process, thread->tid, parent, &place);
    put_aside_at_start(process, thread, row);
    if (row != NULL)
        hpm_threads_sum_overheads(process->threads, thread, row + tree->n_slots,
                                  tree->n_overheads);
    hpm_thread_end_long(thread, HPM_COST_PROCESS_START, NULL);
    if (row != NULL) {
        add_own_overhead(tree, thread, row);
        hpm_meter_read(process->meter, row);
        row[process->meter->time_slot] = hpm_clock_read();
    } else {
        hpm_meter_pass(process->meter);
    }
    hpm_lock_give(process->lock);
}

/* If another thread started the section, the library's share of the time in
 * between is not known: then nothing is subtracted. */
static void
settle_time_overhead(const struct hpm_calltree *tree, int tid, int instance)
{
    const struct hpm_frame *frame = hpm_calltree_find_open(tree, instance);

    if (frame != NULL && frame->opener != tid)
        tree->now[tree->n_slots] = frame->start[tree->n_slots];
}

void
hpm_process_stop(struct hpm_process *process, struct hpm_thread *thread,
                 int instance, const char *file, int line)
{
    struct hpm_calltree *tree = process->tree;
    const struct hpm_node *node;
    struct hpm_frame *frame;
    bool is_due = false;

    if (tree == NULL)
        return;
    hpm_thread_begin_long(thread);
    /* The clock is read under the lock: else another thread could start a
     * section in between, with a time after this end. */
    hpm_lock_take(process->lock);
    hpm_threads_collect_samples(process->threads);
    read_now(process, thread);
    frame = hpm_calltree_find_open(tree, instance);
    if (frame != NULL && frame->left_out != NULL) {
        hpm_calltree_stop_excluded(tree, frame, line);
    } else {
        overhead_now(process, thread, thread->begin);
        settle_time_overhead(tree, thread->tid, instance);
        hpm_sharing_follow(tree);
        node = hpm_calltree_open_node(tree, instance);
        hpm_calltree_stop(tree, instance, file, line);
        hpm_sharing_close(tree, node);
        hpm_sharing_slice(tree);
        is_due = hpm_checkpointer_is_due(thread->checkpointer, tree,
                                         tree->now[process->meter->time_slot]);
        if (is_due)
            thread->checkpointer->put_process(process, thread);
    }
    publish_innermost(process);
    hpm_lock_give(process->lock);
    if (is_due)
        thread->checkpointer->put_due(thread, thread->begin);
    hpm_thread_end_long(thread, HPM_COST_PROCESS_STOP, NULL);
}

bool
hpm_process_add_work(struct hpm_process *process, int instance, uint64_t amount,
                     const char *unit)
{
    bool is_open_section;

    hpm_lock_take(process->lock);
    is_open_section =
        process->tree != NULL &&
        hpm_calltree_add_work(process->tree, instance, amount, unit);
    hpm_lock_give(process->lock);
    return is_open_section;
}

void
hpm_process_begin_run(struct hpm_process *process, struct hpm_thread *thread)
{
    if (hpm_meter_is_replayed(process->meter))
        return;
    hpm_lock_take(process->lock);
    hpm_thread_begin_long(thread);
    hpm_ownusage_settle();
    hpm_process_sample(process, thread, thread->begin);
    process->opener = thread->tid;
    hpm_calltree_begin_run(process->tree);
    hpm_lock_give(process->lock);
}

/* Time is known since init, counts since the process's counters were opened.
 * If the difference is small, both begin at the opening; else counts are not
 * given. */
uint64_t
hpm_process_uncounted(const struct hpm_process *process, uint64_t init)
{
    const struct hpm_calltree *tree = process->tree;
    size_t slot = process->meter->time_slot;
    uint64_t begin = tree->first[slot];
    uint64_t before = begin > init && init > 0 ? begin - init : 0;

    if (!tree->is_running || before <= (tree->now[slot] - begin) / 1000)
        return 0;
    return before;
}

static void
settle_begin(struct hpm_process *process, uint64_t init)
{
    uint64_t before = hpm_process_uncounted(process, init);

    process->is_late = before > 0;
    process->tree->first[process->meter->time_slot] -= before;
}

/* The overhead of time is that of one thread: it is known if the thread that
 * opened the scope also closes it. */
static void
close_run(struct hpm_process *process, const struct hpm_thread *self,
          uint64_t init)
{
    struct hpm_calltree *tree = process->tree;
    uint64_t *overhead = tree->now + tree->n_slots;

    tree->now[process->meter->time_slot] = hpm_clock_read();
    hpm_meter_read(process->meter, tree->now);
    hpm_threads_sum_overheads(process->threads, NULL, overhead,
                              tree->n_overheads);
    hpm_sharing_follow(tree);
    if (hpm_calltree_depth(tree) > 0) {
        *overhead =
            hpm_calltree_frame_of(tree, tree->innermost)->start[tree->n_slots];
        hpm_calltree_close_all(tree);
    }
    *overhead = self != NULL && self->tid == process->opener
                    ? hpm_calltree_overhead_of(self->tree, 0)
                    : tree->first[tree->n_slots];
    settle_begin(process, init);
    if (!hpm_calltree_end_run(tree))
        hpm_problems_add(process->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){.label = HPM_OUTSIDE_LABEL}, 1);
    hpm_sharing_end(tree);
    publish_innermost(process);
}

bool
hpm_process_end_run(struct hpm_process *process, const struct hpm_thread *self,
                    uint64_t init)
{
    struct hpm_calltree *tree = process->tree;

    if (!hpm_lock_wait(process->lock, A_SECOND))
        return false;
    if (tree != NULL && (hpm_calltree_depth(tree) > 0 || tree->is_running))
        close_run(process, self, init);
    hpm_lock_give(process->lock);
    return true;
}
