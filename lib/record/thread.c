/* SPDX-License-Identifier: BSD-3-Clause
 * One thread of the measured program: its counters and its sections. */
#include "record/thread.h"

#include <string.h>

#include "host/memory.h"
#include "host/ownusage.h"
#include "model/experiment.h"
#include "record/checkpointer.h"
#include "record/sharing.h"

struct hpm_thread hpm_thread_not_entered = {.is_busy = true};
__thread struct hpm_thread_self hpm_thread_self = {&hpm_thread_not_entered,
                                                   NULL, NULL};

void
hpm_thread_be(struct hpm_thread *thread)
{
    hpm_thread_self.tree = thread != NULL ? thread->tree : NULL;
    hpm_thread_self.is_closing = thread != NULL ? thread->is_closing : NULL;
    hpm_thread_self.thread = thread;
}

void
hpm_thread_use(struct hpm_thread *thread, struct hpm_calltree *tree)
{
    hpm_sampler_use(thread->samples, tree);
    thread->tree = tree;
    hpm_thread_self.tree = tree;
}

bool
hpm_thread_sample(struct hpm_thread *thread,
                  const struct hpm_sampling *sampling,
                  struct hpm_modules *modules, struct hpm_error *err)
{
    thread->samples = hpm_sampler_open(sampling, thread->meter, thread->tree,
                                       thread->within, modules, err);
    if (thread->samples == NULL)
        return false;
    thread->is_tick_only = false; /* from now on its meter reads more than the
                                   * clock */
    return true;
}

struct hpm_calltree *
hpm_thread_new_calltree(const struct hpm_thread *thread,
                        const struct hpm_costs *costs,
                        const struct hpm_filter *filter)
{
    const struct hpm_shape shape = hpm_thread_shape(thread->meter);
    struct hpm_calltree *tree =
        hpm_calltree_new(&shape, costs, filter, thread->problems);

    if (tree != NULL)
        hpm_calltree_set_shares(tree, hpm_shares_new(thread->meter));
    return tree;
}

/* Process sections must not contain the cost of opening the thread's tables,
 * since its counters run: charge it. */
static void
overhead_of_registration(struct hpm_thread *thread)
{
    hpm_meter_read(thread->meter, thread->first);
    for (size_t i = 1; i < thread->tree->n_overheads; i++) {
        if (hpm_meter_is_charged(thread->meter, i))
            hpm_calltree_add_slot_overhead(thread->tree, i, thread->first[i]);
    }
    thread->first[thread->meter->time_slot] = hpm_clock_read();
    for (size_t i = 0; i < thread->tree->n_overheads; i++)
        thread->first[thread->meter->n_slots + i] =
            hpm_calltree_overhead_of(thread->tree, i);
}

struct hpm_thread *
hpm_thread_new(const struct hpm_eventset *set, struct hpm_meter *meter,
               const struct hpm_costs *costs, const struct hpm_filter *filter,
               struct hpm_problems *problems)
{
    struct hpm_thread *thread = hpm_memory_new(1, sizeof *thread);

    if (thread == NULL) {
        hpm_meter_close(meter);
        return NULL;
    }
    thread->omp = -1;
    thread->problems = problems;
    thread->meter =
        meter != NULL ? meter : hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL);
    if (thread->meter != NULL) {
        thread->tree = hpm_thread_new_calltree(thread, costs, filter);
        thread->first =
            hpm_memory_new(3 * thread->meter->n_slots + HPM_MAX_CHARGED,
                           sizeof *thread->first);
    }
    if (thread->tree == NULL || thread->first == NULL) {
        hpm_thread_free(thread);
        return NULL;
    }
    thread->is_tick_only =
        hpm_clock_is_tick && thread->meter->read == NULL &&
        thread->tree->n_row == hpm_shape_row(&hpm_thread_tick_only);
    thread->shown = thread->tree;
    thread->begin = thread->first + thread->meter->n_slots + HPM_MAX_CHARGED;
    thread->end = thread->begin + thread->meter->n_slots;
    overhead_of_registration(thread);
    return thread;
}

void
hpm_thread_free(struct hpm_thread *thread)
{
    if (thread == NULL)
        return;
    hpm_sampler_free(thread->samples);
    hpm_meter_close(thread->meter);
    hpm_calltree_free(thread->tree);
    hpm_memory_free(thread->first);
    hpm_memory_free(thread);
}

/* ---- the long way ---------------------------------------------------- */

static void
read_begin(struct hpm_thread *thread)
{
    hpm_meter_read(thread->meter, thread->begin);
    thread->begin[thread->meter->time_slot] = hpm_clock_read();
}

/* A replay has samples of sections only, without a cost of the library. */
void
hpm_thread_begin_long(struct hpm_thread *thread)
{
    if (!hpm_meter_is_replayed(thread->meter))
        read_begin(thread);
}

void
hpm_thread_reach_reading(struct hpm_thread *thread)
{
    if (hpm_meter_is_replayed(thread->meter))
        return;
    thread->end[0] = hpm_clock_read();
    hpm_meter_read(thread->meter, thread->end);
}

/* The part of a constant that an event has counted: for an event that takes
 * turns, the part of the time in which it was on, since a value is scaled after
 * this.  In integers, so that the program's floating-point flags do not
 * change. */
static uint64_t
rest_counted(const struct hpm_thread *thread, const uint64_t *begin,
             size_t slot, uint64_t rest)
{
    size_t clock = slot > 0 ? thread->meter->events[slot - 1].clock_slot : 0;
    uint64_t enabled, running;

    if (clock == 0)
        return rest;
    enabled = thread->end[clock] - begin[clock];
    running = thread->end[clock + 1] - begin[clock + 1];
    if (running == enabled)
        return rest;
    if (enabled > INT64_MAX)
        return rest;
    return (uint64_t)((__int128)(int64_t)rest * (int64_t)running /
                      (int64_t)enabled);
}

/* Charge the difference of thread->end and `begin`, and `cost`. */
static void
overhead_since(struct hpm_thread *thread, const uint64_t *begin,
               enum hpm_cost cost)
{
    struct hpm_calltree *tree = thread->tree;
    const uint64_t *rest = tree->costs->amounts[cost];

    for (size_t i = 0; i < tree->n_overheads; i++) {
        if (hpm_meter_is_charged(thread->meter, i))
            hpm_calltree_add_slot_overhead(
                tree, i,
                thread->end[i] - begin[i] +
                    rest_counted(thread, begin, i, rest[i]));
    }
}

void
hpm_thread_end_long(struct hpm_thread *thread, enum hpm_cost cost,
                    uint64_t *row)
{
    struct hpm_calltree *tree = thread->tree;

    hpm_thread_reach_reading(thread);
    overhead_since(thread, thread->begin, cost);
    for (size_t i = 0; row != NULL && i < tree->n_overheads; i++)
        row[tree->n_slots + i] = hpm_calltree_overhead_of(tree, i);
}

void
hpm_thread_begin_own_work(struct hpm_thread *thread, uint64_t *begin)
{
    if (hpm_meter_is_replayed(thread->meter))
        return;
    read_begin(thread);
    memcpy(begin, thread->begin, thread->meter->n_slots * sizeof *begin);
    hpm_ownusage_begin();
}

/* The rest of such a call costs as much as the rest of hpmWork. */
void
hpm_thread_end_own_work(struct hpm_thread *thread, const uint64_t *begin)
{
    if (hpm_meter_is_replayed(thread->meter))
        return;
    hpm_ownusage_end();
    hpm_thread_reach_reading(thread);
    overhead_since(thread, begin, HPM_COST_WORK);
}

static const struct hpm_node *
process_section(const struct hpm_thread *thread)
{
    return atomic_load_explicit(thread->within, memory_order_acquire);
}

/* The row of a start; without a row, pass over the start's sample. */
static uint64_t *
or_pass(const struct hpm_thread *thread, uint64_t *row)
{
    if (row == NULL)
        hpm_meter_pass(thread->meter);
    return row;
}

static __attribute__((cold, noinline)) bool
stop_off_below(struct hpm_thread *thread, int instance, int line)
{
    struct hpm_calltree *tree = thread->tree;
    struct hpm_frame *frame = hpm_calltree_find_open(tree, instance);

    if (frame == NULL || frame->left_out == NULL ||
        hpm_calltree_closes_inside(tree, frame, line))
        return false;
    hpm_calltree_stop_excluded(tree, frame, line);
    hpm_meter_pass(thread->meter);
    return true;
}

/* Nearly always the section is in the topmost frame.  The other cases are
 * apart: this one then saves no registers. */
bool
hpm_thread_stop_excluded(struct hpm_thread *thread, int instance, int line)
{
    struct hpm_calltree *tree = thread->tree;
    const struct hpm_frame *top = tree->top;

    if (top->instance != instance || top->left_out == NULL ||
        top->recursions > 0)
        return stop_off_below(thread, instance, line);
    hpm_calltree_pop_excluded(tree);
    hpm_meter_pass(thread->meter);
    return true;
}

/* Write the table to the journal if that is due, or if a section is new.  A new
 * section is open in the copy: its row has the reading of the begin until it
 * gets its own. */
static void
put_aside_at_start(struct hpm_thread *thread, uint64_t *row)
{
    struct hpm_calltree *tree = thread->tree;
    uint64_t clock = thread->begin[thread->meter->time_slot];
    const struct hpm_checkpointer *checkpointer = thread->checkpointer;
    bool is_due = hpm_checkpointer_is_due(checkpointer, tree, clock);

    if (!is_due &&
        (row == NULL || !hpm_checkpointer_is_wanted(checkpointer, tree, clock)))
        return;
    if (row != NULL)
        memcpy(row, thread->begin, tree->n_slots * sizeof *row);
    if (is_due)
        checkpointer->put_due(thread, thread->begin);
    else
        checkpointer->put_new(thread, thread->begin);
}

/* A start without a reading. */
static __attribute__((noinline)) uint64_t *
start_unread(struct hpm_thread *thread, struct hpm_node *node, int instance)
{
    hpm_calltree_start_unread(thread->tree, node, instance);
    hpm_meter_pass(thread->meter);
    return NULL;
}

/* Apart, so that a start without a reading need not save registers for this. */
static __attribute__((cold, noinline)) uint64_t *
start_measured(struct hpm_thread *thread, int instance, int parent,
               const char *label, const char *file, int line)
{
    struct hpm_calltree *tree = thread->tree;
    uint64_t *row;

    hpm_thread_begin_long(thread);
    row = hpm_calltree_start(tree, instance, parent, label, file, line,
                             process_section(thread));
    put_aside_at_start(thread, row);
    hpm_thread_end_long(
        thread, row != NULL ? HPM_COST_AT_LONG_START : HPM_COST_AT_LONG_AGAIN,
        row);
    return or_pass(thread, row);
}

/* A start of a section that is open, or left out, is quick as well: it takes no
 * reading. */
uint64_t *
hpm_thread_start_long(struct hpm_thread *thread, struct hpm_node *node,
                      int instance, int parent, const char *label,
                      const char *file, int line)
{
    struct hpm_calltree *tree = thread->tree;

    if (node != NULL && parent == HPM_PARENT_AUTO &&
        hpm_calltree_is_unread(tree, node)) {
        hpm_calltree_add_difference(tree, HPM_COST_AT_AGAIN_START,
                                    HPM_COST_AGAIN_START);
        return start_unread(thread, node, instance);
    }
    return start_measured(thread, instance, parent, label, file, line);
}

/* The number may still be missing.  If the site can get none, it is found by
 * addresses, as in plug-ins and on the heap. */
static __attribute__((cold, noinline)) uint64_t *
start_site_measured(struct hpm_thread *thread, int instance,
                    const struct hpm_callsite *callsite)
{
    const struct hpm_place place = {
        .instance = instance,
        .label = callsite->label != NULL ? callsite->label : "",
        .file = callsite->file != NULL ? callsite->file : "",
        .line = callsite->line};
    struct hpm_site site = {.label = callsite->label,
                            .file = callsite->file,
                            .where = hpm_site_where(callsite->line, 0, 0),
                            .instance = instance};
    unsigned number;
    uint64_t *row;

    hpm_thread_begin_long(thread);
    number = hpm_callsite_number(callsite->number);
    if (number == 0) {
        hpm_ownusage_begin(); /* the number may be on a page that was not
                               * written before */
        number = hpm_callsite_register(callsite);
        hpm_ownusage_end();
    }
    if (number != 0) {
        site.label = hpm_site_numbered;
        site.file = NULL;
        site.where = number;
    }
    row = hpm_calltree_start_site(thread->tree, HPM_PARENT_AUTO, &place, &site,
                                  process_section(thread));
    put_aside_at_start(thread, row);
    hpm_thread_end_long(
        thread, row != NULL ? HPM_COST_LONG_START : HPM_COST_LONG_AGAIN, row);
    return or_pass(thread, row);
}

uint64_t *
hpm_thread_start_site_long(struct hpm_thread *thread, struct hpm_node *node,
                           int instance, const struct hpm_callsite *site)
{
    if (node != NULL && hpm_calltree_is_unread(thread->tree, node))
        return start_unread(thread, node, instance);
    return start_site_measured(thread, instance, site);
}

/* The long way of a stop begins with the reading of the stop itself.  If
 * counters take turns, each stop comes here; a stop that ends no step then
 * costs the same each time, as on the quick way. */
void
hpm_thread_stop_long(struct hpm_thread *thread, int instance, const char *file,
                     int line, enum hpm_cost cost)
{
    struct hpm_calltree *tree = thread->tree;
    const struct hpm_node *node;

    if (hpm_calltree_stop_again(tree, instance))
        return;
    if (hpm_sharing_is_plain_stop(tree, instance,
                                  tree->now[thread->meter->time_slot])) {
        hpm_calltree_close_top(
            tree, line,
            cost == HPM_COST_LONG_STOP ? HPM_COST_STOP : HPM_COST_COUNTED_STOP);
        return;
    }
    hpm_sharing_follow(tree);
    node = hpm_calltree_open_node(tree, instance);
    hpm_calltree_stop(tree, instance, file, line);
    hpm_sharing_close(tree, node);
    hpm_sharing_slice(tree);
    if (hpm_checkpointer_is_due(thread->checkpointer, tree,
                                tree->now[thread->meter->time_slot]))
        thread->checkpointer->put_due(thread, tree->now);
    hpm_thread_reach_reading(thread);
    overhead_since(thread, tree->now, cost);
}

uint64_t *
hpm_thread_start_counted_long(struct hpm_thread *thread, struct hpm_node *node,
                              int parent, const struct hpm_counted_place *place)
{
    bool is_known_again =
        (place->label.length | place->file.length) < HPM_SITE_MAX_LENGTH;
    struct hpm_calltree *tree = thread->tree;
    struct hpm_site site = {.label = place->label.bytes,
                            .file = place->file.bytes,
                            .where =
                                hpm_site_where(place->line, place->label.length,
                                               place->file.length),
                            .instance = place->instance};
    struct hpm_text label, file;
    uint64_t *row;

    if (node != NULL && parent == HPM_PARENT_AUTO &&
        hpm_calltree_is_unread(tree, node))
        return start_unread(thread, node, place->instance);
    hpm_thread_begin_long(thread);
    hpm_text_init(&label, place->label);
    hpm_text_init(&file, place->file);
    row = hpm_calltree_start_site(
        tree, parent,
        &(struct hpm_place){.instance = place->instance,
                            .label = label.text,
                            .file = file.text,
                            .line = place->line},
        is_known_again ? &site : NULL, process_section(thread));
    put_aside_at_start(thread, row);
    hpm_text_clear(&label);
    hpm_text_clear(&file);
    hpm_thread_end_long(
        thread, row != NULL ? HPM_COST_COUNTED_LONG_START : HPM_COST_LONG_AGAIN,
        row);
    return or_pass(thread, row);
}

void
hpm_thread_stop_counted_long(struct hpm_thread *thread, int instance,
                             struct hpm_counted counted, int line)
{
    struct hpm_text file;

    hpm_calltree_add_overhead(thread->tree, HPM_COST_COUNTED_SELF);
    hpm_text_init(&file, counted);
    hpm_thread_stop_long(thread, instance, file.text, line,
                         HPM_COST_COUNTED_LONG_STOP);
    hpm_text_clear(&file);
}

/* ---- other calls ----------------------------------------------------- */

/* The reading's own cost is charged, so that two readings one after the other
 * show no difference. */
void
hpm_thread_read(struct hpm_thread *thread, uint64_t *ret_used)
{
    size_t n_slots = thread->meter->n_slots;

    read_begin(thread);
    for (size_t i = 0; i < n_slots; i++)
        ret_used[i] = thread->begin[i] - thread->first[i];
    for (size_t i = 0; i < thread->tree->n_overheads; i++)
        ret_used[i] -= hpm_calltree_overhead_of(thread->tree, i) -
                       thread->first[n_slots + i];
    hpm_thread_end_long(thread, HPM_COST_READING, NULL);
}

bool
hpm_thread_add_work(struct hpm_thread *thread, int instance, uint64_t amount,
                    const char *unit)
{
    bool is_open;

    hpm_thread_begin_long(thread);
    is_open = hpm_calltree_add_work(thread->tree, instance, amount, unit);
    hpm_thread_end_long(thread, HPM_COST_WORK, NULL);
    return is_open;
}

static void
read_now(struct hpm_thread *thread)
{
    thread->tree->now[thread->meter->time_slot] = hpm_clock_read();
    hpm_meter_read(thread->meter, thread->tree->now);
}

void
hpm_thread_leave_out(struct hpm_thread *thread)
{
    if (hpm_meter_is_replayed(thread->meter))
        return;
    hpm_thread_reach_reading(thread);
    for (size_t i = 1; i < thread->tree->n_overheads; i++)
        thread->meter->scratch[i] =
            thread->end[i] - hpm_calltree_overhead_of(thread->tree, i);
}

/* All until this reading is overhead.  The counters began at 0; counts that are
 * left out are in `scratch`. */
static void
settle_to(struct hpm_thread *thread, const uint64_t *row)
{
    struct hpm_calltree *tree = thread->tree;

    for (size_t i = 1; i < tree->n_overheads; i++) {
        uint64_t overhead = hpm_calltree_overhead_of(tree, i);

        if (hpm_meter_is_charged(thread->meter, i))
            hpm_calltree_add_slot_overhead(
                tree, i, row[i] - thread->meter->scratch[i] - overhead);
    }
}

void
hpm_thread_settle(struct hpm_thread *thread)
{
    if (hpm_meter_is_replayed(thread->meter))
        return;
    hpm_thread_reach_reading(thread);
    settle_to(thread, thread->end);
}

/* A replay has one sample for each start and stop, and none for the begin of
 * the run. */
void
hpm_thread_begin_run(struct hpm_thread *thread)
{
    if (hpm_meter_is_replayed(thread->meter))
        return;
    hpm_ownusage_settle();
    hpm_shortclock_begin(&thread->processor, thread->meter);
    read_now(thread);
    settle_to(thread, thread->tree->now); /* the same reading for both */
    hpm_calltree_begin_run(thread->tree);
    hpm_sampler_begin(thread->samples);
    memcpy(thread->first, thread->tree->now,
           (thread->tree->n_slots + thread->tree->n_overheads) *
               sizeof *thread->first);
}

void
hpm_thread_end_run(struct hpm_thread *thread, bool is_other)
{
    struct hpm_calltree *tree = thread->tree;

    if (hpm_calltree_depth(tree) == 0 && !tree->is_running) {
        hpm_sampler_end(thread->samples);
        hpm_sharing_end(tree);
        return;
    }
    thread->is_closed_by_other = is_other;
    hpm_ownusage_settle();
    hpm_sampler_end(thread->samples);
    read_now(thread);
    thread->missing_ns = hpm_shortclock_missing(
        &thread->processor, thread->meter, thread->first, tree->now);
    hpm_sharing_follow(tree);
    hpm_calltree_close_all(tree);
    if (!hpm_calltree_end_run(tree))
        hpm_problems_add(thread->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){.label = HPM_OUTSIDE_LABEL}, 1);
    hpm_sharing_end(tree);
}

/* Write the thread's table.  Process sections must not contain the cost of
 * this, so it is charged; the rest of the call costs as much as that of
 * hpmWork. */
static void
put_aside(struct hpm_thread *thread)
{
    hpm_thread_begin_long(thread);
    thread->checkpointer->put_due(thread, thread->begin);
    hpm_thread_end_long(thread, HPM_COST_WORK, NULL);
}

void
hpm_thread_end(struct hpm_thread *thread)
{
    hpm_thread_end_run(thread, false);
    if (thread->checkpointer != NULL && !thread->folds)
        put_aside(thread);
}
