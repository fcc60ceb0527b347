/* SPDX-License-Identifier: BSD-3-Clause
 * The costs computed from windows, and from two calibrations. */
#include "config.h"

#include "record/calibration.h"

#include <string.h>

#include "tap.h"

/* Windows in the order in which they were measured. */
static void
test_spread(void)
{
    static const uint64_t windows[] = {7, 3, (uint64_t)-2, 9, 5};
    struct hpm_probe probe = {0};
    struct hpm_spread spread;
    bool is_unknown;

    if (!hpm_probe_init(&probe, 1, 5)) {
        ok(false, "room for windows");
        return;
    }
    hpm_probe_spread(&probe, 0, &is_unknown);
    ok(is_unknown, "of no window nothing is known");
    memcpy(probe.windows, windows, sizeof windows);
    probe.n_windows = 5;
    spread = hpm_probe_spread(&probe, 0, &is_unknown);
    ok(!is_unknown, "of five windows something is");
    is_count(spread.min, (uint64_t)-2, "the smallest, which may be below 0");
    is_count(spread.median, 5, "the one in the middle");
    is_count(spread.max, 9, "the largest");
    hpm_probe_clear(&probe);
}

/* ---- windows of a table ----------------------------------------------- */

/* A row: time, a count, and the times that the count was enabled and
 * running. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };

static const struct hpm_costs no_costs;
static struct hpm_calltree *tree;

/* A call that begins at 0, of which `charged` was measured by the call
 * itself. */
static void
call(int id, uint64_t count, uint64_t charged, uint64_t enabled,
     uint64_t running)
{
    uint64_t *row =
        hpm_calltree_start(tree, id, HPM_PARENT_AUTO, "a", "a.c", id, NULL);

    for (size_t i = 0; i < N_SLOTS; i++)
        row[i] = tree->now[i];
    hpm_calltree_add_slot_overhead(tree, COUNT, charged);
    tree->now[0] += 5;
    tree->now[COUNT] += count;
    tree->now[ENABLED] += enabled;
    tree->now[RUNNING] += running;
    hpm_calltree_close_top(tree, 9, HPM_COST_STOP);
}

static void
begin(const struct hpm_meter *meter)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};

    tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    if (meter != NULL)
        hpm_calltree_set_shares(tree, hpm_shares_new(meter));
}

/* A window has the use of the newest section with the id since the last
 * window. */
static void
test_windows(void)
{
    static const uint64_t expected[] = {90, 195, 300, 40};
    struct hpm_probe probe = {0};

    begin(NULL);
    if (!hpm_probe_init(&probe, 2, 4)) {
        ok(false, "room for windows");
        return;
    }
    hpm_probe_take(&probe, tree, 1);
    is_count((uint64_t)probe.n_windows, 0, "without a section is no window");
    call(1, 100, 10, 0, 0);
    hpm_probe_take(&probe, tree, 1);
    call(2, 7000, 0, 0, 0);
    call(1, 200, 5, 0, 0);
    hpm_probe_take(&probe, tree, 1);
    call(1, 300, 0, 0, 0);
    hpm_probe_take(&probe, tree, 1);
    tree->nodes.last->instance = 1; /* a newer section */
    tree->nodes.last->inclusive[COUNT] = 40;
    hpm_probe_take(&probe, tree, 1);
    hpm_probe_take(&probe, tree, 1);
    is_count((uint64_t)probe.n_windows, 4, "there are as many as have room");
    for (size_t i = 0; i < 4; i++) {
        is_count(probe.windows[4 + i], expected[i], "what a call counted");
        is_count(probe.windows[i], 5, "and its time");
    }
    hpm_probe_clear(&probe);
    hpm_calltree_free(tree);
}

/* A window in which a counter was off for a while is not used. */
static void
test_windows_of_turns(void)
{
    static struct hpm_metered metered = {.clock_slot = ENABLED,
                                         .state = HPM_STATE_COUNTED};
    static const struct hpm_meter meter = {.n_events = 1,
                                           .n_slots = N_SLOTS,
                                           .takes_turns = true,
                                           .events = &metered};
    struct hpm_probe probe = {0};
    struct hpm_spread spread;
    bool is_unknown;

    begin(&meter);
    hpm_probe_init(&probe, 2, 9);
    call(1, 100, 0, 50, 49);
    hpm_probe_take(&probe, tree, 1);
    hpm_probe_spread(&probe, COUNT, &is_unknown);
    ok(is_unknown, "one that was off for a while is not known");
    call(1, 200, 0, 50, 50);
    hpm_probe_take(&probe, tree, 1);
    call(1, 150, 0, 50, 50);
    hpm_probe_take(&probe, tree, 1);
    call(1, 300, 0, 0, 0);
    hpm_probe_take(&probe, tree, 1);
    spread = hpm_probe_spread(&probe, COUNT, &is_unknown);
    ok(!is_unknown && spread.min == 150 && spread.median == 200 &&
           spread.max == 200,
       "those that were on all the time are");
    spread = hpm_probe_spread(&probe, 0, &is_unknown);
    ok(!is_unknown && spread.min == 5 && spread.max == 5,
       "as is the time, always");
    hpm_probe_clear(&probe);
    probe = (struct hpm_probe){0};
    hpm_probe_init(&probe, 1, 1);
    call(1, 100, 0, 50, 49);
    hpm_probe_take(&probe, tree, 1);
    is_count(probe.windows[0], 25, "what is not charged is not marked");
    hpm_probe_clear(&probe);
    hpm_calltree_free(tree);
}

/* Each of two counters is marked by its own clock. */
static void
test_two_of_turns(void)
{
    static struct hpm_metered metered[] = {
        {.clock_slot = 5, .state = HPM_STATE_COUNTED},
        {.clock_slot = 3, .state = HPM_STATE_COUNTED}};
    static const struct hpm_meter meter = {
        .n_events = 2, .n_slots = 7, .takes_turns = true, .events = metered};
    const struct hpm_shape shape = {7, 3, 3};
    struct hpm_probe probe = {0};
    bool is_unknown;

    tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    hpm_calltree_set_shares(tree, hpm_shares_new(&meter));
    hpm_probe_init(&probe, 3, 9);
    memset(hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL), 0,
           7 * sizeof(uint64_t));
    memcpy(tree->now, (const uint64_t[]){5, 6, 7, 50, 49, 50, 50},
           7 * sizeof(uint64_t));
    hpm_calltree_close_top(tree, 9, HPM_COST_STOP);
    hpm_probe_take(&probe, tree, 1);
    hpm_probe_spread(&probe, 1, &is_unknown);
    ok(!is_unknown, "a counter that was on is known");
    hpm_probe_spread(&probe, 2, &is_unknown);
    ok(is_unknown, "the next one, which was not, is not");
    hpm_probe_clear(&probe);
    hpm_calltree_free(tree);
}

/* ---- two calibrations ------------------------------------------------- */

static void
test_choose(void)
{
    struct hpm_calibration init = {.is_done = true, .n_overheads = 4};
    struct hpm_calibration end = init;
    struct hpm_final final;
    uint64_t(*amounts)[HPM_MAX_CHARGED] = final.costs.amounts;

    for (size_t i = 0; i < 4; i++) {
        init.costs.amounts[HPM_COST_START][i] = 20 + i;
        end.costs.amounts[HPM_COST_START][i] = 10 + i;
    }
    end.costs.amounts[HPM_COST_STOP][1] = 5; /* more than at init */
    init.is_unknown[2] = true;
    end.is_unknown[3] = true;
    end.costs.amounts[HPM_COST_START][2] = 30;
    hpm_calibration_choose(&init, &end, &final);
    is_count(amounts[HPM_COST_START][0], 20, "time keeps what was charged");
    is_count(amounts[HPM_COST_START][1], 11, "the smaller cost, of the end");
    is_count(amounts[HPM_COST_STOP][1], 0, "or of the beginning");
    is_count(amounts[HPM_COST_START][2], 30,
             "a cost that was not known before is that of the end");
    is_count(amounts[HPM_COST_START][3], 23,
             "one that is not known at the end is that of the beginning");
    end.is_done = false;
    hpm_calibration_choose(&init, &end, &final);
    is_count(amounts[HPM_COST_START][1], 21, "without an end, the first one");
}

int
main(void)
{
    test_spread();
    test_windows();
    test_windows_of_turns();
    test_two_of_turns();
    test_choose();
    return done();
}
