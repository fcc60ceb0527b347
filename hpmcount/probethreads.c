/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of a program whose functions are probed.
 *
 * A function that is left by a jump, by an exception or below the kernel's limit of
 * 64 open return probes has no return.  The stack pointer tells: what was entered
 * deeper on the stack than the present place has been left. */
#include "hpmcount/probethreads.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "hpmcount/say.h"

/* Addresses further apart than a stack is large are of two stacks, and say nothing
 * about each other. */
static const uint64_t stack_bytes = 8 << 20;

/* At its return a function's stack pointer is above the return address, where a
 * call pushes that. */
#if defined(__x86_64__)
enum { PUSHED = 8 };
#else
enum { PUSHED = 0 };
#endif

static void
say_line(const char *line)
{
    say("%s", line);
}

bool
probethreads_init(struct probethreads *threads, const struct proberings *rings,
                  const struct probecosts *costs)
{
    *threads = (struct probethreads){.rings = rings, .costs = costs};
    threads->problems = hpm_problems_new(say_line, NULL);
    return threads->problems != NULL;
}

/* ---- threads ----------------------------------------------------------- */

static struct probethread *
find(struct probethreads *threads, uint32_t tid)
{
    for (size_t i = threads->n; i-- > 0;) {
        if (threads->list[i].tid == tid && !threads->list[i].has_ended)
            return &threads->list[i];
    }
    return NULL;
}

static void
clear_thread(struct probethread *thread)
{
    hpm_calltree_free(thread->tree);
    hpm_memory_free(thread->last);
    hpm_memory_free(thread->sums);
    hpm_memory_free(thread->frames);
}

static struct probethread *
get(struct probethreads *threads, const struct proberings_record *record)
{
    struct probethread *thread = find(threads, record->tid);
    size_t n = threads->rings->n_counted;

    if (thread != NULL)
        return thread;
    if (!hpm_memory_grow(&threads->list, &threads->capacity, threads->n + 1,
                         sizeof *threads->list))
        return NULL;
    thread = &threads->list[threads->n];
    *thread = (struct probethread){
        .pid = record->pid, .tid = record->tid, .number = -1};
    thread->last =
        hpm_memory_new(threads->rings->n_rings * n + 1, sizeof *thread->last);
    thread->sums = hpm_memory_new(n + 1, sizeof *thread->sums);
    if (thread->last == NULL || thread->sums == NULL) {
        clear_thread(thread);
        return NULL;
    }
    threads->n++;
    return thread;
}

static bool
give_tree(struct probethreads *threads, struct probethread *thread)
{
    size_t n = 1 + threads->rings->set->n_events;
    const struct hpm_shape shape = {n, n, n};

    if (thread->tree != NULL)
        return true;
    thread->tree = hpm_calltree_new(&shape, &threads->costs->calibration.costs,
                                    NULL, threads->problems);
    if (thread->tree == NULL)
        return false;
    thread->tree->tid = thread->number = threads->n_numbered++;
    return true;
}

/* ---- readings ---------------------------------------------------------- */

/* The kernel counts each thread on each processor apart. */
static void
add_counts(const struct probethreads *threads, struct probethread *thread,
           const struct proberings_record *record)
{
    size_t n = threads->rings->n_counted;
    uint64_t *last = thread->last + record->cpu * n;

    for (size_t i = 0; i < n; i++) {
        thread->sums[i] += record->counts[i] - last[i];
        last[i] = record->counts[i];
    }
}

static void
fill_row(const struct probethreads *threads, const struct probethread *thread,
         uint64_t ns, uint64_t *row)
{
    const struct proberings *rings = threads->rings;
    size_t k = 0;

    row[0] = ns;
    for (size_t i = 0; i < rings->set->n_events; i++)
        row[1 + i] = rings->is_counted[i] ? thread->sums[k++] : 0;
}

/* ---- calls ------------------------------------------------------------- */

static bool
push(struct probethread *thread, const struct probeplan_point *point,
     uint64_t stack)
{
    if (!hpm_memory_grow(&thread->frames, &thread->frames_capacity,
                         thread->n_frames + 1, sizeof *thread->frames))
        return false;
    thread->frames[thread->n_frames++] =
        (struct probethread_frame){point, stack, 0};
    return true;
}

/* Close the innermost call; the sample is in the tree's row. */
static void
pop(struct probethread *thread)
{
    const struct probeplan_point *point =
        thread->frames[--thread->n_frames].point;
    struct hpm_calltree *tree = thread->tree;
    const struct hpm_frame *frame =
        hpm_calltree_find_open(tree, point->instance);
    bool is_again = frame != NULL && hpm_frame_recursions(frame) > 0;

    hpm_calltree_stop(tree, point->instance, "", 0);
    hpm_calltree_add_overhead(tree, HPM_COST_STOP);
    if (!is_again)
        tree->now[tree->n_row - 1]++; /* stops */
}

/* Is the inner place deeper on the same stack? */
static bool
is_deeper(uint64_t inner, uint64_t outer)
{
    return inner < outer && outer - inner < stack_bytes;
}

static void
close_left(struct probethreads *threads, struct probethread *thread,
           uint64_t stack, bool is_tail)
{
    while (
        thread->n_frames > 0 &&
        (is_deeper(thread->frames[thread->n_frames - 1].stack, stack) ||
         (!is_tail && thread->frames[thread->n_frames - 1].stack == stack))) {
        pop(thread);
        threads->n_left++;
    }
}

/* Has the function jumped to its own beginning?  Where its first instruction is that
 * of a loop it does so each time round; compilers make the same code of a call of
 * itself in last place.  It is the same call. */
static bool
is_again(const struct probethread *thread,
         const struct proberings_record *record,
         const struct probeplan_point *point)
{
    const struct probethread_frame *frame;

    if (!record->is_tail || thread->n_frames == 0)
        return false;
    frame = &thread->frames[thread->n_frames - 1];
    return frame->point == point && frame->stack == record->stack;
}

static void
add_more(const struct probethreads *threads, struct hpm_calltree *tree,
         const struct probeplan_point *point)
{
    for (size_t i = 0; i < tree->n_overheads; i++)
        hpm_calltree_add_slot_overhead(tree, i,
                                       threads->costs->more[point->kind][i]);
}

static void
enter(struct probethreads *threads, struct probethread *thread,
      const struct proberings_record *record,
      const struct probeplan_point *point)
{
    struct hpm_calltree *tree = thread->tree;
    uint64_t *row;

    thread->over.n_again = 0;
    if (is_again(thread, record, point)) {
        thread->frames[thread->n_frames - 1].n_again++;
        threads->n_again++;
        hpm_calltree_add_overhead(tree, HPM_COST_START);
        add_more(threads, tree, point);
        return;
    }
    fill_row(threads, thread, record->ns, tree->now);
    close_left(threads, thread, record->stack, record->is_tail);
    if (!push(thread, point, record->stack)) {
        threads->is_lacking = true;
        return;
    }
    row = hpm_calltree_start(tree, point->instance, HPM_PARENT_AUTO,
                             point->label, "", 0, NULL);
    if (row != NULL)
        fill_row(threads, thread, record->ns, row);
    else
        hpm_calltree_add_overhead(tree, HPM_COST_START);
    add_more(threads, tree, point);
}

/* The kernel tells of each time round at the call's return, up to 64 of them. */
static bool
is_told(struct probethread *thread, const struct probeplan_point *point,
        uint64_t entered)
{
    struct probethread_frame *over = &thread->over;

    if (over->n_again == 0 || over->point != point || over->stack != entered)
        return false;
    over->n_again--;
    return true;
}

/* A call that jumped to another function (tail call) has the same stack pointer as
 * that one, and the kernel's address as return address; both return at once. */
static void
leave(struct probethreads *threads, struct probethread *thread,
      const struct proberings_record *record,
      const struct probeplan_point *point)
{
    uint64_t entered = record->stack - PUSHED;
    size_t i = thread->n_frames;

    if (is_told(thread, point, entered))
        return;
    while (i > 0 && (thread->frames[i - 1].point != point ||
                     thread->frames[i - 1].stack != entered))
        i--;
    if (i == 0) {
        threads->n_unknown++;
        return;
    }
    fill_row(threads, thread, record->ns, thread->tree->now);
    while (thread->n_frames > i) {
        pop(thread);
        threads->n_left++;
    }
    thread->over = thread->frames[i - 1];
    pop(thread);
}

/* A probe that nobody asked for costs as much as the others. */
static void
pass_over(struct probethreads *threads, struct probethread *thread,
          const struct proberings_record *record,
          const struct probeplan_point *point)
{
    bool is_entry = record->kind == PROBERINGS_ENTRY;

    if (thread->tree == NULL || threads->rings->extent == PROBERINGS_CALLS)
        return;
    hpm_calltree_add_overhead(thread->tree,
                              is_entry ? HPM_COST_START : HPM_COST_STOP);
    if (is_entry)
        add_more(threads, thread->tree, point);
}

/* Without returns nobody knows inside which calls it is. */
static void
count_entry(struct probethreads *threads, struct probethread *thread,
            const struct proberings_record *record,
            const struct probeplan_point *point)
{
    enter(threads, thread, record, point);
    if (thread->n_frames > 0)
        pop(thread);
}

static void
close_all(struct probethread *thread)
{
    while (thread->n_frames > 0)
        pop(thread);
}

/* The thread runs another program, or has ended. */
static void
end_calls(struct probethreads *threads, uint32_t tid, uint64_t ns, bool is_end)
{
    struct probethread *thread = find(threads, tid);

    if (thread == NULL)
        return;
    if (thread->tree != NULL) {
        fill_row(threads, thread, ns, thread->tree->now);
        close_all(thread);
    }
    if (!is_end)
        return;
    thread->has_ended = true;
    if (thread->tree != NULL) {
        hpm_calltree_shrink(thread->tree);
        return;
    }
    clear_thread(thread);
    *thread = threads->list[--threads->n];
}

static void
take_other(struct probethreads *threads, const struct cpuring_record *record)
{
    if (record->type == PERF_RECORD_EXIT)
        end_calls(threads, ((const uint32_t *)record->words)[2], record->ns,
                  true);
    else if (record->type == PERF_RECORD_COMM &&
             (record->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
        end_calls(threads, record->tid, record->ns, false);
}

void
probethreads_take(struct probethreads *threads,
                  const struct proberings_record *record,
                  const struct probeplan_point *point)
{
    struct probethread *thread;

    if (record->kind == PROBERINGS_OTHER) {
        take_other(threads, &record->other);
        return;
    }
    thread = get(threads, record);
    if (thread == NULL) {
        threads->is_lacking = true;
        return;
    }
    add_counts(threads, thread, record);
    if (point == NULL || record->kind == PROBERINGS_SWITCH)
        return;
    if (point->label == NULL) {
        pass_over(threads, thread, record, point);
        return;
    }
    if (!give_tree(threads, thread))
        threads->is_lacking = true;
    else if (threads->rings->extent == PROBERINGS_CALLS)
        count_entry(threads, thread, record, point);
    else if (record->kind == PROBERINGS_ENTRY)
        enter(threads, thread, record, point);
    else
        leave(threads, thread, record, point);
}

void
probethreads_end(struct probethreads *threads)
{
    for (size_t i = 0; i < threads->n; i++) {
        if (threads->list[i].tree != NULL)
            close_all(&threads->list[i]);
    }
}

void
probethreads_clear(struct probethreads *threads)
{
    for (size_t i = 0; i < threads->n; i++)
        clear_thread(&threads->list[i]);
    hpm_memory_free(threads->list);
    hpm_problems_free(threads->problems);
    *threads = (struct probethreads){.list = NULL};
}
