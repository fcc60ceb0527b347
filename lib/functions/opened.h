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
    /* `at` from the lowest address of the thread's own stack; 0: on another stack */
    uintptr_t limit;
    int id;                      /* the section's */
    enum hpm_opened_stack other; /* which one, where limit is 0 */
    uint64_t began;    /* hpm_trial_now behind that begin; 0: it is not timed */
    uint64_t hooks_ns; /* what the begin of a call took that is timed */
};

struct hpm_opened {
    /* the innermost entry; the first of `entries` where there is none: that one
     * has no function, and its limit is the size of the thread's own stack */
    struct hpm_opened_entry *top;
    struct hpm_opened_entry *last; /* that there is room for */
    uintptr_t lowest;              /* the thread's own stack */
    size_t size;
    struct hpm_opened_entry *entries;
    size_t capacity;
};

/* Where a hook runs. */
struct hpm_opened_place {
    uintptr_t address; /* of the function that begins or ends */
    uintptr_t at, caller;
    /* the function's body is in another function's code: it may begin where the
     * stack is the same as in that one */
    bool is_inlined;
};

/* Of a thread before its first function: full, and nothing is open. */
extern struct hpm_opened_entry hpm_opened_none
    __attribute__((visibility("hidden")));

#define HPM_OPENED_NOTHING                                                     \
    {                                                                          \
        .top = &hpm_opened_none, .last = &hpm_opened_none,                     \
        .entries = &hpm_opened_none                                            \
    }

/* The calling thread's, from HPM_OPENED_NOTHING; false when memory runs out. */
bool hpm_opened_begin(struct hpm_opened *opened);

/* The thread or the program ends: close all functions that are open. */
void hpm_opened_end(struct hpm_opened *opened);

/* The same, and then it is HPM_OPENED_NOTHING again. */
void hpm_opened_clear(struct hpm_opened *opened);

/* In a forked child: the sections that were open are the parent's. */
void hpm_opened_forget(struct hpm_opened *opened);

static inline bool
hpm_opened_has_begun(const struct hpm_opened *opened)
{
    return opened->entries != &hpm_opened_none;
}

static inline bool
hpm_opened_is_empty(const struct hpm_opened *opened)
{
    return opened->top == opened->entries;
}

static inline bool
hpm_opened_is_own(const struct hpm_opened *opened, uintptr_t at)
{
    return at - opened->lowest < opened->size;
}

/* May it be that what is open was left before a hook runs there? */
static inline bool
hpm_opened_may_be_left(const struct hpm_opened *opened, uintptr_t at)
{
    return at - opened->lowest > opened->top->limit;
}

static inline enum hpm_opened_stack
hpm_opened_stack(const struct hpm_opened_entry *entry)
{
    return entry->limit != 0 ? HPM_OPENED_OWN : entry->other;
}

/* Close what was left before a hook runs there. */
void hpm_opened_leave(struct hpm_opened *opened,
                      const struct hpm_opened_place *place);

/* The function begins there; false when memory runs out.  The caller has closed
 * what was left, and starts the section. */
bool hpm_opened_push(struct hpm_opened *opened, struct hpm_function *function,
                     const struct hpm_opened_place *place);

/* The same for a function that begins there in one that is open, on the thread's own
 * stack, as nearly all do; false, and nothing is done, for others. */
static inline __attribute__((always_inline)) bool
hpm_opened_push_inside(struct hpm_opened *opened, struct hpm_function *function,
                       uintptr_t address, uintptr_t at, uintptr_t caller)
{
    struct hpm_opened_entry *entry = opened->top;

    uintptr_t limit = at - opened->lowest;

    if (__builtin_expect(limit >= entry->limit || entry == opened->last, 0))
        return false;
    entry++;
    entry->address = address;
    entry->function = function;
    entry->at = at;
    entry->caller = caller;
    entry->limit = limit;
    entry->id = function->id;
    entry->began = 0;
    opened->top = entry;
    return true;
}

/* The function ends there: close it, and what it has left open; nothing where its
 * begin is not known. */
void hpm_opened_close(struct hpm_opened *opened,
                      const struct hpm_opened_place *place);

#endif
