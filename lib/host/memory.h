/* SPDX-License-Identifier: BSD-3-Clause
 * All memory of the library: apart from the program's malloc, and so that a
 * test can make any allocation fail.  Any thread. */
#ifndef HPM_HOST_MEMORY_H
#define HPM_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for `count` objects of `size` bytes; NULL when memory runs out
 * or the product overflows. */
void *hpm_memory_new(size_t count, size_t size);

/* Zeroed memory that is mapped alone.  Taking and freeing it (hpm_memory_free)
 * costs the same number of instructions each time, for it waits for no other
 * thread.  It is whole pages: use it for few objects. */
void *hpm_memory_new_apart(size_t bytes);

/* `bytes` (not 0) of memory with any content; NULL when memory runs out. */
void *hpm_memory_take(size_t bytes);

/* A copy of `text`; NULL when memory runs out or `text` is NULL. */
char *hpm_memory_copy_text(const char *text);

/* Like hpm_memory_grow, for an array known to be too small. */
bool hpm_memory_enlarge(void *ret_array, size_t *ret_capacity, size_t needed,
                        size_t size);

/* Make room for `needed` objects of `size` bytes in the array *ret_array of
 * *ret_capacity objects, and at least double the array if it must grow; new
 * room is zeroed.  False, and nothing changed, when memory runs out. */
static inline bool
hpm_memory_grow(void *ret_array, size_t *ret_capacity, size_t needed,
                size_t size)
{
    return needed <= *ret_capacity ||
           hpm_memory_enlarge(ret_array, ret_capacity, needed, size);
}

/* Free memory; NULL is allowed. */
void hpm_memory_free(void *memory);

/* Can memory be taken and freed?  False if the lock is not free within a
 * second, as after a thread has left a call here by longjmp. */
bool hpm_memory_is_usable(void);

/* Call this in a forked child before any other function here.  Another thread
 * may have been inside one at the fork: all blocks in use stay in use, and none
 * of that memory is given out again. */
void hpm_memory_forget(void);

/* With true, children forked from now on get no copy of the memory taken until
 * now, except blocks of more than 64 KiB and chunks after the first 64; with
 * false, they get it again.  For children that need none of it: the fork copies
 * less, and the child is smaller.  Call it while no other thread is in a call
 * here.  Does nothing where malloc is used. */
void hpm_memory_withhold(bool is_withheld);

/* For tests: let the n-th allocation from now fail (1 = the next one), once or,
 * with `for_ever`, together with all after it.  0 ends this. */
void hpm_memory_fail_at(unsigned long n, bool for_ever);

#endif
