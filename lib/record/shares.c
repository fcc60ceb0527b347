/* SPDX-License-Identifier: BSD-3-Clause
 * Data about counters that take turns. */
#include "record/shares.h"

#include "host/memory.h"

/* The kernel gives counters their turns every 4 ms, or less often.  A step of
 * calls is a small part of that: several steps fall into one turn. */
static const uint64_t slice_ns = 4000000, step_ns = 250000;

struct hpm_shares *
hpm_shares_new(const struct hpm_meter *meter)
{
    struct hpm_shares *shares;

    if (!meter->takes_turns)
        return NULL;
    shares = hpm_memory_new(1, sizeof *shares);
    if (shares == NULL)
        return NULL;
    shares->meter = meter;
    shares->slice_ns = slice_ns;
    shares->step_ns = step_ns;
    shares->last = hpm_memory_new(2 * meter->n_slots, sizeof *shares->last);
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->events[i].clock_slot != 0)
            shares->events[shares->n_events++] = (struct hpm_shared_event){
                (uint16_t)(1 + i), meter->events[i].clock_slot};
    }
    shares->outside = hpm_memory_new(shares->n_events, sizeof *shares->outside);
    if (shares->n_events == 0 || shares->outside == NULL ||
        shares->last == NULL) {
        hpm_shares_free(shares);
        return NULL;
    }
    shares->at = shares->last + meter->n_slots;
    return shares;
}

void
hpm_shares_free(struct hpm_shares *shares)
{
    if (shares == NULL)
        return;
    for (size_t i = 0; i < shares->n_nodes; i++)
        hpm_memory_free(shares->of_nodes[i]);
    hpm_memory_free(shares->of_nodes);
    hpm_memory_free(shares->outside);
    hpm_memory_free(shares->last);
    hpm_memory_free(shares);
}

void
hpm_shares_be_even(struct hpm_shares *shares)
{
    shares->slice_ns = shares->step_ns = UINT64_MAX;
}

struct hpm_blocks *
hpm_shares_get(struct hpm_shares *shares, unsigned node)
{
    if (node >= shares->n_nodes) {
        if (!hpm_memory_grow(&shares->of_nodes, &shares->capacity,
                             (size_t)node + 1, sizeof *shares->of_nodes))
            return NULL;
        while (shares->n_nodes <= node)
            shares->of_nodes[shares->n_nodes++] = NULL;
    }
    if (shares->of_nodes[node] == NULL)
        shares->of_nodes[node] =
            hpm_memory_new(2 * shares->n_events, sizeof(struct hpm_blocks));
    return shares->of_nodes[node];
}

const struct hpm_blocks *
hpm_shares_of(const struct hpm_shares *shares, unsigned node)
{
    return node < shares->n_nodes ? shares->of_nodes[node] : NULL;
}

const struct hpm_blocks *
hpm_shares_find(const struct hpm_shares *shares, unsigned node, size_t event,
                bool is_exclusive)
{
    const struct hpm_blocks *blocks =
        shares != NULL ? hpm_shares_of(shares, node) : NULL;

    for (size_t i = 0; blocks != NULL && i < shares->n_events; i++) {
        if (shares->events[i].slot == 1 + event)
            return &blocks[2 * i + is_exclusive];
    }
    return NULL;
}
