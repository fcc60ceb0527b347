/* SPDX-License-Identifier: BSD-3-Clause
 * Data about counters that take turns, beside the sums of a section table: the
 * blocks (see model/estimate.h) of each section.  Owner and thread are those of
 * the table. */
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
        uint16_t clock_slot; /* of the time enabled; the time running is in the
                              * next slot */
    } events[HPM_MAX_ALL_EVENTS];
    struct hpm_blocks **of_nodes; /* by the node's number: inclusive and
                                   * exclusive blocks of each event; NULL where
                                   * there was no memory */
    size_t n_nodes, capacity;
    struct hpm_blocks *outside; /* exclusive blocks of each event, for what no
                                 * section covers */
    uint64_t slice;             /* time enabled at the last slice */
    uint64_t slice_ns, step_ns; /* the shortest slice and step */
    const struct hpm_meter *meter;
    uint64_t *last,
        *at; /* rows: the sample of the last slice; the sample at the end of a
              * slice that is followed since then */
};

/* Make the data for the events of a meter that take turns; NULL if none does,
 * or there is no memory. */
struct hpm_shares *hpm_shares_new(const struct hpm_meter *meter);
void hpm_shares_free(struct hpm_shares *shares);

/* From now on neither a slice nor a step of short calls ends at a stop: each
 * stop takes the same way. */
void hpm_shares_be_even(struct hpm_shares *shares);

/* The blocks of the section with this number; they are made if needed.  NULL
 * when there is no memory. */
struct hpm_blocks *hpm_shares_get(struct hpm_shares *shares, unsigned node);

/* The blocks of the section with this number; NULL: it has none yet. */
const struct hpm_blocks *hpm_shares_of(const struct hpm_shares *shares,
                                       unsigned node);

/* The blocks of an event (its number in the meter), inclusive or exclusive;
 * NULL: there are none. */
const struct hpm_blocks *hpm_shares_find(const struct hpm_shares *shares,
                                         unsigned node, size_t event,
                                         bool is_exclusive);

#endif
