/* SPDX-License-Identifier: BSD-3-Clause
 * A set of events of a plan, by number. */
#ifndef HPM_STUDY_PLAN_EVENTMASK_H
#define HPM_STUDY_PLAN_EVENTMASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HPM_MAX_PLAN_EVENTS = 512, HPM_MASK_WORDS = HPM_MAX_PLAN_EVENTS / 64 };

struct hpm_eventmask {
    uint64_t words[HPM_MASK_WORDS];
};

static inline void
hpm_eventmask_add(struct hpm_eventmask *mask, size_t event)
{
    mask->words[event / 64] |= (uint64_t)1 << event % 64;
}

static inline bool
hpm_eventmask_has(const struct hpm_eventmask *mask, size_t event)
{
    return mask->words[event / 64] >> event % 64 & 1;
}

static inline struct hpm_eventmask
hpm_eventmask_union(const struct hpm_eventmask *a,
                    const struct hpm_eventmask *b)
{
    struct hpm_eventmask both;

    for (size_t i = 0; i < HPM_MASK_WORDS; i++)
        both.words[i] = a->words[i] | b->words[i];
    return both;
}

static inline size_t
hpm_eventmask_count(const struct hpm_eventmask *mask)
{
    size_t n = 0;

    for (size_t i = 0; i < HPM_MASK_WORDS; i++)
        n += (size_t)__builtin_popcountll(mask->words[i]);
    return n;
}

/* The number of events that are in both sets. */
static inline size_t
hpm_eventmask_overlap(const struct hpm_eventmask *a,
                      const struct hpm_eventmask *b)
{
    size_t n = 0;

    for (size_t i = 0; i < HPM_MASK_WORDS; i++)
        n += (size_t)__builtin_popcountll(a->words[i] & b->words[i]);
    return n;
}

/* Are all events of `inner` in `outer`? */
static inline bool
hpm_eventmask_contains(const struct hpm_eventmask *outer,
                       const struct hpm_eventmask *inner)
{
    for (size_t i = 0; i < HPM_MASK_WORDS; i++) {
        if ((inner->words[i] & ~outer->words[i]) != 0)
            return false;
    }
    return true;
}

#endif
