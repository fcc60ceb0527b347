/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of sections whose counter takes turns: what belongs to each, with samples
 * made up. */
#include "record/sharing.h"

#include "tap.h"

/* A row: time, count, and how long that was wanted and had the hardware. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };
/* Edges are charged a constant; one call charges what it counted itself. */
enum { EDGE = 2, OWN = 40 };

static struct hpm_metered metered = {.clock_slot = ENABLED,
                                     .state = HPM_STATE_COUNTED};
static struct hpm_meter meter = {
    .n_events = 1, .n_slots = N_SLOTS, .takes_turns = true, .events = &metered};
static struct hpm_costs costs;
static struct hpm_calltree *tree;

/* The counter has had the hardware for a quarter of the time. */
static void
fill(uint64_t *row, uint64_t count, uint64_t ms)
{
    row[0] = row[ENABLED] = ms * 1000000;
    row[COUNT] = count;
    row[RUNNING] = ms * 250000;
}

static const struct hpm_node *
start(uint64_t count, uint64_t ms, int id, const char *label)
{
    fill(hpm_calltree_start(tree, id, HPM_PARENT_AUTO, label, "a.c", id, NULL),
         count, ms);
    return hpm_calltree_innermost(tree);
}

static void
stop(uint64_t count, uint64_t ms, const struct hpm_node *node)
{
    fill(tree->now, count, ms);
    hpm_calltree_close_top(tree, 99, HPM_COST_STOP);
    hpm_sharing_close(tree, node);
}

static void
check(const struct hpm_node *node, bool is_exclusive, uint64_t count,
      uint64_t ms, const char *sentence)
{
    const struct hpm_blocks *blocks =
        hpm_shares_find(tree->shares, node->number, 0, is_exclusive);

    ok(blocks != NULL && blocks->n_blocks == 1, sentence);
    if (blocks == NULL)
        return;
    is_count(blocks->sum.count, count, "its count");
    is_count(blocks->sum.enabled, ms * 1000000, "its time");
    is_count(blocks->sum.running, ms * 250000, "and that on the hardware");
}

/* What the long way counted itself is taken off where it was: in "inner". */
static void
test_close(void)
{
    const struct hpm_node *outer = start(10, 1, 1, "outer");
    const struct hpm_node *inner = start(310, 3, 2, "inner");

    hpm_calltree_add_slot_overhead(tree, COUNT, OWN);
    stop(510, 7, inner);
    check(inner, false, 200 - OWN, 4, "a section that has ended has a step");
    check(inner, true, 200 - OWN, 4, "and one of its own");
    ok(hpm_shares_of(tree->shares, outer->number) == NULL,
       "one that is open has none yet");
    stop(1010, 9, outer);
    check(outer, false, 1000 - OWN, 8, "what is inside is in its step");
    check(outer, true, 800, 4, "but not in that of its own");
}

int
main(void)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};

    costs.amounts[HPM_COST_START][COUNT] = EDGE;
    costs.amounts[HPM_COST_STOP][COUNT] = EDGE;
    tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    if (tree == NULL)
        return 1;
    hpm_calltree_set_shares(tree, hpm_shares_new(&meter));
    test_close();
    hpm_calltree_free(tree);
    return done();
}
