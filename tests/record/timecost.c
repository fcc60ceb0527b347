/* SPDX-License-Identifier: BSD-3-Clause
 * Is the time of calls right within its uncertainty, for clocks of all kinds?
 * The clocks are simulated, so the time of each call is known. */
#include "record/timecost.h"

#include <math.h>
#include <stdio.h>

#include "source/clock.h"
#include "tap.h"

enum { N_RUNS = 40, N_PARENTS = 20, N_CALLS = 1000 };

/* A simulated machine. */
struct machine {
    const char *title;
    unsigned step;  /* of the clock */
    double call;    /* the time of a call, in ticks */
    double jitter;  /* additional time, on average */
    double moments; /* by this part two moments of a run may differ */
    double drift;   /* by this part calls are slower at the end */
    unsigned jump;  /* the time of an interrupt; one in 1,000 calls */
};

static const struct machine machines[] = {
    {"a clock that counts every tick", 1, 52, 2, 0.05, 0, 0},
    {"a clock that goes on by 26 ticks", 26, 52, 2, 0.05, 0, 0},
    {"a clock slower than a call", 200, 52, 2, 0.05, 0, 0},
    {"calls that take three ticks", 1, 3, 0.3, 0.05, 0, 0},
    {"calls that get slower by a third", 26, 52, 2, 0.05, 0.33, 0},
    {"interrupts", 1, 52, 2, 0.05, 0, 20000},
    {"much jitter", 10, 52, 40, 0.05, 0, 0},
    {"all of that", 26, 52, 10, 0.05, 0.2, 20000},
};

/* ---- a machine ---------------------------------------------------------- */

static uint64_t seed;
static double instant; /* in ticks, exactly */

static double
uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static uint64_t
read_clock(const struct machine *machine)
{
    uint64_t ticks = (uint64_t)instant;

    return ticks - ticks % machine->step;
}

/* Make a call at a moment of the run, from 0 to 1, when all calls take `factor`
 * times as long; false if it was interrupted. */
static bool
call(const struct machine *machine, double when, double factor)
{
    double takes = machine->call - machine->jitter * log(1 - uniform());
    bool is_interrupted = machine->jump > 0 && uniform() < 0.001;

    instant += takes * factor * (1 + machine->drift * when);
    if (is_interrupted)
        instant += machine->jump;
    return !is_interrupted;
}

static double
moment(const struct machine *machine)
{
    return 1 + machine->moments * (2 * uniform() - 1);
}

static struct hpm_timecost
calibrate(const struct machine *machine, double when)
{
    uint64_t windows[HPM_TIMECOST_WINDOWS];
    double factor = moment(machine);

    for (int i = 0; i < HPM_TIMECOST_WINDOWS; i++) {
        uint64_t begin;

        instant += 1000 * uniform();
        begin = read_clock(machine);
        for (int j = 0; j < HPM_TIMECOST_CALLS; j++)
            call(machine, when, factor);
        windows[i] = read_clock(machine) - begin;
    }
    return hpm_timecost_of_windows(windows, HPM_TIMECOST_WINDOWS,
                                   machine->step);
}

/* The time of a section with only calls inside, without interrupts: these would
 * be the section's own time. */
static double
time_of_parent(const struct machine *machine)
{
    double begin = instant, when = uniform(), factor = moment(machine);

    for (int i = 0; i < N_CALLS; i++) {
        if (!call(machine, when, factor))
            instant -= machine->jump;
    }
    return instant - begin;
}

/* ---- tests -------------------------------------------------------------- */

static void
test_coverage(const struct machine *machine)
{
    int n_covered = 0, n = 0;
    double width = 0;

    for (int run = 0; run < N_RUNS; run++) {
        struct hpm_timecost cost =
            hpm_timecost_between(calibrate(machine, 0), calibrate(machine, 1));
        double off = hpm_timecost_uncertainty(cost, cost.middle, N_CALLS);

        for (int i = 0; i < N_PARENTS; i++, n++) {
            double rest = time_of_parent(machine) - N_CALLS * cost.middle;

            n_covered += fabs(rest) <= off;
        }
        width += off / N_CALLS / N_RUNS;
    }
    printf("# %s: %d of %d covered by %.2f ticks a call of %.0f\n",
           machine->title, n_covered, n, width,
           machine->call + machine->jitter);
    ok(n_covered >= n * 95 / 100,
       "the uncertainty covers 95 % of the sections");
    ok(width < (machine->call + machine->jitter) * (0.35 + machine->drift / 2) +
                   machine->step / 4.0,
       "and is no larger than it has to be");
}

static void
test_windows(void)
{
    uint64_t same[10], wide[20];
    struct hpm_timecost cost;

    for (int i = 0; i < 10; i++)
        same[i] = 80 * HPM_TIMECOST_CALLS;
    cost = hpm_timecost_of_windows(same, 10, 12);
    ok(cost.middle == 80, "windows that are all the same");
    ok(fabs(cost.high - 80 - 10 - 12 / sqrt(384)) < 1e-9 &&
           fabs(80 - cost.low - 10 - 12 / sqrt(384)) < 1e-9,
       "differ by what moments and a clock's steps may");
    for (int i = 0; i < 20; i++)
        wide[i] = (uint64_t)(19 - i) * 100 * HPM_TIMECOST_CALLS;
    cost = hpm_timecost_of_windows(wide, 20, 1);
    ok(cost.middle == 950 && cost.low == 200 && cost.high == 1700,
       "a tenth on each side does not count");
    wide[0] = (uint64_t)-3 * HPM_TIMECOST_CALLS;
    cost = hpm_timecost_of_windows(wide, 1, 0);
    ok(cost.middle == -3 && cost.low == -3 && cost.high == -3,
       "a window may be below 0");
    cost = hpm_timecost_of_windows(wide, 0, 1);
    ok(cost.middle == 0 && cost.low == 0 && cost.high == 0, "no window");
}

static void
test_sums(void)
{
    struct hpm_timecost begin = {.middle = 10, .low = 9, .high = 12};
    struct hpm_timecost end = {.middle = 14, .low = 13, .high = 15};
    struct hpm_timecost both = hpm_timecost_between(begin, end);

    ok(both.middle == 12 && both.low == 9 && both.high == 15,
       "of both ends the middle, and all that was met");
    ok(hpm_timecost_uncertainty(both, 12, 1000) == 3000,
       "the errors of many calls add up");
    ok(hpm_timecost_uncertainty(both, 10, 100) == 500,
       "where something else was taken off, from there");
    ok(fabs(hpm_timecost_uncertainty(both, 12, 2) - 3 * 8) < 1e-9,
       "few calls are as uncertain as they are in a window");
    ok(hpm_timecost_uncertainty(both, 12, 0) == 0, "no calls, no error");
    hpm_timecost_include(&both, 20);
    hpm_timecost_include(&both, 10);
    ok(both.middle == 12 && both.low == 9 && both.high == 20,
       "what is met otherwise may be, too");
}

static void
test_step(void)
{
    const uint64_t fine[] = {41, 44, 43}, coarse[] = {20, 50, 30};
    const uint64_t still[] = {0, 42, 0, 41, 0, 0, 83}, never[] = {0, 0};

    ok(hpm_clock_step_of(fine, 3) == 1, "a clock that counts every tick");
    ok(hpm_clock_step_of(coarse, 3) == 10, "a clock that counts by tens");
    ok(hpm_clock_step_of(still, 7) == 41, "a clock slower than its readings");
    ok(hpm_clock_step_of(never, 2) == 1 && hpm_clock_step_of(never, 0) == 1,
       "a clock that stands still");
    hpm_clock_init();
    ok(hpm_clock_step() > 0, "this machine's clock");
}

int
main(void)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        seed = i;
        instant = 1e6;
        test_coverage(&machines[i]);
    }
    test_windows();
    test_sums();
    test_step();
    return done();
}
