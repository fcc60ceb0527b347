/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment made from section tables, with generated samples and costs so
 * that every value is known. */
#include "record/harvest.c"

#include "host/memory.h"
#include "tap.h"

enum { SELF = 5, PAIR = 4 };

static struct hpm_eventset set;
static struct hpm_plan plan = {.set = &set, .n_thread_records = 10};
static struct hpm_recorder *recorder;
static struct hpm_thread *thread;
static struct hpm_experiment *experiment;
static struct hpm_thread *stranding; /* to be stranded while a problem is
                                      * reported */

static void
say(const char *line)
{
    printf("# %s\n", line);
    if (stranding != NULL && !hpm_recorder_strand(recorder, stranding))
        stranding = NULL;
}

/* The assumed costs: SELF for each section's own reading, PAIR for its start
 * and stop in sections around it. */
static void
begin(void)
{
    static int n_errors;
    struct hpm_calibration *calibration;

    recorder = hpm_recorder_new(&plan, say, &n_errors, NULL);
    recorder->costs.amounts[HPM_COST_SELF][1] = SELF;
    recorder->costs.amounts[HPM_COST_START][1] = PAIR / 2;
    recorder->costs.amounts[HPM_COST_STOP][1] = PAIR / 2;
    calibration = &recorder->calibrations[HPM_CALIBRATION_THREAD_INIT];
    calibration->is_done = true;
    calibration->n_overheads = 2;
    calibration->costs = recorder->costs;
    thread = hpm_recorder_enter(recorder, NULL);
    experiment = hpm_experiment_new();
}

static void
end(void)
{
    hpm_experiment_free(experiment);
    hpm_recorder_free(recorder);
}

/* A start or stop when the counter is at `count`. */
static void
start(uint64_t count, int id, const char *label)
{
    uint64_t *row = hpm_calltree_start(thread->tree, id, HPM_PARENT_AUTO, label,
                                       "a.c", id, NULL);

    row[0] = 0;
    row[1] = count;
}

static void
stop(uint64_t count)
{
    thread->tree->now[0] = 0;
    thread->tree->now[1] = count;
    hpm_calltree_close_top(thread->tree, 99, HPM_COST_STOP);
}

static void
check(const char *label, uint64_t total, uint64_t exclusive, uint64_t overhead,
      int n_clamped)
{
    const struct hpm_value *value = NULL;

    for (size_t i = 0; i < experiment->n_records; i++) {
        if (strcmp(experiment->records[i].label, label) == 0)
            value = hpm_experiment_value(experiment, i, 0);
    }
    ok(value != NULL && value->is_present && value->has_overhead, label);
    if (value == NULL)
        return;
    is_count(value->total, total, "its total");
    is_count(value->exclusive, exclusive, "its exclusive value");
    is_count(value->overhead, overhead, "its overhead");
    is_count((uint64_t)value->n_clamped, (uint64_t)n_clamped,
             "how many of both were below 0");
    is_near(value->mean, (double)total, 0.0, "one call: its mean");
}

static void
test_exact(void)
{
    begin();
    start(0, 1, "outer");
    start(100, 2, "inner");
    stop(100 + SELF + 7);
    stop(200 + SELF);
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    ok(experiment->run.ns > 0 &&
           experiment->run.ns < hpm_clock_instant().ns - recorder->start.ns,
       "the run took the time from the recorder's begin to now");
    check("outer", 200 - PAIR, 200 - PAIR - 7, SELF + PAIR, 0);
    check("inner", 7, 7, SELF, 0);
    end();
}

/* The innermost section used 2 less than the assumed cost of its reading. */
static void
test_below_zero(void)
{
    begin();
    start(0, 1, "outer");
    start(100, 2, "middle");
    start(100 + SELF, 3, "inner");
    stop(100 + SELF + 3);
    stop(100 + 2 * SELF + 13);
    stop(200);
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    check("inner", 0, 0, 3, 2);
    check("middle", 20 - PAIR, 20 - PAIR, 3 + PAIR, 0);
    check("outer", 197 - 2 * PAIR, 177 - PAIR, 3 + 2 * PAIR, 0);
    end();
}

/* Sections that are shorter than the assumed cost of measuring them. */
static void
test_nothing_but_overhead(void)
{
    begin();
    start(0, 1, "outer");
    start(2, 2, "inner");
    stop(2 + 3);
    stop(2 + 3 + 1);
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    check("outer", 0, 0, 6, 2);
    check("inner", 0, 0, 3, 2);
    end();
}

/* The assumed cost of reading ten sections is more than their starts and stops
 * took. */
static void
test_more_below_zero(void)
{
    begin();
    start(0, 1, "outer");
    for (int i = 0; i < 10; i++) {
        start(100, 2, "inner");
        stop(100);
    }
    stop(200);
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    check("inner", 0, 0, 0, 2);
    check("outer", 200, 200, 0, 0);
    end();
}

/* ---- work ------------------------------------------------------------ */

/* The work of a unit that a section has done; NULL for none. */
static const struct hpm_value *
work_of(const char *label, const char *name)
{
    size_t i = 0, j = 0;

    while (i < experiment->n_records &&
           strcmp(experiment->records[i].label, label) != 0)
        i++;
    while (j < experiment->n_counters &&
           strcmp(experiment->counters[j].name, name) != 0)
        j++;
    if (i == experiment->n_records || j == experiment->n_counters ||
        !hpm_experiment_value(experiment, i, j)->is_present)
        return NULL;
    return hpm_experiment_value(experiment, i, j);
}

static void
check_work(const char *label, const char *name, uint64_t total, double mean)
{
    const struct hpm_value *value = work_of(label, name);

    ok(value != NULL && value->total == total && value->mean == mean, label);
    if (value != NULL)
        printf("# %s %llu, %g a call\n", name, (unsigned long long)value->total,
               value->mean);
}

/* Two sections each have a unit that the other one lacks: both units belong to
 * the section around them. */
static void
test_work(void)
{
    begin();
    start(0, 1, "outer");
    for (int i = 0; i < 2; i++) {
        start(10, 2, "cells");
        hpm_calltree_add_work(thread->tree, 2, 5, "cells");
        stop(20);
    }
    start(30, 3, "bytes");
    hpm_calltree_add_work(thread->tree, 3, 3, "bytes");
    start(31, 4, "nothing");
    stop(32);
    stop(40);
    stop(50);
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    check_work("outer", "work::cells", 10, 10);
    check_work("outer", "work::bytes", 3, 3);
    check_work("cells", "work::cells", 10, 5);
    check_work("bytes", "work::bytes", 3, 3);
    ok(work_of("cells", "work::bytes") == NULL &&
           work_of("bytes", "work::cells") == NULL &&
           work_of("nothing", "work::cells") == NULL,
       "nobody has what others below or beside have done");
    end();
}

/* The process has units of its own, too. */
static void
test_work_of_process(void)
{
    begin();
    hpm_process_open(&recorder->process);
    hpm_process_start(&recorder->process, thread, 1, HPM_PARENT_AUTO, "all",
                      "a.c", 1);
    hpm_process_add_work(&recorder->process, 1, 7, "files");
    hpm_process_stop(&recorder->process, thread, 1, "a.c", 2);
    start(0, 2, "cells");
    hpm_calltree_add_work(thread->tree, 2, 5, "cells");
    stop(20);
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    ok(experiment->records[0].scope == HPM_SCOPE_PROCESS,
       "records of the process come first");
    check_work("all", "work::files", 7, 7);
    check_work("cells", "work::cells", 5, 5);
    end();
}

/* Process, folded threads and others have a unit each, and there is no memory
 * for one of them. */
static void
test_work_without_memory(void)
{
    size_t n_lacks = 0, n_false = 0;
    bool is_good = false;

    while (!is_good && n_lacks < 1000) {
        begin();
        hpm_process_open(&recorder->process);
        hpm_process_start(&recorder->process, thread, 1, HPM_PARENT_AUTO, "all",
                          "a.c", 1);
        hpm_process_add_work(&recorder->process, 1, 7, "files");
        hpm_process_stop(&recorder->process, thread, 1, "a.c", 2);
        start(0, 2, "cells");
        hpm_calltree_add_work(thread->tree, 2, 5, "cells");
        stop(20);
        recorder->threads.folded = thread;
        recorder->threads.list = NULL;
        thread = hpm_recorder_enter(recorder, NULL);
        start(0, 3, "bytes");
        hpm_calltree_add_work(thread->tree, 3, 5, "bytes");
        stop(20);
        for (size_t i = 0; i < set.n_events; i++)
            hpm_experiment_add_counter(experiment);
        hpm_memory_fail_at(n_lacks + 1, false);
        is_good = add_all_works(recorder, true, experiment);
        hpm_memory_fail_at(0, false);
        n_lacks += !is_good;
        n_false += is_good && experiment->n_counters != set.n_events + 3;
        end();
    }
    ok(is_good && n_lacks >= 6 && n_false == 0,
       "lack of memory for units of work is said, whosever they are");
}

static bool
has_record(const char *label)
{
    for (size_t i = 0; i < experiment->n_records; i++) {
        if (strcmp(experiment->records[i].label, label) == 0)
            return true;
    }
    return false;
}

/* The newest of three threads was cancelled inside a call, the next one is
 * inside a call: both are left out, and the open sections of the third are
 * closed. */
static void
test_threads_left_out(void)
{
    begin();
    start(0, 1, "open");
    thread = hpm_recorder_enter(recorder, NULL);
    start(0, 2, "inside a call");
    atomic_store(&thread->is_busy, true);
    thread = hpm_recorder_enter(recorder, NULL);
    start(0, 3, "cancelled");
    thread->is_abandoned = true;
    ok(hpm_recorder_harvest(recorder, NULL, experiment, NULL), "harvested");
    ok(has_record("open") && experiment->records[0].is_open,
       "a section of a quiet thread is closed behind those that are left out");
    ok(!has_record("inside a call") && !has_record("cancelled"),
       "a thread inside a call is left out, and one cancelled there");
    ok(!experiment->run.is_complete, "the run is not complete then");
    is_count(experiment->n_problems, 2, "two problems");
    is_count(experiment->problems[0].count, 1, "of one thread");
    end();
}

/* A thread that ends inside a call may hold the lock of the problems: the
 * harvest waits a second for the lock, and goes on without it.  Here it is held
 * while a problem is reported. */
static void
test_stranded(void)
{
    begin();
    stranding = thread;
    hpm_problems_add(recorder->problems, HPM_PROBLEM_NO_MEMORY,
                     &(struct hpm_place){.label = "x"}, 1);
    ok(stranding == NULL && !thread->is_abandoned,
       "while the problems cannot be used nothing is said of a thread");
    ok(hpm_recorder_strand(recorder, thread) && thread->is_abandoned,
       "when they can, it is abandoned");
    ok(hpm_recorder_harvest(recorder, NULL, experiment, NULL), "harvested");
    is_count(experiment->n_problems, 2, "and that is a problem");
    end();
}

/* Two threads could not count, each for its own reason. */
static void
test_reason(void)
{
    struct hpm_thread *first;

    begin();
    first = thread;
    start(0, 1, "one");
    stop(10);
    thread = hpm_recorder_enter(recorder, NULL);
    start(0, 2, "two");
    stop(10);
    hpm_meter_fail(first->meter, 0, HPM_STATE_UNSUPPORTED, "the first reason");
    hpm_meter_fail(thread->meter, 0, HPM_STATE_UNSUPPORTED, "another one");
    ok(hpm_recorder_harvest(recorder, thread, experiment, NULL), "harvested");
    is_text(experiment->counters[0].reason, "the first reason",
            "the first reason met stands for the counter");
    end();
}

/* Is all of the recording there? */
static bool
is_whole(void)
{
    bool is_good = experiment->n_records == 2 && experiment->n_problems == 1 &&
                   experiment->n_calibrations > 0 &&
                   experiment->problems[0].text != NULL &&
                   experiment->problems[0].count == 3;

    for (size_t i = 0; i < experiment->n_records && is_good; i++)
        is_good = experiment->records[i].label != NULL &&
                  hpm_experiment_value(experiment, i, 0)->is_present;
    return is_good;
}

/* Whichever allocation fails, a harvest that succeeds is complete. */
static void
test_no_memory(void)
{
    const struct hpm_place place = {.instance = 7, .label = "x", .file = "a.c"};
    size_t n_lacks = 0, n_false = 0;
    bool is_good = false;

    while (!is_good && n_lacks < 1000) {
        begin();
        start(0, 1, "outer");
        start(100, 2, "inner");
        stop(200);
        stop(300);
        hpm_problems_add(recorder->problems, HPM_PROBLEM_NEVER_STOPPED, &place,
                         3);
        hpm_memory_fail_at(n_lacks + 1, false);
        is_good = hpm_recorder_harvest(recorder, thread, experiment, NULL);
        hpm_memory_fail_at(0, false);
        n_lacks += !is_good;
        n_false += is_good && !is_whole();
        end();
    }
    ok(is_good && n_lacks > 5 && n_false == 0,
       "lack of memory is said, wherever it is");
    printf("# %zu allocations\n", n_lacks);
}

/* ---- samples ---------------------------------------------------------- */

/* Give the thread so many samples, in none of its sections. */
static void
give_samples(struct hpm_thread *of, uint64_t n)
{
    struct hpm_sample_count *counts = hpm_memory_new(2, sizeof *counts);

    of->samples = hpm_sampler_new_sum();
    of->samples->counts = counts;
    of->samples->n_slots = 2;
    of->samples->n_counts = 1;
    counts[0] = (struct hpm_sample_count){
        .address = 0x1000, .part = HPM_MODULES_NO_PART, .n = n};
}

static struct hpm_thread *
enter_with(uint64_t n_samples)
{
    thread = hpm_recorder_enter(recorder, NULL);
    hpm_calltree_begin_run(thread->tree);
    start(0, 1, "a");
    stop(10);
    give_samples(thread, n_samples);
    return thread;
}

static uint64_t
n_samples_of(int tid)
{
    const struct hpm_profile *profile = &experiment->profile;
    uint64_t n = 0;

    for (size_t i = 0; i < profile->n_hits; i++) {
        const struct hpm_record *record =
            &experiment->records[profile->hits[i].record];

        if (record->tid == tid && record->is_outside)
            n += profile->hits[i].n;
    }
    return n;
}

/* The second thread is left out, the third has the folded ones. */
static void
begin_samples(void)
{
    begin();
    recorder->threads.folded = thread;
    recorder->threads.list = NULL;
    thread->tid = HPM_TID_FOLDED;
    hpm_calltree_begin_run(thread->tree);
    start(0, 1, "a");
    stop(10);
    hpm_calltree_end_run(thread->tree);
    give_samples(thread, 5);
    enter_with(3);
    enter_with(7)->is_abandoned = true;
    plan.sampling.n_events = 1;
    plan.sampling.events[0].event = (struct hpm_event){.name = (char *)"a"};
    recorder->threads.is_sampling = true;
}

static void
end_samples(void)
{
    plan.sampling.n_events = 0;
    end();
}

static size_t n_usual_problems; /* of a thread that is left out */

static void
test_samples(void)
{
    begin_samples();
    ok(hpm_recorder_harvest(recorder, NULL, experiment, NULL) &&
           experiment->profile.n_events == 1,
       "samples are harvested");
    n_usual_problems = experiment->n_problems;
    is_count(n_samples_of(recorder->threads.list->next->tid), 3,
             "of a thread, outside of its sections");
    is_count(n_samples_of(HPM_TID_FOLDED), 5, "of those that were folded");
    is_count(n_samples_of(recorder->threads.list->tid), 0,
             "and of none that is left out");
    end_samples();
    begin_samples();
    recorder->threads.is_sampling = false;
    ok(hpm_recorder_harvest(recorder, NULL, experiment, NULL) &&
           experiment->profile.n_events == 0,
       "where nothing is sampled is no profile");
    end_samples();
}

static void
test_samples_without_memory(void)
{
    size_t n_lacks = 0, n_false = 0;
    bool is_good = false;

    for (unsigned long k = 1; k < 100; k++) {
        begin_samples();
        hpm_memory_fail_at(k, false);
        is_good = hpm_recorder_harvest(recorder, NULL, experiment, NULL);
        hpm_memory_fail_at(0, false);
        n_lacks += !is_good;
        n_false += is_good && experiment->n_problems == n_usual_problems &&
                   (n_samples_of(1) != 3 || n_samples_of(HPM_TID_FOLDED) != 5);
        end_samples();
    }
    ok(is_good && n_lacks > 10 && n_false == 0,
       "lack of memory for samples is said");
}

/* Lack of memory for single calls removes nothing else. */
static void
test_no_memory_for_calls(void)
{
    size_t n_lacks = 0, n_without = 0, n_false = 0;
    bool is_all = false;

    plan.filter.calls = "a";
    while (!is_all && n_lacks < 1000) {
        bool is_good;

        begin();
        start(0, 1, "a");
        thread->tree->now[0] = 0;
        thread->tree->now[1] = 200;
        hpm_calltree_stop(thread->tree, 1, "a.c", 99);
        hpm_memory_fail_at(++n_lacks, false);
        is_good = hpm_recorder_harvest(recorder, thread, experiment, NULL);
        hpm_memory_fail_at(0, false);
        is_all = is_good && experiment->n_calls == 1;
        if (is_good && !is_all) {
            n_without++;
            n_false += !has_record("a") || experiment->n_problems != 1;
        }
        end();
    }
    plan.filter.calls = NULL;
    ok(is_all && n_without >= 4 && n_false == 0,
       "without memory for single calls they are left out, and it is said");
    printf("# %zu of %zu allocations\n", n_without, n_lacks);
}

/* The charge of a call on the long way before its reading is not in its own
 * section: the section's row begins after it. */
static void
test_long_way(void)
{
    uint64_t *row;

    begin();
    recorder->costs.amounts[HPM_COST_WORK][0] = 1000;
    recorder->costs.amounts[HPM_COST_WORK][1] = 30;
    row = hpm_calltree_start(thread->tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1,
                             NULL);
    hpm_thread_begin_long(thread);
    hpm_thread_end_long(thread, HPM_COST_WORK, row);
    ok(hpm_calltree_overhead_of(thread->tree, 0) >= 1000,
       "a call on the long way is charged its time");
    for (size_t i = 0; i < thread->tree->n_overheads; i++)
        is_count(row[thread->tree->n_slots + i],
                 hpm_calltree_overhead_of(thread->tree, i),
                 i == 0 ? "the row has the time that was charged"
                        : "and the counts");
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel,
                                                &hpm_source_usage, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_exact();
    test_below_zero();
    test_nothing_but_overhead();
    test_more_below_zero();
    test_long_way();
    test_work();
    test_work_of_process();
    test_work_without_memory();
    test_threads_left_out();
    test_stranded();
    test_reason();
    test_no_memory();
    test_samples();
    test_samples_without_memory();
    test_no_memory_for_calls();
    hpm_eventset_clear(&set);
    return done();
}
