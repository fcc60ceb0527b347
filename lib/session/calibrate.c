/* SPDX-License-Identifier: BSD-3-Clause
 * Finding out what measuring costs.
 *
 * The calls here are made as a program makes them: by the public names, so
 * through the dynamic linker's table, with the header's macros, their arguments
 * set right before the call, and none in tail position, where the rest of the
 * caller would run inside the section.  What holds for these calls then holds
 * for the program's. */
#include "session/calibrate.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "libhpm.h"
#include "source/clock.h"

enum {
    MOST_ROUNDS = 16, /* until counters that take turns all had one */
    MANY_CALLS = 100, /* of what is also published with its spread */
    SOME_CALLS = 30,
    FEW_CALLS = 10, /* of what most programs never use */
    WARM_UP = 5,
    FIRST_NEW = 1000, /* sections never seen before have ids from here on */
};

/* Ids of the sections that are measured, one per pattern, and of others. */
enum {
    EMPTY = 1,
    OVERLAPPED,
    OVERLAPPED_AT,
    AGAIN_INNER_AT,
    LONG_START_AT,
    LONG_AGAIN_AT,
    NESTED,
    AGAIN_INNER,
    AGAIN,
    LONG_START,
    LONG_STOP,
    LONG_AGAIN,
    OFF,
    WORK,
    READING,
    PROCESS_START,
    PROCESS_STOP,
    PROCESS_EMPTY,
    PROCESS_NESTED,
    COUNTED,
    COUNTED_OVERLAPPED,
    COUNTED_NESTED,
    COUNTED_LONG_START,
    COUNTED_LONG_STOP,
    MANY_PAIRS,
    MANY_AGAIN,
    MANY_PROCESS_PAIRS,
    OTHER,
    ANOTHER,
    N_PATTERN_IDS,
};

/* The call before it is not in tail position. */
#define END_OF_PATTERN() __asm__ volatile("" ::: "memory")

/* `id` is another one each time; computing it is not to be in a window.  Starts
 * of one function have labels of their own, as in programs: the address
 * of one that is used twice would be kept in a register. */
#define PATTERN(name)                                                          \
    static __attribute__((noinline)) void name(int id, const char *file)

/* The file is in a register, as where a function or loop has many calls: on some
 * processors that is an instruction less, and no section is to have less than
 * nothing. */
#undef hpmTstop
#undef hpmStart
#undef hpmStop
#define hpmTstop(id) hpmTstopAt((id), file, __LINE__)
#define hpmStart(id, label) hpmStartAt((id), (label), file, __LINE__)
#define hpmStop(id) hpmStopAt((id), file, __LINE__)

PATTERN(empty)
{
    (void)id;
    hpmTstart(EMPTY, "empty");
    hpmTstop(EMPTY);
    END_OF_PATTERN();
}

PATTERN(overlapped)
{
    (void)id;
    hpmTstart(OVERLAPPED, "overlapped");
    hpmTstart(OTHER, "other");
    hpmTstop(OVERLAPPED);
    hpmTstop(OTHER);
    END_OF_PATTERN();
}

/* By the plain call. */
PATTERN(overlapped_at)
{
    (void)id;
    hpmTstart(OVERLAPPED_AT, "overlapped at");
    hpmTstartAt(OTHER, "other", file, __LINE__);
    hpmTstop(OVERLAPPED_AT);
    hpmTstop(OTHER);
    END_OF_PATTERN();
}

PATTERN(nested)
{
    (void)id;
    hpmTstart(NESTED, "nested");
    hpmTstart(OTHER, "other");
    hpmTstop(OTHER);
    hpmTstop(NESTED);
    END_OF_PATTERN();
}

/* Both starts stand in one line: in another it would be another section. */
#define START_TWICE(id, label, between)                                        \
    do {                                                                       \
        hpmTstart(id, label);                                                  \
        between;                                                               \
        hpmTstart(id, label);                                                  \
    } while (0)

PATTERN(again_inner)
{
    (void)id;
    START_TWICE(OTHER, "open", hpmTstart(AGAIN_INNER, "again inner"));
    hpmTstop(AGAIN_INNER);
    hpmTstop(OTHER);
    hpmTstop(OTHER);
    END_OF_PATTERN();
}

/* The same by plain calls. */
#define START_TWICE_AT(id, label, between)                                     \
    do {                                                                       \
        hpmTstartAt(id, label, file, __LINE__);                                \
        between;                                                               \
        hpmTstartAt(id, label, file, __LINE__);                                \
    } while (0)

PATTERN(again_inner_at)
{
    (void)id;
    START_TWICE_AT(OTHER, "open", hpmTstart(AGAIN_INNER_AT, "again inner at"));
    hpmTstop(AGAIN_INNER_AT);
    hpmTstop(OTHER);
    hpmTstop(OTHER);
    END_OF_PATTERN();
}

PATTERN(long_again_at)
{
    START_TWICE_AT(id, "new again", hpmTstart(LONG_AGAIN_AT, "long again at"));
    hpmTstop(LONG_AGAIN_AT);
    hpmTstop(id);
    hpmTstop(id);
    END_OF_PATTERN();
}

PATTERN(long_start_at)
{
    hpmTstart(LONG_START_AT, "long start at");
    hpmTstartAt(id, "new", file, __LINE__);
    hpmTstop(id);
    hpmTstop(LONG_START_AT);
    END_OF_PATTERN();
}

PATTERN(again)
{
    (void)id;
    START_TWICE(AGAIN, "again", (void)0);
    hpmTstop(AGAIN);
    hpmTstop(AGAIN);
    END_OF_PATTERN();
}

/* The loop's own time is in there, an eighth of it in a call; the labels are one
 * address, so all are one section. */
#define TWICE(calls)                                                           \
    do {                                                                       \
        calls;                                                                 \
        calls;                                                                 \
    } while (0)
#define MANY_TIMES(calls)                                                      \
    for (int round = 0; round < HPM_TIMECOST_CALLS; round += 8)                \
    TWICE(TWICE(TWICE(calls)))

#define PAIR_OF(start, stop)                                                   \
    do {                                                                       \
        start(OTHER, "other");                                                 \
        stop(OTHER);                                                           \
    } while (0)

PATTERN(many_pairs)
{
    (void)id;
    hpmTstart(MANY_PAIRS, "many pairs");
    MANY_TIMES(PAIR_OF(hpmTstart, hpmTstop));
    hpmTstop(MANY_PAIRS);
    END_OF_PATTERN();
}

/* One line, so one section: all but the first start it again. */
#define START_MANY_TIMES(label)                                                \
    do {                                                                       \
        for (int i = 0; i <= HPM_TIMECOST_CALLS; i++)                          \
            hpmTstart(MANY_AGAIN, label);                                      \
    } while (0)

PATTERN(many_again)
{
    (void)id;
    START_MANY_TIMES("many again");
    MANY_TIMES(hpmTstop(MANY_AGAIN));
    hpmTstop(MANY_AGAIN);
    END_OF_PATTERN();
}

PATTERN(many_process_pairs)
{
    (void)id;
    hpmStart(MANY_PROCESS_PAIRS, "many process pairs");
    MANY_TIMES(PAIR_OF(hpmStart, hpmStop));
    hpmStop(MANY_PROCESS_PAIRS);
    END_OF_PATTERN();
}

PATTERN(long_start)
{
    hpmTstart(LONG_START, "long start");
    hpmTstart(id, "new");
    hpmTstop(id);
    hpmTstop(LONG_START);
    END_OF_PATTERN();
}

/* Both inside are new: what was closed with one inside still open starts by
 * another way than the quick one, and of new ones that way is known. */
PATTERN(long_stop)
{
    hpmTstart(LONG_STOP, "long stop");
    hpmTstart(id, "new");
    hpmTstart(ANOTHER, "another");
    hpmTstop(id);
    hpmTstop(ANOTHER);
    hpmTstop(LONG_STOP);
    END_OF_PATTERN();
}

PATTERN(long_again)
{
    START_TWICE(id, "new again", hpmTstart(LONG_AGAIN, "long again"));
    hpmTstop(LONG_AGAIN);
    hpmTstop(id);
    hpmTstop(id);
    END_OF_PATTERN();
}

PATTERN(off)
{
    (void)id;
    hpmTstart(OFF, "off");
    hpmTstart(OTHER, "left out");
    hpmTstop(OTHER);
    hpmTstop(OFF);
    END_OF_PATTERN();
}

PATTERN(work)
{
    (void)id;
    hpmTstart(WORK, "work");
    hpmWork(WORK, 1, "calls");
    hpmTstop(WORK);
    END_OF_PATTERN();
}

PATTERN(reading)
{
    (void)id;
    hpmTstart(READING, "reading");
    hpmGetTimeAndCounters(0, NULL, NULL);
    hpmTstop(READING);
    END_OF_PATTERN();
}

/* Fortran's door, with arguments where its compilers have them: numbers are in
 * constant memory, strings without NUL.  No number is used twice, or its address
 * would be kept in a register, which takes an instruction. */
void f_hpmtstartat_(const int *id, const char *label, const char *file,
                    const int *line, size_t label_length, size_t file_length);
void f_hpmtstopat_(const int *id, const char *file, const int *line,
                   size_t file_length);

#define COUNTED_IDS                                                            \
    {                                                                          \
        [COUNTED] = COUNTED, [COUNTED_OVERLAPPED] = COUNTED_OVERLAPPED,        \
        [COUNTED_NESTED] = COUNTED_NESTED,                                     \
        [COUNTED_LONG_START] = COUNTED_LONG_START,                             \
        [COUNTED_LONG_STOP] = COUNTED_LONG_STOP, [OTHER] = OTHER,              \
        [ANOTHER] = ANOTHER                                                    \
    }

static const struct {
    int line;
    int at_start[N_PATTERN_IDS], at_stop[N_PATTERN_IDS];
} numbers = {1, COUNTED_IDS, COUNTED_IDS};

#define COUNTED_START(id, label)                                               \
    f_hpmtstartat_((id), (label), __FILE__, &numbers.line, sizeof(label) - 1,  \
                   sizeof __FILE__ - 1)
#define COUNTED_STOP(id)                                                       \
    f_hpmtstopat_((id), __FILE__, &numbers.line, sizeof __FILE__ - 1)

PATTERN(counted)
{
    (void)file;
    (void)id;
    COUNTED_START(&numbers.at_start[COUNTED], "counted");
    COUNTED_STOP(&numbers.at_stop[COUNTED]);
    END_OF_PATTERN();
}

PATTERN(counted_overlapped)
{
    (void)file;
    (void)id;
    COUNTED_START(&numbers.at_start[COUNTED_OVERLAPPED], "counted overlapped");
    COUNTED_START(&numbers.at_start[OTHER], "counted other");
    COUNTED_STOP(&numbers.at_stop[COUNTED_OVERLAPPED]);
    COUNTED_STOP(&numbers.at_stop[OTHER]);
    END_OF_PATTERN();
}

PATTERN(counted_nested)
{
    (void)file;
    (void)id;
    COUNTED_START(&numbers.at_start[COUNTED_NESTED], "counted nested");
    COUNTED_START(&numbers.at_start[OTHER], "counted other");
    COUNTED_STOP(&numbers.at_stop[OTHER]);
    COUNTED_STOP(&numbers.at_stop[COUNTED_NESTED]);
    END_OF_PATTERN();
}

PATTERN(counted_long_start)
{
    (void)file;
    COUNTED_START(&numbers.at_start[COUNTED_LONG_START], "counted long start");
    COUNTED_START(&id, "counted new");
    COUNTED_STOP(&id);
    COUNTED_STOP(&numbers.at_stop[COUNTED_LONG_START]);
    END_OF_PATTERN();
}

PATTERN(counted_long_stop)
{
    (void)file;
    COUNTED_START(&numbers.at_start[COUNTED_LONG_STOP], "counted long stop");
    COUNTED_START(&id, "counted new");
    COUNTED_START(&numbers.at_start[ANOTHER], "counted another");
    COUNTED_STOP(&id);
    COUNTED_STOP(&numbers.at_stop[ANOTHER]);
    COUNTED_STOP(&numbers.at_stop[COUNTED_LONG_STOP]);
    END_OF_PATTERN();
}

PATTERN(process_start)
{
    (void)id;
    hpmTstart(PROCESS_START, "process start");
    hpmStart(OTHER, "other");
    hpmTstop(PROCESS_START);
    hpmStop(OTHER);
    END_OF_PATTERN();
}

PATTERN(process_stop)
{
    (void)id;
    hpmStart(OTHER, "other");
    hpmTstart(PROCESS_STOP, "process stop");
    hpmStop(OTHER);
    hpmTstop(PROCESS_STOP);
    END_OF_PATTERN();
}

PATTERN(process_empty)
{
    (void)id;
    hpmStart(PROCESS_EMPTY, "process empty");
    hpmStop(PROCESS_EMPTY);
    END_OF_PATTERN();
}

PATTERN(process_nested)
{
    (void)id;
    hpmStart(PROCESS_NESTED, "process nested");
    hpmStart(OTHER, "other");
    hpmStop(OTHER);
    hpmStop(PROCESS_NESTED);
    END_OF_PATTERN();
}

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
measure(struct bench *bench, void (*pattern)(int, const char *), int instance,
        int n_calls, struct hpm_spread *ret_spreads)
{
    struct hpm_probe probe;

    if (!hpm_probe_init(&probe, bench->n_overheads, WARM_UP + n_calls)) {
        bench->is_good = false;
        return;
    }
    for (int round = 0; round < WARM_UP + n_calls; round++) {
        pattern(FIRST_NEW + round, __FILE__);
        hpm_probe_take(&probe, bench->tree, instance);
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
time_windows(struct bench *bench, void (*pattern)(int, const char *),
             int instance, uint64_t *ret_windows, int n)
{
    struct hpm_probe probe;

    if (!hpm_probe_init(&probe, bench->n_overheads, WARM_UP + n)) {
        bench->is_good = false;
        return false;
    }
    for (int round = 0; round < WARM_UP + n; round++) {
        pattern(FIRST_NEW + round, __FILE__);
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
time_pairs(struct bench *bench, void (*pattern)(int, const char *),
           int instance, struct hpm_timecost *ret_timed)
{
    uint64_t selves[HPM_TIMECOST_WINDOWS], pairs[HPM_TIMECOST_WINDOWS];
    uint64_t step = hpm_clock_step();

    if (!time_windows(bench, pattern, OTHER, selves, HPM_TIMECOST_WINDOWS) ||
        !time_windows(bench, pattern, instance, pairs, HPM_TIMECOST_WINDOWS))
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

    if (!time_windows(bench, many_again, MANY_AGAIN, windows,
                      HPM_TIMECOST_WINDOWS))
        return;
    for (size_t i = 0; i < HPM_TIMECOST_WINDOWS; i++)
        windows[i] -= (uint64_t)llrint(timed[HPM_TIMED_SELF].middle);
    timed[HPM_TIMED_AGAIN] = hpm_timecost_of_windows(
        windows, HPM_TIMECOST_WINDOWS, hpm_clock_step());
}

/* What one pattern's window has, beyond what others explain. */
struct share {
    enum hpm_cost cost;
    void (*pattern)(int, const char *);
    int instance;
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
    measure(bench, share->pattern, share->instance, share->n_calls, spreads);
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
    {HPM_COST_SELF, empty, EMPTY, MANY_CALLS, {0}},
    {HPM_COST_START, overlapped, OVERLAPPED, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_STOP,
     nested,
     NESTED,
     MANY_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_START] = 1}},
    {HPM_COST_SECOND_START,
     overlapped,
     OVERLAPPED,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_BUCKET_START,
     overlapped,
     OVERLAPPED,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AT_START,
     overlapped_at,
     OVERLAPPED_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AGAIN_START,
     again_inner,
     AGAIN_INNER,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AGAIN_STOP,
     again,
     AGAIN,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_AGAIN_START] = 1}},
    {HPM_COST_LONG_START,
     long_start,
     LONG_START,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_START] = 1, [HPM_COST_STOP] = 1}},
    {HPM_COST_AT_AGAIN_START,
     again_inner_at,
     AGAIN_INNER_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_AT_LONG_START,
     long_start_at,
     LONG_START_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_START] = 1, [HPM_COST_STOP] = 1}},
    {HPM_COST_AT_LONG_AGAIN,
     long_again_at,
     LONG_AGAIN_AT,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_AGAIN_START] = 1}},
    {HPM_COST_LONG_STOP,
     long_stop,
     LONG_STOP,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_START] = 2,
      [HPM_COST_LONG_START] = 2,
      [HPM_COST_STOP] = 1}},
    {HPM_COST_LONG_AGAIN,
     long_again,
     LONG_AGAIN,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_AGAIN_START] = 1}},
    {HPM_COST_EXCLUDED, off, OFF, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_WORK, work, WORK, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_READING, reading, READING, SOME_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_COUNTED_SELF, counted, COUNTED, FEW_CALLS, {[HPM_COST_SELF] = 1}},
    {HPM_COST_COUNTED_START,
     counted_overlapped,
     COUNTED_OVERLAPPED,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1, [HPM_COST_COUNTED_SELF] = 1}},
    {HPM_COST_COUNTED_STOP,
     counted_nested,
     COUNTED_NESTED,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_COUNTED_SELF] = 2,
      [HPM_COST_COUNTED_START] = 1}},
    {HPM_COST_COUNTED_LONG_START,
     counted_long_start,
     COUNTED_LONG_START,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_COUNTED_SELF] = 2,
      [HPM_COST_START] = 1,
      [HPM_COST_COUNTED_STOP] = 1}},
    {HPM_COST_COUNTED_LONG_STOP,
     counted_long_stop,
     COUNTED_LONG_STOP,
     FEW_CALLS,
     {[HPM_COST_SELF] = 1,
      [HPM_COST_COUNTED_SELF] = 3,
      [HPM_COST_START] = 2,
      [HPM_COST_COUNTED_LONG_START] = 2,
      [HPM_COST_COUNTED_STOP] = 1}},
};

static const struct share process_shares[] = {
    {HPM_COST_PROCESS_START,
     process_start,
     PROCESS_START,
     SOME_CALLS,
     {[HPM_COST_SELF] = 1}},
    {HPM_COST_PROCESS_STOP,
     process_stop,
     PROCESS_STOP,
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

    time_pairs(bench, many_pairs, MANY_PAIRS, calibration->timed);
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
    measure(&of_process, process_empty, PROCESS_EMPTY, SOME_CALLS,
            calibration->self);
    measure(&of_process, process_nested, PROCESS_NESTED, SOME_CALLS,
            calibration->pair);
    for (size_t i = 0; i < of_process.n_overheads; i++)
        costs->amounts[HPM_COST_SELF][i] = calibration->self[i].min;
    turn_into_pairs(calibration);
    time_pairs(&of_process, many_process_pairs, MANY_PROCESS_PAIRS,
               calibration->timed);
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
