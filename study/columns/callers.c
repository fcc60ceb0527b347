/* SPDX-License-Identifier: BSD-3-Clause
 * The call chains of a study: who called the sampled places. */
#include "study/columns/callers.h"

#include <stdlib.h>

static bool
is_chain(const void *array, uint32_t i, const void *key)
{
    const struct hpm_study *study = array;
    const struct hpm_study_chain *wanted = key, *chain = &study->chains[i];

    return chain->caller == wanted->caller && chain->module == wanted->module &&
           chain->offset == wanted->offset;
}

uint32_t
hpm_callers_add(struct hpm_study *study, const struct hpm_study_chain *chain)
{
    uint32_t found = hpm_index_find(&study->chain_index, chain, sizeof *chain,
                                    is_chain, study);

    if (found != HPM_NO_INDEX)
        return found + 1;
    found = (uint32_t)study->n_chains;
    if (!hpm_arena_grow(&study->arena, &study->chains, &study->chains_capacity,
                        study->n_chains + 1, sizeof *study->chains) ||
        !hpm_index_add(&study->chain_index, &study->arena, chain, sizeof *chain,
                       found))
        return 0;
    study->chains[study->n_chains++] = *chain;
    return found + 1;
}

/* ---- into another study ---------------------------------------------- */

/* Add chain `number` of one study to another study, with the numbers that its
 * caller and its modules have there; numbers[number] gets its new number. */
static bool
add_moved(struct hpm_study *to, struct hpm_study_chain chain, uint32_t *numbers,
          uint32_t number, const uint32_t *modules)
{
    chain.caller = numbers[chain.caller];
    if (chain.module < HPM_MODULE_CUT)
        chain.module = modules[chain.module];
    numbers[number] = hpm_callers_add(to, &chain);
    return numbers[number] != 0;
}

uint32_t *
hpm_callers_move(struct hpm_arena *scratch, struct hpm_study *to,
                 const struct hpm_study *from, const uint32_t *modules)
{
    uint32_t *numbers =
        hpm_arena_new(scratch, from->n_chains + 1, sizeof *numbers);

    for (uint32_t i = 0; numbers != NULL && i < from->n_chains; i++) {
        if (!add_moved(to, from->chains[i], numbers, i + 1, modules))
            return NULL;
    }
    return numbers;
}

/* ---- the one order --------------------------------------------------- */

/* A chain with all that decides its place in the order. */
struct ranked {
    const struct hpm_study_chain *chains; /* all of them */
    const uint32_t *modules;
    uint32_t number, depth;
};

static int
compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static uint32_t
module_of(const struct ranked *ranked, uint32_t number)
{
    uint32_t module = ranked->chains[number - 1].module;

    return module < HPM_MODULE_CUT ? ranked->modules[module] : module;
}

/* Callers come first: their chains are shorter.  Of two chains of the same
 * length the first different frame decides; there always is one. */
static int
compare_ranked(const void *first, const void *second)
{
    const struct ranked *a = first, *b = second;
    uint32_t i = a->number, k = b->number;
    int order = compare(a->depth, b->depth);

    while (order == 0 && i != k) {
        order = compare(module_of(a, i), module_of(b, k));
        if (order == 0)
            order = compare(a->chains[i - 1].offset, b->chains[k - 1].offset);
        i = a->chains[i - 1].caller;
        k = a->chains[k - 1].caller;
    }
    return order;
}

static struct ranked *
rank(struct hpm_study *study, const uint32_t *modules)
{
    struct ranked *ranked =
        hpm_arena_new(&study->arena, study->n_chains + 1, sizeof *ranked);

    for (uint32_t i = 0; ranked != NULL && i < study->n_chains; i++) {
        uint32_t caller = study->chains[i].caller;

        ranked[i] =
            (struct ranked){study->chains, modules, i + 1,
                            caller > 0 ? ranked[caller - 1].depth + 1 : 0};
    }
    if (ranked != NULL && study->n_chains > 0)
        qsort(ranked, study->n_chains, sizeof *ranked, compare_ranked);
    return ranked;
}

uint32_t *
hpm_callers_arrange(struct hpm_study *study, const uint32_t *modules)
{
    uint32_t *numbers =
        hpm_arena_new(&study->arena, study->n_chains + 1, sizeof *numbers);
    struct ranked *ranked = rank(study, modules);
    const struct hpm_study_chain *chains = study->chains;
    size_t n = study->n_chains;

    if (numbers == NULL || ranked == NULL)
        return NULL;
    study->chains = NULL;
    study->n_chains = study->chains_capacity = 0;
    study->chain_index = (struct hpm_index){0};
    for (size_t i = 0; i < n; i++) {
        if (!add_moved(study, chains[ranked[i].number - 1], numbers,
                       ranked[i].number, modules))
            return NULL;
    }
    return numbers;
}
