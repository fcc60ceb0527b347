/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for many small objects that are freed together, with a limit.  One
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
    size_t most;  /* limit of `taken`; 0: no limit */
};

/* Zeroed memory for `count` objects of `size` bytes, aligned for any type; NULL
 * when memory runs out or `most` would be exceeded. */
void *hpm_arena_new(struct hpm_arena *arena, size_t count, size_t size);

/* Like hpm_memory_grow, in the arena; the old array stays until the arena is
 * freed. */
bool hpm_arena_grow(struct hpm_arena *arena, void *ret_array,
                    size_t *ret_capacity, size_t needed, size_t size);

/* Free all memory of the arena. */
void hpm_arena_free(struct hpm_arena *arena);

#endif
