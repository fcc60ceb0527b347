/* SPDX-License-Identifier: BSD-3-Clause
 * What libraries that make sections of functions say of these sections. */
#include "record/noted.h"

#include <stdatomic.h>
#include <stddef.h>

#include "host/memory.h"

/* As many as there may be functions in a large program, by hundreds. */
enum { N_CHAINS = 256 };

struct noted {
    struct noted *next;
    int instance;
    unsigned bits;
};

/* Nothing is taken out, so that readers need no lock. */
static struct noted *_Atomic chains[N_CHAINS];

static struct noted *_Atomic *
chain_of(int instance)
{
    return &chains[(unsigned)instance % N_CHAINS];
}

/* Where memory runs out the records stay without the mark. */
void
hpm_noted_add(int instance, unsigned bits)
{
    struct noted *_Atomic *chain = chain_of(instance);
    struct noted *noted = hpm_memory_new(1, sizeof *noted);

    if (noted == NULL)
        return;
    noted->instance = instance;
    noted->bits = bits;
    noted->next = *chain;
    while (!atomic_compare_exchange_weak(chain, &noted->next, noted)) {
    }
}

unsigned
hpm_noted_get(int instance)
{
    const struct noted *noted = *chain_of(instance);
    unsigned bits = 0;

    for (; noted != NULL; noted = noted->next)
        bits |= noted->instance == instance ? noted->bits : 0;
    return bits;
}
