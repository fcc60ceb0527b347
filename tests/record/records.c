/* SPDX-License-Identifier: BSD-3-Clause
 * From a section table to records: a counter that took turns, whose samples are
 * made up. */
#include "record/records.h"

#include "tap.h"

/* A row: time, count, and how long that was wanted and had the hardware. */
enum { COUNT = 1, ENABLED, RUNNING, N_SLOTS };
/* The time and the count are charged. */
enum { N_CHARGED = 2 };
/* Calls that take no constant time charge what they counted themselves. */
enum { SELF = 5, EDGE = 2, OWN = 40 };

static struct hpm_eventset set;
static struct hpm_metered metered = {.clock_slot = ENABLED,
                                     .state = HPM_STATE_COUNTED};
static struct hpm_costs costs;
static struct hpm_final final;
static struct hpm_problems *problems;
static struct hpm_calltree *tree;
static struct hpm_experiment *experiment;

static void
say(const char *line)
{
    printf("# %s\n", line);
}

/* Edges at `ms` milliseconds: the counter has had the hardware for a quarter of
 * them. */
static void
fill(uint64_t *row, uint64_t count, uint64_t ms)
{
    row[0] = ms * 1000000;
    row[COUNT] = count;
    row[ENABLED] = ms * 1000000;
    row[RUNNING] = ms * 250000;
}

static void
start(uint64_t count, uint64_t ms, int id, const char *label)
{
    fill(hpm_calltree_start(tree, id, HPM_PARENT_AUTO, label, "a.c", id, NULL),
         count, ms);
}

static void
stop(uint64_t count, uint64_t ms)
{
    fill(tree->now, count, ms);
    hpm_calltree_close_top(tree, 99, HPM_COST_STOP);
}

static bool
take(bool is_corrected)
{
    struct hpm_meter meter = {.set = &set,
                              .n_events = 1,
                              .n_slots = N_SLOTS,
                              .tid = -1,
                              .events = &metered};
    struct hpm_records records = {.experiment = experiment,
                                  .tree = tree,
                                  .meter = &meter,
                                  .correction = {&costs, &final, NULL},
                                  .is_corrected = is_corrected,
                                  .first_work = 1,
                                  .has_sections = true,
                                  .scope = HPM_SCOPE_THREAD,
                                  .ns_per_tick = 1};

    return hpm_records_add(&records);
}

/* "outer" counts 1000 in 8 ms, of which "inner" counts 200 in 4 ms. */
static void
begin(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_CHARGED, N_CHARGED};

    costs.amounts[HPM_COST_SELF][COUNT] = SELF;
    costs.amounts[HPM_COST_START][COUNT] = EDGE;
    costs.amounts[HPM_COST_STOP][COUNT] = EDGE;
    final.costs = costs;
    problems = hpm_problems_new(say, NULL);
    tree = hpm_calltree_new(&shape, &costs, NULL, problems);
    experiment = hpm_experiment_new();
    hpm_experiment_add_counter(experiment);
    start(10, 1, 1, "outer");
    start(310, 3, 2, "inner");
    hpm_calltree_add_slot_overhead(tree, COUNT, OWN);
    stop(510, 7);
    stop(1010, 9);
}

static void
end(void)
{
    hpm_experiment_free(experiment);
    hpm_calltree_free(tree);
    hpm_problems_free(problems);
}

static const struct hpm_value *
value_of(const char *label)
{
    for (size_t i = 0; i < experiment->n_records; i++) {
        if (strcmp(experiment->records[i].label, label) == 0)
            return hpm_experiment_value(experiment, i, 0);
    }
    return NULL;
}

static void
check(const char *label, uint64_t total, uint64_t exclusive, uint64_t overhead)
{
    const struct hpm_value *value = value_of(label);

    ok(value != NULL && value->state == HPM_STATE_SHARED, label);
    if (value == NULL)
        return;
    is_count(value->total, total, "its total is that of the whole time");
    is_count(value->exclusive, exclusive, "and so is its exclusive value");
    is_count(value->overhead, overhead, "its overhead");
    is_near(value->share, 0.25, 1e-12, "a quarter of the time it was counted");
}

static void
test_as_read(void)
{
    begin();
    ok(take(false), "records are made where no cost is known");
    check("outer", 4000, 3200, 0);
    check("inner", 800, 800, 0);
    end();
}

/* What was counted while the counter was on is scaled with the count; constants
 * are known of the whole time. */
static void
test_corrected(void)
{
    begin();
    ok(take(true), "records are made where costs are known");
    check("outer", 4 * (1000 - OWN) - SELF - 2 * EDGE, 4 * 800 - 2 * EDGE,
          4 * OWN + SELF + 2 * EDGE);
    check("inner", 4 * (200 - OWN) - SELF, 4 * (200 - OWN) - SELF,
          4 * OWN + SELF);
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults", NULL, HPM_DOMAIN_ALL, sources,
                             NULL))
        return 1;
    test_as_read();
    test_corrected();
    hpm_eventset_clear(&set);
    return done();
}
