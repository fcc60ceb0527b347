/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a performance file, on their way into a study. */
#include "study/file/fileprofile.h"

#include <limits.h>

#include "host/memory.h"
#include "study/file/filecallers.h"

/* ---- the head -------------------------------------------------------- */

static bool
take_sampled(struct hpm_fileprofile *profile,
             const struct hpm_task_sampled *said)
{
    struct hpm_study *study = profile->study;
    struct hpm_task *task = &study->tasks[profile->task];
    struct hpm_study_sampled key = hpm_hits_key(said);

    if (said->name == NULL)
        return true;
    for (size_t i = 0; i < task->n_sampled; i++) {
        struct hpm_study_sampled there = hpm_hits_key(&task->sampled[i]);

        if (hpm_hits_is_sampled(&there, &key)) {
            hpm_notes_add(profile->parse->notes,
                          "%s: a second Sampled '%.60s' of task %d; left out",
                          profile->parse->file, said->name, task->number);
            return true;
        }
    }
    if (!hpm_arena_grow(&study->arena, &task->sampled, &task->sampled_capacity,
                        task->n_sampled + 1, sizeof *task->sampled) ||
        hpm_hits_add_sampled(study, &key) == HPM_NO_INDEX)
        return false;
    task->sampled[task->n_sampled++] = *said;
    return true;
}

/* A module's number is its place in the task's list: a module whose number is
 * not the next one is left out. */
static bool
take_module(struct hpm_fileprofile *profile,
            const struct hpm_format_module *module, struct hpm_xmlguard *guard)
{
    struct hpm_study *study = profile->study;
    struct hpm_task *task = &study->tasks[profile->task];
    struct hpm_study_module said = module->said;
    uint64_t id = module->id.amount;
    uint32_t added;

    if (said.path == NULL || module->id.kind != HPM_NUMBER_COUNT || id == 0 ||
        id != task->n_modules + 1) {
        struct hpm_xmlguard_position position =
            hpm_xmlguard_locate(guard, NULL);

        hpm_notes_add(profile->parse->notes,
                      "%s:%ld:%ld: module %llu %s; expected the number %zu; "
                      "left out",
                      profile->parse->file, position.line, position.column,
                      (unsigned long long)id,
                      said.path == NULL                 ? "has no path"
                      : id > 0 && id <= task->n_modules ? "is there already"
                                                        : "is not the next one",
                      task->n_modules + 1);
        return true;
    }
    if (said.build_id == NULL)
        said.build_id = hpm_parse_keep(profile->parse, "");
    added = hpm_hits_add_module(study, &said);
    if (added == HPM_NO_INDEX ||
        !hpm_arena_grow(&study->arena, &task->modules, &task->modules_capacity,
                        task->n_modules + 1, sizeof *task->modules))
        return false;
    task->modules[task->n_modules++] = added;
    return true;
}

/* ---- records --------------------------------------------------------- */

static bool
take_samples(struct hpm_fileprofile *profile,
             const struct hpm_format_samples *said, struct hpm_xmlguard *guard)
{
    if (!hpm_memory_grow(&profile->samples, &profile->samples_capacity,
                         profile->n_samples + 1, sizeof *profile->samples))
        return false;
    profile->samples[profile->n_samples++] = (struct hpm_fileprofile_samples){
        .said = *said,
        .position = hpm_xmlguard_locate(guard, NULL),
        .first_at = profile->n_ats};
    return true;
}

static bool
take_at(struct hpm_fileprofile *profile, const struct hpm_format_at *at)
{
    if (!hpm_memory_grow(&profile->ats, &profile->ats_capacity,
                         profile->n_ats + 1, sizeof *profile->ats))
        return false;
    profile->ats[profile->n_ats++] = *at;
    return true;
}

void
hpm_fileprofile_begin_record(struct hpm_fileprofile *profile)
{
    profile->n_samples = profile->n_ats = 0;
}

/* Can these samples be samples of that event?  A missing field matches any. */
static bool
is_of(const struct hpm_format_samples *said,
      const struct hpm_study_sampled *sampled)
{
    return said->name != NULL && said->name == sampled->name &&
           (said->domain == NULL || said->domain == sampled->domain) &&
           (said->period.kind != HPM_NUMBER_COUNT ||
            said->period.amount == sampled->period);
}

/* What the task sampled that matches. */
static uint32_t
find_sampled(struct hpm_fileprofile *profile, const struct hpm_task *task,
             const struct hpm_format_samples *said)
{
    for (size_t i = 0; i < task->n_sampled; i++) {
        struct hpm_study_sampled key = hpm_hits_key(&task->sampled[i]);

        if (is_of(said, &key))
            return hpm_hits_add_sampled(profile->study, &key);
    }
    return HPM_NO_INDEX;
}

static bool
lacks_module(const struct hpm_task *task, struct hpm_number number)
{
    return number.kind == HPM_NUMBER_COUNT && number.amount > task->n_modules;
}

static uint32_t
find_module(const struct hpm_task *task, struct hpm_number number)
{
    if (number.kind != HPM_NUMBER_COUNT || lacks_module(task, number))
        return HPM_MODULE_UNKNOWN;
    return task->modules[number.amount - 1];
}

static void
say(struct hpm_fileprofile *profile,
    const struct hpm_fileprofile_samples *samples, const char *what)
{
    hpm_notes_add(profile->parse->notes, "%s:%ld:%ld: samples of '%.60s': %s",
                  profile->parse->file, samples->position.line,
                  samples->position.column,
                  samples->said.name != NULL ? samples->said.name : "", what);
}

static bool
add_lost(struct hpm_fileprofile *profile,
         const struct hpm_fileprofile_samples *samples,
         struct hpm_study_hit hit)
{
    if (samples->said.n_lost.kind != HPM_NUMBER_COUNT ||
        samples->said.n_lost.amount == 0)
        return true;
    hit.module = HPM_MODULE_LOST;
    hit.offset = 0;
    hit.n = samples->said.n_lost.amount;
    return hpm_hits_add(profile->study, &hit);
}

/* A text that is not a chain of callers is left out, with a note. */
static bool
find_chain(struct hpm_fileprofile *profile, const struct hpm_task *task,
           const struct hpm_fileprofile_samples *samples, const char *callers,
           uint32_t *ret_chain)
{
    bool is_full;
    const char *wrong = hpm_filecallers_read(profile->study, task, callers,
                                             ret_chain, &is_full);

    if (wrong != NULL)
        hpm_notes_add(profile->parse->notes,
                      "%s:%ld:%ld: samples of '%.60s': '%.40s' is no caller; "
                      "expected MODULE:OFFSET, :ADDRESS or ... ; these callers "
                      "are left out",
                      profile->parse->file, samples->position.line,
                      samples->position.column,
                      samples->said.name != NULL ? samples->said.name : "",
                      wrong);
    return !is_full;
}

/* Add the samples of one event; its addresses end at `end`. */
static bool
add_samples(struct hpm_fileprofile *profile,
            const struct hpm_fileprofile_samples *samples, size_t end,
            uint32_t row)
{
    const struct hpm_task *task = hpm_study_task_of(profile->study, row);
    struct hpm_study_hit hit = {
        .row = row, .sampled = find_sampled(profile, task, &samples->said)};
    uint64_t n = 0, n_without = 0;

    if (hit.sampled == HPM_NO_INDEX) {
        say(profile, samples,
            "the task's Profile does not have this event; left out");
        return true;
    }
    for (size_t i = samples->first_at; i < end; i++) {
        const struct hpm_format_at *at = &profile->ats[i];

        hit.module = find_module(task, at->module);
        hit.offset = at->offset.amount;
        hit.n = at->n.amount;
        n += hit.n;
        n_without += lacks_module(task, at->module) ? hit.n : 0;
        if (!find_chain(profile, task, samples, at->callers, &hit.chain) ||
            !hpm_hits_add(profile->study, &hit))
            return false;
    }
    if (samples->said.n_taken.kind == HPM_NUMBER_COUNT &&
        samples->said.n_taken.amount != n)
        say(profile, samples,
            "it says that there are more or fewer than its places have; those "
            "are taken");
    if (n_without > 0)
        say(profile, samples,
            "some are of a module that the task's Profile does not have; where "
            "these are is not known");
    hit.chain = 0;
    return add_lost(profile, samples, hit);
}

bool
hpm_fileprofile_end_record(struct hpm_fileprofile *profile, uint32_t row)
{
    for (size_t i = 0; i < profile->n_samples; i++) {
        size_t end = i + 1 < profile->n_samples
                         ? profile->samples[i + 1].first_at
                         : profile->n_ats;

        if (!add_samples(profile, &profile->samples[i], end, row))
            return false;
    }
    return true;
}

/* ---- any element ----------------------------------------------------- */

bool
hpm_fileprofile_knows(enum hpm_format_name element)
{
    return element == HPM_FORMAT_PROFILE || element == HPM_FORMAT_SAMPLED ||
           element == HPM_FORMAT_MODULE || element == HPM_FORMAT_SAMPLES ||
           element == HPM_FORMAT_AT;
}

bool
hpm_fileprofile_take(struct hpm_fileprofile *profile,
                     enum hpm_format_name element,
                     const union hpm_format_any *any,
                     struct hpm_xmlguard *guard)
{
    switch (element) {
    case HPM_FORMAT_PROFILE:
        profile->task = hpm_describe_task(profile->describe, any->profile.task);
        return profile->task != HPM_NO_INDEX;
    case HPM_FORMAT_SAMPLED:
        return take_sampled(profile, &any->sampled.said);
    case HPM_FORMAT_MODULE:
        return take_module(profile, &any->module, guard);
    case HPM_FORMAT_SAMPLES:
        return take_samples(profile, &any->samples, guard);
    case HPM_FORMAT_AT:
        return take_at(profile, &any->at);
    default:
        return true;
    }
}

void
hpm_fileprofile_free(struct hpm_fileprofile *profile)
{
    hpm_memory_free(profile->samples);
    hpm_memory_free(profile->ats);
}
