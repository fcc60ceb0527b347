/* SPDX-License-Identifier: BSD-3-Clause
 * The charge of a call on the long way, and a thread's run, with simulated
 * readings. */
#include "record/thread.h"

#include "record/checkpointer.h"
#include "record/recorder.h"
#include "tap.h"

/* A row: time, count, and the times that the count was enabled and running. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };
/* The counts of the call itself, and the constant for the rest of it. */
enum { OWN = 70, REST = 1000 };

static struct hpm_eventset set;
static struct hpm_metered metered = {.state = HPM_STATE_COUNTED};
static struct hpm_costs costs;
static uint64_t readings[2][N_SLOTS];
static int n_read;

static void
read_next(void *counting, uint64_t *slots)
{
    (void)counting;
    for (size_t i = 1; i < N_SLOTS; i++)
        slots[i] = readings[n_read % 2][i];
    n_read++;
}

/* The charge in the count, if the event was enabled and running for these
 * times. */
static uint64_t
charged(uint16_t clock_slot, uint64_t enabled, uint64_t running)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};
    struct hpm_meter meter = {.set = &set,
                              .n_events = 1,
                              .n_slots = N_SLOTS,
                              .events = &metered,
                              .read = read_next};
    uint64_t begin[N_SLOTS] = {0}, end[N_SLOTS] = {0}, overhead;
    struct hpm_thread thread = {.meter = &meter, .begin = begin, .end = end};

    metered.clock_slot = clock_slot;
    n_read = 0;
    for (size_t i = 1; i < N_SLOTS; i++)
        readings[0][i] = 100 * i;
    readings[1][COUNT] = readings[0][COUNT] + OWN;
    readings[1][ENABLED] = readings[0][ENABLED] + enabled;
    readings[1][RUNNING] = readings[0][RUNNING] + running;
    costs.amounts[HPM_COST_WORK][COUNT] = REST;
    thread.tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    if (thread.tree == NULL)
        return 0;
    hpm_thread_begin_long(&thread);
    hpm_thread_end_long(&thread, HPM_COST_WORK, NULL);
    overhead = hpm_calltree_overhead_of(thread.tree, COUNT);
    hpm_calltree_free(thread.tree);
    return overhead;
}

/* The cost of a stop on the long way only because a counter takes turns. */
static uint64_t
cost_of_plain_stop(enum hpm_cost cost)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};
    struct hpm_meter meter = {.set = &set,
                              .n_events = 1,
                              .n_slots = N_SLOTS,
                              .takes_turns = true,
                              .events = &metered,
                              .read = read_next};
    struct hpm_thread thread = {.meter = &meter};
    uint64_t overhead;

    metered.clock_slot = ENABLED;
    costs.amounts[HPM_COST_STOP][COUNT] = 3;
    costs.amounts[HPM_COST_COUNTED_STOP][COUNT] = 50;
    thread.tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    hpm_calltree_set_shares(thread.tree, hpm_shares_new(&meter));
    memset(hpm_calltree_start(thread.tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1,
                              NULL),
           0, N_SLOTS * sizeof(uint64_t));
    hpm_thread_stop_long(&thread, 1, "a.c", 9, cost);
    overhead = hpm_calltree_overhead_of(thread.tree, COUNT);
    hpm_calltree_free(thread.tree);
    return overhead;
}

static void
test_plain_stop(void)
{
    is_count(cost_of_plain_stop(HPM_COST_LONG_STOP), 3,
             "a plain stop costs as much as on the quick way");
    is_count(cost_of_plain_stop(HPM_COST_COUNTED_LONG_STOP), 50,
             "one with counted strings, too");
}

/* ---- a whole thread, each reading of which counts a step ---------------- */

enum { STEP = 10 };

static struct hpm_plan plan = {.set = &set, .n_thread_records = 10};
static struct hpm_recorder *recorder;
static struct hpm_thread *thread;
static uint64_t now;
static int n_due, n_new, n_errors;

static void
say(const char *line)
{
    printf("# %s\n", line);
}

static void
read_step(void *counting, uint64_t *slots)
{
    (void)counting;
    slots[COUNT] = now += STEP;
}

/* A thread that has charged nothing yet. */
static void
begin(void)
{
    n_due = n_new = n_errors = 0;
    recorder = hpm_recorder_new(&plan, say, &n_errors, NULL);
    thread = hpm_recorder_enter(recorder, NULL);
    atomic_store(&thread->meter->read, read_step);
    memset(thread->tree->now, 0,
           thread->tree->n_row * sizeof *thread->tree->now);
    memset(thread->first, 0,
           (thread->tree->n_slots + thread->tree->n_overheads) *
               sizeof *thread->first);
    now = 0;
}

static void
end(void)
{
    thread->checkpointer = NULL;
    hpm_recorder_free(recorder);
}

static uint64_t
overhead(void)
{
    return hpm_calltree_overhead_of(thread->tree, COUNT);
}

/* Starts on the long way, like all first starts. */
static uint64_t *
start(int id, const char *label)
{
    uint64_t *row = hpm_thread_start_long(thread, NULL, id, HPM_PARENT_AUTO,
                                          label, "a.c", id);

    if (row != NULL)
        hpm_thread_read_start(thread, row);
    return row;
}

static void
test_read(void)
{
    uint64_t used[3 * N_SLOTS], again[3 * N_SLOTS];

    begin();
    thread->first[COUNT] = 3;
    thread->first[thread->meter->n_slots + COUNT] = 20;
    recorder->costs.amounts[HPM_COST_READING][COUNT] = STEP;
    hpm_calltree_add_slot_overhead(thread->tree, COUNT, 50);
    now = 1000;
    hpm_thread_read(thread, used);
    is_count(used[COUNT], 1000 + STEP - 3 - (50 - 20),
             "a reading is since the begin, without what was charged since");
    hpm_thread_read(thread, again);
    is_count(again[COUNT], used[COUNT], "of which it charges its own");
    end();
}

static void
test_work(void)
{
    begin();
    ok(!hpm_thread_add_work(thread, 1, 5, "cells"),
       "no work is done while nothing is open");
    is_count(overhead(), STEP, "that is charged all the same");
    start(1, "a");
    ok(hpm_thread_add_work(thread, 1, 5, "cells") &&
           thread->tree->nodes.first->works[0].amount == 5,
       "an open section has its work");
    end();
}

/* All until a reading is overhead, except counts that are left out. */
static void
test_settle(void)
{
    begin();
    hpm_calltree_add_slot_overhead(thread->tree, COUNT, 4);
    hpm_thread_settle(thread);
    is_count(overhead(), STEP, "what was done until now is overhead");
    now = 1000;
    hpm_thread_leave_out(thread);
    is_count(overhead(), STEP, "what is left out is not");
    now = 2000;
    hpm_thread_settle(thread);
    is_count(overhead(), 2 * STEP + 2000 - 1000 - STEP,
             "but what comes after that");
    end();
}

static void
test_own_work(void)
{
    uint64_t begin_row[N_SLOTS];

    begin();
    recorder->costs.amounts[HPM_COST_WORK][COUNT] = 5;
    hpm_thread_begin_own_work(thread, begin_row);
    now += 100;
    hpm_thread_end_own_work(thread, begin_row);
    is_count(overhead(), 100 + STEP + 5, "work of its own is all overhead");
    end();
}

static void
test_run(void)
{
    const struct hpm_node *a;

    begin();
    hpm_thread_begin_run(thread);
    is_count(overhead(), STEP, "what was done before the run is overhead");
    ok(thread->first[COUNT] == STEP && thread->tree->is_running &&
           thread->first[thread->tree->n_slots + COUNT] == STEP,
       "the run begins with that reading");
    start(1, "a");
    a = thread->tree->innermost;
    hpm_thread_end_run(thread, true);
    ok(thread->is_closed_by_other && a->is_open && a->outer == 1 &&
           !thread->tree->is_running,
       "its end closes what is open");
    is_count(a->inclusive[COUNT], STEP, "up to its reading");
    ok(thread->tree->nodes.last->is_outside &&
           thread->tree->nodes.last->inclusive[COUNT] == now - STEP,
       "what no section covers is of the whole run");
    now = 5000;
    hpm_thread_end_run(thread, false);
    ok(thread->is_closed_by_other && now == 5000,
       "a run that has ended does not end again");
    end();
}

/* ---- checkpoints ---------------------------------------------------- */

static void
note_due(struct hpm_thread *its_thread, const uint64_t *its_begin)
{
    n_due += its_thread == thread &&
             (its_begin == thread->begin || its_begin == thread->tree->now);
}

static void
note_new(struct hpm_thread *its_thread, const uint64_t *its_begin)
{
    n_new += its_thread == thread && its_begin == thread->begin &&
             thread->tree->top->start[COUNT] == its_begin[COUNT];
}

static void
test_put_aside(void)
{
    static struct hpm_checkpointer checkpointer = {.put_due = note_due,
                                                   .put_new = note_new};

    begin();
    start(1, "a");
    ok(n_due == 0 && n_new == 0, "without a journal nothing is put aside");
    thread->checkpointer = &checkpointer;
    start(2, "b");
    ok(n_due == 0 && n_new == 0, "nor where that is never due");
    hpm_calltree_set_due(thread->tree, UINT64_MAX - 1);
    start(3, "c");
    ok(n_due == 0 && n_new == 1, "where it is, a new section is put aside,");
    start(3, "c");
    ok(n_due == 0 && n_new == 1, "but not one that is open already,");
    hpm_calltree_set_due(thread->tree, HPM_CHECKPOINT_AT_ONCE);
    start(4, "d");
    ok(n_due == 1 && n_new == 1, "and all when it is due");
    hpm_thread_stop(thread, 4, "a.c", 9);
    is_count((uint64_t)n_due, 2, "also at a stop");
    hpm_thread_end(thread);
    is_count((uint64_t)n_due, 3, "and when the thread ends");
    thread->folds = true;
    hpm_thread_end(thread);
    is_count((uint64_t)n_due, 3, "unless it becomes one with others");
    end();
}

/* The overhead of a start is known when its section begins. */
static void
test_start(void)
{
    uint64_t *row;

    begin();
    recorder->costs.amounts[HPM_COST_AT_LONG_START][COUNT] = 300;
    recorder->costs.amounts[HPM_COST_AT_LONG_AGAIN][COUNT] = 7000;
    row = start(1, "a");
    is_count(row[thread->tree->n_slots + COUNT], STEP + 300,
             "a start on the long way is charged before its section");
    is_count(overhead(), STEP + 300, "once");
    ok(start(1, "a") == NULL, "one that is open is not read again");
    is_count(overhead(), 2 * STEP + 7300, "which costs something else");
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    is_count(charged(0, 800, 200), OWN + REST,
             "what is counted all the time has all of it");
    is_count(charged(ENABLED, 800, 800), OWN + REST,
             "so has a counter that had the hardware meanwhile");
    is_count(charged(ENABLED, 800, 200), OWN + REST / 4,
             "one that had it for a quarter has a quarter of the constant");
    is_count(charged(ENABLED, 800, 0), OWN,
             "one that did not have it has nothing of that");
    is_count(charged(ENABLED, UINT64_MAX - 5, 3), OWN + REST,
             "a time that cannot be is not divided by");
    test_plain_stop();
    test_start();
    test_read();
    test_work();
    test_settle();
    test_own_work();
    test_run();
    test_put_aside();
    hpm_eventset_clear(&set);
    return done();
}
