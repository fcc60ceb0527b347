/* SPDX-License-Identifier: BSD-3-Clause
 * Slices: schedules for counters that are functions of a clock. */
#include "source/slices.h"

#include <stdlib.h>

#include "tap.h"

enum { A_SLICE = 10000, N_EVENTS = 4 };

/* The count of an event up to `now`. */
typedef long long happened(size_t event, uint64_t now);

/* A run with its own clock. */
struct run {
    struct hpm_slices slices;
    happened *happened;
    uint64_t now;
    uint64_t lost; /* clock units that each change of sets takes */
};

/* The counters of the running set, which starts at 0. */
static void
read_counters(const struct run *run, uint64_t since, long long *ret_values)
{
    for (size_t i = 0; i < run->slices.n_events; i++) {
        if (hpm_slices_has(&run->slices, i))
            *ret_values++ =
                run->happened(i, run->now) - run->happened(i, since);
    }
}

static void
begin(struct run *run, const uint64_t *sets, size_t n)
{
    long long values[N_EVENTS] = {0};

    hpm_slices_init(&run->slices, sets, n, A_SLICE, run->now);
    hpm_slices_begin(&run->slices, run->now, values);
}

static void
change_sets(struct run *run)
{
    long long values[N_EVENTS];

    read_counters(run, run->slices.since, values);
    hpm_slices_end(&run->slices, run->now, values);
    run->now += run->lost;
    read_counters(run, run->now, values);
    hpm_slices_begin(&run->slices, run->now, values);
}

/* Moves the clock in steps, like the slicer does. */
static void
pass(struct run *run, uint64_t time)
{
    uint64_t end = run->now + time;

    while (run->now < end) {
        uint64_t step = end - run->now < 97 ? end - run->now : 97;

        run->now += step;
        if (hpm_slices_is_over(&run->slices, run->now))
            change_sets(run);
    }
}

static void
sum_all(struct run *run, struct hpm_slices_sum *ret_sums)
{
    long long values[N_EVENTS], *value = values;

    read_counters(run, run->slices.since, values);
    hpm_slices_look(&run->slices, run->now);
    for (size_t i = 0; i < run->slices.n_events; i++)
        ret_sums[i] = hpm_slices_sum(
            &run->slices, i, hpm_slices_has(&run->slices, i) ? *value++ : 0);
}

/* The estimate between two readings. */
static double
estimate(const struct hpm_slices_sum *from, const struct hpm_slices_sum *to,
         size_t event)
{
    return (double)(to[event].count - from[event].count) *
           (double)(to[event].enabled - from[event].enabled) /
           (double)(to[event].running - from[event].running);
}

/* ---- a steady program ------------------------------------------------ */

/* 3, 5, 7 and 9 times per unit of the clock. */
static long long
steadily(size_t event, uint64_t now)
{
    return (long long)((2 * event + 3) * now);
}

static void
test_steady(uint64_t lost)
{
    const uint64_t alone[N_EVENTS] = {1, 2, 4, 8};
    struct run run = {.happened = steadily, .now = 123456, .lost = lost};
    struct hpm_slices_sum from[N_EVENTS], to[N_EVENTS];
    bool is_right = true, is_shared = true;
    uint64_t running = 0;

    begin(&run, alone, N_EVENTS);
    pass(&run, 12345);
    sum_all(&run, from);
    pass(&run, 100 * A_SLICE);
    sum_all(&run, to);
    for (size_t i = 0; i < N_EVENTS; i++) {
        double share = (double)(to[i].running - from[i].running) /
                       (double)(to[i].enabled - from[i].enabled);

        is_right = is_right && fabs(estimate(from, to, i) /
                                        (double)(steadily(i, 100 * A_SLICE)) -
                                    1) < 2e-3;
        is_shared = is_shared && share > 0.2 && share < 0.3;
        running += to[i].running - from[i].running;
    }
    ok(is_right, "events at a steady rate are estimated right");
    ok(is_shared, "each had its share of the time");
    ok(lost > 0 ? running < to[0].enabled - from[0].enabled
                : running == to[0].enabled - from[0].enabled,
       lost > 0 ? "what changing sets took is in no share"
                : "one of them counted at any time");
    hpm_slices_clear(&run.slices);
}

/* ---- overlapping sets and sections ----------------------------------- */

/* Event 0 is in each set, 1 and 2 are in two of three sets. */
static void
test_overlapping_sets(void)
{
    const uint64_t sets[N_EVENTS] = {7, 3, 6, 4};
    struct run run = {.happened = steadily};
    struct hpm_slices_sum from[N_EVENTS], to[N_EVENTS];

    begin(&run, sets, N_EVENTS);
    sum_all(&run, from);
    pass(&run, 300 * A_SLICE);
    sum_all(&run, to);
    ok(to[0].running - from[0].running == to[0].enabled - from[0].enabled &&
           to[0].count - from[0].count == 3 * 300 * A_SLICE,
       "what is in each set is counted, not estimated");
    ok(to[1].running - from[1].running > 6 * (to[0].enabled / 10) &&
           to[3].running - from[3].running < 4 * (to[0].enabled / 10),
       "what is in two of three sets counts twice as long as what is in one");
    ok(fabs(estimate(from, to, 2) / (7.0 * 300 * A_SLICE) - 1) < 1e-3,
       "and is estimated right");
    hpm_slices_clear(&run.slices);
}

/* The master list has each event once: sections that overlap, nest and cross
 * slices use differences, which add up. */
static void
test_overlapping_sections(void)
{
    const uint64_t alone[N_EVENTS] = {1, 2, 4, 8};
    struct run run = {.happened = steadily};
    struct hpm_slices_sum at[5][N_EVENTS];
    bool adds_up = true, goes_on = true;

    begin(&run, alone, N_EVENTS);
    for (int edge = 0; edge < 5; edge++) {
        sum_all(&run, at[edge]);
        pass(&run, 17777);
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint64_t parts = 0;

        for (int edge = 1; edge < 5; edge++) {
            parts += at[edge][i].running - at[edge - 1][i].running;
            goes_on = goes_on && at[edge][i].count >= at[edge - 1][i].count &&
                      at[edge][i].running >= at[edge - 1][i].running &&
                      at[edge][i].enabled > at[edge - 1][i].enabled;
        }
        adds_up = adds_up && parts == at[4][i].running - at[0][i].running;
    }
    ok(adds_up, "sections one after the other have together what one around "
                "them has");
    ok(goes_on, "no sum goes back, wherever in a slice it is read");
    hpm_slices_clear(&run.slices);
}

static void
test_short(void)
{
    const uint64_t alone[N_EVENTS] = {1, 2, 4, 8};
    struct run run = {.happened = steadily};
    struct hpm_slices_sum from[N_EVENTS], to[N_EVENTS];

    begin(&run, alone, N_EVENTS);
    pass(&run, 100);
    sum_all(&run, from);
    pass(&run, 1000);
    sum_all(&run, to);
    ok(to[0].running - from[0].running == 1000 &&
           to[0].count - from[0].count == 3000,
       "a window within a slice is counted for the set whose turn it is");
    ok(to[1].running == from[1].running && to[1].enabled > from[1].enabled,
       "the others never ran in it, and do not look as if they had");
    sum_all(&run, from);
    sum_all(&run, to);
    ok(to[1].enabled > from[1].enabled && to[1].running == from[1].running &&
           to[0].running - from[0].running == to[0].enabled - from[0].enabled,
       "so it is where the clock has stood still");
    hpm_slices_clear(&run.slices);
}

/* ---- lengths --------------------------------------------------------- */

static void
test_lengths(void)
{
    const uint64_t alone[2] = {1, 2};
    const long long zero[1] = {0};
    struct hpm_slices slices;
    uint64_t now = 0, least = UINT64_MAX, most = 0, all = 0;

    hpm_slices_init(&slices, alone, 2, A_SLICE, now);
    for (int i = 0; i < 1000; i++) {
        uint64_t begin = now;

        hpm_slices_begin(&slices, now, zero);
        while (!hpm_slices_is_over(&slices, now))
            now++;
        hpm_slices_end(&slices, now, zero);
        least = now - begin < least ? now - begin : least;
        most = now - begin > most ? now - begin : most;
        all += now - begin;
    }
    ok(least >= 3 * A_SLICE / 4 && least < 4 * A_SLICE / 5 &&
           most > 6 * A_SLICE / 5 && most <= 5 * A_SLICE / 4 + 1,
       "slices last from three to five quarters of their length");
    ok(all / 1000 > 98 * A_SLICE / 100 && all / 1000 < 102 * A_SLICE / 100,
       "and their length in the middle");
    hpm_slices_clear(&slices);
}

/* A burst of 1000 every 4 slices: with four sets of equal slices, one event
 * would get all bursts, the others none. */
static long long
in_step(size_t event, uint64_t now)
{
    (void)event;
    return (long long)(now / (4 * A_SLICE) * 1000);
}

static void
test_in_step(void)
{
    const uint64_t alone[N_EVENTS] = {1, 2, 4, 8};
    struct run run = {.happened = in_step};
    struct hpm_slices_sum from[N_EVENTS], to[N_EVENTS];
    bool is_near = true;

    begin(&run, alone, N_EVENTS);
    sum_all(&run, from);
    pass(&run, 4000 * A_SLICE);
    sum_all(&run, to);
    hpm_slices_clear(&run.slices);
    for (size_t i = 0; i < N_EVENTS; i++)
        is_near = is_near && fabs(estimate(from, to, i) / 1e6 - 1) < 0.25;
    ok(is_near, "a program in step with the slices does not hide from them");
}

/* ---- lost counters -------------------------------------------------- */

static void
test_lost(void)
{
    const uint64_t both[2] = {1, 1};
    const long long first[2] = {100, 100}, then[2] = {150, 90};
    struct hpm_slices slices;

    hpm_slices_init(&slices, both, 2, A_SLICE, 0);
    hpm_slices_begin(&slices, 0, first);
    hpm_slices_end(&slices, 10, then);
    ok(slices.events[0].count == 50 && !slices.events[0].is_lost,
       "a counter that does not start at 0 counts what it adds");
    ok(slices.events[1].count == 0 && slices.events[1].is_lost,
       "one that goes back is lost");
    hpm_slices_clear(&slices);
}

/* So many have ended that each level but the last has lost the first one. */
static void
test_last_level(void)
{
    enum { N_ROWS = 20 * 16, N_WORDS = 3 };
    const uint64_t all[] = {1};
    const struct hpm_slices_row *row;
    struct hpm_slices slices;

    hpm_slices_init(&slices, all, 1, A_SLICE, 0);
    for (size_t i = 0; i < N_ROWS; i++)
        slices.log[i * N_WORDS] = 1000;
    slices.n_ended = UINT64_C(1) << 40;
    row = hpm_slices_find(&slices, 5, 2000);
    ok(row != NULL && (const uint64_t *)row >= &slices.log[19 * 16 * N_WORDS] &&
           (const uint64_t *)row < &slices.log[N_ROWS * N_WORDS],
       "of long ago there is what the last level has");
    ok(hpm_slices_find(&slices, 5, 1000) == NULL,
       "unless that is not in the window");
    hpm_slices_clear(&slices);
}

int
main(void)
{
    test_steady(0);
    test_steady(50);
    test_overlapping_sets();
    test_overlapping_sections();
    test_short();
    test_lengths();
    test_in_step();
    test_lost();
    test_last_level();
    return done();
}
