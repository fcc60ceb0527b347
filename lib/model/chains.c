/* SPDX-License-Identifier: BSD-3-Clause
 * Call chains. */
#include "model/chains.h"

#include "host/memory.h"

enum { FIRST_SLOTS = 256 };

static size_t
hash(const struct hpm_chain *chain)
{
    uint64_t mixed = chain->offset + 31 * (uint64_t)chain->module +
                     UINT64_C(1021) * chain->caller + chain->is_cut;

    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed ^ (mixed >> 32));
}

static bool
is_same(const struct hpm_chain *a, const struct hpm_chain *b)
{
    return a->offset == b->offset && a->module == b->module &&
           a->caller == b->caller && a->is_cut == b->is_cut;
}

/* The slot of this chain, or the empty slot for it. */
static uint32_t *
find_slot(const struct hpm_chains *chains, const struct hpm_chain *wanted)
{
    for (size_t at = hash(wanted);; at++) {
        uint32_t *slot = &chains->slots[at & (chains->n_slots - 1)];

        if (*slot == 0 || is_same(&chains->chains[*slot - 1], wanted))
            return slot;
    }
}

/* Enlarge the table before more than half of the slots are in use. */
static bool
make_room(struct hpm_chains *chains)
{
    size_t n_slots = chains->n_slots > 0 ? 2 * chains->n_slots : FIRST_SLOTS;
    uint32_t *slots;

    if (2 * (chains->n_chains + 1) <= chains->n_slots)
        return true;
    slots = hpm_memory_new(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    hpm_memory_free(chains->slots);
    chains->slots = slots;
    chains->n_slots = n_slots;
    for (size_t i = 0; i < chains->n_chains; i++)
        *find_slot(chains, &chains->chains[i]) = (uint32_t)i + 1;
    return true;
}

uint32_t
hpm_chains_add(struct hpm_chains *chains, const struct hpm_chain *chain)
{
    uint32_t *slot;

    if (chains->n_chains >= UINT32_MAX / 2 || !make_room(chains))
        return 0;
    slot = find_slot(chains, chain);
    if (*slot != 0)
        return *slot;
    if (!hpm_memory_grow(&chains->chains, &chains->capacity,
                         chains->n_chains + 1, sizeof *chains->chains))
        return 0;
    chains->chains[chains->n_chains++] = *chain;
    return *slot = (uint32_t)chains->n_chains;
}

void
hpm_chains_clear(struct hpm_chains *chains)
{
    hpm_memory_free(chains->chains);
    hpm_memory_free(chains->slots);
    *chains = (struct hpm_chains){0};
}
