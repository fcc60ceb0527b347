/* SPDX-License-Identifier: BSD-3-Clause
 * The call stacks of samples: the names of the functions that had called each
 * other when a sample was taken. */
#ifndef HPM_STUDY_HOTSPOT_STACKS_H
#define HPM_STUDY_HOTSPOT_STACKS_H

#include "base/error.h"
#include "base/names.h"
#include "base/string.h"
#include "study/columns/study.h"
#include "study/hotspot/naming.h"

/* A function in a stack. */
struct hpm_stacks_frame {
    uint32_t name, module; /* of `names` */
};

struct hpm_stacks {
    const struct hpm_study *study;
    struct hpm_names names;
    struct hpm_naming naming;
    struct hpm_stacks_frame *callers; /* by number of the chain */
    bool *
        has_threads; /* by event: threads have samples; the process has the same
                      * samples again */
    struct hpm_stacks_frame *frames; /* of one sample, see hpm_stacks_find */
    size_t n_frames, capacity;
    uint32_t more; /* the name in place of callers that were cut off */
};

/* Begin with {0}; end in any case.  False when there is no memory.  The study
 * must live longer. */
bool hpm_stacks_begin(struct hpm_stacks *stacks, const struct hpm_study *study);
void hpm_stacks_end(struct hpm_stacks *stacks);

/* Does the hit count?  Each sample counts once, and lost samples do not
 * count. */
bool hpm_stacks_counts(const struct hpm_stacks *stacks,
                       const struct hpm_study_hit *hit);

/* Put the functions of a hit into `frames`, the innermost first; false when
 * there is no memory. */
bool hpm_stacks_find(struct hpm_stacks *stacks,
                     const struct hpm_study_hit *hit);

/* The number of samples of an event, and how many of them have a caller. */
void hpm_stacks_count(const struct hpm_stacks *stacks, uint32_t sampled,
                      uint64_t *ret_n, uint64_t *ret_n_called);

/* Append a line for each stack of an event, the outermost function first, as
 * tools for flame graphs read it: "main;solve;dot 12".  With several events in
 * the study the event comes before the functions, with its period and domain
 * ("cpu-clock@997000ns user") where it was sampled in several ways.  False when
 * there is no memory. */
bool hpm_stacks_add_folded(struct hpm_string *string,
                           struct hpm_stacks *stacks);

#endif
