/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of sections whose counter takes turns: the values of each step, with
 * generated samples. */
#include "record/sharing.h"

#include "tap.h"

/* A row: time, count, and the times that the count was enabled and running. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };
/* Starts and stops are charged constants; one call charges OWN, which it
 * counted itself. */
enum { START = 3, STOP = 2, OWN = 40 };

static struct hpm_metered metered = {.clock_slot = ENABLED,
                                     .state = HPM_STATE_COUNTED};

/* A source that tells the counter's value every 2 ms: 100 more per
 * millisecond. */
static bool
step(void *counting, uint64_t *slots, const uint64_t *from, const uint64_t *to)
{
    (void)counting;
    (void)from;
    slots[ENABLED] += 2000000;
    slots[RUNNING] = slots[ENABLED] / 4;
    slots[COUNT] = slots[ENABLED] / 10000;
    return slots[ENABLED] <= to[ENABLED];
}

static const struct hpm_source telling = {.name = "telling", .step = step};
static struct hpm_meter meter = {.n_events = 1,
                                 .n_slots = N_SLOTS,
                                 .takes_turns = true,
                                 .events = &metered,
                                 .parts = {{&telling, NULL}}};
static struct hpm_costs costs;
static struct hpm_calltree *tree;

/* The counter was on for a quarter of the time. */
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

/* A table whose run begins now. */
static void
begin(void)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};

    tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    hpm_calltree_set_shares(tree, hpm_shares_new(&meter));
    hpm_calltree_begin_run(tree);
}

static void
end(void)
{
    hpm_calltree_free(tree);
}

/* The overhead counted by the long way is subtracted where it was: in
 * "inner". */
static void
test_close(void)
{
    const struct hpm_node *outer, *inner;

    begin();
    outer = start(10, 1, 1, "outer");
    inner = start(310, 3, 2, "inner");
    hpm_calltree_add_slot_overhead(tree, COUNT, OWN);
    stop(510, 7, inner);
    check(inner, false, 200 - OWN, 4, "a section that has ended has a step");
    check(inner, true, 200 - OWN, 4, "and one of its own");
    ok(hpm_shares_of(tree->shares, outer->number) == NULL,
       "one that is open has none yet");
    hpm_sharing_close(tree, outer);
    hpm_sharing_close(tree, NULL);
    ok(hpm_shares_of(tree->shares, outer->number) == NULL,
       "whoever says that it has ended");
    stop(1010, 9, outer);
    check(outer, false, 1000 - OWN, 8, "what is inside is in its step");
    check(outer, true, 800, 4, "but not in that of its own");
    end();
}

/* ---- slices ----------------------------------------------------------- */

/* Check the number of steps, unless it is 0, and their sums. */
static void
check_turns(const struct hpm_blocks *blocks, unsigned n_blocks, uint64_t count,
            uint64_t ms, const char *sentence)
{
    ok(blocks != NULL && (n_blocks == 0 || blocks->n_blocks == n_blocks) &&
           blocks->sum.count == count && blocks->sum.enabled == ms * 1000000 &&
           blocks->sum.running == ms * 250000,
       sentence);
    if (blocks != NULL)
        printf("# %u steps, %llu in %llu ns\n", blocks->n_blocks,
               (unsigned long long)blocks->sum.count,
               (unsigned long long)blocks->sum.enabled);
}

static const struct hpm_blocks *
blocks_of(const struct hpm_node *node, bool is_exclusive)
{
    return hpm_shares_find(tree->shares, node->number, 0, is_exclusive);
}

/* All open sections, and what no section covers, end a step. */
static void
test_slice(void)
{
    const struct hpm_node *outer, *inner;

    begin();
    outer = start(100, 1, 1, "outer");
    inner = start(300, 3, 2, "inner");
    fill(tree->now, 700, 7);
    hpm_sharing_slice_now(tree);
    check_turns(&tree->shares->outside[0], 1, 100, 1,
                "what comes before the outermost section is of none");
    check_turns(blocks_of(outer, false), 1, 600, 6,
                "an open section has a step until the slice");
    check_turns(blocks_of(outer, true), 1, 200, 2,
                "without what the section inside has");
    check_turns(blocks_of(inner, false), 1, 400, 4, "which has its own");
    check_turns(blocks_of(inner, true), 1, 400, 4, "all of it");
    stop(800, 8, inner);
    fill(tree->now, 1000, 10);
    hpm_sharing_slice_now(tree);
    check_turns(blocks_of(outer, true), 2, 400, 4,
                "the next step has what came since then");
    check_turns(blocks_of(inner, false), 2, 500, 5,
                "a closed section has what it had until its end");
    stop(1100, 11, outer);
    fill(tree->now, 1600, 16);
    hpm_sharing_slice_now(tree);
    check_turns(&tree->shares->outside[0], 2, 600, 6,
                "what comes after all of them is of none, too");
    end();
}

/* Constants for starts and stops belong to the whole time: they stay in the
 * count.  Two sections inside, so that the numbers of starts and stops differ
 * while the second one is open. */
static void
test_edges(void)
{
    const struct hpm_node *outer, *inner;

    begin();
    outer = start(100, 1, 1, "outer");
    inner = start(200, 2, 2, "first");
    stop(300, 3, inner);
    inner = start(400, 4, 3, "second");
    hpm_calltree_add_slot_overhead(tree, COUNT, OWN);
    fill(tree->now, 600, 6);
    hpm_sharing_slice_now(tree);
    check_turns(blocks_of(outer, false), 1, 500 - OWN, 5,
                "a step has what was counted but for what measured itself");
    check_turns(blocks_of(outer, true), 1, 200, 2, "as has one of its own");
    check_turns(blocks_of(inner, false), 1, 200 - OWN, 2,
                "and that of what is open inside");
    stop(700, 7, inner);
    stop(800, 8, outer);
    hpm_calltree_add_slot_overhead(tree, COUNT, OWN);
    fill(tree->now, 1000, 10);
    hpm_sharing_slice_now(tree);
    check_turns(&tree->shares->outside[0], 2, 100 + 200 - OWN, 1 + 2,
                "and what is outside of all");
    end();
}

static void
test_due(void)
{
    begin();
    start(100, 1, 1, "a");
    tree->shares->slice_ns = 4000000;
    fill(tree->now, 300, 3);
    hpm_sharing_slice(tree);
    ok(tree->shares->slice == 0 && tree->shares->outside[0].n_blocks == 0,
       "before it is time for a slice there is none");
    hpm_sharing_follow(tree);
    is_count(tree->shares->last[COUNT], 0, "nor is the source asked");
    fill(tree->now, 400, 4);
    hpm_sharing_follow(tree);
    is_count(tree->shares->last[COUNT], 400, "then it is, up to this reading");
    hpm_sharing_slice(tree);
    ok(tree->shares->slice == 4000000 && tree->shares->outside[0].n_blocks == 1,
       "and a slice ends");
    fill(tree->now, 700, 7);
    hpm_sharing_slice(tree);
    is_count(tree->shares->slice, 4000000, "the next one is as long again");
    end();
}

/* Between two readings steps go from start to start, so that a section gets
 * nothing of a step before it was open. */
static void
test_follow(void)
{
    const struct hpm_node *outer, *inner;

    begin();
    meter.n_parts = 1;
    outer = start(100, 1, 1, "outer");
    inner = start(500, 5, 2, "inner");
    fill(tree->now, 900, 9);
    hpm_sharing_follow(tree);
    check_turns(blocks_of(outer, false), 4, 800, 8,
                "a section has each step that the source tells");
    check_turns(blocks_of(outer, true), 0, 400, 4,
                "until the next one begins its own");
    check_turns(blocks_of(inner, false), 0, 400, 4, "which has the others");
    check_turns(&tree->shares->outside[0], 0, 100, 1,
                "and what came before them is of none");
    is_count(tree->shares->last[COUNT], 900, "it goes on from here");
    meter.n_parts = 0;
    end();
}

/* A step that ends before any section begins belongs to no section. */
static void
test_follow_outside(void)
{
    const struct hpm_node *node;

    begin();
    meter.n_parts = 1;
    node = start(700, 7, 1, "a");
    fill(tree->now, 800, 8);
    hpm_sharing_follow(tree);
    check_turns(&tree->shares->outside[0], 3, 600, 6,
                "steps before the first section are of none");
    ok(blocks_of(node, false) != NULL &&
           blocks_of(node, false)->sum.enabled == 0,
       "and the section has none of them");
    meter.n_parts = 0;
    end();
}

/* One of two clocks may have begun before a section, the other after it. */
static void
test_two_clocks(void)
{
    enum { FIRST = 3, SECOND = 5, N = 7 }; /* each is followed by `running` */
    static struct hpm_metered two[] = {
        {.clock_slot = FIRST, .state = HPM_STATE_COUNTED},
        {.clock_slot = SECOND, .state = HPM_STATE_COUNTED}};
    static struct hpm_meter both = {
        .n_events = 2, .n_slots = N, .takes_turns = true, .events = two};
    static const uint64_t begins[N] = {0, 500, 100, 5, 5, 1, 1},
                          now[N] = {0, 300, 400, 3, 3, 4, 4};
    const struct hpm_shape shape = {N, 3, 1};
    const struct hpm_node *node;

    tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    hpm_calltree_set_shares(tree, hpm_shares_new(&both));
    memcpy(hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL),
           begins, sizeof begins);
    node = hpm_calltree_innermost(tree);
    memcpy(tree->now, now, sizeof now);
    hpm_sharing_slice_now(tree);
    is_count(hpm_shares_find(tree->shares, node->number, 0, false)->sum.enabled,
             0, "by a clock before its begin a section has no step");
    is_count(hpm_shares_find(tree->shares, node->number, 1, false)->sum.count,
             300, "by another one it has");
    end();
    tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    hpm_calltree_set_shares(tree, hpm_shares_new(&both));
    memcpy(tree->now, begins, sizeof begins);
    hpm_calltree_begin_run(tree);
    memcpy(tree->now, now, sizeof now);
    hpm_sharing_slice_now(tree);
    ok(tree->shares->outside[0].sum.enabled == 0 &&
           tree->shares->outside[1].sum.count == 300,
       "likewise what is outside of all");
    end();
}

/* A table without counters that take turns has no steps. */
static void
test_without_shares(void)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};
    const struct hpm_node *node;

    tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    node = start(100, 1, 1, "a");
    fill(tree->now, 300, 300);
    ok(!hpm_sharing_is_plain_stop(tree, 1, 0),
       "without counters that take turns no stop comes the long way for them");
    hpm_sharing_follow(tree);
    hpm_sharing_slice(tree);
    hpm_sharing_slice_now(tree);
    stop(400, 400, node);
    hpm_sharing_end(tree);
    ok(tree->shares == NULL, "and there are no steps");
    end();
}

/* A stop is plain if it only closes the section. */
static void
test_plain_stop(void)
{
    begin();
    start(0, 1, 1, "a");
    tree->shares->slice_ns = 100000000;
    tree->shares->step_ns = 5000000;
    fill(tree->now, 100, 3);
    ok(hpm_sharing_is_plain_stop(tree, 1, 3), "a stop amid a step is plain");
    ok(!hpm_sharing_is_plain_stop(tree, 2, 3), "that of another one is not");
    tree->top->recursions = 1;
    ok(!hpm_sharing_is_plain_stop(tree, 1, 3), "nor one inside itself");
    tree->top->recursions = 0;
    tree->put_due = 3;
    ok(!hpm_sharing_is_plain_stop(tree, 1, 3), "nor when sums are put aside");
    ok(hpm_sharing_is_plain_stop(tree, 1, 2), "before that it is");
    tree->put_due = UINT64_MAX;
    tree->shares->slice_ns = 3000000;
    ok(!hpm_sharing_is_plain_stop(tree, 1, 3), "nor at the end of a slice");
    tree->shares->slice_ns = 100000000;
    fill(tree->now, 100, 6);
    ok(!hpm_sharing_is_plain_stop(tree, 1, 3), "nor at the end of a step");
    hpm_sharing_slice_now(tree);
    fill(tree->now, 100, 10);
    ok(hpm_sharing_is_plain_stop(tree, 1, 3), "steps begin with a slice");
    fill(tree->now, 100, 11);
    ok(!hpm_sharing_is_plain_stop(tree, 1, 3), "and are as long again");
    end();
}

/* ---- the end ---------------------------------------------------------- */

static const struct hpm_node *
outside_of(const struct hpm_calltree *its_tree)
{
    const struct hpm_node *node = its_tree->nodes.first;

    while (node != NULL && !node->is_outside)
        node = node->next;
    return node;
}

/* "a" runs from 1 ms to 5 ms of a run of 8 ms. */
static struct hpm_calltree *
run(void)
{
    const struct hpm_node *node;

    begin();
    node = start(100, 1, 1, "a");
    fill(tree->now, 300, 3);
    hpm_sharing_slice_now(tree);
    stop(500, 5, node);
    fill(tree->now, 800, 8);
    hpm_calltree_end_run(tree);
    hpm_sharing_end(tree);
    return tree;
}

static void
test_end(void)
{
    run();
    check_turns(blocks_of(tree->nodes.first, false), 2, 400, 4,
                "a section has its last step");
    check_turns(blocks_of(outside_of(tree), true), 2, 400, 4,
                "what no section covers has those before and after it");
    check_turns(blocks_of(outside_of(tree), false), 1, 800, 8,
                "and with all sections one");
    end();
}

static void
test_merge(void)
{
    struct hpm_calltree *first = run(), *second = run();

    tree = first;
    ok(hpm_calltree_merge(first, second), "a table takes up another");
    hpm_sharing_merge(first, second);
    check_turns(blocks_of(first->nodes.first, false), 4, 800, 8,
                "and the steps of its sections");
    check_turns(blocks_of(outside_of(first), true), 4, 800, 8,
                "as those of what none covers");
    second->shares->n_events++;
    hpm_sharing_merge(first, second);
    second->shares->n_events--;
    check_turns(blocks_of(first->nodes.first, false), 4, 800, 8,
                "but none of other events");
    hpm_calltree_free(second);
    end();
}

int
main(void)
{
    costs.amounts[HPM_COST_START][COUNT] = START;
    costs.amounts[HPM_COST_STOP][COUNT] = STOP;
    test_close();
    test_slice();
    test_edges();
    test_due();
    test_follow();
    test_follow_outside();
    test_two_clocks();
    test_without_shares();
    test_plain_stop();
    test_end();
    test_merge();
    return done();
}
