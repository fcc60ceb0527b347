/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for many small things that live and go together, with a bound.  One
 * thread at a time. */
#ifndef HPM_HOST_ARENA_H
#define HPM_HOST_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* Start from {0}. */
struct hpm_arena {
    struct hpm_arena_chunk *chunks;
    char *next;
    char *clean; /* zeroed up to here */
    char *end;
    size_t taken; /* bytes got from the system */
    size_t most;  /* of them; 0: no bound */
};

/* Zeroed memory for `count` objects of `size` bytes, good for any type; NULL
 * when there is none left, or no more than `most` may be taken. */
void *hpm_arena_new(struct hpm_arena *arena, size_t count, size_t size);

/* Like hpm_memory_grow, in the arena; the old array stays until the end. */
bool hpm_arena_grow(struct hpm_arena *arena, void *ret_array,
                    size_t *ret_capacity, size_t needed, size_t size);

/* Give all of it back. */
void hpm_arena_free(struct hpm_arena *arena);

#endif
