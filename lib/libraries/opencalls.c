/* SPDX-License-Identifier: BSD-3-Clause
 * The measured calls of libraries in which one thread is. */
#include "libraries/opencalls.h"

#include <string.h>

#include "host/memory.h"
#include "host/stack.h"

struct hpm_opencalls *
hpm_opencalls_new(void)
{
    struct hpm_opencalls *open = hpm_memory_new(1, sizeof *open);
    size_t size;

    if (open != NULL && hpm_stack_find(&open->lowest, &size))
        open->size = size;
    else if (open != NULL)
        open->size = UINTPTR_MAX; /* then all addresses are of one stack */
    return open;
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

/* The amount of the unit, 0 at first; NULL where a call has more units than are
 * kept. */
static long long *
amount_of(struct hpm_opencall *call, const char *unit)
{
    unsigned i = 0;

    while (i < call->n_units && strcmp(call->work[i].unit, unit) != 0)
        i++;
    if (i == HPM_MOST_UNITS)
        return NULL;
    if (i == call->n_units) {
        call->work[i].unit = unit;
        call->work[i].amount = 0;
        call->n_units++;
    }
    return &call->work[i].amount;
}

long long
hpm_opencalls_tell(struct hpm_opencalls *open, long long amount,
                   const char *unit)
{
    long long *known = amount_of(&open->calls[open->n - 1], unit), inside;

    if (known == NULL)
        return amount;
    inside = *known;
    if (amount <= inside)
        return 0;
    *known = amount;
    return amount - inside;
}

void
hpm_opencalls_hand_up(struct hpm_opencalls *open)
{
    const struct hpm_opencall *call = &open->calls[open->n - 1];

    for (unsigned i = 0; i < call->n_units; i++) {
        long long *of_caller =
            amount_of(&open->calls[open->n - 2], call->work[i].unit);

        if (of_caller != NULL)
            *of_caller += call->work[i].amount;
    }
}
