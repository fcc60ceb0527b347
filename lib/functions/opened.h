/* SPDX-License-Identifier: BSD-3-Clause
 * The measured functions in which one thread is, innermost last, and where on the
 * stack each was entered.
 *
 * A function may be left without a word: by longjmp, by an exception in code of
 * clang, by a jump to another function at its end.  Stacks grow downwards, so
 *
 *     entered at  1000   main          a hook at 960 runs in a function that was
 *                  960   solve         called by main: solve and step are left.
 *                  920   step
 *
 * That is asked of one stack only.  A thread may have others, for signal handlers
 * and for coroutines, whose addresses are higher or lower without meaning. */
#ifndef HPM_FUNCTIONS_OPENED_H
#define HPM_FUNCTIONS_OPENED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functions/function.h"

enum hpm_opened_stack {
    HPM_OPENED_OWN,    /* the thread's own */
    HPM_OPENED_SIGNAL, /* of its signal handlers */
    HPM_OPENED_OTHER   /* of a coroutine, or where nobody knows */
};

struct hpm_opened_entry {
    uintptr_t address; /* the function's, as its hooks have it */
    struct hpm_function *function;
    uintptr_t at;     /* the stack's address in the hook */
    uintptr_t caller; /* of the hook, in the function's code */
    enum hpm_opened_stack stack;
    uint32_t hooks_ns; /* what the begin of a call took that is timed */
    uint64_t began;    /* hpm_trial_now behind that begin; 0: it is not timed */
};

struct hpm_opened {
    /* of the innermost entry; UINTPTR_MAX: there is none; 0: it is on another
     * stack than the thread's own */
    uintptr_t at;
    size_t n;
    size_t capacity;
    struct hpm_opened_entry *entries;
    uintptr_t lowest; /* the thread's own stack */
    size_t size;
    struct hpm_opened *next; /* of those that no thread uses */
};

/* Where a hook runs. */
struct hpm_opened_place {
    uintptr_t address; /* of the function that begins or ends */
    uintptr_t at, caller;
    /* the function's body is in another function's code: it may begin where the
     * stack is the same as in that one */
    bool is_inlined;
};

/* For the calling thread, with nothing open; NULL when memory runs out. */
struct hpm_opened *hpm_opened_new(void);

/* The thread or the program ends: close all functions that are open. */
void hpm_opened_end(struct hpm_opened *opened);

/* The thread has ended, with nothing open. */
void hpm_opened_free(struct hpm_opened *opened);

/* In a forked child: the sections that were open are the parent's. */
void hpm_opened_forget(struct hpm_opened *opened);

static inline bool
hpm_opened_is_own(const struct hpm_opened *opened, uintptr_t at)
{
    return at - opened->lowest < opened->size;
}

/* Close what was left before a hook runs there. */
void hpm_opened_leave(struct hpm_opened *opened,
                      const struct hpm_opened_place *place);

/* The same as hpm_opened_push, the long way. */
bool hpm_opened_push_long(struct hpm_opened *opened,
                          struct hpm_function *function,
                          const struct hpm_opened_place *place);

/* The function begins there; false when memory runs out.  The caller has closed
 * what was left, and starts the section. */
static inline bool
hpm_opened_push(struct hpm_opened *opened, struct hpm_function *function,
                const struct hpm_opened_place *place)
{
    struct hpm_opened_entry *entry;

    if (__builtin_expect(opened->n == opened->capacity ||
                             place->at > opened->at ||
                             !hpm_opened_is_own(opened, place->at),
                         0)) {
        return hpm_opened_push_long(opened, function, place);
    }
    entry = &opened->entries[opened->n++];
    entry->address = place->address;
    entry->function = function;
    entry->at = place->at;
    entry->caller = place->caller;
    entry->stack = HPM_OPENED_OWN;
    entry->began = 0;
    opened->at = place->at;
    return true;
}

/* The function ends there: close it, and what it has left open; nothing where its
 * begin is not known. */
void hpm_opened_close(struct hpm_opened *opened,
                      const struct hpm_opened_place *place);

/* Take the innermost entry away; the caller has stopped its section. */
static inline void
hpm_opened_pop(struct hpm_opened *opened)
{
    const struct hpm_opened_entry *top;

    opened->n--;
    top = &opened->entries[opened->n];
    opened->at = opened->n == 0                    ? UINTPTR_MAX
                 : top[-1].stack == HPM_OPENED_OWN ? top[-1].at
                                                   : 0;
}

#endif
