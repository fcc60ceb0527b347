/* SPDX-License-Identifier: BSD-3-Clause
 * Records made from a section table: a counter that took turns, with generated
 * samples. */
#include "record/records.h"

#include "host/memory.h"
#include "record/calibration.h"
#include "record/keptcalls.h"
#include "source/source.h"
#include "tap.h"

/* A row: time, count, and the times that the count was enabled and running. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };
/* The time and the count are charged. */
enum { N_CHARGED = 2 };
/* Costs; calls of varying length charge OWN, which they counted themselves. */
enum { SELF = 5, EDGE = 2, OWN = 40 };

static struct hpm_eventset set;
static struct hpm_metered metered = {.clock_slot = ENABLED,
                                     .state = HPM_STATE_COUNTED};
static struct hpm_costs costs;
static struct hpm_final final;
static struct hpm_problems *problems;
static struct hpm_calltree *tree;
static struct hpm_experiment *experiment;

static void
say(const char *line)
{
    printf("# %s\n", line);
}

static uint64_t running_ns = 250000; /* of each millisecond */

/* A start or stop at `ms` milliseconds: the counter was on for a quarter of the
 * time. */
static void
fill(uint64_t *row, uint64_t count, uint64_t ms)
{
    row[0] = ms * 1000000;
    row[COUNT] = count;
    row[ENABLED] = ms * 1000000;
    row[RUNNING] = ms * running_ns;
}

static void
start(uint64_t count, uint64_t ms, int id, const char *label)
{
    fill(hpm_calltree_start(tree, id, HPM_PARENT_AUTO, label, "a.c", id, NULL),
         count, ms);
}

static void
stop(uint64_t count, uint64_t ms)
{
    fill(tree->now, count, ms);
    hpm_calltree_close_top(tree, 99, HPM_COST_STOP);
}

/* The settings of a test that differ from the usual ones. */
static struct hpm_records usual = {.scope = HPM_SCOPE_THREAD,
                                   .has_sections = true,
                                   .first_work = 1,
                                   .ns_per_tick = 1},
                          told;

static bool
take(bool is_corrected)
{
    struct hpm_meter meter = {.set = &set,
                              .n_events = 1,
                              .n_slots = N_SLOTS,
                              .tid = -1,
                              .events = &metered};
    struct hpm_records records = told;

    records.experiment = experiment;
    records.tree = tree;
    records.meter = &meter;
    records.correction = (struct hpm_correction){&costs, &final, NULL};
    records.is_corrected = is_corrected;
    return hpm_records_add(&records);
}

/* "outer" counts 1000 in 8 ms, of which "inner" counts 200 in 4 ms. */
static void
begin(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_CHARGED, N_CHARGED};

    told = usual;
    costs.amounts[HPM_COST_SELF][COUNT] = SELF;
    costs.amounts[HPM_COST_START][COUNT] = EDGE;
    costs.amounts[HPM_COST_STOP][COUNT] = EDGE;
    final.costs = costs;
    problems = hpm_problems_new(say, NULL);
    tree = hpm_calltree_new(&shape, &costs, NULL, problems);
    experiment = hpm_experiment_new();
    hpm_experiment_add_counter(experiment);
    start(10, 1, 1, "outer");
    start(310, 3, 2, "inner");
    hpm_calltree_add_slot_overhead(tree, COUNT, OWN);
    stop(510, 7);
    stop(1010, 9);
}

static void
end(void)
{
    hpm_experiment_free(experiment);
    hpm_calltree_free(tree);
    hpm_problems_free(problems);
}

static const struct hpm_value *
value_of(const char *label)
{
    for (size_t i = 0; i < experiment->n_records; i++) {
        if (strcmp(experiment->records[i].label, label) == 0)
            return hpm_experiment_value(experiment, i, 0);
    }
    return NULL;
}

static void
check(const char *label, uint64_t total, uint64_t exclusive, uint64_t overhead)
{
    const struct hpm_value *value = value_of(label);

    ok(value != NULL && value->state == HPM_STATE_SHARED, label);
    if (value == NULL)
        return;
    is_count(value->total, total, "its total is that of the whole time");
    is_count(value->exclusive, exclusive, "and so is its exclusive value");
    is_count(value->overhead, overhead, "its overhead");
    is_near(value->share, 0.25, 1e-12, "a quarter of the time it was counted");
}

static void
test_as_read(void)
{
    begin();
    ok(take(false), "records are made where no cost is known");
    check("outer", 4000, 3200, 0);
    check("inner", 800, 800, 0);
    end();
}

/* Overhead counted while the counter was on is scaled like the count; constants
 * are known for the whole time. */
static void
test_corrected(void)
{
    begin();
    ok(take(true), "records are made where costs are known");
    check("outer", 4 * (1000 - OWN) - SELF - 2 * EDGE, 4 * 800 - 2 * EDGE,
          4 * OWN + SELF + 2 * EDGE);
    check("inner", 4 * (200 - OWN) - SELF, 4 * (200 - OWN) - SELF,
          4 * OWN + SELF);
    end();
}

/* A section that used less than the assumed cost of its reading and overlaps
 * others: the others are not raised in its place. */
static void
test_below_zero(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_CHARGED, N_CHARGED};
    const struct hpm_value *value;

    begin();
    metered.clock_slot = 0;
    hpm_calltree_free(tree);
    tree = hpm_calltree_new(&shape, &costs, NULL, problems);
    start(10, 1, 1, "outer");
    start(20, 3, 2, "inner");
    stop(20 + SELF - 2, 7);
    stop(100, 9);
    tree->nodes.last->has_overlap = true;
    ok(take(true), "records are made");
    value = value_of("inner");
    ok(value->state == HPM_STATE_COUNTED && value->total == 0 &&
           value->exclusive == 0 && value->n_clamped == 2,
       "no value is below 0");
    is_count(value->overhead, SELF - 2, "what was taken off is all there was");
    is_count(value_of("outer")->overhead, SELF + 2 * EDGE,
             "and of the section around it as much as ever");
    metered.clock_slot = ENABLED;
    end();
}

/* A counter that was on only in the section inside. */
static void
test_no_exclusive(void)
{
    static const uint64_t rows[4][N_SLOTS] = {{1, 10, 1000, 100},
                                              {3, 10, 3000, 100},
                                              {7, 510, 7000, 300},
                                              {9, 510, 9000, 300}};
    const struct hpm_shape shape = {N_SLOTS, N_CHARGED, N_CHARGED};
    const struct hpm_value *outer;

    begin();
    hpm_calltree_free(tree);
    tree = hpm_calltree_new(&shape, &costs, NULL, problems);
    for (int i = 0; i < 2; i++)
        memcpy(hpm_calltree_start(tree, i + 1, HPM_PARENT_AUTO,
                                  i == 0 ? "outer" : "inner", "a.c", 1, NULL),
               rows[i], sizeof rows[i]);
    for (int i = 2; i < 4; i++) {
        memcpy(tree->now, rows[i], sizeof rows[i]);
        hpm_calltree_close_top(tree, 9, HPM_COST_STOP);
    }
    ok(take(false), "records are made");
    outer = value_of("outer");
    ok(outer->state == HPM_STATE_SHARED && !outer->has_exclusive,
       "of what was never counted outside of it the exclusive value is "
       "unknown");
    ok(value_of("inner")->has_exclusive, "inside it is known");
    end();
}

/* ---- records --------------------------------------------------------- */

static const struct hpm_record *
record_of(const char *label)
{
    static const struct hpm_record none;

    for (size_t i = 0; i < experiment->n_records; i++) {
        if (strcmp(experiment->records[i].label, label) == 0)
            return &experiment->records[i];
    }
    return &none;
}

static void
test_fields(void)
{
    const struct hpm_record *outer, *inner;

    begin();
    told.tid = 4;
    told.omp = 2;
    told.n_threads = 5;
    told.ns_per_tick = 2;
    tree->nodes.first->n_skipped = 3;
    tree->nodes.first->has_overlap = true;
    tree->nodes.last->is_open = true;
    tree->nodes.last->again = 6;
    ok(take(false), "records are made");
    outer = record_of("outer");
    inner = record_of("inner");
    ok(outer->parent == HPM_NO_RECORD && inner->parent == 0 &&
           outer->within == HPM_NO_RECORD && outer->scope == HPM_SCOPE_THREAD,
       "each has its parent and scope,");
    ok(outer->tid == 4 && outer->omp == 2 && outer->n_threads == 5,
       "its thread,");
    ok(strcmp(outer->file, "a.c") == 0 && outer->line_start == 1 &&
           outer->line_end == 99 && outer->instance == 1 &&
           inner->instance == 2,
       "its place,");
    ok(outer->calls == 1 && outer->outer == 1 && inner->calls == 7 &&
           inner->outer == 1,
       "its calls,");
    ok(outer->n_skipped == 3 && outer->has_overlap && !outer->is_open &&
           inner->n_skipped == 0 && !inner->has_overlap && inner->is_open,
       "what is odd with it,");
    ok(outer->time.total == 16000000 && outer->time.exclusive == 8000000 &&
           inner->time.total == 8000000 && outer->time.mean == 16000000.0 &&
           !outer->is_short,
       "and its time, in nanoseconds");
    ok(!outer->time.lacks_total && !outer->time.has_overhead,
       "of which nothing was taken off");
    end();
}

/* A section with only exclusive values, and one inside a section of another
 * scope. */
static void
test_within(void)
{
    struct hpm_node process = {.index = 7};

    begin();
    tree->nodes.first->within = &process;
    tree->nodes.last->is_only_exclusive = true;
    ok(take(false), "records are made");
    is_count(record_of("outer")->within, 7,
             "a section began inside one of the process");
    ok(record_of("inner")->time.lacks_total && value_of("inner")->lacks_total &&
           !value_of("outer")->lacks_total,
       "of one that is only exclusive no total is wanted");
    end();
}

static void
test_short(void)
{
    begin();
    final.timed[HPM_TIMED_PAIR].middle = final.charged[HPM_TIMED_PAIR] = 2e6;
    ok(take(true), "records are made");
    ok(!record_of("outer")->is_short && record_of("inner")->is_short,
       "a section shorter than three pairs of calls is hardly measured");
    end();
    begin();
    final.timed[HPM_TIMED_PAIR].middle = final.charged[HPM_TIMED_PAIR] = 2e6;
    tree->nodes.last->is_open = true;
    take(true);
    ok(!record_of("inner")->is_short, "but one that is open may be longer");
    end();
    begin();
    take(false);
    ok(!record_of("inner")->is_short, "and of no cost is nothing known");
    end();
    final.timed[HPM_TIMED_PAIR].middle = final.charged[HPM_TIMED_PAIR] = 0;
}

/* ---- what no section covers ----------------------------------------- */

static void
begin_outside(void)
{
    begin();
    memset(tree->frames->inner, 0, tree->n_row * sizeof *tree->first);
    hpm_calltree_begin_run(tree);
    fill(tree->now, 2010, 13);
    hpm_calltree_end_run(tree);
}

static const struct hpm_record *
outside(void)
{
    static const struct hpm_record none = {.instance = -1};

    for (size_t i = 0; i < experiment->n_records; i++) {
        if (experiment->records[i].is_outside)
            return &experiment->records[i];
    }
    return &none;
}

static void
test_outside(void)
{
    const struct hpm_value *value;

    begin_outside();
    ok(take(false) && experiment->n_records == 3, "records are made");
    value = value_of(HPM_OUTSIDE_LABEL);
    ok(outside()->instance == 0 && outside()->parent == HPM_NO_RECORD,
       "what no section covers is a record, of no number");
    ok(outside()->time.total == 4000000 && outside()->time.exclusive == 4000000,
       "its time is its own");
    ok(value->is_present && value->total == 4000 && value->exclusive == 4000,
       "and so is its count");
    ok(isnan(outside()->time.mean) && isnan(value->mean) &&
           isnan(value->deviation),
       "which has no mean, for it is no call");
    end();
    begin_outside();
    told.has_sections = false;
    ok(take(false) && experiment->n_records == 2,
       "without sections in its scope there is none");
    end();
    begin_outside();
    told.omits_counts_outside = true;
    ok(take(false) && !value_of(HPM_OUTSIDE_LABEL)->is_present &&
           outside()->time.is_present && value_of("outer")->is_present,
       "of a run longer than its counting it has no counts");
    end();
}

/* Counters that only their own thread can read, if another thread ends its
 * run. */
static void
test_closed_by_other(void)
{
    static const struct hpm_source own = {.name = "own",
                                          .is_own_thread_only = true};
    const struct hpm_source *before = set.events[0].source;

    set.events[0].source = &own;
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        begin_outside();
        told.is_closed_by_other = is_closed;
        tree->nodes.first->next->is_open = true;
        ok(take(false), "records are made");
        ok(value_of(HPM_OUTSIDE_LABEL)->is_present == !is_closed,
           "what is outside has no such count where another thread ends it");
        ok((value_of("inner")->state == HPM_STATE_LOST) == is_closed &&
               (!value_of("inner")->has_exclusive || !is_closed),
           "nor has a section that is still open");
        ok(value_of("outer")->state == HPM_STATE_SHARED, "others have");
        ok((experiment->counters[0].reason != NULL) == is_closed,
           "and why is said");
        end();
    }
    set.events[0].source = before;
}

/* Of two events one has no count outside, and the next one has. */
static void
test_other_outside(void)
{
    static const struct hpm_source own = {.name = "own",
                                          .is_own_thread_only = true};
    struct hpm_event events[] = {
        {.name = (char *)"a", .source = &own},
        {.name = (char *)"b", .source = &hpm_source_kernel}};
    const struct hpm_eventset both = {.events = events, .n_events = 2};
    struct hpm_metered counted[] = {{.state = HPM_STATE_COUNTED},
                                    {.state = HPM_STATE_COUNTED}};
    const struct hpm_meter meter = {
        .set = &both, .n_events = 2, .n_slots = N_SLOTS, .events = counted};
    struct hpm_records records;
    size_t i = 0;

    begin_outside();
    hpm_experiment_free(experiment);
    experiment = hpm_experiment_new();
    hpm_experiment_add_counter(experiment);
    hpm_experiment_add_counter(experiment);
    records = told;
    records.experiment = experiment;
    records.tree = tree;
    records.meter = &meter;
    records.first_work = 2;
    records.correction = (struct hpm_correction){&costs, &final, NULL};
    records.is_closed_by_other = true;
    ok(hpm_records_add(&records), "records are made");
    while (i + 1 < experiment->n_records && !experiment->records[i].is_outside)
        i++;
    ok(experiment->records[i].is_outside &&
           !hpm_experiment_value(experiment, i, 0)->is_present &&
           hpm_experiment_value(experiment, i, 1)->is_present,
       "what one event lacks outside another one has");
    end();
}

/* ---- reasons --------------------------------------------------------- */

static void
check_reason(const char *begins, const char *sentence)
{
    const char *reason;

    begin();
    ok(take(false), "records are made");
    reason = experiment->counters[0].reason;
    ok(value_of("outer")->is_present && reason != NULL &&
           strncmp(reason, begins, strlen(begins)) == 0,
       sentence);
    end();
}

static void
test_reasons(void)
{
    const struct hpm_source *before = set.events[0].source;

    running_ns = 0;
    check_reason("the hardware never had", "a counter that never had a turn");
    set.events[0].source = &hpm_source_papi;
    check_reason("its turn never came", "one of PAPI");
    set.events[0].source = before;
    running_ns = 250000;
    metered.reason = (char *)"not there";
    metered.state = HPM_STATE_UNSUPPORTED;
    check_reason("not there", "one that says why itself");
    metered.reason = NULL;
    metered.state = HPM_STATE_COUNTED;
}

/* ---- work ------------------------------------------------------------ */

static void
test_much_work(void)
{
    const struct hpm_value *value;

    begin();
    hpm_node_add_work(tree->nodes.first, UINT64_MAX - 7, "cells");
    hpm_node_add_work(tree->nodes.last, 7, "cells");
    hpm_node_add_work(tree->nodes.last, 3, "bytes");
    ok(hpm_records_add_works(experiment, 1, tree) &&
           hpm_records_add_works(experiment, 1, tree) &&
           experiment->n_counters == 3,
       "each unit is a counter, once");
    ok(strcmp(experiment->counters[1].name, "work::cells") == 0 &&
           strcmp(experiment->counters[1].unit, "cells") == 0 &&
           strcmp(experiment->counters[1].source, "program") == 0 &&
           strcmp(experiment->counters[1].domain, "all") == 0,
       "with its name");
    ok(take(false), "records are made");
    value = hpm_experiment_value(experiment, 0, 1);
    ok(value->is_present && value->state == HPM_STATE_LOST &&
           !value->has_exclusive && isnan(value->mean) &&
           experiment->counters[1].reason != NULL,
       "work that is too much to be held is lost");
    value = hpm_experiment_value(experiment, 1, 1);
    ok(value->total == 7 && value->exclusive == 7 && value->mean == 7.0 &&
           isnan(value->deviation) && isnan(value->share),
       "a part of it is not");
    value = hpm_experiment_value(experiment, 0, 2);
    ok(value->total == 3 && value->exclusive == 0 && value->has_exclusive,
       "what is done inside is done by all around");
    end();
}

/* ---- calibrations ---------------------------------------------------- */

static void
test_calibration(void)
{
    struct hpm_calibration calibration = {
        .n_calls = 7,
        .n_overheads = 2,
        .self = {{1, 2, 3}, {4, 5, 6}},
        .pair = {{10, 20, 30}, {(uint64_t)-40, 50, 60}}};
    const struct hpm_calibrated *calibrated;

    calibration.costs.amounts[HPM_COST_START][0] = 100;
    calibration.costs.amounts[HPM_COST_START][1] = 200;
    experiment = hpm_experiment_new();
    ok(hpm_records_add_calibration(experiment, &set, &calibration,
                                   HPM_SCOPE_PROCESS, "init", 2) &&
           experiment->n_calibrations == 0,
       "a calibration that was not made is none");
    calibration.is_done = true;
    hpm_records_add_calibration(experiment, &set, &calibration,
                                HPM_SCOPE_PROCESS, "end", 2);
    calibration.is_unknown[1] = true;
    hpm_records_add_calibration(experiment, &set, &calibration,
                                HPM_SCOPE_THREAD, "init", 2);
    is_count(experiment->n_calibrations, 2, "others are");
    calibrated = experiment->calibrations;
    ok(calibrated->scope == HPM_SCOPE_PROCESS && calibrated->n_calls == 7 &&
           strcmp(calibrated->when, "end") == 0 && calibrated->n_costs == 2,
       "with all costs that are taken off:");
    ok(calibrated->costs[0].counter == HPM_NO_COUNTER &&
           calibrated->costs[0].self[0] == 2 &&
           calibrated->costs[0].self[2] == 6 &&
           calibrated->costs[0].pair[1] == 40 &&
           calibrated->costs[0].start == 200,
       "of time, in nanoseconds,");
    ok(calibrated->costs[1].counter == 0 && calibrated->costs[1].self[1] == 5 &&
           calibrated->costs[1].pair[0] == -40 &&
           calibrated->costs[1].pair[2] == 60 &&
           calibrated->costs[1].start == 200,
       "and of counts");
    ok(calibrated[1].n_costs == 1 && calibrated[1].scope == HPM_SCOPE_THREAD,
       "but for those that are not known");
    hpm_memory_fail_at(1, true);
    ok(!hpm_records_add_calibration(experiment, &set, &calibration,
                                    HPM_SCOPE_THREAD, "end", 2),
       "lack of memory is said");
    hpm_memory_fail_at(0, false);
    hpm_experiment_free(experiment);
}

static void
test_has_sections(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_CHARGED, N_CHARGED};

    ok(!hpm_records_has_sections(NULL), "no table has no section");
    begin_outside();
    ok(hpm_records_has_sections(tree), "a table has sections");
    hpm_calltree_free(tree);
    tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    hpm_calltree_begin_run(tree);
    hpm_calltree_end_run(tree);
    ok(!hpm_records_has_sections(tree), "but what is outside is none");
    start(1, 1, 1, "open");
    ok(!hpm_records_has_sections(tree), "nor one that has not ended a call");
    end();
}

/* ---- overhead ------------------------------------------------------- */

/* Sums of a row: time, count, two clocks, overhead of time and count, starts
 * and stops. */
static uint64_t sums[] = {100000, 5000, 0, 0, 700, 300, 2500, 1500};

static void
test_correct(void)
{
    struct hpm_final later = {.timed[HPM_TIMED_SELF].middle = 10,
                              .timed[HPM_TIMED_PAIR].middle = 20,
                              .charged[HPM_TIMED_PAIR] = 19};
    const struct hpm_correction correction = {&costs, &later, NULL};
    struct hpm_corrected corrected;
    struct hpm_overhead_parts parts;

    begin();
    corrected = hpm_correct(&correction, tree, sums, 3, 0);
    is_count(corrected.overhead, 700 + 3 * 10 + 2000,
             "of time own readings are taken off, and what a pair takes more");
    is_count((uint64_t)corrected.value, 100000 - 2730, "the rest is the value");
    later.costs.amounts[HPM_COST_SELF][COUNT] = 4;
    later.costs.amounts[HPM_COST_START][COUNT] = EDGE + 1;
    later.costs.amounts[HPM_COST_STOP][COUNT] = EDGE - 1;
    corrected = hpm_correct(&correction, tree, sums, 3, COUNT);
    is_count(corrected.overhead, 300 + 3 * 4 + 2500 - 1500,
             "of counts what starts and stops are known to be in the end");
    is_count((uint64_t)corrected.value, 5000 - 1312, "likewise");
    sums[5] += 2500 * EDGE + 1500 * EDGE;
    parts = hpm_correct_parts(&correction, tree, sums, 3, COUNT);
    is_count(parts.counted, 300, "what measured itself was counted");
    is_count(parts.whole, 3 * 4 + 2500 * (EDGE + 1) + 1500 * (EDGE - 1),
             "the constants belong to the whole time");
    sums[5] = 4000 * EDGE - 1;
    parts = hpm_correct_parts(&correction, tree, sums, 3, COUNT);
    is_count(parts.counted, 0, "it is not below 0,");
    is_count(parts.whole, 4000 * EDGE - 1 + 12 + 1000, "nor taken twice");
    sums[5] = (uint64_t)-2000;
    parts = hpm_correct_parts(&correction, tree, sums, 3, COUNT);
    corrected = hpm_correct(&correction, tree, sums, 3, COUNT);
    ok(parts.whole == 0 && corrected.overhead == 0 && corrected.value == 5000,
       "and neither is all of it");
    sums[5] = 300;
    end();
}

static void
test_uncertainty(void)
{
    const struct hpm_final later = {
        .timed[HPM_TIMED_SELF] = {.middle = 10, .low = 8, .high = 13},
        .timed[HPM_TIMED_PAIR] = {.middle = 20, .low = 15, .high = 22},
        .timed[HPM_TIMED_AGAIN] = {.middle = 30, .low = 29, .high = 40},
        .charged[HPM_TIMED_AGAIN] = 31};
    struct hpm_final threads = {
        .timed[HPM_TIMED_PAIR] = {.middle = 24, .low = 18, .high = 25},
        .charged[HPM_TIMED_PAIR] = 20};
    struct hpm_correction correction = {&costs, &later, NULL};
    const double own = 3 * 1000.0 + 5 * 2000.0 + 9 * 4000.0;

    begin();
    is_near(hpm_correct_uncertainty(&correction, tree, sums, 1000, 4000), own,
            1e-6, "own readings, pairs and starts again may be that far off");
    correction.threads = &threads;
    sums[4] = 40000;
    is_near(hpm_correct_uncertainty(&correction, tree, sums, 1000, 4000),
            own + 5 * 2000.0, 1e-6, "and pairs of threads in the process");
    threads.charged[HPM_TIMED_PAIR] = 0.5;
    is_near(hpm_correct_uncertainty(&correction, tree, sums, 1000, 4000), own,
            1e-6, "which are not known where they cost nothing");
    threads.charged[HPM_TIMED_PAIR] = 20;
    sums[4] = (uint64_t)-5;
    is_near(hpm_correct_uncertainty(&correction, tree, sums, 1000, 4000), own,
            1e-6, "or nothing was charged");
    sums[4] = 700;
    end();
}

/* The library's own use of a resource may be larger than the whole. */
static void
test_usage_below_zero(void)
{
    struct hpm_event event = {.name = (char *)"a", .source = &hpm_source_usage};
    const struct hpm_eventset usage = {.events = &event, .n_events = 1};
    struct hpm_metered counted = {.state = HPM_STATE_COUNTED};
    struct hpm_meter meter = {
        .set = &usage, .n_events = 1, .n_slots = N_SLOTS, .events = &counted};
    struct hpm_records records;
    const struct hpm_value *value;

    begin();
    event.is_coarse = true;
    tree->nodes.last->inclusive[COUNT] = (uint64_t)-3;
    records = told;
    records.experiment = experiment;
    records.tree = tree;
    records.meter = &meter;
    records.correction = (struct hpm_correction){&costs, &final, NULL};
    ok(hpm_records_add(&records), "records are made");
    value = value_of("inner");
    ok(value->total == 0 && value->exclusive == 0 && value->n_clamped == 2,
       "a resource is not below 0, which is counted");
    value = value_of("outer");
    ok(value->total == 1000 && value->n_clamped == 0, "more stays as it is");
    end();
}

/* ---- single calls ----------------------------------------------------- */

/* Keep a call of which OWN counts were for its long way, with a start and a
 * stop inside.  The counter was on for a quarter of the time. */
static void
keep(struct hpm_reservoir *kept, uint64_t number, uint64_t begin,
     uint64_t count)
{
    const uint64_t start_row[8] = {begin, 7};
    const uint64_t row[8] = {begin + 4000, 7 + count,      4000, 1000,
                             300,          OWN + 2 * EDGE, 1,    1};

    hpm_reservoir_keep(tree->reservoirs, kept, number, start_row, row);
}

/* The single calls of "inner", with this meter. */
static const struct hpm_calls *
calls_of(const struct hpm_meter *meter)
{
    struct hpm_records records = told;

    records.experiment = experiment;
    records.tree = tree;
    records.meter = meter;
    records.correction = (struct hpm_correction){&costs, &final, NULL};
    records.ns_per_tick = 2;
    records.begin = 1000;
    hpm_keptcalls_add(&records);
    return experiment->n_calls > 0 ? &experiment->calls[experiment->n_calls - 1]
                                   : NULL;
}

static struct hpm_reservoir *
begin_calls(void)
{
    struct hpm_node *inner;

    begin();
    inner = tree->nodes.last;
    inner->index = 4;
    tree->reservoirs = hpm_reservoirs_new(tree->n_row);
    hpm_reservoirs_choose(tree->reservoirs, tree->nodes.first->number, 10, 1);
    hpm_reservoirs_choose(tree->reservoirs, inner->number, 10, 1);
    return hpm_reservoirs_of(tree->reservoirs, inner->number);
}

static void
test_calls(void)
{
    struct hpm_meter meter = {
        .set = &set, .n_events = 1, .n_slots = N_SLOTS, .events = &metered};
    struct hpm_reservoir *kept = begin_calls();
    const struct hpm_calls *calls;
    bool is_sorted = true;

    keep(kept, 3, 9000, 103);
    keep(kept, 2, 6000, 101);
    keep(kept, 2, 5000, 100);
    keep(kept, 2, 6000, 102);
    keep(kept, 1, 7000, 1);
    calls = calls_of(&meter);
    ok(calls != NULL && experiment->n_calls == 1 && calls->record == 4 &&
           calls->n_made == 5 && calls->n == 5,
       "only a section that has kept any has calls");
    for (uint64_t i = 1; i < 5; i++)
        is_sorted &= calls->counts[i].value ==
                     (int64_t)(4 * (60 + i - 1) - SELF - 2 * EDGE);
    ok(is_sorted && calls->calls[0].number == 1,
       "by number, begin, and as they came; scaled, without overhead");
    ok(calls->calls[1].begin == 8000 && calls->calls[1].ns == 7400,
       "begin, since that of the run, and time are in nanoseconds");
    ok(calls->counts[1].is_there && calls->counts[1].is_estimate &&
           calls->counts[0].value == -SELF - 2 * EDGE,
       "not more is taken off a count than there is");
    end();
}

/* Counters that count all the time, are not charged, or have no value. */
static void
test_calls_of_others(void)
{
    struct hpm_metered other = {.state = HPM_STATE_COUNTED};
    struct hpm_meter meter = {
        .set = &set, .n_events = 1, .n_slots = N_SLOTS, .events = &other};
    const struct hpm_calls *calls;

    keep(begin_calls(), 1, 5000, 100);
    calls = calls_of(&meter);
    ok(calls->counts->is_there && !calls->counts->is_estimate &&
           calls->counts->value == 100 - OWN - 2 * EDGE - SELF,
       "a counter without turns is corrected as it is");
    other.state = HPM_STATE_LOST;
    ok(!calls_of(&meter)->counts->is_there, "one that was lost has no value");
    other.state = HPM_STATE_COUNTED;
    meter.time_slot = 1;
    calls = calls_of(&meter);
    ok(calls->counts->value == 100 && calls->calls->begin == 10000,
       "of a replayed one nothing is taken off, and its time begins at 0");
    other.clock_slot = ENABLED;
    is_count((uint64_t)calls_of(&meter)->counts->value, 400,
             "nor where it takes turns");
    end();
}

static void
test_calls_without_memory(void)
{
    struct hpm_meter meter = {
        .set = &set, .n_events = 1, .n_slots = N_SLOTS, .events = &metered};

    keep(begin_calls(), 1, 5000, 100);
    for (unsigned long k = 1; k < 4; k++) {
        hpm_memory_fail_at(k, true);
        ok(calls_of(&meter) == NULL, "without memory no calls are there");
        hpm_memory_fail_at(0, false);
    }
    hpm_problems_harvest(problems, experiment);
    ok(experiment->n_problems == 1, "which is said");
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_as_read();
    test_corrected();
    test_below_zero();
    test_no_exclusive();
    test_fields();
    test_within();
    test_short();
    test_outside();
    test_closed_by_other();
    test_other_outside();
    test_reasons();
    test_much_work();
    test_calibration();
    test_has_sections();
    test_correct();
    test_uncertainty();
    test_usage_below_zero();
    test_calls();
    test_calls_of_others();
    test_calls_without_memory();
    hpm_eventset_clear(&set);
    return done();
}
