/* SPDX-License-Identifier: BSD-3-Clause
 * The one door to memory: apart from the program's malloc, and so that a test
 * can make any allocation fail.  Any thread. */
#ifndef HPM_HOST_MEMORY_H
#define HPM_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for `count` objects of `size` bytes; NULL when there is none
 * left or the product overflows. */
void *hpm_memory_new(size_t count, size_t size);

/* The same as one piece of its own, from the system: with the same number of
 * instructions each time, and so back (hpm_memory_free), for it waits for no
 * other thread.  Of whole pages, so for few things. */
void *hpm_memory_new_apart(size_t bytes);

/* `bytes`, not 0, of memory that may hold anything; NULL when there is none
 * left. */
void *hpm_memory_take(size_t bytes);

/* A copy of `text`; NULL when there is no memory or `text` is NULL. */
char *hpm_memory_copy_text(const char *text);

/* As hpm_memory_grow, where there is less room than is needed. */
bool hpm_memory_enlarge(void *ret_array, size_t *ret_capacity, size_t needed,
                        size_t size);

/* Make room for `needed` objects of `size` bytes in the array *ret_array of
 * *ret_capacity objects, at least doubling it; new room is zeroed.  False,
 * and nothing changed, when there is no memory. */
static inline bool
hpm_memory_grow(void *ret_array, size_t *ret_capacity, size_t needed,
                size_t size)
{
    return needed <= *ret_capacity ||
           hpm_memory_enlarge(ret_array, ret_capacity, needed, size);
}

/* Give memory back; NULL is fine. */
void hpm_memory_free(void *memory);

/* Is nobody in the middle of a call here for ever, as a thread is that has left
 * one by longjmp? */
bool hpm_memory_is_usable(void);

/* In a forked child, before any other call here: another thread may have been
 * inside one at the fork, so what was in use stays so and nothing of it is
 * given out again. */
void hpm_memory_forget(void);

/* Children forked from now on have nothing of what came from here until now, but
 * for blocks of more than 64 KiB and what is beyond the first 64 chunks (true), or have it again (false): for a child that
 * needs none of it.  A fork copies less, and the child is smaller.  While no other
 * thread is in a call here; nothing where malloc serves. */
void hpm_memory_withhold(bool is_withheld);

/* For tests: let the n-th allocation from now fail (1 = the next), once or,
 * with `for_ever`, together with all after it.  0 ends the game. */
void hpm_memory_fail_at(unsigned long n, bool for_ever);

#endif
