/* SPDX-License-Identifier: BSD-3-Clause
 * Finding out what measuring costs: from windows of patterns of calls. */
#include "session/calibrate.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "session/patterns.h"
#include "source/clock.h"

enum {
    MOST_ROUNDS = 16, /* until counters that take turns all had one */
    MANY_CALLS = 100, /* of what is also published with its spread */
    SOME_CALLS = 30,
    FEW_CALLS = 10, /* of what most programs never use */
    WARM_UP = 5,
    FIRST_NEW = 1000, /* sections never seen before have ids from here on */
};

/* ---- windows of a pattern -------------------------------------------- */

/* Where windows are kept, and of which table they are. */
struct bench {
    struct hpm_calltree *tree;
    const struct hpm_meter *meter;
    size_t n_overheads;
    bool is_good;
    bool *is_unknown; /* of a calibration: costs of counters that were off */
};

static void
measure(struct bench *bench, enum hpm_pattern pattern, int n_calls,
        struct hpm_spread *ret_spreads)
{
    struct hpm_probe probe;

    if (!hpm_probe_init(&probe, bench->n_overheads, WARM_UP + n_calls)) {
        bench->is_good = false;
        return;
    }
    for (int round = 0; round < WARM_UP + n_calls; round++) {
        hpm_pattern_make(pattern, FIRST_NEW + round);
        hpm_probe_take(&probe, bench->tree, (int)pattern);
        if (round < WARM_UP)
            probe.n_windows = 0;
    }
    for (size_t i = 0; i < bench->n_overheads; i++) {
        bool is_unknown = false;

        ret_spreads[i] = hpm_meter_is_charged(bench->meter, i)
                             ? hpm_probe_spread(&probe, i, &is_unknown)
                             : (struct hpm_spread){0, 0, 0};
        bench->is_unknown[i] |= is_unknown;
    }
    hpm_probe_clear(&probe);
}

/* The time in each window of a section, less what measured itself. */
static bool
time_windows(struct bench *bench, enum hpm_pattern pattern, int instance,
             uint64_t *ret_windows, int n)
{
    struct hpm_probe probe;

    if (!hpm_probe_init(&probe, bench->n_overheads, WARM_UP + n)) {
        bench->is_good = false;
        return false;
    }
    for (int round = 0; round < WARM_UP + n; round++) {
        hpm_pattern_make(pattern, FIRST_NEW + round);
        hpm_probe_take(&probe, bench->tree, instance);
    }
    memcpy(ret_windows, probe.windows + WARM_UP,
           (size_t)n * sizeof *ret_windows);
    hpm_probe_clear(&probe);
    return true;
}

/* One pattern gives two of the times, but for the outer section's own
 * reading. */
static void
time_pairs(struct bench *bench, enum hpm_pattern pattern,
           struct hpm_timecost *ret_timed)
{
    uint64_t selves[HPM_TIMECOST_WINDOWS], pairs[HPM_TIMECOST_WINDOWS];
    uint64_t step = hpm_clock_step();

    if (!time_windows(bench, pattern, HPM_PATTERN_OTHER, selves,
                      HPM_TIMECOST_WINDOWS) ||
        !time_windows(bench, pattern, (int)pattern, pairs,
                      HPM_TIMECOST_WINDOWS))
        return;
    ret_timed[HPM_TIMED_SELF] =
        hpm_timecost_of_windows(selves, HPM_TIMECOST_WINDOWS, step);
    for (size_t i = 0; i < HPM_TIMECOST_WINDOWS; i++)
        pairs[i] -= (uint64_t)llrint(ret_timed[HPM_TIMED_SELF].middle);
    ret_timed[HPM_TIMED_PAIR] =
        hpm_timecost_of_windows(pairs, HPM_TIMECOST_WINDOWS, step);
}

static void
time_again(struct bench *bench, struct hpm_timecost *timed)
{
    uint64_t windows[HPM_TIMECOST_WINDOWS];

    if (!time_windows(bench, HPM_PATTERN_MANY_AGAIN, HPM_PATTERN_MANY_AGAIN,
                      windows, HPM_TIMECOST_WINDOWS))
        return;
    for (size_t i = 0; i < HPM_TIMECOST_WINDOWS; i++)
        windows[i] -= (uint64_t)llrint(timed[HPM_TIMED_SELF].middle);
    timed[HPM_TIMED_AGAIN] = hpm_timecost_of_windows(
        windows, HPM_TIMECOST_WINDOWS, hpm_clock_step());
}

/* What one pattern's window has, beyond what others explain. */
struct share {
    enum hpm_cost cost;
    enum hpm_pattern pattern;
    int n_calls;
    signed char others[HPM_N_COSTS]; /* how many of each cost found before */
};

static void
find_cost(struct bench *bench, const struct share *share,
          struct hpm_costs *costs, struct hpm_spread *spreads)
{
    enum hpm_sites_place place = HPM_SITES_FIRST_SLOT;

    if (share->cost == HPM_COST_SECOND_START)
        place = HPM_SITES_SECOND_SLOT;
    else if (share->cost == HPM_COST_BUCKET_START)
        place = HPM_SITES_BUCKET;
    /* so that none of an earlier pattern is in the place of one of this */
    hpm_sites_restart(&bench->tree->sites, place);
    measure(bench, share->pattern, share->n_calls, spreads);
    for (size_t i = 0; i < bench->n_overheads; i++) {
        uint64_t rest = i == 0 ? spreads[i].median : spreads[i].min;

        for (int other = 0; other < HPM_N_COSTS; other++)
            rest -= (uint64_t)(int64_t)share->others[other] *
                    costs->amounts[other][i];
        costs->amounts[share->cost][i] = rest;
    }
}

/* In this order: each needs those before it. */
static const struct share shares[] = {
    {HPM_COST_SELF, HPM_PATTERN_EMPTY, MANY_CALLS, {0}},
    {HPM_COST_START, HPM_PATTERN_OVERLAPPED, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_STOP,
     HPM_PATTERN_NESTED,
     MANY_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_START] = 1}},
    {HPM_COST_SECOND_START,
     HPM_PATTERN_OVERLAPPED,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_BUCKET_START,
     HPM_PATTERN_OVERLAPPED,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AT_START,
     HPM_PATTERN_OVERLAPPED_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AGAIN_START,
     HPM_PATTERN_AGAIN_INNER,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AGAIN_STOP,
     HPM_PATTERN_AGAIN,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_AGAIN_START] = 1}},
    {HPM_COST_LONG_START,
     HPM_PATTERN_LONG_START,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_START] = 1, [HPM_COST_STOP] = 1}},
    {HPM_COST_AT_AGAIN_START,
     HPM_PATTERN_AGAIN_INNER_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AT_LONG_START,
     HPM_PATTERN_LONG_START_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_START] = 1, [HPM_COST_STOP] = 1}},
    {HPM_COST_AT_LONG_AGAIN,
     HPM_PATTERN_LONG_AGAIN_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_AGAIN_START] = 1}},
    {HPM_COST_LONG_STOP,
     HPM_PATTERN_LONG_STOP,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_START] = 2,
      [HPM_COST_LONG_START] = 2,
      [HPM_COST_STOP] = 1}},
    {HPM_COST_LONG_AGAIN,
     HPM_PATTERN_LONG_AGAIN,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_AGAIN_START] = 1}},
    {HPM_COST_EXCLUDED, HPM_PATTERN_OFF, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_WORK, HPM_PATTERN_WORK, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_READING, HPM_PATTERN_READING, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_COUNTED_SELF,
     HPM_PATTERN_COUNTED,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_COUNTED_START,
     HPM_PATTERN_COUNTED_OVERLAPPED,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_COUNTED_SELF] = 1}},
    {HPM_COST_COUNTED_STOP,
     HPM_PATTERN_COUNTED_NESTED,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_COUNTED_SELF] = 2,
      [HPM_COST_COUNTED_START] = 1}},
    {HPM_COST_COUNTED_LONG_START,
     HPM_PATTERN_COUNTED_LONG_START,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_COUNTED_SELF] = 2,
      [HPM_COST_START] = 1,
      [HPM_COST_COUNTED_STOP] = 1}},
    {HPM_COST_COUNTED_LONG_STOP,
     HPM_PATTERN_COUNTED_LONG_STOP,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_COUNTED_SELF] = 3,
      [HPM_COST_START] = 2,
      [HPM_COST_COUNTED_LONG_START] = 2,
      [HPM_COST_COUNTED_STOP] = 1}},
};

static const struct share process_shares[] = {
    {HPM_COST_PROCESS_START,
     HPM_PATTERN_PROCESS_START,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_PROCESS_STOP,
     HPM_PATTERN_PROCESS_STOP,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
};

static const struct hpm_costs no_costs;
static const struct hpm_filter leaves_out = {.except = "left out"};

/* In place, for it is too large for a small stack. */
static void
begin_calibration(struct hpm_calibration *calibration, size_t n_overheads,
                  int n_calls)
{
    memset(calibration, 0, sizeof *calibration);
    calibration->n_overheads = n_overheads;
    calibration->n_calls = n_calls;
}

/* The window around an empty section has its own reading, too. */
static void
turn_into_pairs(struct hpm_calibration *calibration)
{
    for (size_t i = 0; i < calibration->n_overheads; i++) {
        uint64_t self = calibration->self[i].min;

        calibration->pair[i].min -= self;
        calibration->pair[i].median -= self;
        calibration->pair[i].max -= self;
    }
}

/* Times of windows are better than those of single calls.  How much of a pair
 * is the start's, single calls say. */
static void
settle_time(struct hpm_calibration *calibration, enum hpm_cost cost)
{
    static const struct {
        enum hpm_cost cost;
        enum hpm_timed timed;
        enum hpm_cost first; /* that is inside, too */
    } settled[] = {
        {HPM_COST_SELF, HPM_TIMED_SELF, HPM_N_COSTS},
        {HPM_COST_STOP, HPM_TIMED_PAIR, HPM_COST_START},
        {HPM_COST_AGAIN_STOP, HPM_TIMED_AGAIN, HPM_COST_AGAIN_START},
    };
    uint64_t(*amounts)[HPM_MAX_CHARGED] = calibration->costs.amounts;

    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++) {
        struct hpm_timecost *timed = &calibration->timed[settled[i].timed];
        uint64_t first =
            settled[i].first < HPM_N_COSTS ? amounts[settled[i].first][0] : 0;

        if (settled[i].cost != cost)
            continue;
        hpm_timecost_include(timed,
                             (double)(int64_t)(amounts[cost][0] + first));
        amounts[cost][0] = (uint64_t)llrint(timed->middle) - first;
    }
}

/* The spreads of time are those of the windows. */
static void
spread_time(struct hpm_calibration *calibration)
{
    struct hpm_spread *spreads[] = {&calibration->self[0],
                                    &calibration->pair[0]};

    for (int i = 0; i < 2; i++) {
        const struct hpm_timecost *cost = &calibration->timed[i];

        *spreads[i] = (struct hpm_spread){(uint64_t)llrint(cost->least),
                                          (uint64_t)llrint(cost->middle),
                                          (uint64_t)llrint(cost->most)};
    }
}

static void
calibrate_thread(struct bench *bench, struct hpm_calibration *calibration)
{
    struct hpm_spread spreads[HPM_MAX_CHARGED];

    time_pairs(bench, HPM_PATTERN_MANY_PAIRS, calibration->timed);
    time_again(bench, calibration->timed);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        struct hpm_spread *kept =
            shares[i].cost == HPM_COST_SELF   ? calibration->self
            : shares[i].cost == HPM_COST_STOP ? calibration->pair
                                              : spreads;

        find_cost(bench, &shares[i], &calibration->costs, kept);
        settle_time(calibration, shares[i].cost);
    }
    turn_into_pairs(calibration);
    spread_time(calibration);
}

/* What goes wrong in sections of a calibration, for want of memory, is no
 * problem of the program: nothing is said, and the calibration is not done. */
static void
say_nothing(const char *line)
{
    (void)line;
}

static void
calibrate_thread_once(struct hpm_thread *thread,
                      struct hpm_calibration *ret_calibration)
{
    struct hpm_problems *problems = hpm_problems_new(say_nothing, NULL);
    struct hpm_calltree *kept = thread->tree;
    struct hpm_calltree *tree =
        hpm_thread_new_calltree(thread, &no_costs, &leaves_out);
    struct bench bench = {tree, thread->meter,
                          hpm_meter_n_charged(thread->meter), true,
                          ret_calibration->is_unknown};

    begin_calibration(ret_calibration, bench.n_overheads, MANY_CALLS);
    if (tree != NULL && problems != NULL) {
        tree->problems = problems;
        hpm_thread_use(thread, tree);
        calibrate_thread(&bench, ret_calibration);
        hpm_thread_use(thread, kept);
        ret_calibration->is_done =
            bench.is_good && !hpm_problems_are_there(problems);
    }
    hpm_calltree_free(tree);
    hpm_problems_free(problems);
}

/* A pair of process sections is charged to the thread that makes it: its own
 * costs there are what this scope's are compared with. */
static void
settle_process_time(struct hpm_calibration *calibration)
{
    uint64_t(*amounts)[HPM_MAX_CHARGED] = calibration->costs.amounts;
    const struct hpm_timecost *timed = calibration->timed;

    amounts[HPM_COST_START][0] = amounts[HPM_COST_PROCESS_START][0];
    amounts[HPM_COST_STOP][0] = amounts[HPM_COST_PROCESS_STOP][0];
    hpm_timecost_include(&calibration->timed[HPM_TIMED_SELF],
                         (double)(int64_t)calibration->self[0].median);
    hpm_timecost_include(&calibration->timed[HPM_TIMED_PAIR],
                         (double)(int64_t)calibration->pair[0].median);
    amounts[HPM_COST_SELF][0] = (uint64_t)llrint(timed[HPM_TIMED_SELF].middle);
    spread_time(calibration);
}

/* Again, where counters take turns, until each was on the hardware. */
static void
complete(struct hpm_calibration *calibration, struct hpm_thread *thread,
         struct hpm_process *process,
         void (*calibrate)(struct hpm_process *, struct hpm_thread *,
                           struct hpm_calibration *))
{
    struct hpm_calibration *again;
    bool is_complete = hpm_calibration_complete(calibration, calibration);

    if (is_complete || !calibration->is_done)
        return;
    again = hpm_memory_new(1, sizeof *again);
    for (int i = 0; again != NULL && i < MOST_ROUNDS && !is_complete; i++) {
        calibrate(process, thread, again);
        is_complete =
            !again->is_done || hpm_calibration_complete(calibration, again);
    }
    hpm_memory_free(again);
}

static void
calibrate_thread_again(struct hpm_process *process, struct hpm_thread *thread,
                       struct hpm_calibration *ret_calibration)
{
    (void)process;
    calibrate_thread_once(thread, ret_calibration);
}

void
hpm_calibrate_thread(struct hpm_thread *thread,
                     struct hpm_calibration *ret_calibration)
{
    calibrate_thread_once(thread, ret_calibration);
    complete(ret_calibration, thread, NULL, calibrate_thread_again);
}

static void
calibrate_process(struct hpm_process *process, struct hpm_thread *thread,
                  struct hpm_calibration *calibration)
{
    struct bench of_thread = {thread->tree, thread->meter,
                              hpm_meter_n_charged(thread->meter), true,
                              calibration->is_unknown};
    struct bench of_process = {process->tree, process->meter,
                               hpm_meter_n_charged(process->meter), true,
                               calibration->is_unknown};
    struct hpm_spread spreads[HPM_MAX_CHARGED];
    struct hpm_costs *costs = &calibration->costs;

    find_cost(&of_thread, &shares[0], costs, spreads);
    for (size_t i = 0; i < sizeof process_shares / sizeof process_shares[0];
         i++)
        find_cost(&of_thread, &process_shares[i], costs, spreads);
    measure(&of_process, HPM_PATTERN_PROCESS_EMPTY, SOME_CALLS,
            calibration->self);
    measure(&of_process, HPM_PATTERN_PROCESS_NESTED, SOME_CALLS,
            calibration->pair);
    for (size_t i = 0; i < of_process.n_overheads; i++)
        costs->amounts[HPM_COST_SELF][i] = calibration->self[i].min;
    turn_into_pairs(calibration);
    time_pairs(&of_process, HPM_PATTERN_MANY_PROCESS_PAIRS, calibration->timed);
    settle_process_time(calibration);
    calibration->is_done = of_thread.is_good && of_process.is_good;
}

static void
calibrate_process_once(struct hpm_process *process, struct hpm_thread *thread,
                       struct hpm_calibration *ret_calibration)
{
    struct hpm_process *trial = hpm_memory_new(1, sizeof *trial);
    struct hpm_calltree *kept = thread->tree;
    struct hpm_problems *problems = hpm_problems_new(say_nothing, NULL);
    struct hpm_calltree *tree, *of_thread;

    begin_calibration(ret_calibration, hpm_meter_n_charged(process->meter),
                      SOME_CALLS);
    tree = hpm_process_new_calltree(process, &no_costs, NULL);
    of_thread = hpm_thread_new_calltree(thread, &no_costs, NULL);
    if (tree != NULL && of_thread != NULL && problems != NULL &&
        trial != NULL) {
        tree->problems = of_thread->problems = problems;
        hpm_process_init_trial(trial, process, tree, problems);
        thread->process = trial;
        hpm_thread_use(thread, of_thread);
        calibrate_process(trial, thread, ret_calibration);
        thread->process = process;
        hpm_thread_use(thread, kept);
        ret_calibration->is_done =
            ret_calibration->is_done && !hpm_problems_are_there(problems);
    }
    hpm_calltree_free(tree);
    hpm_calltree_free(of_thread);
    hpm_problems_free(problems);
    hpm_memory_free(trial);
}

void
hpm_calibrate_process(struct hpm_process *process, struct hpm_thread *thread,
                      struct hpm_calibration *ret_calibration)
{
    calibrate_process_once(process, thread, ret_calibration);
    complete(ret_calibration, thread, process, calibrate_process_once);
}
