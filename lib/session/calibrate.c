/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what measuring costs, in windows of patterns of calls. */
#include "session/calibrate.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "session/patterns.h"
#include "source/clock.h"

enum {
    MOST_ROUNDS = 16, /* until counters that take turns have all had one */
    MANY_CALLS = 100, /* for costs that are published with their spread */
    SOME_CALLS = 30,
    FEW_CALLS = 10, /* for calls that most programs never use */
    WARM_UP = 5,
    FIRST_NEW = 1000, /* ids of new sections count up from here */
};

/* ---- windows of a pattern -------------------------------------------- */

/* The table in which the windows are measured. */
struct bench {
    struct hpm_calltree *tree;
    const struct hpm_meter *meter;
    size_t n_overheads;
    bool is_good;
};

/* What the windows of one pattern showed.  A counter that takes turns had the
 * hardware in some patterns of a calibration and not in others: `is_known` is
 * false if it had it in no window. */
struct seen {
    struct hpm_spread spreads[HPM_MAX_CHARGED];
    bool is_known[HPM_MAX_CHARGED];
};

static void
look_at(struct hpm_probe *probe, const struct hpm_meter *meter,
        struct seen *seen)
{
    for (size_t i = 0; i < probe->n_overheads; i++) {
        bool is_unknown = false;

        if (seen->is_known[i])
            continue;
        if (hpm_meter_is_charged(meter, i))
            seen->spreads[i] = hpm_probe_spread(probe, i, &is_unknown);
        seen->is_known[i] = !is_unknown;
    }
}

static void
measure(struct bench *bench, enum hpm_pattern pattern, int n_calls,
        struct seen *seen)
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
    look_at(&probe, bench->meter, seen);
    hpm_probe_clear(&probe);
}

/* The time in each window of a section, without the window's own cost. */
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

/* One pattern gives the times of a self and of a pair; the outer section's own
 * reading is subtracted from the latter. */
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

/* The cost that is left of one pattern's window when other costs are
 * subtracted. */
struct share {
    enum hpm_cost cost;
    enum hpm_pattern pattern;
    int n_calls;
    signed char others[HPM_N_COSTS]; /* how often each cost found before is in
                                      * it */
};

static bool
is_seen(const struct seen *seen, size_t n_overheads)
{
    for (size_t i = 0; i < n_overheads; i++) {
        if (!seen->is_known[i])
            return false;
    }
    return true;
}

/* Measure what is not known yet; true if all is known then. */
static bool
see(struct bench *bench, const struct share *shares, size_t n_shares,
    struct seen *seen)
{
    bool is_complete = true;

    for (size_t i = 0; i < n_shares; i++) {
        enum hpm_sites_place place = HPM_SITES_FIRST_SLOT;

        if (is_seen(&seen[i], bench->n_overheads))
            continue;
        if (shares[i].cost == HPM_COST_SECOND_START)
            place = HPM_SITES_SECOND_SLOT;
        else if (shares[i].cost == HPM_COST_BUCKET_START)
            place = HPM_SITES_BUCKET;
        /* no section of an earlier pattern may be in the slot of one of this
         * pattern */
        hpm_sites_restart(&bench->tree->sites, place);
        measure(bench, shares[i].pattern, shares[i].n_calls, &seen[i]);
        is_complete &= is_seen(&seen[i], bench->n_overheads);
    }
    return is_complete;
}

/* A cost that could not be measured stays 0: so the costs of a pattern never
 * add up to more than was measured. */
static void
find_cost(const struct share *share, const struct seen *seen,
          size_t n_overheads, struct hpm_costs *costs)
{
    for (size_t i = 0; i < n_overheads; i++) {
        const struct hpm_spread *spread = &seen->spreads[i];
        uint64_t rest = i == 0 ? spread->median : spread->min;

        if (!seen->is_known[i])
            continue;
        for (int other = 0; other < HPM_N_COSTS; other++)
            rest -= (uint64_t)(int64_t)share->others[other] *
                    costs->amounts[other][i];
        costs->amounts[share->cost][i] = rest;
    }
}

/* The order matters: each share needs those before it. */
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

enum { N_SHARES = sizeof shares / sizeof shares[0] };

/* Not const: as a constant its 13 KB of zeros would be in the library's
 * file. */
static struct hpm_costs no_costs;
static const struct hpm_filter leaves_out = {.except = "left out"};

/* Filled in place, for the structure is too large for a small stack. */
static void
begin_calibration(struct hpm_calibration *calibration, size_t n_overheads,
                  int n_calls)
{
    memset(calibration, 0, sizeof *calibration);
    calibration->n_overheads = n_overheads;
    calibration->n_calls = n_calls;
}

/* The window around an empty section contains a reading of its own: subtract
 * it. */
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

/* Takes the times of windows of many calls, which are more exact than those of
 * single calls.  Only single calls tell how much of a pair is the start's. */
static void
settle_time(struct hpm_calibration *calibration, enum hpm_cost cost)
{
    static const struct {
        enum hpm_cost cost;
        enum hpm_timed timed;
        enum hpm_cost first; /* this cost is in the window, too */
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

/* The published spreads of time are those of the windows. */
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
keep_unknown(struct hpm_calibration *calibration, const struct seen *seen,
             size_t n_shares, size_t n_slots)
{
    for (size_t i = 0; i < n_shares; i++) {
        for (size_t slot = 0; slot < n_slots; slot++)
            calibration->is_unknown[slot] |= !seen[i].is_known[slot];
    }
}

static void
find_thread_costs(const struct seen *seen, struct hpm_calibration *calibration)
{
    size_t size = calibration->n_overheads * sizeof(struct hpm_spread);

    for (size_t i = 0; i < N_SHARES; i++) {
        find_cost(&shares[i], &seen[i], calibration->n_overheads,
                  &calibration->costs);
        settle_time(calibration, shares[i].cost);
        if (shares[i].cost == HPM_COST_SELF)
            memcpy(calibration->self, seen[i].spreads, size);
        else if (shares[i].cost == HPM_COST_STOP)
            memcpy(calibration->pair, seen[i].spreads, size);
    }
    keep_unknown(calibration, seen, N_SHARES, calibration->n_overheads);
    turn_into_pairs(calibration);
    spread_time(calibration);
}

/* If memory runs out in sections of a calibration, that is no problem of the
 * program: nothing is said, and the calibration is not done. */
static void
say_nothing(const char *line)
{
    (void)line;
}

/* No slice is due in a calibration, so that all windows take the same path. */
static void
prepare(struct hpm_calltree *tree, struct hpm_problems *problems)
{
    tree->problems = problems;
    if (tree->shares != NULL)
        hpm_shares_be_even(tree->shares);
}

/* Measure one round, with a table of its own; true if all is known then. */
static bool
see_thread(struct hpm_thread *thread, int round, struct seen *seen,
           struct hpm_calibration *calibration)
{
    struct hpm_problems *problems = hpm_problems_new(say_nothing, NULL);
    struct hpm_calltree *kept = thread->tree;
    struct hpm_calltree *tree =
        hpm_thread_new_calltree(thread, &no_costs, &leaves_out);
    struct bench bench = {tree, thread->meter, calibration->n_overheads, true};
    bool is_complete = false;

    calibration->is_done = false;
    if (tree != NULL && problems != NULL) {
        prepare(tree, problems);
        hpm_thread_use(thread, tree);
        if (round == 0) {
            time_pairs(&bench, HPM_PATTERN_MANY_PAIRS, calibration->timed);
            time_again(&bench, calibration->timed);
        }
        is_complete = see(&bench, shares, N_SHARES, seen);
        hpm_thread_use(thread, kept);
        calibration->is_done =
            bench.is_good && !hpm_problems_are_there(problems);
    }
    hpm_calltree_free(tree);
    hpm_problems_free(problems);
    return is_complete || !calibration->is_done;
}

/* Repeats rounds until each of the counters that take turns has had the
 * hardware. */
void
hpm_calibrate_thread(struct hpm_thread *thread,
                     struct hpm_calibration *ret_calibration)
{
    struct seen *seen = hpm_memory_new(N_SHARES, sizeof *seen);

    begin_calibration(ret_calibration, hpm_meter_n_charged(thread->meter),
                      MANY_CALLS);
    for (int round = 0; seen != NULL && round < MOST_ROUNDS; round++) {
        if (see_thread(thread, round, seen, ret_calibration))
            break;
    }
    if (seen != NULL)
        find_thread_costs(seen, ret_calibration);
    hpm_memory_free(seen);
}

/* ---- the process scope ------------------------------------------------ */

/* A pair of process sections is charged to the thread that makes it.  So the
 * thread's costs of such a pair are also the start and stop costs here. */
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

/* The first three are seen in the thread's table, the others in the
 * process's. */
static const struct share process_shares[] = {
    {HPM_COST_SELF, HPM_PATTERN_EMPTY, MANY_CALLS, {0}},
    {HPM_COST_PROCESS_START,
     HPM_PATTERN_PROCESS_START,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_PROCESS_STOP,
     HPM_PATTERN_PROCESS_STOP,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_SELF, HPM_PATTERN_PROCESS_EMPTY, SOME_CALLS, {0}},
    {HPM_COST_STOP, HPM_PATTERN_PROCESS_NESTED, SOME_CALLS, {0}},
};

enum {
    N_OF_THREAD = 3,
    PROCESS_SELF = N_OF_THREAD,
    PROCESS_PAIR,
    N_PROCESS_SHARES,
};

static bool
see_trial(struct hpm_process *trial, struct hpm_thread *thread, int round,
          struct seen *seen, struct hpm_calibration *calibration)
{
    struct bench of_thread = {thread->tree, thread->meter,
                              hpm_meter_n_charged(thread->meter), true};
    struct bench of_process = {trial->tree, trial->meter,
                               calibration->n_overheads, true};
    bool is_complete;

    is_complete = see(&of_thread, process_shares, N_OF_THREAD, seen);
    is_complete &= see(&of_process, process_shares + N_OF_THREAD,
                       N_PROCESS_SHARES - N_OF_THREAD, seen + N_OF_THREAD);
    if (round == 0)
        time_pairs(&of_process, HPM_PATTERN_MANY_PROCESS_PAIRS,
                   calibration->timed);
    calibration->is_done = of_thread.is_good && of_process.is_good;
    return is_complete;
}

/* Measure one round, with tables of its own; true if all is known then. */
static bool
see_process(struct hpm_process *process, struct hpm_thread *thread, int round,
            struct seen *seen, struct hpm_calibration *calibration)
{
    struct hpm_process *trial = hpm_memory_new(1, sizeof *trial);
    struct hpm_calltree *kept = thread->tree;
    struct hpm_problems *problems = hpm_problems_new(say_nothing, NULL);
    struct hpm_calltree *tree =
        hpm_process_new_calltree(process, &no_costs, NULL);
    struct hpm_calltree *of_thread =
        hpm_thread_new_calltree(thread, &no_costs, NULL);
    bool is_complete = false;

    calibration->is_done = false;
    if (tree != NULL && of_thread != NULL && problems != NULL &&
        trial != NULL) {
        prepare(tree, problems);
        prepare(of_thread, problems);
        hpm_process_init_trial(trial, process, tree, problems);
        thread->process = trial;
        hpm_thread_use(thread, of_thread);
        is_complete = see_trial(trial, thread, round, seen, calibration);
        thread->process = process;
        hpm_thread_use(thread, kept);
        calibration->is_done =
            calibration->is_done && !hpm_problems_are_there(problems);
    }
    hpm_calltree_free(tree);
    hpm_calltree_free(of_thread);
    hpm_problems_free(problems);
    hpm_memory_free(trial);
    return is_complete || !calibration->is_done;
}

static void
find_process_costs(const struct seen *seen, size_t n_of_thread,
                   struct hpm_calibration *calibration)
{
    struct hpm_costs *costs = &calibration->costs;
    size_t size = calibration->n_overheads * sizeof(struct hpm_spread);

    for (size_t i = 0; i < N_OF_THREAD; i++)
        find_cost(&process_shares[i], &seen[i], n_of_thread, costs);
    memcpy(calibration->self, seen[PROCESS_SELF].spreads, size);
    memcpy(calibration->pair, seen[PROCESS_PAIR].spreads, size);
    for (size_t i = 0; i < calibration->n_overheads; i++)
        costs->amounts[HPM_COST_SELF][i] = calibration->self[i].min;
    keep_unknown(calibration, seen, N_OF_THREAD, n_of_thread);
    keep_unknown(calibration, seen + N_OF_THREAD,
                 N_PROCESS_SHARES - N_OF_THREAD, calibration->n_overheads);
    turn_into_pairs(calibration);
    settle_process_time(calibration);
}

void
hpm_calibrate_process(struct hpm_process *process, struct hpm_thread *thread,
                      struct hpm_calibration *ret_calibration)
{
    struct seen *seen = hpm_memory_new(N_PROCESS_SHARES, sizeof *seen);

    begin_calibration(ret_calibration, hpm_meter_n_charged(process->meter),
                      SOME_CALLS);
    for (int round = 0; seen != NULL && round < MOST_ROUNDS; round++) {
        if (see_process(process, thread, round, seen, ret_calibration))
            break;
    }
    if (seen != NULL)
        find_process_costs(seen, hpm_meter_n_charged(thread->meter),
                           ret_calibration);
    hpm_memory_free(seen);
}
