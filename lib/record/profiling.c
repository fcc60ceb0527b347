/* SPDX-License-Identifier: BSD-3-Clause
 * The profile of an experiment, made from the samples of threads. */
#include "record/profiling.h"

#include "host/memory.h"

/* ---- records --------------------------------------------------------- */

/* In each scope one record has what no section covers; for a thread it is the
 * first such record from `first` on. */
static size_t
find_outside(const struct hpm_experiment *experiment, enum hpm_scope scope,
             size_t first)
{
    for (size_t i = first; i < experiment->n_records; i++) {
        const struct hpm_record *record = &experiment->records[i];

        if (record->is_outside && record->scope == scope)
            return i;
    }
    return HPM_NO_RECORD;
}

/* ---- modules --------------------------------------------------------- */

static bool
add_module(struct hpm_profiling *profiling, size_t module, size_t *ret_number)
{
    struct hpm_profile *profile = &profiling->experiment->profile;
    const struct hpm_module *added = &profiling->modules->modules[module];

    if (profiling->numbers[module] == HPM_PROFILE_NO_MODULE) {
        if (!hpm_profile_add_module(profile, added->path, added->build_id))
            return false;
        profiling->numbers[module] = profile->n_modules - 1;
    }
    *ret_number = profiling->numbers[module];
    return true;
}

/* Find the module of an address. */
static bool
find_place(struct hpm_profiling *profiling,
           const struct hpm_sample_count *count, struct hpm_profile_hit *hit)
{
    size_t module;

    if (count->address == HPM_SAMPLER_LOST) {
        hit->module = HPM_PROFILE_LOST;
        return true;
    }
    if (hpm_modules_find(profiling->modules, count->address, count->part,
                         &module, &hit->offset))
        return add_module(profiling, module, &hit->module);
    hit->module = HPM_PROFILE_NO_MODULE;
    hit->offset = count->address;
    return true;
}

/* ---- hits ------------------------------------------------------------ */

static bool
add_hit(struct hpm_profiling *profiling, struct hpm_profile_hit *hit,
        const struct hpm_node *node, size_t outside)
{
    hit->record = node != NULL ? node->index : outside;
    return hit->record == HPM_NO_RECORD ||
           hpm_profile_add_hit(&profiling->experiment->profile, hit);
}

static bool
add_count(struct hpm_profiling *profiling, const struct hpm_sample_count *count)
{
    struct hpm_profile_event *event =
        &profiling->experiment->profile.events[count->event];
    struct hpm_profile_hit hit = {.event = count->event, .n = count->n};

    if (count->address == HPM_SAMPLER_LOST)
        event->n_lost += count->n;
    else
        event->n_taken += count->n;
    return find_place(profiling, count, &hit) &&
           add_hit(profiling, &hit, count->node, profiling->thread_outside) &&
           add_hit(profiling, &hit, count->within, profiling->process_outside);
}

static void
add_total(struct hpm_profile_event *event, const struct hpm_sample_total *total)
{
    event->has_count = event->has_count && total->is_known;
    event->count += total->count;
}

bool
hpm_profiling_add(struct hpm_profiling *profiling,
                  const struct hpm_sampler *samples, size_t first_record)
{
    struct hpm_profile *profile = &profiling->experiment->profile;

    profiling->thread_outside =
        find_outside(profiling->experiment, HPM_SCOPE_THREAD, first_record);
    for (size_t i = 0; i < profile->n_events; i++) {
        struct hpm_profile_event *event = &profile->events[i];

        if (samples != NULL && !samples->totals[i].is_sampled)
            event->n_threads_without++;
        else if (samples != NULL)
            add_total(event, &samples->totals[i]);
        if (samples != NULL) /* nobody knows of which event these samples
                              * were */
            event->n_lost += i == 0 ? samples->n_dropped : 0;
    }
    for (size_t i = 0; samples != NULL && i < samples->n_slots; i++) {
        if (samples->counts[i].n > 0 &&
            !add_count(profiling, &samples->counts[i]))
            return false;
    }
    return true;
}

bool
hpm_profiling_begin(struct hpm_profiling *profiling,
                    struct hpm_experiment *experiment,
                    const struct hpm_sampling *sampling, uint64_t n_without,
                    struct hpm_modules *modules)
{
    *profiling = (struct hpm_profiling){
        .experiment = experiment,
        .modules = modules,
        .process_outside = find_outside(experiment, HPM_SCOPE_PROCESS, 0)};
    profiling->numbers =
        hpm_memory_new(modules->n_modules + 1, sizeof *profiling->numbers);
    if (profiling->numbers == NULL)
        return false;
    for (size_t i = 0; i < modules->n_modules; i++)
        profiling->numbers[i] = HPM_PROFILE_NO_MODULE;
    for (size_t i = 0; i < sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &sampling->events[i];
        const char *unit = sampled->event.unit;

        if (!hpm_profile_add_event(&experiment->profile, sampled->event.name,
                                   unit != NULL ? unit : "",
                                   hpm_domain_name(sampled->event.domain),
                                   sampled->period))
            return false;
        experiment->profile.events[i].has_count = true;
        experiment->profile.events[i].n_threads_without = n_without;
    }
    return true;
}

void
hpm_profiling_end(struct hpm_profiling *profiling)
{
    hpm_profile_settle(&profiling->experiment->profile);
    hpm_memory_free(profiling->numbers);
}
