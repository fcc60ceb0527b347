/* SPDX-License-Identifier: BSD-3-Clause
 * What is kept of counters that take turns, beside the sums of a section table:
 * the blocks (see model/estimate.h) of each section.  Owner and thread are those
 * of the table. */
#ifndef HPM_RECORD_SHARES_H
#define HPM_RECORD_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/estimate.h"
#include "source/meter.h"

struct hpm_shares {
    size_t n_events;
    struct hpm_shared_event {
        uint16_t slot;       /* of its count, in a row */
        uint16_t clock_slot; /* of enabled; running is the next one */
    } events[HPM_MAX_ALL_EVENTS];
    struct hpm_blocks **of_nodes; /* by number: inclusive and exclusive of each
                                     event; NULL where there was no memory */
    size_t n_nodes, capacity;
    struct hpm_blocks *outside; /* exclusive of each event */
    uint64_t slice;             /* enabled at the last slice */
    uint64_t slice_ns, step_ns; /* the shortest ones */
    const struct hpm_meter *meter;
    uint64_t *last,
        *at; /* rows: the sample of the last slice, and of the ends of
                            slices that are gone through since then */
};

/* Of the events of a meter that take turns; NULL where none does, or there is
 * no memory. */
struct hpm_shares *hpm_shares_new(const struct hpm_meter *meter);
void hpm_shares_free(struct hpm_shares *shares);

/* From now on no slice is due, and no step of short calls: each stop takes the
 * same way. */
void hpm_shares_be_even(struct hpm_shares *shares);

/* Those of the section with that number, new ones for one that has none; NULL
 * when there is no memory. */
struct hpm_blocks *hpm_shares_get(struct hpm_shares *shares, unsigned node);

/* Those of the section with that number, NULL: it has none yet. */
const struct hpm_blocks *hpm_shares_of(const struct hpm_shares *shares,
                                       unsigned node);

/* Those of an event of the meter (its number there), inclusive or exclusive;
 * NULL: there are none. */
const struct hpm_blocks *hpm_shares_find(const struct hpm_shares *shares,
                                         unsigned node, size_t event,
                                         bool is_exclusive);

#endif
