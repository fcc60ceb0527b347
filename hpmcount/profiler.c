/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of an unmodified program and of all it starts. */
#include "hpmcount/profiler.h"

#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "host/memory.h"
#include "source/clock.h"

/* A ring of 512 KiB has room for one second at 13,000 samples a second.  A
 * smaller ring has room for less time; samples that it loses are counted.  All
 * that the kernel wrote up to a millisecond before the rings are read is in
 * them, for every processor. */
enum { PAUSE_NS = 100000000, LATE_NS = 1000000, SETTLES = 1 << 16 };

/* ---- records of the rings -------------------------------------------- */

static bool
has_callers(const struct profiler *profiler)
{
    return profiler->sampling->n_callers > 0;
}

static void
queue(void *context, const struct cpuring_record *record)
{
    struct profiler *profiler = context;
    struct profiler_entry *entry;
    uint64_t *copy;

    if (!hpm_memory_grow(&profiler->queue, &profiler->queue_capacity,
                         profiler->n_queue + 1, sizeof *profiler->queue)) {
        profiler->is_lacking = true;
        return;
    }
    entry = &profiler->queue[profiler->n_queue];
    *entry =
        (struct profiler_entry){.record = *record, .number = profiler->n_queue};
    entry->record.words = NULL;
    if (record->type == PERF_RECORD_SAMPLE)
        entry->address = record->words[1];
    if (record->type != PERF_RECORD_SAMPLE || has_callers(profiler)) {
        copy = hpm_memory_new(record->n_words + 1, sizeof *copy);
        if (copy == NULL) {
            profiler->is_lacking = true;
            return;
        }
        memcpy(copy, record->words, record->n_words * sizeof *copy);
        entry->record.words = copy;
    }
    profiler->n_queue++;
}

static int
compare_entries(const void *first, const void *second)
{
    const struct profiler_entry *a = first, *b = second;

    if (a->record.ns != b->record.ns)
        return a->record.ns < b->record.ns ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* ---- following it ---------------------------------------------------- */

/* Combine hits of the same place when there are many: so a long run needs
 * memory only for its places. */
static bool
add_hit(struct profiler *profiler, const struct hpm_profile_hit *hit)
{
    struct hpm_profile *profile = &profiler->profile;

    if (profile->n_hits >= 2 * profiler->n_settled + SETTLES) {
        hpm_profile_settle(profile);
        profiler->n_settled = profile->n_hits;
    }
    return hpm_profile_add_hit(profile, hit);
}

static bool
take_sample(struct profiler *profiler, const struct profiler_entry *entry)
{
    const struct cpuring_record *record = &entry->record;
    unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    struct hpm_profile_hit hit = {.event = record->event, .n = 1};

    profiler->profile.events[hit.event].n_taken++;
    if (has_callers(profiler) &&
        !callers_find(&profiler->callers, &profiler->mappings, record,
                      mode == PERF_RECORD_MISC_KERNEL, &hit.chain))
        return false;
    return mappings_find(&profiler->mappings, record->pid,
                         mode == PERF_RECORD_MISC_KERNEL, entry->address,
                         &hit.module, &hit.offset) &&
           add_hit(profiler, &hit);
}

/* The words: id, number.  The records may be of any kind, of any event where
 * the id is not known. */
static bool
take_lost(struct profiler *profiler, const struct cpuring_record *record)
{
    struct hpm_profile_hit hit = {.module = HPM_PROFILE_LOST,
                                  .n = record->words[1]};

    if (record->event < profiler->sampling->n_events)
        hit.event = record->event;
    profiler->profile.events[hit.event].n_lost += hit.n;
    return hit.n == 0 || add_hit(profiler, &hit);
}

static bool
take(struct profiler *profiler, const struct profiler_entry *entry)
{
    const struct cpuring_record *record = &entry->record;

    if (record->type == PERF_RECORD_SAMPLE)
        return record->event >= profiler->sampling->n_events ||
               take_sample(profiler, entry);
    if (record->type == PERF_RECORD_LOST)
        return take_lost(profiler, record);
    return mappings_take(&profiler->mappings, record);
}

/* Process all records up to that time. */
static void
follow(struct profiler *profiler, uint64_t ns)
{
    size_t n = 0;

    if (profiler->n_queue > 0)
        qsort(profiler->queue, profiler->n_queue, sizeof *profiler->queue,
              compare_entries);
    for (; n < profiler->n_queue && profiler->queue[n].record.ns <= ns; n++) {
        if (!take(profiler, &profiler->queue[n]))
            profiler->is_lacking = true;
        hpm_memory_free((void *)profiler->queue[n].record.words);
    }
    profiler->n_queue -= n;
    if (n > 0)
        memmove(profiler->queue, profiler->queue + n,
                profiler->n_queue * sizeof *profiler->queue);
    for (size_t i = 0; i < profiler->n_queue; i++)
        profiler->queue[i].number = i;
}

/* ---- life ------------------------------------------------------------ */

static uint64_t
now(void)
{
    return hpm_clock_instant().ns;
}

static bool
add_events(struct profiler *profiler)
{
    const struct hpm_sampling *sampling = profiler->sampling;

    for (size_t i = 0; i < sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &sampling->events[i];
        const char *unit = sampled->event.unit;

        if (!hpm_profile_add_event(&profiler->profile, sampled->event.name,
                                   unit != NULL ? unit : "",
                                   hpm_domain_name(sampled->event.domain),
                                   sampled->period))
            return false;
        profiler->profile.events[i].has_chains = sampling->n_callers > 0;
    }
    return true;
}

bool
profiler_open(struct profiler *profiler, const struct hpm_sampling *sampling,
              pid_t pid, struct hpm_error *err)
{
    *profiler = (struct profiler){.next_ns = UINT64_MAX};
    if (sampling == NULL || sampling->n_events == 0)
        return true;
    profiler->sampling = sampling;
    profiler->mappings.profile = &profiler->profile;
    profiler->callers.n_most = sampling->n_callers;
    if (!add_events(profiler))
        return hpm_error_no_memory(err);
    if (!cpurings_open(&profiler->rings, sampling, pid, err)) {
        profiler->sampling = NULL;
        return false;
    }
    profiler->next_ns = now() + PAUSE_NS;
    return true;
}

void
profiler_look(struct profiler *profiler)
{
    uint64_t begin = now();

    if (begin < profiler->next_ns)
        return;
    cpurings_read(&profiler->rings, queue, profiler);
    follow(profiler, begin - LATE_NS);
    profiler->next_ns = begin + PAUSE_NS;
}

/* A ring records its losses only when it has room again, which may never
 * happen. */
static void
count_events(struct profiler *profiler)
{
    for (size_t i = 0; i < profiler->sampling->n_events; i++) {
        struct hpm_profile_event *event = &profiler->profile.events[i];
        struct hpm_profile_hit hit = {.event = i, .module = HPM_PROFILE_LOST};
        struct hpm_perf_samples samples;

        event->has_count = cpurings_count(&profiler->rings, i, &samples);
        if (!event->has_count)
            continue;
        event->count = samples.count;
        if (samples.n_lost <= event->n_lost)
            continue;
        hit.n = samples.n_lost - event->n_lost;
        event->n_lost = samples.n_lost;
        if (!add_hit(profiler, &hit))
            profiler->is_lacking = true;
    }
}

void
profiler_end(struct profiler *profiler)
{
    if (profiler->sampling == NULL)
        return;
    cpurings_stop(&profiler->rings);
    cpurings_read(&profiler->rings, queue, profiler);
    follow(profiler, UINT64_MAX);
    count_events(profiler);
    hpm_profile_settle(&profiler->profile);
    if (!hpm_profile_keep_used_modules(&profiler->profile))
        profiler->is_lacking = true;
    profiler->next_ns = UINT64_MAX;
}

static bool
tell_lost(const struct profiler *profiler, struct hpm_experiment *experiment)
{
    struct hpm_string text = {0};
    uint64_t n_lost = 0;

    for (size_t i = 0; i < experiment->profile.n_events; i++)
        n_lost += experiment->profile.events[i].n_lost;
    if (n_lost > 0) {
        hpm_string_add_format(
            &text,
            "%llu records of samples are lost: a ring of %zu KiB was full; "
            "sample less often, or raise kernel.perf_event_mlock_kb",
            (unsigned long long)n_lost, profiler->rings.rings[0].bytes / 1024);
        return hpm_experiment_tell(experiment, &text);
    }
    return true;
}

/* Each thread's first sample comes after a whole period.  Report this as the
 * reason where at least a tenth of the samples is missing, at most three for
 * each thread, and ten or more threads began. */
static bool
tell_short(const struct profiler *profiler, struct hpm_experiment *experiment,
           const struct hpm_profile_event *event)
{
    uint64_t n_expected = event->count / event->period;
    uint64_t n_begun = profiler->mappings.n_begun, n_missing;
    struct hpm_string text = {0};

    if (!event->has_count || n_expected <= event->n_taken + event->n_lost)
        return true;
    n_missing = n_expected - event->n_taken - event->n_lost;
    if (n_missing < n_expected / 10 || 3 * n_begun < n_missing || n_begun < 10)
        return true;
    hpm_string_add_format(
        &text,
        "of %s %llu samples were to be expected and %llu came: each of %llu "
        "threads and processes has its first one after a whole period, so "
        "short ones have none; a shorter period shows them",
        event->name, (unsigned long long)n_expected,
        (unsigned long long)event->n_taken, (unsigned long long)n_begun + 1);
    return hpm_experiment_tell(experiment, &text);
}

static bool
tell_all(const struct profiler *profiler, struct hpm_experiment *experiment)
{
    for (size_t i = 0; i < experiment->profile.n_events; i++) {
        if (!tell_short(profiler, experiment, &experiment->profile.events[i]))
            return false;
    }
    return callers_tell(&profiler->callers, experiment) &&
           tell_lost(profiler, experiment);
}

bool
profiler_give(struct profiler *profiler, struct hpm_experiment *experiment)
{
    if (profiler->sampling == NULL)
        return true;
    if (profiler->is_lacking)
        return false;
    experiment->profile = profiler->profile;
    profiler->profile = (struct hpm_profile){0};
    return tell_all(profiler, experiment);
}

void
profiler_clear(struct profiler *profiler)
{
    for (size_t i = 0; i < profiler->n_queue; i++)
        hpm_memory_free((void *)profiler->queue[i].record.words);
    hpm_memory_free(profiler->queue);
    mappings_clear(&profiler->mappings);
    hpm_profile_clear(&profiler->profile);
    cpurings_close(&profiler->rings);
    *profiler = (struct profiler){.next_ns = UINT64_MAX};
}
