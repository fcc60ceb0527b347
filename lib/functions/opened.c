/* SPDX-License-Identifier: BSD-3-Clause
 * The measured functions in which one thread is. */
#include "functions/opened.h"

#include <signal.h>
#include <string.h>

#include "host/memory.h"
#include "host/stack.h"

enum { FIRST_ENTRIES = 128 };

struct hpm_opened_entry hpm_opened_none = {.limit = UINTPTR_MAX};

static bool
grow(struct hpm_opened *opened, size_t n)
{
    size_t n_open =
        opened->capacity > 0 ? (size_t)(opened->top - opened->entries) : 0;

    if (!hpm_memory_grow(&opened->entries, &opened->capacity, n,
                         sizeof *opened->entries))
        return false;
    opened->top = opened->entries + n_open;
    opened->last = opened->entries + opened->capacity - 1;
    return true;
}

bool
hpm_opened_begin(struct hpm_opened *opened)
{
    struct hpm_opened begun = {0};

    if (!grow(&begun, FIRST_ENTRIES))
        return false;
    if (!hpm_stack_find(&begun.lowest, &begun.size)) {
        begun.lowest = 0; /* then all addresses are of one stack */
        begun.size = SIZE_MAX;
    }
    begun.entries->at = UINTPTR_MAX;
    begun.entries->limit = begun.size;
    *opened = begun;
    return true;
}

void
hpm_opened_forget(struct hpm_opened *opened)
{
    opened->top = opened->entries;
}

static void
close_top(struct hpm_opened *opened)
{
    hpmTstopAt(opened->top->id, NULL, 0);
    opened->top--;
}

void
hpm_opened_end(struct hpm_opened *opened)
{
    while (!hpm_opened_is_empty(opened))
        close_top(opened);
}

void
hpm_opened_clear(struct hpm_opened *opened)
{
    struct hpm_opened_entry *entries = opened->entries;

    hpm_opened_end(opened);
    if (!hpm_opened_has_begun(opened))
        return;
    *opened = (struct hpm_opened)HPM_OPENED_NOTHING;
    hpm_memory_free(entries);
}

/* Programs may have the stack of their signal handlers within their own one. */
static enum hpm_opened_stack
stack_of(const struct hpm_opened *opened, uintptr_t at)
{
    stack_t handlers;

    if (sigaltstack(NULL, &handlers) == 0 &&
        (handlers.ss_flags & SS_ONSTACK) != 0 &&
        at - (uintptr_t)handlers.ss_sp < handlers.ss_size)
        return HPM_OPENED_SIGNAL;
    return hpm_opened_is_own(opened, at) ? HPM_OPENED_OWN : HPM_OPENED_OTHER;
}

/* A function at the same address: the body of one that was inlined into the
 * other; or the first one was left, and its caller has called again.  No
 * instruction of one frame is executed twice with its function still open. */
static bool
is_left_below(const struct hpm_opened_entry *entry,
              const struct hpm_opened_place *place)
{
    return entry->at < place->at ||
           (entry->at == place->at &&
            (!place->is_inlined || entry->caller == place->caller));
}

static bool
is_left(const struct hpm_opened_entry *entry,
        const struct hpm_opened_place *place, enum hpm_opened_stack stack)
{
    enum hpm_opened_stack its = hpm_opened_stack(entry);

    if (its == HPM_OPENED_SIGNAL && stack == HPM_OPENED_OWN)
        return true; /* the handler has ended, or has left by a jump */
    if (its != stack)
        return false;
    if (stack == HPM_OPENED_OTHER) /* which coroutine's? */
        return entry->at == place->at && entry->caller == place->caller;
    return is_left_below(entry, place);
}

void
hpm_opened_leave(struct hpm_opened *opened,
                 const struct hpm_opened_place *place)
{
    enum hpm_opened_stack stack;

    if (hpm_opened_is_empty(opened))
        return;
    stack = stack_of(opened, place->at);
    while (!hpm_opened_is_empty(opened) && is_left(opened->top, place, stack))
        close_top(opened);
}

bool
hpm_opened_push(struct hpm_opened *opened, struct hpm_function *function,
                const struct hpm_opened_place *place)
{
    enum hpm_opened_stack stack = stack_of(opened, place->at);

    if (opened->top == opened->last && !grow(opened, opened->capacity + 1))
        return false;
    *++opened->top = (struct hpm_opened_entry){
        .address = place->address,
        .function = function,
        .at = place->at,
        .limit = stack == HPM_OPENED_OWN ? place->at - opened->lowest : 0,
        .caller = place->caller,
        .id = function->id,
        .other = stack,
    };
    return true;
}

/* Close the entry, and those above it on the same stack: coroutines that were
 * entered meanwhile go on. */
static void
close_from(struct hpm_opened *opened, const struct hpm_opened_entry *first)
{
    enum hpm_opened_stack stack = hpm_opened_stack(first);

    for (struct hpm_opened_entry *entry = opened->top; entry >= first;
         entry--) {
        if (entry > first && (stack == HPM_OPENED_OTHER ||
                              hpm_opened_stack(entry) == HPM_OPENED_OTHER))
            continue;
        hpmTstopAt(entry->id, NULL, 0);
        memmove(entry, entry + 1,
                (size_t)(opened->top - entry) * sizeof *entry);
        opened->top--;
    }
}

/* Of two coroutines' functions the one whose frame it is. */
static bool
is_it(const struct hpm_opened_entry *entry,
      const struct hpm_opened_place *place)
{
    return hpm_opened_stack(entry) == HPM_OPENED_OTHER ? entry->at == place->at
                                                       : entry->at >= place->at;
}

void
hpm_opened_close(struct hpm_opened *opened,
                 const struct hpm_opened_place *place)
{
    enum hpm_opened_stack stack;

    if (hpm_opened_is_empty(opened))
        return;
    stack = stack_of(opened, place->at);
    for (const struct hpm_opened_entry *entry = opened->top;
         entry > opened->entries; entry--) {
        if (entry->address == place->address &&
            hpm_opened_stack(entry) == stack && is_it(entry, place)) {
            close_from(opened, entry);
            return;
        }
    }
    hpm_opened_leave(opened, place);
}
