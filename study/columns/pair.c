/* SPDX-License-Identifier: BSD-3-Clause
 * Which section of one study is which section of another.
 *
 * The search goes level by level from the roots, because a section is searched
 * for below the section that its parent was paired with: first a section that
 * agrees in everything, then one that agrees in everything but the line.
 */
#include "study/columns/pair.h"

#include <stdlib.h>

#include "study/columns/transfer.h"

struct pairing {
    struct hpm_study *to;
    const struct hpm_study *from;
    uint32_t *map;
    struct hpm_arena arena;
    size_t n_old;   /* sections `to` had before */
    bool *is_taken; /* by section of `to`: is it paired? */
    uint32_t *next; /* the next of the same loose key */
    struct hpm_index loose;
};

/* A section's key without the line. */
struct loose_key {
    uintptr_t label, base;
    uint32_t parent;
    int scope, instance, is_outside;
};

static struct loose_key
loose_key_of(const struct hpm_study_section *section)
{
    return (struct loose_key){.label = (uintptr_t)section->label,
                              .base = (uintptr_t)section->base,
                              .parent = section->parent,
                              .scope = section->scope,
                              .instance = section->instance,
                              .is_outside = section->is_outside};
}

static bool
is_loosely(const void *array, uint32_t i, const void *key)
{
    struct loose_key here =
        loose_key_of((const struct hpm_study_section *)array + i);

    return memcmp(&here, key, sizeof here) == 0;
}

/* Index the sections of `to` by their loose key; sections of one key form a
 * chain. */
static bool
index_old(struct pairing *pairing)
{
    struct hpm_study *to = pairing->to;
    uint32_t *last;

    pairing->n_old = to->n_sections;
    pairing->is_taken =
        hpm_arena_new(&pairing->arena, pairing->n_old, sizeof(bool));
    pairing->next = hpm_transfer_map(&pairing->arena, pairing->n_old);
    last = hpm_transfer_map(&pairing->arena, pairing->n_old);
    if (pairing->is_taken == NULL || pairing->next == NULL || last == NULL)
        return false;
    for (uint32_t i = 0; i < pairing->n_old; i++) {
        struct loose_key key = loose_key_of(&to->sections[i]);
        uint32_t first = hpm_index_find(&pairing->loose, &key, sizeof key,
                                        is_loosely, to->sections);

        if (first == HPM_NO_PLACE) {
            if (!hpm_index_add(&pairing->loose, &pairing->arena, &key,
                               sizeof key, i))
                return false;
            last[i] = i;
        } else {
            pairing->next[last[first]] = i;
            last[first] = i;
        }
    }
    return true;
}

/* The section of `from` in terms of `to`; false when there is no memory. */
static bool
as_in_to(struct pairing *pairing, uint32_t i,
         struct hpm_study_section *ret_section)
{
    struct hpm_study_section section = pairing->from->sections[i];

    if (section.parent != HPM_NO_INDEX)
        section.parent = pairing->map[section.parent];
    *ret_section = section;
    return hpm_study_own_section(pairing->to, ret_section);
}

/* The section of the same loose key, not yet paired, with the smallest line. */
static uint32_t
find_loosely(struct pairing *pairing, const struct hpm_study_section *section)
{
    struct loose_key key = loose_key_of(section);
    const struct hpm_study_section *sections = pairing->to->sections;
    uint32_t best = HPM_NO_INDEX;

    for (uint32_t i = hpm_index_find(&pairing->loose, &key, sizeof key,
                                     is_loosely, sections);
         i != HPM_NO_INDEX; i = pairing->next[i]) {
        if (!pairing->is_taken[i] &&
            (best == HPM_NO_INDEX || sections[i].line < sections[best].line))
            best = i;
    }
    return best;
}

static bool
pair_exactly(struct pairing *pairing, uint32_t i)
{
    struct hpm_study_section section;

    if (!as_in_to(pairing, i, &section))
        return false;
    pairing->map[i] = hpm_study_find_section(pairing->to, &section);
    if (pairing->map[i] < pairing->n_old) /* false for HPM_NO_INDEX, too */
        pairing->is_taken[pairing->map[i]] = true;
    return true;
}

static bool
pair_loosely(struct pairing *pairing, uint32_t i)
{
    struct hpm_study_section section;

    if (pairing->map[i] != HPM_NO_INDEX)
        return true;
    if (!as_in_to(pairing, i, &section))
        return false;
    pairing->map[i] = find_loosely(pairing, &section);
    if (pairing->map[i] != HPM_NO_INDEX)
        pairing->is_taken[pairing->map[i]] = true;
    else
        pairing->map[i] = hpm_study_add_section(pairing->to, &section);
    return pairing->map[i] != HPM_NO_INDEX;
}

/* ---- levels ---------------------------------------------------------- */

struct level {
    uint32_t depth, section;
    int line;
};

static int
compare_levels(const void *a, const void *b)
{
    const struct level *x = a, *y = b;

    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->section > y->section) - (x->section < y->section);
}

/* Parents come before their children in a study, so one pass finds depths. */
static struct level *
sort_by_level(struct pairing *pairing)
{
    const struct hpm_study *from = pairing->from;
    size_t n = from->n_sections;
    struct level *levels = hpm_arena_new(&pairing->arena, n, sizeof *levels);

    if (levels == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = from->sections[i].parent;

        levels[i] = (struct level){
            .depth = parent != HPM_NO_INDEX ? levels[parent].depth + 1 : 0,
            .section = i,
            .line = from->sections[i].line};
    }
    qsort(levels, n, sizeof *levels, compare_levels);
    return levels;
}

static bool
pair_builds(struct pairing *pairing)
{
    size_t n = pairing->from->n_sections, start = 0;
    struct level *levels = sort_by_level(pairing);
    bool is_good = levels != NULL && index_old(pairing);

    while (is_good && start < n) {
        size_t end = start;

        for (; end < n && levels[end].depth == levels[start].depth; end++)
            is_good = is_good && pair_exactly(pairing, levels[end].section);
        for (; start < end; start++)
            is_good = is_good && pair_loosely(pairing, levels[start].section);
    }
    return is_good;
}

bool
hpm_pair_sections(struct hpm_study *to, const struct hpm_study *from,
                  bool are_builds, uint32_t *map)
{
    struct pairing pairing = {.to = to, .from = from, .map = map};
    bool is_good = true;

    if (are_builds) {
        is_good = pair_builds(&pairing);
        hpm_arena_free(&pairing.arena);
        return is_good;
    }
    for (uint32_t i = 0; i < from->n_sections && is_good; i++)
        is_good = hpm_transfer_section(to, from, i, map) != HPM_NO_INDEX;
    return is_good;
}
