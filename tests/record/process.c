/* SPDX-License-Identifier: BSD-3-Clause
 * Process scope: which thread sections belong to, their overhead, and how much
 * of the run was before the counters were opened.  Each reading of a counter
 * counts one step.  And how much of its children the counters have seen, with
 * simulated clocks. */
#include "record/process.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "host/memory.h"
#include "record/checkpointer.h"
#include "record/recorder.h"
#include "source/usage.h"
#include "tap.h"

/* The kernel's answers to the tested file: for the process, for children it has
 * waited for, and for both. */
static struct {
    struct timespec own;
    struct rusage waited, all;
} play;

static int
play_clock(clockid_t clock, struct timespec *ret_time)
{
    (void)clock;
    *ret_time = play.own;
    return 0;
}

static int
play_rusage(int whose, struct rusage *ret_usage)
{
    (void)whose;
    *ret_usage = play.waited;
    return 0;
}

static void
play_usage(struct rusage *ret_usage)
{
    *ret_usage = play.all;
}

#define clock_gettime play_clock
#define getrusage play_rusage
#define hpm_usage_of_process play_usage
#include "record/children.c"

enum { TIME, COUNT, N_SLOTS, STEP = 10 };

static const struct hpm_costs no_costs;
static struct hpm_eventset set;
static struct hpm_plan plan = {.set = &set, .n_thread_records = 10};
static struct hpm_recorder *recorder;
static struct hpm_process *process;
static struct hpm_thread *first, *second;
static uint64_t now;
static int n_put, n_put_due, n_problems;

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

static struct hpm_thread *
enter(void)
{
    struct hpm_thread *thread = hpm_recorder_enter(recorder, NULL);

    atomic_store(&thread->meter->read, read_step);
    return thread;
}

static void
begin(void)
{
    n_put = n_put_due = n_problems = 0;
    recorder = hpm_recorder_new(&plan, say, &n_problems, NULL);
    process = &recorder->process;
    first = enter();
    second = enter();
    hpm_process_open(process);
    atomic_store(&process->meter->read, read_step);
}

static void
end(void)
{
    hpm_recorder_free(recorder);
}

static void
start(struct hpm_thread *thread, int id, const char *label)
{
    hpm_process_start(process, thread, id, HPM_PARENT_AUTO, label, "a.c", id);
}

static void
stop(struct hpm_thread *thread, int id)
{
    hpm_process_stop(process, thread, id, "a.c", 9);
}

static uint64_t
overhead_of(const struct hpm_thread *thread)
{
    return hpm_calltree_overhead_of(thread->tree, COUNT);
}

/* ---- starts and stops ----------------------------------------------- */

static void
test_edges(void)
{
    struct hpm_calltree *tree;
    const struct hpm_node *node;
    const uint64_t *row;

    begin();
    tree = process->tree;
    hpm_calltree_add_slot_overhead(second->tree, COUNT, 1000);
    start(first, 1, "a");
    node = hpm_calltree_innermost(tree);
    row = tree->top->start;
    ok(node != NULL && atomic_load(&process->innermost) == node,
       "samples of threads see which section is open");
    is_count((uint64_t)tree->top->opener, (uint64_t)first->tid,
             "it is that thread's");
    is_count(row[COUNT], now, "its reading is the last of all");
    is_count(row[tree->n_slots + COUNT],
             overhead_of(first) + overhead_of(second),
             "what all threads were charged until then is not in it");
    is_count(row[tree->n_slots], hpm_calltree_overhead_of(first->tree, 0),
             "nor the time that this one was");
    stop(first, 1);
    ok(atomic_load(&process->innermost) == NULL, "after that none is open");
    is_count(node->inclusive[COUNT], 3 * STEP, "its count is between readings");
    is_count(node->inclusive[tree->n_slots + COUNT], STEP,
             "of which one is the stop's own, before its reading");
    ok(node->inclusive[0] > 0 && node->line_end == 9, "it took time");
    end();
}

/* A thread for which only time is charged. */
static void
test_fewer_charged(void)
{
    const struct hpm_calltree *tree;

    begin();
    tree = process->tree;
    first->tree->n_overheads = 1;
    start(first, 1, "a");
    stop(first, 1);
    is_count(tree->nodes.first->inclusive[tree->n_slots + COUNT], 0,
             "what is not charged in a thread is not in the process");
    first->tree->n_overheads = N_SLOTS;
    end();
}

/* ---- two threads ------------------------------------------------------ */

static void
test_open_elsewhere(void)
{
    struct hpm_calltree *tree;
    const struct hpm_frame *top;

    begin();
    tree = process->tree;
    start(first, 1, "a");
    top = tree->top;
    start(second, 1, "a");
    ok(tree->top == top && top->opener == first->tid && n_problems == 1,
       "what a thread has open another one does not start");
    start(first, 1, "a");
    ok(tree->top == top && n_problems == 1, "but the thread itself, once more");
    start(second, 2, "b");
    ok(tree->top == top + 1 && tree->top->opener == second->tid,
       "another section is the other one's");
    stop(first, 1);
    ok(tree->top == top + 1, "it stays open for as many stops as starts,");
    stop(first, 1);
    ok(tree->top == top && hpm_calltree_innermost(tree)->instance == 2,
       "and others stay open when it ends");
    stop(first, 2);
    is_count(tree->nodes.last->inclusive[tree->n_slots], 0,
             "of a section that another thread stops no time is taken off");
    stop(first, 7);
    is_count((uint64_t)n_problems, 2, "a stop of none is a problem");
    end();
}

static void
test_work(void)
{
    begin();
    ok(!hpm_process_add_work(process, 1, 5, "cells"),
       "no work is done while nothing is open");
    start(first, 1, "a");
    ok(hpm_process_add_work(process, 1, 5, "cells") &&
           process->tree->nodes.first->works[0].amount == 5,
       "an open section has its work");
    stop(first, 1);
    end();
}

static void
test_left_out(void)
{
    begin();
    plan.filter.except = "off";
    start(first, 1, "off");
    start(first, 2, "a");
    stop(first, 2);
    stop(first, 1);
    plan.filter.except = NULL;
    ok(process->tree->top == process->tree->frames &&
           process->tree->nodes.first->outer +
                   process->tree->nodes.last->outer ==
               1,
       "a section that is left out opens and closes, but measures nothing");
    end();
}

/* ---- checkpoints ---------------------------------------------------- */

static void
note_put(struct hpm_process *its_process, const struct hpm_thread *thread)
{
    n_put += its_process == process && thread == first;
}

static void
note_due(struct hpm_thread *thread, const uint64_t *its_begin)
{
    n_put_due += thread == first && its_begin == thread->begin;
}

static void
test_put_aside(void)
{
    static struct hpm_checkpointer checkpointer = {.put_process = note_put,
                                                   .put_due = note_due};
    struct hpm_calltree *tree;

    begin();
    tree = process->tree;
    start(first, 1, "a");
    stop(first, 1);
    ok(n_put == 0, "without a journal nothing is put aside");
    first->checkpointer = &checkpointer;
    start(first, 1, "a");
    stop(first, 1);
    ok(n_put == 0, "nor before that is due");
    hpm_calltree_set_due(tree, HPM_CHECKPOINT_AT_ONCE);
    start(first, 1, "a");
    ok(n_put == 1 && n_put_due == 0, "then a start puts it aside");
    ok(tree->top->start[COUNT] == now, "before it reads");
    stop(first, 1);
    ok(n_put == 2 && n_put_due == 1, "and a stop, with the thread's");
    hpm_calltree_set_due(tree, UINT64_MAX - 1);
    tree->n_put = tree->nodes.n;
    start(first, 1, "a");
    stop(first, 1);
    ok(n_put == 2 && n_put_due == 1, "until that is due again");
    start(first, 2, "b");
    ok(n_put == 3, "or a section is new");
    start(first, 2, "b");
    ok(n_put == 3, "but not because of one that is not opened");
    first->checkpointer = NULL;
    end();
}

/* ---- the run ---------------------------------------------------------- */

static const struct hpm_node *
outside(void)
{
    const struct hpm_node *node = process->tree->nodes.first;

    while (node != NULL && !node->is_outside)
        node = node->next;
    return node;
}

static void
test_run(void)
{
    struct hpm_calltree *tree;

    begin();
    tree = process->tree;
    hpm_process_begin_run(process, first);
    ok(process->opener == first->tid && tree->is_running, "the run begins");
    start(first, 1, "a");
    start(second, 2, "b");
    ok(hpm_process_end_run(process, first, 0) && !tree->is_running &&
           tree->top == tree->frames,
       "at its end all sections are closed");
    ok(tree->nodes.first->is_open && tree->nodes.first->inclusive[COUNT] > 0,
       "marked as left open");
    ok(outside() != NULL &&
           outside()->inclusive[COUNT] == now - tree->first[COUNT],
       "what no section covers is of the whole run");
    is_count(outside()->inclusive[tree->n_slots],
             hpm_calltree_overhead_of(first->tree, 0) -
                 tree->first[tree->n_slots],
             "without what its opener was charged of time");
    is_count(outside()->inclusive[tree->n_slots + COUNT],
             overhead_of(first) + overhead_of(second) -
                 tree->first[tree->n_slots + COUNT],
             "and all threads of counts");
    ok(atomic_load(&process->innermost) == NULL && !process->is_late,
       "no section is open then");
    ok(hpm_process_end_run(process, first, 0) && outside()->next == NULL,
       "it ends once");
    end();
}

/* The times of threads do not add up. */
static void
test_run_of_others(void)
{
    begin();
    hpm_process_begin_run(process, first);
    hpm_process_end_run(process, second, 0);
    is_count(outside()->inclusive[process->tree->n_slots], 0,
             "of a run that another thread ends no time is taken off");
    end();
    begin();
    hpm_process_begin_run(process, first);
    hpm_process_end_run(process, NULL, 0);
    is_count(outside()->inclusive[process->tree->n_slots], 0,
             "nor where nobody's thread does");
    end();
}

static void
test_late(void)
{
    uint64_t opened;

    begin();
    hpm_process_begin_run(process, first);
    opened = process->tree->first[TIME];
    hpm_process_end_run(process, first, 1);
    ok(process->is_late && process->tree->first[TIME] == 1,
       "a run begins with init, though its counting begins later");
    ok(outside()->inclusive[TIME] > opened - 1, "and takes all that time");
    end();
}

static void
test_lock(void)
{
    begin();
    ok(hpm_process_is_usable(process), "an open process can be used");
    hpm_lock_take(process->lock);
    ok(!hpm_process_is_usable(process), "not while another one has its lock");
    ok(!hpm_process_end_run(process, first, 0), "nor does its run end then");
    hpm_lock_give(process->lock);
    ok(hpm_process_end_run(process, first, 0), "but afterwards");
    end();
    recorder = hpm_recorder_new(&plan, say, &n_problems, NULL);
    process = &recorder->process;
    ok(!hpm_process_is_usable(process), "one that is not open cannot");
    ok(hpm_process_end_run(process, NULL, 0), "and ends all the same");
    first = enter();
    start(first, 1, "a");
    stop(first, 1);
    ok(!hpm_process_add_work(process, 1, 1, "cells") && process->tree == NULL,
       "nothing is measured there");
    end();
}

static void
test_trial(void)
{
    struct hpm_process trial;

    begin();
    hpm_process_init_trial(&trial, process, second->tree, recorder->problems);
    ok(trial.lock == process->lock && trial.meter == process->meter &&
           trial.tree == second->tree && trial.set == &set &&
           trial.threads == &recorder->threads && trial.is_opened &&
           trial.filter == NULL && trial.problems == recorder->problems,
       "a trial has the process's counters and lock, and a table of its own");
    end();
}

/* ---- time that was not counted -------------------------------------- */

/* Counting began at 5000, and goes on until `until`. */
static uint64_t
uncounted(uint64_t init, uint64_t until, bool is_running)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
    struct hpm_meter meter = {.n_slots = N_SLOTS, .time_slot = TIME};
    struct hpm_process of_it = {.meter = &meter};
    struct hpm_calltree *tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    uint64_t ticks;

    if (tree == NULL)
        return 1;
    of_it.tree = tree;
    tree->now[TIME] = 5000;
    if (is_running)
        hpm_calltree_begin_run(tree);
    tree->now[TIME] = until;
    ticks = hpm_process_uncounted(&of_it, init);
    hpm_calltree_free(tree);
    return ticks;
}

static void
test_uncounted(void)
{
    is_count(uncounted(4000, 6000, true), 1000,
             "what passed between init and the opening was not counted");
    is_count(uncounted(4000, 6000, false), 0,
             "but after the run there is none");
    is_count(uncounted(0, 6000, true), 0, "nor where init is not known");
    is_count(uncounted(5500, 6000, true), 0, "nor where init came after it");
    is_count(uncounted(4990, 5000 + 10001, true), 0,
             "less than a thousandth of the run does not matter");
    is_count(uncounted(4990, 5000 + 9999, true), 10, "more does");
}

/* ---- children --------------------------------------------------------- */

static const struct hpm_event
    faults = {.source = &hpm_source_kernel,
              .encoding = {.type = PERF_TYPE_SOFTWARE,
                           .config = PERF_COUNT_SW_PAGE_FAULTS}},
    task_clock = {.source = &hpm_source_kernel,
                  .encoding = {.type = PERF_TYPE_SOFTWARE,
                               .config = PERF_COUNT_SW_TASK_CLOCK}};

/* The counts of the second and third event, both clocks. */
static uint64_t first_ns, second_ns;

static void
read_clocks(void *counting, uint64_t *slots)
{
    (void)counting;
    slots[1] = 7;
    slots[2] = first_ns;
    slots[3] = second_ns;
}

static const struct hpm_meter *
meter_of_clocks(enum hpm_state first_state, enum hpm_state second_state)
{
    static struct hpm_event events[3];
    static const struct hpm_eventset clocks = {.events = events, .n_events = 3};
    static struct hpm_metered three[3];
    static struct hpm_meter meter;

    events[0] = faults;
    events[1] = events[2] = task_clock;
    three[1].state = first_state;
    three[2].state = second_state;
    meter = (struct hpm_meter){.set = &clocks, .n_events = 3, .events = three};
    atomic_store(&meter.read, read_clocks);
    return &meter;
}

static void
use(uint64_t own_ms, uint64_t waited_ms)
{
    play.own = (struct timespec){(time_t)(own_ms / 1000),
                                 (long)(own_ms % 1000 * 1000000)};
    play.waited.ru_utime.tv_sec = (time_t)(waited_ms / 1000);
    play.waited.ru_stime.tv_usec = (suseconds_t)(waited_ms % 1000 * 1000);
}

enum { MS = 1000000 };

static void
test_children_missing(void)
{
    struct hpm_children children;
    const struct hpm_meter *meter =
        meter_of_clocks(HPM_STATE_COUNTED, HPM_STATE_COUNTED);

    use(1100, 40);
    hpm_children_begin(&children);
    use(3200, 1340);
    first_ns = 2500 * (uint64_t)MS;
    second_ns = 0;
    is_count(hpm_children_missing(&children, meter), 900 * (uint64_t)MS,
             "what the first clock has not seen of process and children");
    second_ns = 3000 * (uint64_t)MS;
    meter = meter_of_clocks(HPM_STATE_LOST, HPM_STATE_COUNTED);
    is_count(hpm_children_missing(&children, meter), 400 * (uint64_t)MS,
             "or the next one, where that did not count");
    second_ns = 3401 * (uint64_t)MS;
    is_count(hpm_children_missing(&children, meter), 0,
             "nothing is missing where it has seen more");
    meter = meter_of_clocks(HPM_STATE_LOST, HPM_STATE_LOST);
    is_count(hpm_children_missing(&children, meter), 0,
             "nor is it known without a clock");
    is_count(hpm_children_missing(&children, NULL), 0, "or any counter");
}

/* The problem reported if children used waited_ms, the process itself own_ms,
 * and the clock missed missing_ns; `since` has the other resources used. */
static const char *
problem_of(uint64_t waited_ms, uint64_t own_ms, uint64_t missing_ns,
           struct rusage since)
{
    static char text[400];
    const struct rusage before = {.ru_minflt = 1000000,
                                  .ru_majflt = 1000000,
                                  .ru_nvcsw = 1000000,
                                  .ru_nivcsw = 1000000};
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_children children;

    memset(&play, 0, sizeof play);
    play.waited = before;
    hpm_children_begin(&children);
    use(own_ms, waited_ms);
    play.all = before;
    play.all.ru_minflt += since.ru_minflt;
    play.all.ru_majflt += since.ru_majflt;
    play.all.ru_nvcsw += since.ru_nvcsw;
    play.all.ru_nivcsw += since.ru_nivcsw;
    first_ns = (waited_ms + own_ms) * MS - missing_ns;
    text[0] = '\0';
    if (hpm_children_judge(
            &children, meter_of_clocks(HPM_STATE_COUNTED, HPM_STATE_COUNTED),
            experiment) &&
        experiment->n_problems == 1)
        snprintf(text, sizeof text, "%s", experiment->problems[0].text);
    hpm_experiment_free(experiment);
    return text;
}

static void
test_children_judge(void)
{
    const struct rusage none = {.ru_minflt = 0};

    ok(strstr(problem_of(1000, 0, 100 * MS, none),
              "of 1.000000 s of processor time they used the counters saw "
              "0.900000 s") != NULL,
       "a tenth of the children's time that is missed is said");
    is_text(problem_of(1000, 0, 100 * MS - 1, none), "", "less is not");
    ok(*problem_of(4, 0, MS, none) != '\0', "a millisecond is said");
    is_text(problem_of(4, 0, MS - 1, none), "", "less is not");
    ok(strstr(problem_of(1000, 700, 1500 * (uint64_t)MS, none),
              "saw 0.000000 s") != NULL,
       "of children no more is missed than they used");
    ok(*problem_of(1000, 0, 200 * MS,
                   (struct rusage){.ru_minflt = 30000,
                                   .ru_majflt = 30000,
                                   .ru_nvcsw = 2000,
                                   .ru_nivcsw = 20000}) != '\0',
       "what faults and switches do not explain is said");
    is_text(problem_of(1000, 0, 200 * MS, (struct rusage){.ru_minflt = 140000}),
            "", "what faults explain is not");
    is_text(problem_of(1000, 0, 200 * MS, (struct rusage){.ru_majflt = 140000}),
            "", "of whatever kind");
    is_text(problem_of(1000, 0, 200 * MS, (struct rusage){.ru_nvcsw = 11000}),
            "", "nor what waiting explains");
    is_text(problem_of(1000, 0, 200 * MS, (struct rusage){.ru_nivcsw = 110000}),
            "", "or being sent off the processor");
}

static void
test_children_without_memory(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_children children;

    memset(&play, 0, sizeof play);
    hpm_children_begin(&children);
    use(0, 1000);
    first_ns = 0;
    hpm_memory_fail_at(1, true);
    ok(!hpm_children_judge(
           &children, meter_of_clocks(HPM_STATE_COUNTED, HPM_STATE_COUNTED),
           experiment),
       "lack of memory for the sentence is said");
    hpm_memory_fail_at(0, false);
    hpm_experiment_free(experiment);
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_edges();
    test_fewer_charged();
    test_open_elsewhere();
    test_work();
    test_left_out();
    test_put_aside();
    test_run();
    test_run_of_others();
    test_late();
    test_lock();
    test_trial();
    test_uncounted();
    test_children_missing();
    test_children_judge();
    test_children_without_memory();
    hpm_eventset_clear(&set);
    return done();
}
