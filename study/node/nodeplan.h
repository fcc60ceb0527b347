/* SPDX-License-Identifier: BSD-3-Clause
 * A plan to count something of the whole node: counters of the kernel, each on
 * one processor, which stands for its package, and zones of powercap.  Their
 * counts are added up. */
#ifndef HPM_STUDY_NODE_NODEPLAN_H
#define HPM_STUDY_NODE_NODEPLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/event.h"

struct hpm_nodeplan {
    struct hpm_nodecounter {
        struct hpm_encoding encoding;
        int cpu;
        double factor; /* from its count to the unit */
    } * counters;
    size_t n_counters, counters_capacity;
    struct hpm_nodezone {
        char path[128]; /* of the file with its energy, in microjoules */
        uint64_t range; /* the largest value before it begins at 0 again; 0: not
                         * known */
    } * zones;
    size_t n_zones, zones_capacity;
    const char
        *unit;      /* "uJ", "byte", "" for a number of events; constant.  NULL
                     * while there is no counter */
    char what[160]; /* source of the count, for people */
};

/* Start from {0}.  False when there is no memory. */
bool hpm_nodeplan_add_counter(struct hpm_nodeplan *plan,
                              const struct hpm_nodecounter *counter,
                              struct hpm_error *err);
bool hpm_nodeplan_add_zone(struct hpm_nodeplan *plan,
                           const struct hpm_nodezone *zone,
                           struct hpm_error *err);

/* The event to open a counter with: it counts all that runs, in any mode. */
struct hpm_event hpm_nodeplan_event(const struct hpm_nodecounter *counter);

void hpm_nodeplan_clear(struct hpm_nodeplan *plan);

#endif
