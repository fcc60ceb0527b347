/* SPDX-License-Identifier: BSD-3-Clause
 * How far a thread has read the ring of its samples, and where the ring says how far the
 * kernel has written.  Each start and stop compares the two, so the comparison takes as
 * few instructions as possible.
 *
 * A cursor lies in memory that the kernel fills with zeros in every child process, also
 * one of a raw clone(2) (hpm_page_new_wiped).  A child does not have the ring's memory.
 * There `distance` is 0, so the comparison reads the cursor's own first word, which is 0
 * like `seen`: no sample has come.  So no start or stop needs to ask whether it runs in
 * a child. */
#ifndef HPM_SOURCE_CURSOR_H
#define HPM_SOURCE_CURSOR_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

/* Only the sampled thread writes a cursor, or another thread while the sampled thread
 * is in no call of the library. */
struct hpm_cursor {
    uint64_t
        distance; /* in bytes, from the cursor to the ring's head, which says how
                        * far the kernel has written */
    uint64_t
        seen; /* head up to which the thread has looked; the drainer may have
                        * taken later samples out already */

    /* Take the samples that have come, and read the counters into `slots`. */
    void (*take)(void *context, uint64_t *slots);
    void *context;
};

/* Set where the ring's head is. */
static inline void
hpm_cursor_point(struct hpm_cursor *cursor, const void *head)
{
    cursor->distance = (uintptr_t)head - (uintptr_t)cursor;
}

/* Has the kernel written since the thread looked? */
static inline __attribute__((always_inline)) bool
hpm_cursor_has_more(const struct hpm_cursor *cursor)
{
    /* The head is read once, and not in a loop, so a plain load is enough.  With an
     * atomic or volatile load gcc or clang makes an instruction more. */
    uint64_t distance = cursor->distance, seen = cursor->seen;
    const __u64 *head = (const __u64 *)((uintptr_t)cursor + distance);

    return __builtin_expect(*head != seen, 0);
}

/* Take samples that have come.  True: the counters are read, too; false: no sample has
 * come, and nothing is read. */
static inline __attribute__((always_inline)) bool
hpm_cursor_takes(const struct hpm_cursor *cursor, uint64_t *slots)
{
    if (!hpm_cursor_has_more(cursor))
        return false;
    cursor->take(cursor->context, slots);
    return true;
}

#endif
