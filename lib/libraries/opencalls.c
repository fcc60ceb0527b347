/* SPDX-License-Identifier: BSD-3-Clause
 * The measured calls of libraries in which one thread is. */
#include "libraries/opencalls.h"

#include <string.h>

#include "host/memory.h"
#include "host/stack.h"

enum { FIRST_ROOM = 64 };

struct hpm_opencalls *
hpm_opencalls_new(void)
{
    struct hpm_opencalls *open = hpm_memory_new(1, sizeof *open);
    size_t size;

    if (open != NULL && hpm_stack_find(&open->lowest, &size))
        open->size = size;
    else if (open != NULL)
        open->size = UINTPTR_MAX; /* then all addresses are of one stack */
    if (open == NULL)
        return NULL;
    hpm_opencalls_forget(open);
    if (hpm_opencalls_make_room(open))
        return open;
    hpm_opencalls_free(open);
    return NULL;
}

void
hpm_opencalls_free(struct hpm_opencalls *open)
{
    if (open != NULL)
        hpm_memory_free(open->calls);
    hpm_memory_free(open);
}

bool
hpm_opencalls_make_room(struct hpm_opencalls *open)
{
    size_t room = open->room;

    if (open->n < open->room)
        return true;
    if (open->n > UINT32_MAX / 4 ||
        !hpm_memory_enlarge(&open->calls, &room,
                            open->n > 0 ? 2 * (size_t)open->n : FIRST_ROOM,
                            sizeof *open->calls))
        return false;
    open->room = (unsigned)room;
    return true;
}

void
hpm_opencalls_forget(struct hpm_opencalls *open)
{
    open->n = 0;
    open->at = UINTPTR_MAX;
}

static bool
is_own(const struct hpm_opencalls *open, uintptr_t at)
{
    return at - open->lowest < open->size;
}

static void
stop_top(struct hpm_opencalls *open)
{
    hpmTstopAt(open->calls[open->n - 1].real->id, NULL, 0);
    hpm_opencalls_pop(open);
}

void
hpm_opencalls_leave(struct hpm_opencalls *open, uintptr_t at)
{
    if (!is_own(open, at))
        return;
    while (open->n > 0 && open->calls[open->n - 1].at <= at &&
           is_own(open, open->calls[open->n - 1].at))
        stop_top(open);
}

/* Of two coroutines each ends its own calls. */
void
hpm_opencalls_end(struct hpm_opencalls *open, uintptr_t at)
{
    unsigned i = open->n;

    while (i > 0 && open->calls[i - 1].at != at)
        i--;
    if (i == 0)
        return;
    if (is_own(open, at)) {
        while (open->n > i && is_own(open, open->calls[open->n - 1].at))
            stop_top(open);
    }
    hpmTstopAt(open->calls[i - 1].real->id, NULL, 0);
    open->n--;
    memmove(&open->calls[i - 1], &open->calls[i],
            (open->n - (i - 1)) * sizeof *open->calls);
    open->at = open->n > 0 ? open->calls[open->n - 1].at : UINTPTR_MAX;
}

void
hpm_opencalls_end_all(struct hpm_opencalls *open)
{
    while (open->n > 0)
        stop_top(open);
}

bool
hpm_opencalls_has(const struct hpm_opencalls *open,
                  const struct hpm_wrapped_list *list)
{
    for (unsigned i = 0; i < open->n; i++) {
        if (open->calls[i].list == list)
            return true;
    }
    return false;
}

/* The amount of the unit that the open call has done, 0 at first; NULL where a call has
 * more units than are kept. */
static long long *
amount_of(struct hpm_opencalls *open, unsigned call, const char *unit)
{
    struct hpm_workdone *work = open->calls[call].work;
    unsigned i = 0, *n = &open->calls[call].n_units;

    while (i < *n && strcmp(work[i].unit, unit) != 0)
        i++;
    if (i == HPM_MOST_UNITS)
        return NULL;
    if (i == *n) {
        work[i].unit = unit;
        work[i].amount = 0;
        (*n)++;
    }
    return &work[i].amount;
}

long long
hpm_opencalls_tell(struct hpm_opencalls *open, long long amount,
                   const char *unit)
{
    long long *known = amount_of(open, open->n - 1, unit), inside;

    if (known == NULL)
        return amount;
    inside = *known;
    if (amount <= inside)
        return 0;
    *known = amount;
    return amount - inside;
}

void
hpm_private_wrapped_hand_up(struct hpm_opencalls *open)
{
    unsigned n = open->n;

    for (unsigned i = 0; n > 0 && i < open->calls[n].n_units; i++) {
        const struct hpm_workdone *done = &open->calls[n].work[i];
        long long *of_caller = amount_of(open, n - 1, done->unit);

        if (of_caller != NULL)
            *of_caller += done->amount;
    }
}
