/* SPDX-License-Identifier: BSD-3-Clause
 * Threads that come and go: their overhead, and the report about a thread that
 * ends inside a call.  Each reading of a counter counts one step. */
#include "record/recorder.h"

#include "host/memory.h"
#include "record/checkpointer.h"
#include "tap.h"

enum { COUNT = 1, STEP = 10 };

static struct hpm_eventset set;
static struct hpm_plan plan = {.set = &set, .n_thread_records = 2};
static struct hpm_recorder *recorder;
static uint64_t now;
static int n_errors, n_freed, n_due;
static char said[256];

static void
say(const char *line)
{
    snprintf(said, sizeof said, "%s", line);
}

static void
read_step(void *counting, uint64_t *slots)
{
    (void)counting;
    slots[COUNT] = now += STEP;
}

static void
begin(void)
{
    n_errors = n_due = 0;
    now = 0;
    said[0] = '\0';
    recorder = hpm_recorder_new(&plan, say, &n_errors, NULL);
    recorder->threads.is_counting = true;
}

/* A thread that has charged nothing yet. */
static struct hpm_thread *
enter(void)
{
    struct hpm_thread *thread = hpm_recorder_enter(recorder, NULL);

    atomic_store(&thread->meter->read, read_step);
    memset(thread->tree->now, 0,
           thread->tree->n_row * sizeof *thread->tree->now);
    return thread;
}

static uint64_t
overhead_of_all(void)
{
    uint64_t sums[2] = {0};

    hpm_threads_sum_overheads(&recorder->threads, NULL, sums, 2);
    return sums[COUNT];
}

/* ---- coming ----------------------------------------------------------- */

/* Of an event that no kernel knows. */
static void
test_not_sampled(void)
{
    struct hpm_thread *thread;

    begin();
    plan.sampling.n_events = 1;
    plan.sampling.events[0] = (struct hpm_sampled){.period = 100000};
    plan.sampling.events[0].event = (struct hpm_event){
        .name = (char *)"nothing", .encoding.type = 0x7fffffff};
    thread = hpm_recorder_enter(recorder, NULL);
    ok(thread != NULL && thread->samples == NULL &&
           atomic_load(&recorder->n_not_sampled) == 1,
       "a thread that cannot be sampled measures all the same");
    ok(n_errors == 1 && strstr(said, "not sampled") != NULL, "which is said");
    plan.sampling.n_events = 0;
    hpm_recorder_free(recorder);
}

static void
test_enter(void)
{
    struct hpm_thread *thread;

    begin();
    thread = enter();
    ok(recorder->threads.list == thread && thread->tid == 0 &&
           thread->process == &recorder->process &&
           thread->within == &recorder->process.innermost &&
           thread->is_closing == &recorder->is_closing &&
           thread->samples == NULL,
       "a thread is one of the recorder's");
    hpm_recorder_end_entering(recorder, thread, HPM_FIRST_PLAIN);
    is_count(hpm_calltree_overhead_of(thread->tree, COUNT), STEP,
             "all it did until now is overhead");
    ok(recorder->threads.n_entered[HPM_FIRST_PLAIN] == 1 &&
           recorder->threads.n_entered[HPM_FIRST_BY_SITE] == 0,
       "and it is counted by its first call");
    hpm_recorder_free(recorder);
}

static void
free_it(struct hpm_checkpointer *checkpointer)
{
    n_freed += checkpointer == recorder->checkpointer;
}

static void
put_due(struct hpm_thread *thread, const uint64_t *its_begin)
{
    n_due += its_begin == thread->begin;
}

static void
put_folded(struct hpm_threads *threads)
{
    (void)threads;
}

/* Folded threads are written to the journal together. */
static void
test_checkpointer(void)
{
    struct hpm_checkpointer checkpointer = {
        .put_due = put_due, .put_folded = put_folded, .free = free_it};
    struct hpm_thread *first, *second, *third;

    begin();
    first = enter();
    ok(first->checkpointer == NULL && first->tree->put_due == UINT64_MAX,
       "without a journal a thread is never put aside");
    recorder->checkpointer = &checkpointer;
    second = enter();
    ok(second->checkpointer == &checkpointer &&
           second->tree->put_due == HPM_CHECKPOINT_AT_ONCE,
       "with one it is due at once");
    third = enter();
    ok(third->folds && third->checkpointer == &checkpointer &&
           third->tree->put_due == UINT64_MAX,
       "but not one that folds");
    n_freed = 0;
    hpm_recorder_free(recorder);
    is_count((uint64_t)n_freed, 1, "the journal ends with the recorder");
}

static void
test_no_memory(void)
{
    unsigned long k = 0;
    struct hpm_thread *thread = NULL;
    bool are_right = true;

    for (k = 1; k <= 2; k++) {
        struct hpm_error err;

        hpm_memory_fail_at(k, false);
        ok(hpm_recorder_new(&plan, say, &n_errors, &err) == NULL &&
               strstr(err.text, "memory") != NULL,
           "without memory there is no recorder");
        hpm_memory_fail_at(0, false);
    }
    for (k = 1; k < 100 && thread == NULL; k++) {
        begin();
        hpm_memory_fail_at(k, true);
        thread = hpm_recorder_enter(recorder, NULL);
        hpm_memory_fail_at(0, false);
        are_right = are_right && (thread != NULL || n_errors == 1);
        hpm_recorder_free(recorder);
    }
    ok(are_right && k > 5, "a thread there is no memory for is a problem");
}

static void
test_costs(void)
{
    struct hpm_recorder *parent;

    begin();
    parent = recorder;
    begin();
    parent->costs.amounts[HPM_COST_SELF][1] = 5;
    hpm_recorder_inherit_costs(recorder, parent);
    is_count(recorder->costs.amounts[HPM_COST_SELF][1], 0,
             "of a parent that knows no costs none are known");
    parent->calibrations[HPM_CALIBRATION_THREAD_INIT].is_done = true;
    parent->calibrations[HPM_CALIBRATION_THREAD_INIT].n_calls = 7;
    hpm_recorder_inherit_costs(recorder, parent);
    ok(recorder->costs.amounts[HPM_COST_SELF][1] == 5 &&
           recorder->calibrations[HPM_CALIBRATION_THREAD_INIT].n_calls == 7,
       "else a child has the same");
    hpm_recorder_free(recorder);
    hpm_recorder_free(parent);
    hpm_recorder_free(NULL);
}

/* ---- going ------------------------------------------------------------ */

/* From the first reading of a thread's end to the last one all is overhead,
 * once. */
static void
test_leave(void)
{
    struct hpm_thread *thread;

    begin();
    thread = enter();
    hpm_calltree_add_slot_overhead(thread->tree, COUNT, 1000);
    hpm_recorder_leave(recorder, thread);
    is_count(now, 2 * STEP, "a thread that leaves reads twice");
    is_count(overhead_of_all(), 1000 + STEP,
             "what it did meanwhile is charged");
    ok(thread->has_ended && !thread->is_abandoned && n_errors == 0 &&
           !thread->is_busy,
       "it has ended");
    is_count(recorder->threads.n_left, 1, "and is counted");
    hpm_recorder_free(recorder);
}

/* Writing to the journal charges itself. */
static void
test_leave_putting(void)
{
    struct hpm_checkpointer checkpointer = {.put_due = put_due};
    struct hpm_thread *thread;

    begin();
    thread = enter();
    thread->checkpointer = &checkpointer;
    recorder->costs.amounts[HPM_COST_WORK][COUNT] = 3;
    hpm_recorder_leave(recorder, thread);
    is_count((uint64_t)n_due, 1, "a thread that leaves is put aside");
    is_count(overhead_of_all(), now - STEP,
             "which is not charged a second time");
    thread->checkpointer = NULL;
    hpm_recorder_free(recorder);
}

static void
test_folds(void)
{
    struct hpm_thread *threads[4];

    begin();
    for (int i = 0; i < 4; i++)
        threads[i] = enter();
    for (int i = 3; i >= 0; i--)
        hpm_recorder_leave(recorder, threads[i]);
    is_count(recorder->threads.n_folded, 2, "threads beyond the records fold");
    is_count(recorder->threads.n_left, 4, "all are counted");
    is_count(overhead_of_all(), 4 * STEP, "and charged");
    hpm_recorder_free(recorder);
}

static void
test_inside(void)
{
    struct hpm_thread *thread;

    begin();
    thread = enter();
    atomic_store(&thread->is_busy, true);
    hpm_recorder_leave(recorder, thread);
    ok(thread->is_abandoned && n_errors == 1 &&
           strstr(said, "cancelled inside a call") != NULL,
       "a thread that ends inside a call is left out, and it is said");
    hpm_recorder_free(recorder);
}

static void
test_closing(void)
{
    struct hpm_thread *thread;

    begin();
    thread = enter();
    atomic_store(&recorder->is_closing, true);
    hpm_recorder_leave(recorder, thread);
    ok(!thread->has_ended && now == 0 && !thread->is_busy,
       "while the recorder closes a thread leaves all to it");
    hpm_recorder_free(recorder);
}

/* ---- calls ------------------------------------------------------------ */

static void
test_calls(void)
{
    struct hpm_thread *thread;

    begin();
    thread = enter();
    ok(hpm_recorder_begin_call(thread) && thread->is_busy, "a call begins");
    ok(!hpm_recorder_begin_call(thread) && thread->n_calls_in_calls == 1,
       "one inside it is dropped and counted");
    hpm_recorder_end_call(thread);
    ok(!thread->is_busy, "it ends");
    atomic_store(&recorder->is_closing, true);
    ok(!hpm_recorder_begin_call(thread) && !thread->is_busy,
       "none begins while the recorder closes");
    ok(hpm_recorder_strand(recorder, thread) && thread->is_abandoned &&
           n_errors == 1,
       "a thread that ends the program inside a call is left out");
    hpm_recorder_free(recorder);
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_not_sampled();
    test_enter();
    test_checkpointer();
    test_no_memory();
    test_costs();
    test_leave();
    test_leave_putting();
    test_folds();
    test_inside();
    test_closing();
    test_calls();
    hpm_eventset_clear(&set);
    return done();
}
