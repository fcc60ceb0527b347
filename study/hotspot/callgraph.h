/* SPDX-License-Identifier: BSD-3-Clause
 * Who calls whom, in samples with their callers: of each function how many samples are
 * in it, how many in it and what it calls, and how many in a call from each caller. */
#ifndef HPM_STUDY_HOTSPOT_CALLGRAPH_H
#define HPM_STUDY_HOTSPOT_CALLGRAPH_H

#include "study/hotspot/stacks.h"

/* A function, or a call of it.  A sample counts once, however often the function, or
 * the call, is in its stack. */
struct hpm_callgraph_entry {
    uint32_t sampled;
    struct hpm_stacks_frame function;
    struct hpm_stacks_frame caller; /* name HPM_NO_NAME: all calls, and none */
    uint64_t
        n_self; /* of a function: samples in it; of a call: none is counted */
    uint64_t n; /* samples in it and in what it calls */
};

struct hpm_callgraph {
    struct hpm_stacks stacks;
    /* by event; functions before calls; most samples first */
    struct hpm_callgraph_entry *entries;
    size_t n_entries, capacity, n_settled;
};

/* Begin with {0}; clear it in any case.  False when there is no memory.  The study
 * must outlive it. */
bool hpm_callgraph_make(struct hpm_callgraph *graph,
                        const struct hpm_study *study);
void hpm_callgraph_clear(struct hpm_callgraph *graph);

static inline bool
hpm_callgraph_is_call(const struct hpm_callgraph_entry *entry)
{
    return entry->caller.name != HPM_NO_NAME;
}

#endif
