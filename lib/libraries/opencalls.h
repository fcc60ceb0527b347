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

/* As many as libhpm has open at a time; and units of work of a call. */
enum { HPM_MOST_OPENCALLS = 256, HPM_MOST_UNITS = 4 };

/* What a call has done of one unit, with the calls inside it. */
struct hpm_workdone {
    const char *unit;
    long long amount;
};

struct hpm_opencalls {
    uintptr_t at; /* of the innermost call; UINTPTR_MAX: none is open */
    unsigned n;
    uintptr_t lowest, size; /* the thread's own stack */
    struct hpm_opencall {
        uintptr_t at; /* the call's hpm_wrapped_call */
        const struct hpm_real *real;
        const struct hpm_wrapped_list *list;
        unsigned n_units;
    } calls[HPM_MOST_OPENCALLS];
    struct hpm_workdone work[HPM_MOST_OPENCALLS][HPM_MOST_UNITS];
};

/* For the calling thread; NULL when memory runs out. */
struct hpm_opencalls *hpm_opencalls_new(void);

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

/* What the call behind the innermost one did, which has ended, is part of what that
 * does. */
void hpm_opencalls_hand_up(struct hpm_opencalls *open);

/* A call begins, and its section is to be started; there is room. */
static inline void
hpm_opencalls_push(struct hpm_opencalls *open, uintptr_t at,
                   const struct hpm_real *real,
                   const struct hpm_wrapped_list *list)
{
    struct hpm_opencall *top = &open->calls[open->n++];

    top->at = open->at = at;
    top->real = real;
    top->list = list;
    top->n_units = 0;
}

/* The innermost call ends, and its section was stopped. */
static inline void
hpm_opencalls_pop(struct hpm_opencalls *open)
{
    unsigned n = --open->n;

    if (__builtin_expect(open->calls[n].n_units > 0, 0))
        hpm_opencalls_hand_up(open);
    open->at = n > 0 ? open->calls[n - 1].at : UINTPTR_MAX;
}

#endif
