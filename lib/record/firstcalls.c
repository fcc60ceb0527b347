/* SPDX-License-Identifier: BSD-3-Clause
 * Sections of which only the first calls are recorded. */
#include "record/firstcalls.h"

#include <stdatomic.h>
#include <stddef.h>

#include "host/memory.h"

struct noted {
    const struct noted *next;
    int instance;
};

/* The latest first.  Nothing is taken out, so that readers need no lock. */
static _Atomic(const struct noted *) list;

/* Where memory runs out the records stay without the mark. */
void
hpm_firstcalls_note(int instance)
{
    struct noted *noted = hpm_memory_new(1, sizeof *noted);

    if (noted == NULL)
        return;
    noted->instance = instance;
    noted->next = list;
    while (!atomic_compare_exchange_weak(&list, &noted->next, noted)) {
    }
}

bool
hpm_firstcalls_has(int instance)
{
    for (const struct noted *noted = list; noted != NULL; noted = noted->next) {
        if (noted->instance == instance)
            return true;
    }
    return false;
}
