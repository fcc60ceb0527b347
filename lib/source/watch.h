/* SPDX-License-Identifier: BSD-3-Clause
 * Has the kernel written into a thread's ring since the thread looked at it?  Asked
 * at each edge, so in as few instructions as it takes.
 *
 * A watch lies in memory that the kernel wipes in each child, by whatever call it was
 * forked (hpm_page_new_wiped).  The ring's memory is not there in a child; but the
 * distance is 0 then, so what is compared is the watch's own first word, which is 0
 * as well: nothing has come, and nobody had to ask which process this is. */
#ifndef HPM_SOURCE_WATCH_H
#define HPM_SOURCE_WATCH_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

/* Written by its thread, or while that is in no call. */
struct hpm_watch {
    uint64_t distance; /* in bytes, from here to the ring's head: how far the
                          kernel has written */
    uint64_t seen; /* how far of that the thread has; what is behind it may have
                          been taken out by another one already */

    /* What is done with what has come: the reading is, too. */
    void (*take)(void *context, uint64_t *slots);
    void *context;
};

static inline void
hpm_watch_point(struct hpm_watch *watch, const void *head)
{
    watch->distance = (uintptr_t)head - (uintptr_t)watch;
}

static inline __attribute__((always_inline)) bool
hpm_watch_has_more(const struct hpm_watch *watch)
{
    /* Neither atomic nor volatile, for which compilers take an instruction more on
     * one processor or the other: it is read once, and not in a loop. */
    uint64_t distance = watch->distance, seen = watch->seen;
    const __u64 *head = (const __u64 *)((uintptr_t)watch + distance);

    return __builtin_expect(*head != seen, 0);
}

/* The begin of a reading: true where it is done. */
static inline __attribute__((always_inline)) bool
hpm_watch_takes(const struct hpm_watch *watch, uint64_t *slots)
{
    if (!hpm_watch_has_more(watch))
        return false;
    watch->take(watch->context, slots);
    return true;
}

#endif
