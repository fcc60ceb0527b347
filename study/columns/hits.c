/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a study. */
#include "study/columns/hits.h"

#include <stdlib.h>
#include <string.h>

#include "model/profile.h"
#include "study/columns/callers.h"

/* ---- what was sampled, and where -------------------------------------- */

bool
hpm_hits_is_sampled(const struct hpm_study_sampled *a,
                    const struct hpm_study_sampled *b)
{
    return a->name == b->name && a->domain == b->domain && a->unit == b->unit &&
           a->period == b->period;
}

struct hpm_study_sampled
hpm_hits_key(const struct hpm_task_sampled *said)
{
    return (struct hpm_study_sampled){
        said->name, said->domain, said->unit,
        said->period.kind == HPM_NUMBER_COUNT ? said->period.amount : 0};
}

uint32_t
hpm_hits_add_sampled(struct hpm_study *study,
                     const struct hpm_study_sampled *sampled)
{
    for (size_t i = 0; i < study->n_sampled; i++) {
        if (hpm_hits_is_sampled(&study->sampled[i], sampled))
            return (uint32_t)i;
    }
    if (!hpm_arena_grow(&study->arena, &study->sampled,
                        &study->sampled_capacity, study->n_sampled + 1,
                        sizeof *study->sampled))
        return HPM_NO_INDEX;
    study->sampled[study->n_sampled] = *sampled;
    return (uint32_t)study->n_sampled++;
}

static bool
is_module(const void *array, uint32_t i, const void *key)
{
    const struct hpm_study *study = array;
    const struct hpm_study_module *wanted = key, *module = &study->modules[i];

    return module->path == wanted->path && module->build_id == wanted->build_id;
}

uint32_t
hpm_hits_add_module(struct hpm_study *study,
                    const struct hpm_study_module *module)
{
    uint32_t found = hpm_index_find(&study->module_index, module,
                                    sizeof *module, is_module, study);

    if (found != HPM_NO_INDEX)
        return found;
    found = (uint32_t)study->n_modules;
    if (!hpm_arena_grow(&study->arena, &study->modules,
                        &study->modules_capacity, study->n_modules + 1,
                        sizeof *study->modules) ||
        !hpm_index_add(&study->module_index, &study->arena, module,
                       sizeof *module, found))
        return HPM_NO_INDEX;
    study->modules[study->n_modules++] = *module;
    return found;
}

/* ---- hits ------------------------------------------------------------ */

static int
compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int
compare_hits(const void *first, const void *second)
{
    const struct hpm_study_hit *a = first, *b = second;
    int order = compare(a->row, b->row);

    if (order == 0)
        order = compare(a->sampled, b->sampled);
    if (order == 0)
        order = compare(a->module, b->module);
    if (order == 0)
        order = compare(a->offset, b->offset);
    return order != 0 ? order : compare(a->chain, b->chain);
}

bool
hpm_hits_add(struct hpm_study *study, const struct hpm_study_hit *hit)
{
    if (!hpm_arena_grow(&study->arena, &study->hits, &study->hits_capacity,
                        study->n_hits + 1, sizeof *study->hits))
        return false;
    study->hits[study->n_hits++] = *hit;
    return true;
}

static bool
is_settled(const struct hpm_study *study)
{
    for (size_t i = 1; i < study->n_hits; i++) {
        if (compare_hits(&study->hits[i - 1], &study->hits[i]) >= 0)
            return false;
    }
    return true;
}

void
hpm_hits_settle(struct hpm_study *study)
{
    struct hpm_study_hit *hits = study->hits;
    size_t n = 0;

    if (is_settled(study))
        return;
    qsort(hits, study->n_hits, sizeof *hits, compare_hits);
    for (size_t i = 1; i < study->n_hits; i++) {
        if (compare_hits(&hits[n], &hits[i]) == 0)
            hits[n].n += hits[i].n;
        else
            hits[++n] = hits[i];
    }
    study->n_hits = n + 1;
}

static uint64_t
row_of(const void *hit)
{
    return ((const struct hpm_study_hit *)hit)->row;
}

size_t
hpm_hits_of(const struct hpm_study *study, uint32_t row,
            const struct hpm_study_hit **ret_first)
{
    const void *first;
    size_t n = hpm_profile_find_all(study->hits, study->n_hits,
                                    sizeof *study->hits, row_of, row, &first);

    *ret_first = first;
    return n;
}

void
hpm_hits_sum(const struct hpm_study_hit *hits, size_t n, uint32_t sampled,
             uint64_t *ret_taken, uint64_t *ret_lost)
{
    *ret_taken = *ret_lost = 0;
    for (size_t i = 0; i < n; i++) {
        if (hits[i].sampled != sampled)
            continue;
        if (hits[i].module == HPM_MODULE_LOST)
            *ret_lost += hits[i].n;
        else
            *ret_taken += hits[i].n;
    }
}

/* ---- the one order --------------------------------------------------- */

/* Elements without a new number follow behind the others, in their old
 * order. */
static void
meet_rest(uint32_t *to, size_t n, uint32_t n_met)
{
    for (size_t i = 0; i < n; i++) {
        if (to[i] == HPM_NO_INDEX)
            to[i] = n_met++;
    }
}

static void
meet(uint32_t *to, uint32_t old, uint32_t *n_met)
{
    if (to[old] == HPM_NO_INDEX)
        to[old] = (*n_met)++;
}

static void
order_things(struct hpm_study *study, uint32_t *sampled, uint32_t *modules)
{
    uint32_t n_sampled = 0, n_modules = 0;

    memset(sampled, 0xff, study->n_sampled * sizeof *sampled);
    memset(modules, 0xff, study->n_modules * sizeof *modules);
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_sampled; j++) {
            struct hpm_study_sampled key = hpm_hits_key(&task->sampled[j]);

            meet(sampled, hpm_hits_add_sampled(study, &key), &n_sampled);
        }
        for (size_t j = 0; j < task->n_modules; j++)
            meet(modules, task->modules[j], &n_modules);
    }
    meet_rest(sampled, study->n_sampled, n_sampled);
    meet_rest(modules, study->n_modules, n_modules);
}

static bool
move_things(struct hpm_study *study, const uint32_t *sampled,
            const uint32_t *modules)
{
    struct hpm_study_sampled *new_sampled =
        hpm_arena_new(&study->arena, study->n_sampled, sizeof *new_sampled);
    struct hpm_study_module *new_modules =
        hpm_arena_new(&study->arena, study->n_modules, sizeof *new_modules);
    size_t n = study->n_modules;

    if (new_sampled == NULL || new_modules == NULL)
        return false;
    for (size_t i = 0; i < study->n_sampled; i++)
        new_sampled[sampled[i]] = study->sampled[i];
    for (size_t i = 0; i < n; i++)
        new_modules[modules[i]] = study->modules[i];
    study->sampled = new_sampled;
    study->sampled_capacity = study->n_sampled;
    study->modules = NULL;
    study->n_modules = study->modules_capacity = 0;
    study->module_index = (struct hpm_index){0};
    for (size_t i = 0; i < n; i++) {
        if (hpm_hits_add_module(study, &new_modules[i]) == HPM_NO_INDEX)
            return false;
    }
    return true;
}

bool
hpm_hits_arrange(struct hpm_study *study)
{
    uint32_t *sampled =
        hpm_arena_new(&study->arena, study->n_sampled, sizeof *sampled);
    uint32_t *modules =
        hpm_arena_new(&study->arena, study->n_modules, sizeof *modules);
    const uint32_t *chains;

    if (study->n_sampled == 0)
        return true;
    if (sampled == NULL || modules == NULL)
        return false;
    order_things(study, sampled, modules);
    if (!move_things(study, sampled, modules))
        return false;
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_modules; j++)
            task->modules[j] = modules[task->modules[j]];
    }
    chains = hpm_callers_arrange(study, modules);
    if (chains == NULL)
        return false;
    for (size_t i = 0; i < study->n_hits; i++) {
        struct hpm_study_hit *hit = &study->hits[i];

        hit->sampled = sampled[hit->sampled];
        hit->chain = chains[hit->chain];
        if (hit->module < HPM_MODULE_LOST)
            hit->module = modules[hit->module];
    }
    hpm_hits_settle(study);
    return true;
}

/* ---- from one study into another --------------------------------------- */

static uint32_t
move_sampled(struct hpm_study *to, const struct hpm_study_sampled *from)
{
    struct hpm_study_sampled sampled = *from;

    if (!hpm_study_own(to, &sampled.name) ||
        !hpm_study_own(to, &sampled.domain) ||
        !hpm_study_own(to, &sampled.unit))
        return HPM_NO_INDEX;
    return hpm_hits_add_sampled(to, &sampled);
}

static uint32_t
move_module(struct hpm_study *to, const struct hpm_study_module *from)
{
    struct hpm_study_module module = *from;

    if (!hpm_study_own(to, &module.path) ||
        !hpm_study_own(to, &module.build_id))
        return HPM_NO_INDEX;
    return hpm_hits_add_module(to, &module);
}

bool
hpm_hits_begin_move(struct hpm_hits_move *move, struct hpm_arena *scratch,
                    struct hpm_study *to, const struct hpm_study *from)
{
    move->to = to;
    move->from = from;
    move->sampled =
        hpm_arena_new(scratch, from->n_sampled, sizeof *move->sampled);
    move->modules =
        hpm_arena_new(scratch, from->n_modules, sizeof *move->modules);
    if (move->sampled == NULL || move->modules == NULL)
        return false;
    for (size_t i = 0; i < from->n_sampled; i++) {
        move->sampled[i] = move_sampled(to, &from->sampled[i]);
        if (move->sampled[i] == HPM_NO_INDEX)
            return false;
    }
    for (size_t i = 0; i < from->n_modules; i++) {
        move->modules[i] = move_module(to, &from->modules[i]);
        if (move->modules[i] == HPM_NO_INDEX)
            return false;
    }
    move->chains = hpm_callers_move(scratch, to, from, move->modules);
    return move->chains != NULL;
}

bool
hpm_hits_move_row(struct hpm_hits_move *move, uint32_t row, uint32_t to_row)
{
    const struct hpm_study_hit *hits;
    size_t n = hpm_hits_of(move->from, row, &hits);

    for (size_t i = 0; i < n; i++) {
        struct hpm_study_hit hit = hits[i];

        hit.row = to_row;
        hit.sampled = move->sampled[hit.sampled];
        if (hit.module < HPM_MODULE_LOST)
            hit.module = move->modules[hit.module];
        hit.chain = move->chains[hit.chain];
        if (!hpm_hits_add(move->to, &hit))
            return false;
    }
    return true;
}

static struct hpm_task_sampled *
find_in_task(struct hpm_task *task, const struct hpm_task_sampled *wanted)
{
    const struct hpm_study_sampled key = hpm_hits_key(wanted);

    for (size_t i = 0; i < task->n_sampled; i++) {
        struct hpm_study_sampled there = hpm_hits_key(&task->sampled[i]);

        if (hpm_hits_is_sampled(&there, &key))
            return &task->sampled[i];
    }
    return NULL;
}

static bool
join_sampled(struct hpm_study *to, struct hpm_task *task,
             struct hpm_task_sampled said)
{
    struct hpm_task_sampled *there;

    if (!hpm_study_own(to, &said.name) || !hpm_study_own(to, &said.domain) ||
        !hpm_study_own(to, &said.unit) || !hpm_study_own(to, &said.chains))
        return false;
    there = find_in_task(task, &said);
    if (there == NULL) {
        if (!hpm_arena_grow(&to->arena, &task->sampled, &task->sampled_capacity,
                            task->n_sampled + 1, sizeof *task->sampled))
            return false;
        task->sampled[task->n_sampled++] = said;
        return true;
    }
    if (there->chains == NULL)
        there->chains = said.chains;
    there->count = hpm_number_sum(there->count, said.count);
    there->n_taken = hpm_number_sum(there->n_taken, said.n_taken);
    there->n_lost = hpm_number_sum(there->n_lost, said.n_lost);
    there->n_threads_without =
        hpm_number_total(there->n_threads_without, said.n_threads_without);
    return true;
}

static bool
has_module(const struct hpm_task *task, uint32_t module)
{
    for (size_t i = 0; i < task->n_modules; i++) {
        if (task->modules[i] == module)
            return true;
    }
    return false;
}

bool
hpm_hits_join_task(struct hpm_hits_move *move, const struct hpm_task *from,
                   struct hpm_task *task)
{
    for (size_t i = 0; i < from->n_sampled; i++) {
        if (!join_sampled(move->to, task, from->sampled[i]))
            return false;
    }
    for (size_t i = 0; i < from->n_modules; i++) {
        uint32_t module = move->modules[from->modules[i]];

        if (has_module(task, module))
            continue;
        if (!hpm_arena_grow(&move->to->arena, &task->modules,
                            &task->modules_capacity, task->n_modules + 1,
                            sizeof *task->modules))
            return false;
        task->modules[task->n_modules++] = module;
    }
    return true;
}

void
hpm_hits_forget_totals(struct hpm_task *task)
{
    for (size_t i = 0; i < task->n_sampled; i++) {
        task->sampled[i].count = (struct hpm_number){0};
        task->sampled[i].n_taken = (struct hpm_number){0};
        task->sampled[i].n_lost = (struct hpm_number){0};
    }
}
