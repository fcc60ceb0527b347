/* SPDX-License-Identifier: BSD-3-Clause
 * All memory of the library.
 *
 * The library does not use the measured program's malloc: a section may begin
 * in a signal handler that interrupted malloc, or inside a malloc that the
 * program brought along, and our blocks must not change the addresses the
 * program gets.  So memory comes from mmap, in chunks cut into blocks of a few
 * sizes:
 *
 *     chunk    [block][block][block]   next free byte ->   end
 *     block    head | the caller's memory      head: the block's class, or for
 *                                              a large block its mapped size
 *     free[class] -> block -> block -> NULL
 *
 * With the address sanitizer malloc is used instead, so that the sanitizer sees
 * our errors. */
#include "host/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include "host/cancel.h"
#include "host/ownusage.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define USES_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define USES_MALLOC 1
#endif
#ifndef USES_MALLOC
#define USES_MALLOC 0
#endif

/* ---- failing on purpose ---------------------------------------------- */

static atomic_ulong fail_countdown;
static atomic_bool fail_for_ever;

static bool
must_fail(void)
{
    unsigned long left = atomic_load(&fail_countdown);

    if (left == 0)
        return false;
    if (left == 1) {
        if (!atomic_load(&fail_for_ever))
            atomic_store(&fail_countdown, 0);
        return true;
    }
    atomic_store(&fail_countdown, left - 1);
    return false;
}

void
hpm_memory_fail_at(unsigned long n, bool for_ever)
{
    atomic_store(&fail_for_ever, for_ever);
    atomic_store(&fail_countdown, n);
}

/* ---- blocks ---------------------------------------------------------- */

/* Blocks are whole cache lines: of each number of lines up to 16, and beyond
 * that powers of two.  Not powers of two alone, because blocks at such
 * distances share few sets of the cache. */
enum {
    LINE_BYTES = 64,
    N_LINES = 16,
    N_CLASSES = N_LINES + 6, /* up to 64 KiB; larger blocks are mapped alone */
    CHUNK_BYTES = 1 << 18,
    LEAST_PAGE_BYTES = 1 << 12
};

struct head {
    size_t mapped; /* 0: the block is of a class */
    size_t class;
    struct head *next_free;
    size_t generation; /* how many forks made this process */
};

/* The addresses of so many chunks are kept.  The list is not at the begin of
 * each chunk, which would move blocks to one page more each. */
enum { N_KNOWN_CHUNKS = 64 };

static struct {
    atomic_flag lock;
    char *next;
    char *end;
    struct head *free[N_CLASSES];
    char *chunks[N_KNOWN_CHUNKS];
    size_t n_chunks;
    atomic_size_t generation;
} pool = {.lock = ATOMIC_FLAG_INIT};

/* No signal handler of the same thread comes back here: the library drops calls
 * of a thread that is inside one. */
static size_t
generation(void)
{
    return atomic_load_explicit(&pool.generation, memory_order_relaxed);
}

static struct hpm_cancel
lock_pool(void)
{
    struct hpm_cancel program = hpm_cancel_hold();

    while (atomic_flag_test_and_set_explicit(&pool.lock, memory_order_acquire))
        sched_yield();
    return program;
}

static void
unlock_pool(struct hpm_cancel program)
{
    atomic_flag_clear_explicit(&pool.lock, memory_order_release);
    hpm_cancel_release(program);
}

bool
hpm_memory_is_usable(void)
{
    const struct timespec step = {0, 1000000};

    for (int patience = 1000; patience > 0; patience--) {
        if (!atomic_flag_test_and_set_explicit(&pool.lock,
                                               memory_order_acquire)) {
            atomic_flag_clear_explicit(&pool.lock, memory_order_release);
            return true;
        }
        nanosleep(&step, NULL);
    }
    return false;
}

void
hpm_memory_forget(void)
{
    /* whether it was held or not: its holder is not in this process */
    (void)atomic_flag_test_and_set_explicit(&pool.lock, memory_order_acquire);
    pool.next = pool.end = NULL;
    pool.n_chunks = 0;
    memset(pool.free, 0, sizeof pool.free);
    atomic_fetch_add_explicit(&pool.generation, 1, memory_order_relaxed);
    atomic_flag_clear_explicit(&pool.lock, memory_order_release);
}

void
hpm_memory_withhold(bool is_withheld)
{
    for (size_t i = 0; i < pool.n_chunks; i++)
        madvise(pool.chunks[i], CHUNK_BYTES,
                is_withheld ? MADV_DONTFORK : MADV_DOFORK);
}

static void *
map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory != MAP_FAILED ? memory : NULL;
}

/* A block of class 0 is one cache line. */
static size_t
bytes_of(size_t class)
{
    return class < N_LINES
               ? (class + 1) * LINE_BYTES
               : (size_t)N_LINES * LINE_BYTES << (class - N_LINES + 1);
}

static size_t
class_of(size_t bytes)
{
    size_t class = (bytes - 1) / LINE_BYTES;

    if (class >= N_LINES) {
        class = N_LINES;
        while (bytes_of(class) < bytes)
            class ++;
    }
    return class;
}

/* Write to each page on which this block is the first, so that these page
 * faults are known to be ours: otherwise the block's user would have them
 * later. */
static void
touch(char *from, const char *end)
{
    char *page = from + (-(uintptr_t)from & (LEAST_PAGE_BYTES - 1));

    if (page >= end)
        return;
    hpm_ownusage_begin();
    for (; page < end; page += LEAST_PAGE_BYTES)
        *(volatile char *)page = 0;
    hpm_ownusage_end();
}

/* A new chunk drops the rest of the old one, which is smaller than a block of
 * this class. */
static struct head *
cut_from_chunk(size_t class)
{
    size_t bytes = bytes_of(class);
    struct head *block;

    if ((size_t)(pool.end - pool.next) < bytes) {
        char *chunk = map(CHUNK_BYTES);

        if (chunk == NULL)
            return NULL;
        if (pool.n_chunks < N_KNOWN_CHUNKS)
            pool.chunks[pool.n_chunks++] = chunk;
        pool.next = chunk;
        pool.end = chunk + CHUNK_BYTES;
    }
    block = (struct head *)(void *)pool.next;
    pool.next += bytes;
    touch((char *)block, pool.next);
    return block;
}

/* *ret_is_used: the block was used before, so it is not zeroed. */
static struct head *
take_small(size_t class, bool *ret_is_used)
{
    struct head *block;
    struct hpm_cancel program;

    program = lock_pool();
    block = pool.free[class];
    *ret_is_used = block != NULL;
    if (*ret_is_used)
        pool.free[class] = block->next_free;
    else
        block = cut_from_chunk(class);
    unlock_pool(program);
    if (block == NULL)
        return NULL;
    *block = (struct head){.class = class, .generation = generation()};
    return block;
}

static void *
take_apart(size_t whole)
{
    struct head *block = map(sizeof *block + whole);

    if (block == NULL)
        return NULL;
    block++; /* so that the caller's memory begins with a cache line */
    block->mapped = sizeof *block + whole;
    block->generation = generation();
    return block + 1;
}

/* Bytes from `kept` on are zeroed.  The kernel has zeroed mapped memory, and
 * provides a page only when it is written. */
static void *
take(size_t bytes, size_t kept)
{
    size_t whole = bytes + sizeof(struct head);
    struct head *block;
    bool is_used;

    if (whole < bytes)
        return NULL;
    if (whole <= bytes_of(N_CLASSES - 1)) {
        block = take_small(class_of(whole), &is_used);
        if (block == NULL)
            return NULL;
        if (kept < bytes && is_used)
            memset((char *)(block + 1) + kept, 0, bytes - kept);
        return block + 1;
    }
    return take_apart(whole);
}

static void
give_back(void *memory)
{
    struct head *block = (struct head *)memory - 1;
    struct hpm_cancel program;

    /* A parent's block is never freed in a child: at the fork another thread of
     * the parent may have been freeing it, and a block must not be in the free
     * list twice. */
    if (block->generation != generation())
        return;
    if (block->mapped != 0) {
        munmap(block - 1, block->mapped);
        return;
    }
    program = lock_pool();
    block->next_free = pool.free[block->class];
    pool.free[block->class] = block;
    unlock_pool(program);
}

/* ---- the door -------------------------------------------------------- */

void *
hpm_memory_new(size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    if (size == 0)
        size = 1;
    if (must_fail() || count > SIZE_MAX / 2 / size)
        return NULL;
    return USES_MALLOC ? calloc(count, size) : take(count * size, 0);
}

void *
hpm_memory_new_apart(size_t bytes)
{
    if (must_fail() || bytes > SIZE_MAX / 2)
        return NULL;
    return USES_MALLOC ? calloc(1, bytes)
                       : take_apart(bytes + sizeof(struct head));
}

void *
hpm_memory_take(size_t bytes)
{
    if (must_fail())
        return NULL;
    return USES_MALLOC ? malloc(bytes) : take(bytes, bytes);
}

char *
hpm_memory_copy_text(const char *text)
{
    size_t size;
    char *copy;

    if (text == NULL)
        return NULL;
    size = strlen(text) + 1;
    copy = hpm_memory_new(size, 1);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

bool
hpm_memory_enlarge(void *ret_array, size_t *ret_capacity, size_t needed,
                   size_t size)
{
    void **array = ret_array;
    size_t capacity = *ret_capacity * 2, used;
    void *grown;

    if (capacity < needed)
        capacity = needed;
    if (capacity < 8)
        capacity = 8;
    if (must_fail() || capacity > SIZE_MAX / 2 / size)
        return false;
    used = *array != NULL ? *ret_capacity * size : 0;
    grown = USES_MALLOC ? calloc(capacity, size) : take(capacity * size, used);
    if (grown == NULL)
        return false;
    if (used > 0)
        memcpy(grown, *array, used);
    hpm_memory_free(*array);
    *array = grown;
    *ret_capacity = capacity;
    return true;
}

void
hpm_memory_free(void *memory)
{
    if (memory == NULL)
        return;
    if (USES_MALLOC)
        free(memory);
    else
        give_back(memory);
}
