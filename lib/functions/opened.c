/* SPDX-License-Identifier: BSD-3-Clause
 * The measured functions in which one thread is. */
#include "functions/opened.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "host/forklock.h"
#include "host/memory.h"
#include "host/stack.h"

enum { FIRST_ENTRIES = 128 };

/* Of threads that have ended. */
static struct {
    struct hpm_forklock lock;
    struct hpm_opened *list;
} unused;

static struct hpm_opened *
take_unused(void)
{
    struct hpm_opened *opened;

    hpm_forklock_take(&unused.lock, getpid());
    opened = unused.list;
    if (opened != NULL)
        unused.list = opened->next;
    hpm_forklock_give(&unused.lock);
    return opened;
}

static bool
grow(struct hpm_opened *opened, size_t n)
{
    size_t n_open =
        opened->entries != NULL ? (size_t)(opened->top - opened->entries) : 0;

    if (!hpm_memory_grow(&opened->entries, &opened->capacity, n,
                         sizeof *opened->entries))
        return false;
    opened->top = opened->entries + n_open;
    opened->last = opened->entries + opened->capacity - 1;
    return true;
}

struct hpm_opened *
hpm_opened_new(void)
{
    struct hpm_opened *opened = take_unused();

    if (opened == NULL)
        opened = hpm_memory_new(1, sizeof *opened);
    if (opened == NULL || !grow(opened, FIRST_ENTRIES)) {
        hpm_memory_free(opened);
        return NULL;
    }
    if (!hpm_stack_find(&opened->lowest, &opened->size)) {
        opened->lowest = 0; /* then all addresses are of one stack */
        opened->size = SIZE_MAX;
    }
    *opened->entries = (struct hpm_opened_entry){
        .at = UINTPTR_MAX, .limit = opened->lowest + opened->size};
    hpm_opened_forget(opened);
    return opened;
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
hpm_opened_free(struct hpm_opened *opened)
{
    hpm_forklock_take(&unused.lock, getpid());
    opened->next = unused.list;
    unused.list = opened;
    hpm_forklock_give(&unused.lock);
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
    if (entry->stack == HPM_OPENED_SIGNAL && stack == HPM_OPENED_OWN)
        return true; /* the handler has ended, or has left by a jump */
    if (entry->stack != stack)
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
        .limit = stack == HPM_OPENED_OWN ? place->at : 0,
        .caller = place->caller,
        .id = function->id,
        .stack = stack,
    };
    return true;
}

/* Close the entry, and those above it on the same stack: coroutines that were
 * entered meanwhile go on. */
static void
close_from(struct hpm_opened *opened, const struct hpm_opened_entry *first)
{
    enum hpm_opened_stack stack = first->stack;

    for (struct hpm_opened_entry *entry = opened->top; entry >= first;
         entry--) {
        if (entry > first && entry->stack != stack &&
            entry->stack == HPM_OPENED_OTHER)
            continue;
        if (entry > first && stack == HPM_OPENED_OTHER)
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
    return entry->stack == HPM_OPENED_OTHER ? entry->at == place->at
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
        if (entry->address == place->address && entry->stack == stack &&
            is_it(entry, place)) {
            close_from(opened, entry);
            return;
        }
    }
    hpm_opened_leave(opened, place);
}
