/* SPDX-License-Identifier: BSD-3-Clause
 * The process's run: how much of it was before its counters were opened. */
#include "record/process.h"

#include "tap.h"

enum { TIME, COUNT, N_SLOTS };

static const struct hpm_costs no_costs;

/* Counting began at 5000; it is `now`. */
static uint64_t
uncounted(uint64_t init, uint64_t now, bool is_running)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
    struct hpm_meter meter = {.n_slots = N_SLOTS, .time_slot = TIME};
    struct hpm_process process = {.meter = &meter};
    struct hpm_calltree *tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    uint64_t ticks;

    if (tree == NULL)
        return 1;
    process.tree = tree;
    tree->now[TIME] = 5000;
    if (is_running)
        hpm_calltree_begin_run(tree);
    tree->now[TIME] = now;
    ticks = hpm_process_uncounted(&process, init);
    hpm_calltree_free(tree);
    return ticks;
}

int
main(void)
{
    is_count(uncounted(4000, 6000, true), 1000,
             "what passed between init and the opening was not counted");
    is_count(uncounted(4000, 6000, false), 0,
             "but after the run there is none");
    is_count(uncounted(0, 6000, true), 0, "nor where init is not known");
    is_count(uncounted(5500, 6000, true), 0, "nor where init came after it");
    is_count(uncounted(4990, 5000 + 10001, true), 0,
             "less than a thousandth of the run does not matter");
    is_count(uncounted(4990, 5000 + 9999, true), 10, "more does");
    return done();
}
