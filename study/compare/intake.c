/* SPDX-License-Identifier: BSD-3-Clause
 * Runs, each a study that was read from its performance file, as samples. */
#include "study/compare/intake.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/columns/pair.h"
#include "study/survey/surveying.h"

struct hpm_intake {
    struct hpm_samples *samples;
    struct hpm_intake_choice choice;
    struct hpm_study *sections; /* sections of all runs, each once */
    size_t *subjects;           /* by section of `sections`: subject + 1, or
                                 * 0 */
    size_t subjects_capacity;
};

/* Add the metrics that people ask for first; counters follow. */
static void
add_first_metrics(struct hpm_samples *samples,
                  const struct hpm_intake_choice *choice)
{
    static const char *const names[] = {HPM_INTAKE_TIME, HPM_INTAKE_CPU_TIME,
                                        HPM_INTAKE_PEAK_MEMORY};
    static const enum hpm_samples_kind kinds[] = {
        HPM_SAMPLES_TIME, HPM_SAMPLES_TIME, HPM_SAMPLES_SIZE};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (hpm_intake_is_wanted(choice->metrics, names[i]))
            hpm_samples_add_metric(samples, names[i], kinds[i]);
    }
}

struct hpm_intake *
hpm_intake_new(struct hpm_samples *samples,
               const struct hpm_intake_choice *choice, struct hpm_error *err)
{
    struct hpm_intake *intake = hpm_memory_new(1, sizeof *intake);

    if (intake != NULL)
        *intake = (struct hpm_intake){.samples = samples,
                                      .choice = *choice,
                                      .sections = hpm_study_new(0)};
    if (intake != NULL && intake->sections != NULL) {
        add_first_metrics(samples, choice);
        return intake;
    }
    hpm_intake_free(intake);
    hpm_error_no_memory(err);
    return NULL;
}

void
hpm_intake_free(struct hpm_intake *intake)
{
    if (intake == NULL)
        return;
    hpm_study_free(intake->sections);
    hpm_memory_free(intake->subjects);
    hpm_memory_free(intake);
}

bool
hpm_intake_is_whole_program(const struct hpm_study *study)
{
    return study->n_tasks > 0 && study->tasks[0].exit != NULL;
}

/* ---- wanted metrics and sections -------------------------------------- */

/* Does one glob of a list match?  Capitals and "-" as in
 * hpm_samples_same_metric. */
static bool
matches(const char *glob, size_t length, const char *name)
{
    struct hpm_string pattern = {0};
    bool is_match;

    hpm_string_add_bytes(&pattern, glob, length);
    is_match = hpm_samples_same_metric(hpm_string_text(&pattern), name) ||
               fnmatch(hpm_string_text(&pattern), name, 0) == 0;
    hpm_string_free(&pattern);
    return is_match;
}

bool
hpm_intake_is_wanted(const char *globs, const char *name)
{
    if (globs == NULL)
        return true;
    while (*globs != '\0') {
        size_t length = strcspn(globs, ",");

        if (matches(globs, length, name))
            return true;
        globs += length + (globs[length] == ',');
    }
    return false;
}

/* ---- values ----------------------------------------------------------- */

/* Where the values of a subject are stored. */
struct place {
    struct hpm_intake *intake;
    size_t subject, side, run;
};

static void
set(const struct place *place, const char *name, enum hpm_samples_kind kind,
    double value)
{
    struct hpm_samples *samples = place->intake->samples;

    if (isnan(value) ||
        !hpm_intake_is_wanted(place->intake->choice.metrics, name))
        return;
    hpm_samples_set(samples, place->subject,
                    hpm_samples_add_metric(samples, name, kind), place->side,
                    place->run, value);
}

static double
resource(const struct hpm_task *task, const char *name)
{
    for (size_t i = 0; i < task->n_resources; i++) {
        if (strcmp(task->resources[i].name, name) == 0)
            return hpm_number_to_real(task->resources[i].value);
    }
    return NAN;
}

/* CPU time is the sum over all tasks, peak memory that of the largest task. */
static void
set_resources(const struct place *place, const struct hpm_study *study)
{
    double time = 0.0, memory = NAN;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        time += resource(task, "ru::utime") + resource(task, "ru::stime");
        memory = fmax(memory, resource(task, "ru::maxrss"));
    }
    set(place, HPM_INTAKE_CPU_TIME, HPM_SAMPLES_TIME, time / 1e9);
    set(place, HPM_INTAKE_PEAK_MEMORY, HPM_SAMPLES_SIZE, memory * 1024.0);
}

static enum hpm_samples_kind
kind_of(const struct hpm_quantity *quantity)
{
    return strcmp(quantity->unit, "ns") == 0 || strcmp(quantity->unit, "s") == 0
               ? HPM_SAMPLES_TIME
               : HPM_SAMPLES_COUNT;
}

/* Only a complete value that was counted all the time: estimates are not
 * compared. */
static double
value_of(const struct hpm_figure *figure)
{
    if (!figure->is_present || figure->is_partial ||
        figure->state != HPM_STATE_COUNTED)
        return NAN;
    return hpm_number_to_real(figure->value);
}

static void
set_quantity(const struct place *place, const struct hpm_quantity *quantity,
             const struct hpm_figure *figure)
{
    double value = value_of(figure);

    switch (quantity->kind) {
    case HPM_QUANTITY_CALLS:
        set(place, HPM_INTAKE_CALLS, HPM_SAMPLES_COUNT, value);
        break;
    case HPM_QUANTITY_EXCLUSIVE:
        set(place, HPM_INTAKE_EXCLUSIVE, HPM_SAMPLES_TIME, value);
        break;
    case HPM_QUANTITY_INCLUSIVE:
        set(place, HPM_INTAKE_TIME, HPM_SAMPLES_TIME, value);
        break;
    case HPM_QUANTITY_COUNTER:
        if (strcmp(quantity->unit, "ns") == 0)
            value /= 1e9;
        set(place, quantity->name, kind_of(quantity), value);
        break;
    default: /* metrics are computed from these */
        break;
    }
}

static void
set_entries(const struct place *place, const struct hpm_survey *survey,
            const struct hpm_subject *subject, bool is_section)
{
    for (size_t i = 0; i < subject->n_entries; i++) {
        const struct hpm_quantity *quantity =
            &survey->quantities[subject->entries[i].quantity];

        /* a program has one call, and no section around it */
        if (is_section || (quantity->kind != HPM_QUANTITY_CALLS &&
                           quantity->kind != HPM_QUANTITY_EXCLUSIVE))
            set_quantity(place, quantity, &subject->entries[i].figure);
    }
}

/* ---- sections --------------------------------------------------------- */

/* A copy of the sections without their files: different programs are
 * compared. */
static struct hpm_study *
copy_sections(const struct hpm_study *study, uint32_t *ret_map)
{
    struct hpm_study *copy = hpm_study_new(0);

    for (uint32_t i = 0; copy != NULL && i < study->n_sections; i++) {
        struct hpm_study_section section = study->sections[i];

        section.base = section.file = "";
        section.instance = 0;
        if (section.parent != HPM_NO_INDEX)
            section.parent = ret_map[section.parent];
        ret_map[i] = hpm_study_own_section(copy, &section)
                         ? hpm_study_add_section(copy, &section)
                         : HPM_NO_INDEX;
        if (ret_map[i] == HPM_NO_INDEX) {
            hpm_study_free(copy);
            copy = NULL;
        }
    }
    return copy;
}

/* Set map[]: for each section of the study its index in intake->sections. */
static bool
pair_sections(struct hpm_intake *intake, const struct hpm_study *study,
              uint32_t *map)
{
    size_t n = study->n_sections;
    uint32_t *to_copy, *from_copy;
    struct hpm_study *copy;
    bool is_good;

    if (!intake->choice.any_program)
        return hpm_pair_sections(intake->sections, study, true, map);
    to_copy = hpm_memory_new(2 * n + 1, sizeof *to_copy);
    from_copy = to_copy + n;
    copy = to_copy != NULL ? copy_sections(study, to_copy) : NULL;
    is_good = copy != NULL &&
              hpm_pair_sections(intake->sections, copy, true, from_copy);
    for (size_t i = 0; is_good && i < n; i++)
        map[i] = from_copy[to_copy[i]];
    hpm_study_free(copy);
    hpm_memory_free(to_copy);
    return is_good;
}

/* Has another section of these runs this path?  A baseline's subject of this
 * path is no other section: it is this one. */
static bool
is_taken(const struct hpm_intake *intake, const char *path)
{
    for (size_t i = 0; i < intake->sections->n_sections; i++) {
        size_t subject = intake->subjects[i];

        if (subject > 0 &&
            strcmp(intake->samples->subjects[subject - 1].path, path) == 0)
            return true;
    }
    return false;
}

/* The subject's path; where another section has the same path, with its place
 * in the source. */
static size_t
add_subject(struct hpm_intake *intake, const struct hpm_survey *survey,
            size_t subject, uint32_t section)
{
    const struct hpm_study_section *at = &intake->sections->sections[section];
    struct hpm_string path = {0};
    size_t place;

    hpm_survey_add_path(survey, subject, &path);
    if (is_taken(intake, hpm_string_text(&path)))
        hpm_string_add_format(&path, " (%s:%d)", at->base, at->line);
    for (unsigned i = 2; is_taken(intake, hpm_string_text(&path)); i++)
        hpm_string_add_format(&path, " #%u", i);
    if (path.failed)
        intake->samples->failed = true;
    place = hpm_samples_add_subject(intake->samples, hpm_string_text(&path));
    hpm_string_free(&path);
    return place;
}

static bool
is_section_wanted(const struct hpm_intake *intake,
                  const struct hpm_survey *survey, size_t subject)
{
    struct hpm_string path = {0}, label = {0};
    const char *glob = intake->choice.section;
    bool is_wanted;

    hpm_survey_add_path(survey, subject, &path);
    hpm_survey_add_label(survey, subject, &label);
    is_wanted = glob == NULL || fnmatch(glob, hpm_string_text(&path), 0) == 0 ||
                fnmatch(glob, hpm_string_text(&label), 0) == 0;
    hpm_string_free(&path);
    hpm_string_free(&label);
    return is_wanted && !hpm_survey_is_outside(survey, subject);
}

static bool
take_sections(struct hpm_intake *intake, const struct hpm_survey *survey,
              const uint32_t *map, struct place *place)
{
    if (!hpm_memory_grow(&intake->subjects, &intake->subjects_capacity,
                         intake->sections->n_sections,
                         sizeof *intake->subjects))
        return false;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        uint32_t section = map[survey->subjects[i].section];

        if (!is_section_wanted(intake, survey, i))
            continue;
        if (intake->subjects[section] == 0)
            intake->subjects[section] =
                add_subject(intake, survey, i, section) + 1;
        place->subject = intake->subjects[section] - 1;
        set_entries(place, survey, &survey->subjects[i], true);
    }
    return true;
}

/* ---- a run ------------------------------------------------------------ */

/* A program that measured itself: the time from its first to its last
 * reading. */
static void
set_run_time(const struct place *place, const struct hpm_study *study)
{
    double time = NAN;

    for (size_t i = 0; i < study->n_tasks; i++)
        time = fmax(time, hpm_number_to_real(study->tasks[i].seconds));
    set(place, HPM_INTAKE_TIME, HPM_SAMPLES_TIME, time);
}

static bool
take_survey(struct hpm_intake *intake, const struct hpm_study *study,
            const struct hpm_survey *survey, struct place *place)
{
    uint32_t *map;
    bool is_good;

    if (hpm_intake_is_whole_program(study) && survey->n_subjects == 1) {
        set_entries(place, survey, survey->subjects, false);
        return true;
    }
    set_run_time(place, study);
    map = hpm_memory_new(study->n_sections + 1, sizeof *map);
    is_good = map != NULL && pair_sections(intake, study, map) &&
              take_sections(intake, survey, map, place);
    hpm_memory_free(map);
    return is_good;
}

bool
hpm_intake_take(struct hpm_intake *intake, const struct hpm_study *study,
                size_t side, size_t run, struct hpm_error *err)
{
    struct hpm_survey_options how = {.grouping = HPM_GROUP_PATHS};
    struct hpm_survey *survey = hpm_survey_new(study, &how, err);
    struct place place = {intake, hpm_samples_add_subject(intake->samples, ""),
                          side, run};
    bool is_good;

    if (survey == NULL)
        return false;
    is_good = take_survey(intake, study, survey, &place);
    place.subject = hpm_samples_add_subject(intake->samples, "");
    set_resources(&place, study);
    if (intake->samples->sides != NULL &&
        intake->samples->sides[side].n_runs <= run)
        intake->samples->sides[side].n_runs = run + 1;
    hpm_survey_free(survey);
    return (is_good && !intake->samples->failed) || hpm_error_no_memory(err);
}
