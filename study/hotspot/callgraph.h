/* SPDX-License-Identifier: BSD-3-Clause
 * The call graph of samples with callers: for each function the number of
 * samples in it, in it and the functions it calls, and in calls from each
 * caller. */
#ifndef HPM_STUDY_HOTSPOT_CALLGRAPH_H
#define HPM_STUDY_HOTSPOT_CALLGRAPH_H

#include "study/hotspot/stacks.h"

/* A function, or the calls of a function from one caller.  A sample counts
 * once, however often the function, or the call, is in its stack. */
struct hpm_callgraph_entry {
    uint32_t sampled;
    struct hpm_stacks_frame function;
    struct hpm_stacks_frame caller; /* name HPM_NO_NAME: all calls, or no
                                     * caller */
    uint64_t
        n_self; /* samples in the function itself; 0 in the entry of a call */
    uint64_t n; /* samples in it and in the functions it calls */
};

struct hpm_callgraph {
    struct hpm_stacks stacks;
    /* by event; functions before calls; most samples first */
    struct hpm_callgraph_entry *entries;
    size_t n_entries, capacity, n_settled;
};

/* Begin with {0}; clear it in any case.  False when there is no memory.  The
 * study must live longer. */
bool hpm_callgraph_make(struct hpm_callgraph *graph,
                        const struct hpm_study *study);
void hpm_callgraph_clear(struct hpm_callgraph *graph);

static inline bool
hpm_callgraph_is_call(const struct hpm_callgraph_entry *entry)
{
    return entry->caller.name != HPM_NO_NAME;
}

#endif
