/* SPDX-License-Identifier: BSD-3-Clause
 * One calibration. */
#include "record/calibration.h"

#include <string.h>

#include "host/memory.h"

bool
hpm_probe_init(struct hpm_probe *probe, size_t n_overheads, int capacity)
{
    *probe =
        (struct hpm_probe){.n_overheads = n_overheads, .capacity = capacity};
    probe->windows =
        hpm_memory_new(n_overheads * (size_t)capacity, sizeof *probe->windows);
    return probe->windows != NULL;
}

void
hpm_probe_clear(struct hpm_probe *probe)
{
    hpm_memory_free(probe->windows);
}

static const struct hpm_node *
find_newest(const struct hpm_calltree *tree, int instance)
{
    const struct hpm_node *newest = NULL;

    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next) {
        if (node->instance == instance)
            newest = node;
    }
    return newest;
}

/* A window in which a counter that takes turns was not on all the time. */
static const uint64_t not_known = INT64_MAX;

/* Was the counter on the hardware all the time since the last window? */
static bool
was_on(struct hpm_probe *probe, const struct hpm_node *node, size_t event,
       size_t clock_slot)
{
    uint64_t *last = probe->last_clocks[event];
    uint64_t enabled = node->inclusive[clock_slot] - last[0];
    uint64_t running = node->inclusive[clock_slot + 1] - last[1];

    last[0] += enabled;
    last[1] += running;
    return running == enabled && running > 0;
}

static void
mark_unknown(struct hpm_probe *probe, const struct hpm_calltree *tree,
             const struct hpm_node *node)
{
    const struct hpm_shares *shares = tree->shares;

    for (size_t i = 0; shares != NULL && i < shares->n_events; i++) {
        size_t slot = shares->events[i].slot;

        if (!was_on(probe, node, i, shares->events[i].clock_slot) &&
            slot < probe->n_overheads)
            probe->windows[slot * (size_t)probe->capacity +
                           (size_t)probe->n_windows] = not_known;
    }
}

void
hpm_probe_take(struct hpm_probe *probe, const struct hpm_calltree *tree,
               int instance)
{
    const struct hpm_node *node = find_newest(tree, instance);
    size_t n = probe->n_overheads;

    if (node == NULL || probe->n_windows == probe->capacity)
        return;
    if (node != probe->node) {
        memset(probe->last, 0, sizeof probe->last);
        memset(probe->last_clocks, 0, sizeof probe->last_clocks);
    }
    probe->node = node;
    for (size_t i = 0; i < n; i++) {
        uint64_t raw = node->inclusive[i];
        uint64_t charged = node->inclusive[tree->n_slots + i];

        probe->windows[i * (size_t)probe->capacity + (size_t)probe->n_windows] =
            raw - probe->last[i] - (charged - probe->last[n + i]);
        probe->last[i] = raw;
        probe->last[n + i] = charged;
    }
    mark_unknown(probe, tree, node);
    probe->n_windows++;
}

/* Compares as signed numbers: a window whose start and stop measured themselves
 * may be a little below 0. */
static int
compare(uint64_t left, uint64_t right)
{
    int64_t a = (int64_t)left, b = (int64_t)right;

    return (a > b) - (a < b);
}

/* Insertion sort: qsort may call malloc. */
static void
sort_windows(uint64_t *row, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t window = row[i];
        size_t j = i;

        for (; j > 0 && compare(row[j - 1], window) > 0; j--)
            row[j] = row[j - 1];
        row[j] = window;
    }
}

struct hpm_spread
hpm_probe_spread(struct hpm_probe *probe, size_t slot, bool *ret_is_unknown)
{
    uint64_t *row = &probe->windows[slot * (size_t)probe->capacity];
    size_t n = (size_t)probe->n_windows;

    sort_windows(row, n);
    while (n > 0 && row[n - 1] == not_known)
        n--;
    *ret_is_unknown = n == 0;
    if (n == 0)
        return (struct hpm_spread){0, 0, 0};
    return (struct hpm_spread){row[0], row[n / 2], row[n - 1]};
}

static uint64_t
smaller(uint64_t a, uint64_t b)
{
    return compare(a, b) <= 0 ? a : b;
}

static double
ticks_of(const struct hpm_costs *costs, enum hpm_cost cost)
{
    return (double)(int64_t)costs->amounts[cost][0];
}

/* `charged` are the costs found at init: the calls were charged with them. */
static void
choose_times(const struct hpm_calibration *init,
             const struct hpm_calibration *end, struct hpm_final *final)
{
    const struct hpm_costs *costs = &init->costs;

    for (int i = 0; i < HPM_N_TIMED; i++)
        final->timed[i] =
            end->is_done ? hpm_timecost_between(init->timed[i], end->timed[i])
                         : init->timed[i];
    final->charged[HPM_TIMED_SELF] = ticks_of(costs, HPM_COST_SELF);
    final->charged[HPM_TIMED_PAIR] =
        ticks_of(costs, HPM_COST_START) + ticks_of(costs, HPM_COST_STOP);
    final->charged[HPM_TIMED_AGAIN] = ticks_of(costs, HPM_COST_AGAIN_START) +
                                      ticks_of(costs, HPM_COST_AGAIN_STOP);
}

void
hpm_calibration_choose(const struct hpm_calibration *init,
                       const struct hpm_calibration *end,
                       struct hpm_final *ret_final)
{
    ret_final->costs = init->costs;
    choose_times(init, end, ret_final);
    if (!end->is_done)
        return;
    for (int cost = HPM_COST_SELF; cost <= HPM_COST_STOP; cost++) {
        for (size_t i = 1; i < init->n_overheads; i++) {
            uint64_t first = init->costs.amounts[cost][i];
            uint64_t last = end->costs.amounts[cost][i];

            if (!end->is_unknown[i])
                ret_final->costs.amounts[cost][i] =
                    init->is_unknown[i] ? last : smaller(first, last);
        }
    }
}
