/* SPDX-License-Identifier: BSD-3-Clause
 * The measured calls of libraries in which one thread is, innermost last.
 *
 * A call ends by a return or an exception, and says so.  Only longjmp leaves calls
 * without a word; stacks grow down, so a call whose frame is not below that of the
 * innermost open one was not made by that one, which therefore was left.  That is asked
 * on the thread's own stack alone: addresses on stacks of signal handlers and
 * coroutines say nothing about others. */
#ifndef HPM_LIBRARIES_OPENCALLS_H
#define HPM_LIBRARIES_OPENCALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "libraries/real.h"

/* For the calling thread; NULL when memory runs out. */
struct hpm_opencalls *hpm_opencalls_new(void);

/* NULL is allowed. */
void hpm_opencalls_free(struct hpm_opencalls *open);

/* For one call more; false when memory runs out. */
bool hpm_opencalls_make_room(struct hpm_opencalls *open) __attribute__((cold));

/* In a forked child: the open calls are the parent's. */
void hpm_opencalls_forget(struct hpm_opencalls *open);

/* End what a call at this address shows to have been left. */
void hpm_opencalls_leave(struct hpm_opencalls *open, uintptr_t at)
    __attribute__((cold));

/* End the call at this address, which is not the innermost one, and those that
 * it has left open. */
void hpm_opencalls_end(struct hpm_opencalls *open, uintptr_t at)
    __attribute__((cold));

/* The thread or the program ends. */
void hpm_opencalls_end_all(struct hpm_opencalls *open);

/* Is a call of the list open? */
bool hpm_opencalls_has(const struct hpm_opencalls *open,
                       const struct hpm_wrapped_list *list);

/* The innermost call has done so much work, with what is inside of it; returns the
 * part that calls inside have not told of. */
long long hpm_opencalls_tell(struct hpm_opencalls *open, long long amount,
                             const char *unit);

#endif
