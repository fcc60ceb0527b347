/* SPDX-License-Identifier: BSD-3-Clause
 * Memory cut from chunks.
 *
 * Chunks grow with the memory in use, so that an arena of a small file is small
 * and one of a large file has few chunks.  An array too large for the rest of a
 * chunk gets a chunk of its own.  Chunks are zeroed piece by piece as they are
 * used: half of a small arena is never used. */
#include "host/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "host/memory.h"

enum {
    ALIGNMENT = 16,
    FIRST_CHUNK = 16 << 10,
    LARGEST_CHUNK = 1 << 20,
    LARGEST_PIECE = FIRST_CHUNK / 4, /* from a chunk */
    CLEAN_AHEAD = LARGEST_PIECE
};

struct hpm_arena_chunk {
    alignas(ALIGNMENT) struct hpm_arena_chunk *next;
};

static bool
may_take(const struct hpm_arena *arena, size_t bytes)
{
    return arena->most == 0 ||
           (arena->taken <= arena->most && bytes <= arena->most - arena->taken);
}

static bool
add_chunk(struct hpm_arena *arena, struct hpm_arena_chunk *chunk, size_t bytes)
{
    if (chunk == NULL)
        return false;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->taken += bytes;
    return true;
}

static void *
take_alone(struct hpm_arena *arena, size_t bytes)
{
    bytes += sizeof(struct hpm_arena_chunk);
    if (!may_take(arena, bytes) ||
        !add_chunk(arena, hpm_memory_new(bytes, 1), bytes))
        return NULL;
    return arena->chunks + 1;
}

/* Leaves 64 bytes for the head of the block (host/memory.c), so that both
 * together are a power of two. */
static bool
begin_chunk(struct hpm_arena *arena)
{
    size_t bytes = arena->taken;

    if (bytes < FIRST_CHUNK)
        bytes = FIRST_CHUNK;
    else if (bytes > LARGEST_CHUNK)
        bytes = LARGEST_CHUNK;
    bytes -= 64;
    if (!may_take(arena, bytes) ||
        !add_chunk(arena, hpm_memory_take(bytes), bytes))
        return false;
    arena->next = arena->clean = (char *)(arena->chunks + 1);
    arena->end = (char *)arena->chunks + bytes;
    return true;
}

/* Zero the bytes that are handed out next, and some after them. */
static void
clean(struct hpm_arena *arena)
{
    size_t bytes = (size_t)(arena->end - arena->clean);

    if (bytes > CLEAN_AHEAD)
        bytes = CLEAN_AHEAD;
    memset(arena->clean, 0, bytes);
    arena->clean += bytes;
}

void *
hpm_arena_new(struct hpm_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    void *memory;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    if (bytes > LARGEST_PIECE)
        return take_alone(arena, bytes);
    if ((size_t)(arena->end - arena->next) < bytes && !begin_chunk(arena))
        return NULL;
    memory = arena->next;
    arena->next += bytes;
    if (arena->next > arena->clean)
        clean(arena);
    return memory;
}

bool
hpm_arena_grow(struct hpm_arena *arena, void *ret_array, size_t *ret_capacity,
               size_t needed, size_t size)
{
    void **array = ret_array;
    size_t capacity = *ret_capacity * 2;
    void *grown;

    if (needed <= *ret_capacity)
        return true;
    if (capacity < needed)
        capacity = needed;
    if (capacity < 8)
        capacity = 8;
    grown = hpm_arena_new(arena, capacity, size);
    if (grown == NULL)
        return false;
    if (*array != NULL)
        memcpy(grown, *array, *ret_capacity * size);
    *array = grown;
    *ret_capacity = capacity;
    return true;
}

void
hpm_arena_free(struct hpm_arena *arena)
{
    while (arena->chunks != NULL) {
        struct hpm_arena_chunk *chunk = arena->chunks;

        arena->chunks = chunk->next;
        hpm_memory_free(chunk);
    }
    *arena = (struct hpm_arena){.most = arena->most};
}
