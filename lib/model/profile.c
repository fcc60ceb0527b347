/* SPDX-License-Identifier: BSD-3-Clause
 * The profile of an experiment. */
#include "model/profile.h"

#include <string.h>

#include "base/sort.h"
#include "host/memory.h"

void
hpm_profile_clear(struct hpm_profile *profile)
{
    for (size_t i = 0; i < profile->n_events; i++) {
        hpm_memory_free(profile->events[i].name);
        hpm_memory_free(profile->events[i].unit);
        hpm_memory_free(profile->events[i].domain);
    }
    for (size_t i = 0; i < profile->n_modules; i++) {
        hpm_memory_free(profile->modules[i].path);
        hpm_memory_free(profile->modules[i].build_id);
    }
    hpm_memory_free(profile->events);
    hpm_memory_free(profile->modules);
    hpm_memory_free(profile->hits);
    hpm_chains_clear(&profile->chains);
    *profile = (struct hpm_profile){0};
}

bool
hpm_profile_add_event(struct hpm_profile *profile, const char *name,
                      const char *unit, const char *domain, uint64_t period)
{
    struct hpm_profile_event *event;

    if (!hpm_memory_grow(&profile->events, &profile->events_capacity,
                         profile->n_events + 1, sizeof *profile->events))
        return false;
    event = &profile->events[profile->n_events++];
    *event = (struct hpm_profile_event){.name = hpm_memory_copy_text(name),
                                        .unit = hpm_memory_copy_text(unit),
                                        .domain = hpm_memory_copy_text(domain),
                                        .period = period};
    return event->name != NULL && event->unit != NULL && event->domain != NULL;
}

bool
hpm_profile_add_module(struct hpm_profile *profile, const char *path,
                       const char *build_id)
{
    struct hpm_profile_module *module;

    if (!hpm_memory_grow(&profile->modules, &profile->modules_capacity,
                         profile->n_modules + 1, sizeof *profile->modules))
        return false;
    module = &profile->modules[profile->n_modules++];
    module->path = hpm_memory_copy_text(path);
    module->build_id = hpm_memory_copy_text(build_id);
    return module->path != NULL && module->build_id != NULL;
}

bool
hpm_profile_add_hit(struct hpm_profile *profile,
                    const struct hpm_profile_hit *hit)
{
    if (!hpm_memory_grow(&profile->hits, &profile->hits_capacity,
                         profile->n_hits + 1, sizeof *profile->hits))
        return false;
    profile->hits[profile->n_hits++] = *hit;
    return true;
}

static int
compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int
compare_hits(const void *first, const void *second)
{
    const struct hpm_profile_hit *a = first, *b = second;
    int order = compare_sizes(a->record, b->record);

    if (order == 0)
        order = compare_sizes(a->event, b->event);
    if (order == 0)
        order = compare_sizes(a->module, b->module);
    if (order == 0)
        order = (a->offset > b->offset) - (a->offset < b->offset);
    return order != 0 ? order : compare_sizes(a->chain, b->chain);
}

void
hpm_profile_settle(struct hpm_profile *profile)
{
    size_t n = 0;

    if (profile->n_hits == 0)
        return;
    hpm_sort(profile->hits, profile->n_hits, sizeof *profile->hits,
             compare_hits);
    for (size_t i = 1; i < profile->n_hits; i++) {
        if (compare_hits(&profile->hits[n], &profile->hits[i]) == 0)
            profile->hits[n].n += profile->hits[i].n;
        else
            profile->hits[++n] = profile->hits[i];
    }
    profile->n_hits = n + 1;
}

static size_t *
find_used(const struct hpm_profile *profile)
{
    size_t *numbers = hpm_memory_new(profile->n_modules + 1, sizeof *numbers);

    for (size_t i = 0; numbers != NULL && i < profile->n_hits; i++) {
        if (profile->hits[i].module < HPM_PROFILE_LOST)
            numbers[profile->hits[i].module] = 1;
    }
    for (size_t i = 0; numbers != NULL && i < profile->chains.n_chains; i++) {
        if (profile->chains.chains[i].module < HPM_PROFILE_LOST)
            numbers[profile->chains.chains[i].module] = 1;
    }
    return numbers;
}

static void
renumber(size_t *module, const size_t *numbers)
{
    if (*module < HPM_PROFILE_LOST)
        *module = numbers[*module];
}

bool
hpm_profile_keep_used_modules(struct hpm_profile *profile)
{
    size_t *numbers = find_used(profile), n = 0;

    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < profile->n_modules; i++) {
        struct hpm_profile_module *module = &profile->modules[i];

        if (numbers[i] == 0) {
            hpm_memory_free(module->path);
            hpm_memory_free(module->build_id);
            continue;
        }
        numbers[i] = n;
        profile->modules[n++] = *module;
    }
    profile->n_modules = n;
    for (size_t i = 0; i < profile->n_hits; i++)
        renumber(&profile->hits[i].module, numbers);
    for (size_t i = 0; i < profile->chains.n_chains; i++)
        renumber(&profile->chains.chains[i].module, numbers);
    hpm_memory_free(numbers);
    return true;
}

/* The number of items whose key is less than `key`. */
static size_t
count_before(const void *items, size_t n, size_t bytes,
             uint64_t (*key_of)(const void *item), uint64_t key)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (key_of((const char *)items + middle * bytes) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t
hpm_profile_find_all(const void *items, size_t n, size_t bytes,
                     uint64_t (*key_of)(const void *item), uint64_t key,
                     const void **ret_first)
{
    size_t first = count_before(items, n, bytes, key_of, key);

    *ret_first = n > 0 ? (const char *)items + first * bytes : NULL;
    return count_before(items, n, bytes, key_of, key + 1) - first;
}

static uint64_t
record_of(const void *hit)
{
    return ((const struct hpm_profile_hit *)hit)->record;
}

size_t
hpm_profile_hits_of(const struct hpm_profile *profile, size_t record,
                    const struct hpm_profile_hit **ret_first)
{
    const void *first;
    size_t n =
        hpm_profile_find_all(profile->hits, profile->n_hits,
                             sizeof *profile->hits, record_of, record, &first);

    *ret_first = first;
    return n;
}
