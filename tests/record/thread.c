/* SPDX-License-Identifier: BSD-3-Clause
 * What a call on the long way is charged, with readings made up. */
#include "record/thread.h"

#include "tap.h"

/* A row: time, count, and how long that was wanted and had the hardware. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };
/* What the call counts itself, and the constant for the rest of it. */
enum { OWN = 70, REST = 1000 };

static struct hpm_eventset set;
static struct hpm_metered metered = {.state = HPM_STATE_COUNTED};
static struct hpm_costs costs;
static uint64_t readings[2][N_SLOTS];
static int n_read;

static void
read_next(void *counting, uint64_t *slots)
{
    (void)counting;
    for (size_t i = 1; i < N_SLOTS; i++)
        slots[i] = readings[n_read % 2][i];
    n_read++;
}

/* Of the count, where the event was wanted for so long, and had the hardware. */
static uint64_t
charged(uint16_t clock_slot, uint64_t enabled, uint64_t running)
{
    const struct hpm_shape shape = {N_SLOTS, 2, 2};
    struct hpm_meter meter = {.set = &set,
                              .n_events = 1,
                              .n_slots = N_SLOTS,
                              .events = &metered,
                              .read = read_next};
    uint64_t begin[N_SLOTS] = {0}, end[N_SLOTS] = {0}, overhead;
    struct hpm_thread thread = {.meter = &meter, .begin = begin, .end = end};

    metered.clock_slot = clock_slot;
    n_read = 0;
    for (size_t i = 1; i < N_SLOTS; i++)
        readings[0][i] = 100 * i;
    readings[1][COUNT] = readings[0][COUNT] + OWN;
    readings[1][ENABLED] = readings[0][ENABLED] + enabled;
    readings[1][RUNNING] = readings[0][RUNNING] + running;
    costs.amounts[HPM_COST_WORK][COUNT] = REST;
    thread.tree = hpm_calltree_new(&shape, &costs, NULL, NULL);
    if (thread.tree == NULL)
        return 0;
    hpm_thread_begin_long(&thread);
    hpm_thread_end_long(&thread, HPM_COST_WORK, NULL);
    overhead = hpm_calltree_overhead_of(thread.tree, COUNT);
    hpm_calltree_free(thread.tree);
    return overhead;
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults", NULL, HPM_DOMAIN_ALL, sources,
                             NULL))
        return 1;
    is_count(charged(0, 800, 200), OWN + REST,
             "what is counted all the time has all of it");
    is_count(charged(ENABLED, 800, 800), OWN + REST,
             "so has a counter that had the hardware meanwhile");
    is_count(charged(ENABLED, 800, 200), OWN + REST / 4,
             "one that had it for a quarter has a quarter of the constant");
    is_count(charged(ENABLED, 800, 0), OWN,
             "one that did not have it has nothing of that");
    is_count(charged(ENABLED, UINT64_MAX - 5, 3), OWN + REST,
             "a time that cannot be is not divided by");
    hpm_eventset_clear(&set);
    return done();
}
