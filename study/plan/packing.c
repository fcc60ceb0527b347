/* SPDX-License-Identifier: BSD-3-Clause
 * Packing events that are needed together into few sets. */
#include "study/plan/packing.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/store/index.h"

/* The number of orders tried for the number of sets, and again for each ratio
 * that should be kept together.  With the listings in KOJAK's appendix, more
 * tries save one set or none. */
enum { TRIES = 64, TRIES_OF_RATIO = 8 };

/* Answers of the counters: asking may need a system call for each event, and
 * the same sets are asked about again and again. */
struct answers {
    struct answer {
        struct hpm_eventmask events;
        bool fits;
    } * all;
    size_t n, capacity;
    struct hpm_index index;
    struct hpm_arena arena;
};

/* What is packed: whole closures, and single events of the others. */
struct pieces {
    struct hpm_eventmask *masks;
    size_t n, capacity;
};

struct packer {
    const struct hpm_packing_task *task;
    struct answers answers;
    struct pieces pieces;
    size_t *order; /* indices of pieces, in the order of packing */
    struct hpm_eventmask *sets;
    size_t n_sets;
    struct hpm_eventmask *before; /* room for the sets before a change */
    struct hpm_eventmask *best;   /* the sets of the best try so far */
    size_t n_best;                /* 0: none yet */
    size_t room; /* capacity of each of these, in pieces or sets */
    uint64_t random;
    bool is_out_of_memory;
};

/* ---- what fits ------------------------------------------------------- */

static bool
is_about(const void *array, uint32_t place, const void *key)
{
    const struct answer *all = array;

    return memcmp(&all[place].events, key, sizeof all[place].events) == 0;
}

static bool
fits(struct packer *packer, const struct hpm_eventmask *mask)
{
    struct answers *answers = &packer->answers;
    uint32_t place = hpm_index_find(&answers->index, mask, sizeof *mask,
                                    is_about, answers->all);

    if (place != HPM_NO_PLACE)
        return answers->all[place].fits;
    if (!hpm_memory_grow(&answers->all, &answers->capacity, answers->n + 1,
                         sizeof *answers->all) ||
        !hpm_index_add(&answers->index, &answers->arena, mask, sizeof *mask,
                       (uint32_t)answers->n)) {
        packer->is_out_of_memory = true;
        return false;
    }
    answers->all[answers->n++] =
        (struct answer){*mask, packer->task->fits(mask, packer->task->context)};
    return answers->all[answers->n - 1].fits;
}

/* ---- the pieces ------------------------------------------------------ */

/* Add a piece, unless another piece contains it. */
static void
add_piece(struct packer *packer, const struct hpm_eventmask *mask)
{
    struct pieces *pieces = &packer->pieces;
    size_t n = 0;

    for (size_t i = 0; i < pieces->n; i++) {
        if (hpm_eventmask_contains(&pieces->masks[i], mask))
            return;
    }
    for (size_t i = 0; i < pieces->n; i++) {
        if (!hpm_eventmask_contains(mask, &pieces->masks[i]))
            pieces->masks[n++] = pieces->masks[i];
    }
    pieces->n = n;
    if (hpm_memory_grow(&pieces->masks, &pieces->capacity, n + 1,
                        sizeof *pieces->masks))
        pieces->masks[pieces->n++] = *mask;
    else
        packer->is_out_of_memory = true;
}

static void
add_single_events(struct packer *packer, const struct hpm_eventmask *mask)
{
    for (size_t i = 0; i < HPM_MAX_PLAN_EVENTS; i++) {
        struct hpm_eventmask one = {{0}};

        hpm_eventmask_add(&one, i);
        if (hpm_eventmask_has(mask, i) && fits(packer, &one))
            add_piece(packer, &one);
    }
}

static bool
is_kept_together(struct packer *packer, const struct hpm_closure *closure)
{
    return !closure->may_be_apart && fits(packer, &closure->events);
}

/* Whole closures first: single events may then be in a piece already. */
static void
add_pieces(struct packer *packer)
{
    const struct hpm_packing_task *task = packer->task;

    for (size_t i = 0; i < task->n_closures; i++) {
        if (is_kept_together(packer, &task->closures[i]))
            add_piece(packer, &task->closures[i].events);
    }
    for (size_t i = 0; i < task->n_closures; i++) {
        if (!is_kept_together(packer, &task->closures[i]))
            add_single_events(packer, &task->closures[i].events);
    }
}

/* ---- one try --------------------------------------------------------- */

/* The set that has room for the closure and shares most events with it; of
 * equal ones the first.  HPM_NO_SET where no set has room. */
static size_t
find_set(struct packer *packer, const struct hpm_eventmask *closure,
         size_t except)
{
    size_t best = HPM_NO_SET, most = 0;

    for (size_t i = 0; i < packer->n_sets; i++) {
        size_t shared = hpm_eventmask_overlap(&packer->sets[i], closure);
        struct hpm_eventmask both =
            hpm_eventmask_union(&packer->sets[i], closure);

        if (i == except || (best != HPM_NO_SET && shared <= most) ||
            !fits(packer, &both))
            continue;
        best = i;
        most = shared;
    }
    return best;
}

static void
put(struct packer *packer, const struct hpm_eventmask *closure)
{
    size_t set = find_set(packer, closure, HPM_NO_SET);

    if (set == HPM_NO_SET)
        packer->sets[packer->n_sets++] = *closure;
    else
        packer->sets[set] = hpm_eventmask_union(&packer->sets[set], closure);
}

/* Does another set contain the whole closure? */
static bool
is_elsewhere(const struct packer *packer, const struct hpm_eventmask *closure,
             size_t set)
{
    for (size_t i = 0; i < packer->n_sets; i++) {
        if (i != set && hpm_eventmask_contains(&packer->sets[i], closure))
            return true;
    }
    return false;
}

/* Move all closures of this set into other sets; false, with nothing changed,
 * when this is impossible. */
static bool
empty_set(struct packer *packer, size_t set)
{
    struct hpm_eventmask *before = packer->before;

    memcpy(before, packer->sets, packer->n_sets * sizeof *before);
    for (size_t i = 0; i < packer->pieces.n; i++) {
        const struct hpm_eventmask *closure = &packer->pieces.masks[i];
        size_t other;

        if (!hpm_eventmask_contains(&packer->sets[set], closure) ||
            is_elsewhere(packer, closure, set))
            continue;
        other = find_set(packer, closure, set);
        if (other == HPM_NO_SET) {
            memcpy(packer->sets, before, packer->n_sets * sizeof *before);
            return false;
        }
        packer->sets[other] =
            hpm_eventmask_union(&packer->sets[other], closure);
    }
    packer->sets[set] = packer->sets[--packer->n_sets];
    return true;
}

static void
empty_sets(struct packer *packer)
{
    for (size_t i = 0; i < packer->n_sets;)
        i = empty_set(packer, i) ? 0 : i + 1;
}

/* ---- orders ---------------------------------------------------------- */

/* Marsaglia's xorshift: the same numbers on every machine. */
static size_t
draw(struct packer *packer, size_t n)
{
    packer->random ^= packer->random << 13;
    packer->random ^= packer->random >> 7;
    packer->random ^= packer->random << 17;
    return (size_t)(packer->random % n);
}

static void
shuffle(struct packer *packer)
{
    for (size_t i = packer->pieces.n; i > 1; i--) {
        size_t j = draw(packer, i), held = packer->order[i - 1];

        packer->order[i - 1] = packer->order[j];
        packer->order[j] = held;
    }
}

/* Largest pieces first; pieces of one size keep their order. */
static void
sort_by_size(struct packer *packer)
{
    for (size_t i = 1; i < packer->pieces.n; i++) {
        size_t held = packer->order[i], j = i;
        size_t n = hpm_eventmask_count(&packer->pieces.masks[held]);

        for (; j > 0 && hpm_eventmask_count(
                            &packer->pieces.masks[packer->order[j - 1]]) < n;
             j--)
            packer->order[j] = packer->order[j - 1];
        packer->order[j] = held;
    }
}

/* Try the present order; keep the result where it is better, or (`is_enough`)
 * as good. */
static void
try_order(struct packer *packer, bool is_enough)
{
    packer->n_sets = 0;
    for (size_t i = 0; i < packer->pieces.n; i++)
        put(packer, &packer->pieces.masks[packer->order[i]]);
    empty_sets(packer);
    if (packer->n_best > 0 &&
        packer->n_sets >= packer->n_best + (is_enough ? 1 : 0))
        return;
    packer->n_best = packer->n_sets;
    memcpy(packer->best, packer->sets, packer->n_sets * sizeof *packer->sets);
}

static void
try_orders(struct packer *packer, int n_tries)
{
    for (size_t i = 0; i < packer->pieces.n; i++)
        packer->order[i] = i;
    for (int i = 0; i < n_tries && packer->n_best != 1; i++) {
        if (i > 0)
            shuffle(packer);
        sort_by_size(packer);
        try_order(packer, false);
    }
}

/* ---- ratios ---------------------------------------------------------- */

static size_t
find_whole(const struct packer *packer, const struct hpm_eventmask *closure)
{
    for (size_t i = 0; i < packer->n_best; i++) {
        if (hpm_eventmask_contains(&packer->best[i], closure))
            return i;
    }
    return HPM_NO_SET;
}

/* Make the closure a piece, too, if this needs no more sets. */
static void
keep_together(struct packer *packer, const struct hpm_eventmask *closure,
              struct hpm_eventmask *pieces_before)
{
    size_t n = packer->pieces.n;
    size_t n_sets = packer->n_best;

    memcpy(pieces_before, packer->pieces.masks, n * sizeof *pieces_before);
    add_piece(packer, closure);
    for (size_t i = 0; i < packer->pieces.n; i++)
        packer->order[i] = i;
    for (int i = 0; i < TRIES_OF_RATIO && !packer->is_out_of_memory; i++) {
        if (i > 0)
            shuffle(packer);
        sort_by_size(packer);
        try_order(packer, true);
        if (packer->n_best <= n_sets &&
            find_whole(packer, closure) != HPM_NO_SET)
            return;
    }
    memcpy(packer->pieces.masks, pieces_before, n * sizeof *pieces_before);
    packer->pieces.n = n;
}

static void
keep_ratios_together(struct packer *packer)
{
    const struct hpm_packing_task *task = packer->task;
    struct hpm_eventmask *pieces_before =
        hpm_memory_new(packer->room, sizeof *pieces_before);

    packer->is_out_of_memory |= pieces_before == NULL;
    for (size_t i = 0; i < task->n_closures && !packer->is_out_of_memory; i++) {
        const struct hpm_closure *closure = &task->closures[i];

        if (closure->may_be_apart &&
            find_whole(packer, &closure->events) == HPM_NO_SET &&
            fits(packer, &closure->events))
            keep_together(packer, &closure->events, pieces_before);
    }
    hpm_memory_free(pieces_before);
}

/* ---- the result ------------------------------------------------------ */

/* Add the anchors one by one, because there may be room for some of them
 * only. */
static void
add_anchors(struct packer *packer, struct hpm_eventmask *set)
{
    for (size_t i = 0; i < HPM_MAX_PLAN_EVENTS; i++) {
        struct hpm_eventmask more = *set;

        if (!hpm_eventmask_has(&packer->task->anchors, i) ||
            hpm_eventmask_has(set, i))
            continue;
        hpm_eventmask_add(&more, i);
        if (fits(packer, &more))
            *set = more;
    }
}

/* Is the set's single event alone because no other event fits beside it?
 * Otherwise the other events have simply found places. */
static bool
is_lonely(struct packer *packer, const struct hpm_eventmask *set)
{
    if (hpm_eventmask_count(set) != 1 || packer->pieces.n < 2)
        return false;
    for (size_t i = 0; i < packer->pieces.n; i++) {
        struct hpm_eventmask both =
            hpm_eventmask_union(set, &packer->pieces.masks[i]);

        if (hpm_eventmask_count(&both) == 2 && fits(packer, &both))
            return false;
    }
    return true;
}

static bool
take_result(struct packer *packer, struct hpm_packing *packing)
{
    const struct hpm_packing_task *task = packer->task;

    packing->set_of = hpm_memory_new(task->n_closures, sizeof(size_t));
    packing->is_lonely = hpm_memory_new(packer->n_best, sizeof(bool));
    if (packing->set_of == NULL || packing->is_lonely == NULL)
        return false;
    for (size_t i = 0; i < packer->n_best; i++) {
        packing->is_lonely[i] = is_lonely(packer, &packer->best[i]);
        add_anchors(packer, &packer->best[i]);
    }
    for (size_t i = 0; i < task->n_closures; i++)
        packing->set_of[i] = find_whole(packer, &task->closures[i].events);
    packing->n_closures = task->n_closures;
    packing->sets = packer->best;
    packing->n_sets = packer->n_best;
    packer->best = NULL;
    return !packer->is_out_of_memory;
}

/* There are never more pieces than events and closures, nor more sets than
 * pieces. */
static bool
make_room(struct packer *packer)
{
    size_t n = packer->pieces.n + packer->task->n_closures;

    packer->room = n;
    packer->order = hpm_memory_new(n, sizeof *packer->order);
    packer->sets = hpm_memory_new(n, sizeof *packer->sets);
    packer->before = hpm_memory_new(n, sizeof *packer->before);
    packer->best = hpm_memory_new(n, sizeof *packer->best);
    return packer->order != NULL && packer->sets != NULL &&
           packer->before != NULL && packer->best != NULL;
}

static bool
pack(struct packer *packer, struct hpm_packing *packing)
{
    add_pieces(packer);
    if (!make_room(packer))
        return false;
    try_orders(packer, TRIES);
    keep_ratios_together(packer);
    return take_result(packer, packing);
}

bool
hpm_packing_make(struct hpm_packing *packing,
                 const struct hpm_packing_task *task, struct hpm_error *err)
{
    struct packer packer = {.task = task, .random = 0x9e3779b97f4a7c15u};
    bool is_good;

    *packing = (struct hpm_packing){0};
    is_good = pack(&packer, packing);
    hpm_memory_free(packer.pieces.masks);
    hpm_memory_free(packer.order);
    hpm_memory_free(packer.sets);
    hpm_memory_free(packer.before);
    hpm_memory_free(packer.best);
    hpm_memory_free(packer.answers.all);
    hpm_arena_free(&packer.answers.arena);
    if (is_good)
        return true;
    hpm_packing_clear(packing);
    return hpm_error_no_memory(err);
}

void
hpm_packing_clear(struct hpm_packing *packing)
{
    hpm_memory_free(packing->sets);
    hpm_memory_free(packing->is_lonely);
    hpm_memory_free(packing->set_of);
    *packing = (struct hpm_packing){0};
}
