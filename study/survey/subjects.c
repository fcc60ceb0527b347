/* SPDX-License-Identifier: BSD-3-Clause
 * The subjects of a survey: sections, call paths or files, and their rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "model/experiment.h"
#include "study/survey/steps.h"

/* ---- sections to subjects -------------------------------------------- */

/* Are two sections the same subject, apart from their paths?  Texts of one
 * study are equal if their addresses are. */
static bool
is_one_subject(enum hpm_grouping grouping, const struct hpm_study_section *a,
               const struct hpm_study_section *b)
{
    if (a->scope != b->scope || a->base != b->base ||
        a->is_outside != b->is_outside)
        return false;
    if (grouping == HPM_GROUP_FILES)
        return true;
    return a->instance == b->instance && a->label == b->label &&
           a->line == b->line && a->twin == b->twin;
}

struct entry {
    const struct hpm_study_section *section;
    enum hpm_grouping grouping;
    uint32_t i;
};

/* Sections of one subject are together, in the order of the study. */
static int
compare_sections(const void *x, const void *y)
{
    const struct entry *one = x, *other = y;
    const struct hpm_study_section *a = one->section, *b = other->section;

    if (is_one_subject(one->grouping, a, b))
        return (one->i > other->i) - (one->i < other->i);
    if (a->scope != b->scope)
        return a->scope - b->scope;
    if (a->is_outside != b->is_outside)
        return a->is_outside - b->is_outside;
    if (a->base != b->base)
        return (uintptr_t)a->base < (uintptr_t)b->base ? -1 : 1;
    if (a->label != b->label)
        return (uintptr_t)a->label < (uintptr_t)b->label ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->instance != b->instance)
        return a->instance < b->instance ? -1 : 1;
    return a->twin < b->twin ? -1 : 1;
}

/* The first section with the same subject, for each section. */
static uint32_t *
find_representatives(struct hpm_survey *survey)
{
    size_t n = survey->study->n_sections;
    uint32_t *first = hpm_arena_new(&survey->arena, n + 1, sizeof *first);
    struct entry *order = hpm_arena_new(&survey->arena, n + 1, sizeof *order);
    enum hpm_grouping grouping = survey->options.grouping;

    if (first == NULL || order == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        first[i] = i;
        order[i] = (struct entry){&survey->study->sections[i], grouping, i};
    }
    if (grouping == HPM_GROUP_PATHS)
        return first;
    qsort(order, n, sizeof *order, compare_sections);
    for (size_t i = 1; i < n; i++) {
        if (is_one_subject(grouping, order[i - 1].section, order[i].section))
            first[order[i].i] = first[order[i - 1].i];
    }
    return first;
}

/* Parents may stand after their children, and paths may be deep: climb from
 * each subject once, up to the first one with a known depth. */
static void
find_parents(struct hpm_survey *survey)
{
    struct hpm_subject *subjects = survey->subjects;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        uint32_t parent = survey->study->sections[i].parent;

        if (parent != HPM_NO_INDEX)
            subjects[i].parent = parent;
    }
    for (size_t i = 0; i < survey->n_subjects; i++) {
        size_t depth = 0, at;

        for (at = i;
             subjects[at].depth == 0 && subjects[at].parent != HPM_NO_SUBJECT;
             at = subjects[at].parent)
            depth++;
        depth += subjects[at].depth;
        for (at = i;
             subjects[at].depth == 0 && subjects[at].parent != HPM_NO_SUBJECT;
             at = subjects[at].parent)
            subjects[at].depth = depth--;
    }
}

/* Add the subjects in the order of their first sections. */
static uint32_t *
add_subjects(struct hpm_survey *survey, const uint32_t *first)
{
    size_t n = survey->study->n_sections;
    uint32_t *subject_of = hpm_arena_new(&survey->arena, n + 1, sizeof *first);

    survey->subjects = hpm_memory_new(n + 1, sizeof *survey->subjects);
    if (subject_of == NULL || survey->subjects == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (first[i] == i) {
            survey->subjects[survey->n_subjects] =
                (struct hpm_subject){.section = i, .parent = HPM_NO_SUBJECT};
            subject_of[i] = (uint32_t)survey->n_subjects++;
        } else {
            subject_of[i] = subject_of[first[i]];
        }
    }
    if (survey->options.grouping == HPM_GROUP_PATHS)
        find_parents(survey);
    return subject_of;
}

/* ---- rows ------------------------------------------------------------ */

/* What the order of a row depends on. */
struct rank {
    uint32_t task;
    int tid;
    uint32_t row;
};

static int
compare_rows(const void *x, const void *y)
{
    const struct rank *a = x, *b = y;

    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    if (a->tid != b->tid)
        return a->tid < b->tid ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Sort by task and thread. */
static bool
sort_rows(uint32_t *rows, size_t n, const struct hpm_study *study)
{
    struct rank *ranks = hpm_memory_new(n + 1, sizeof *ranks);

    if (ranks == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct hpm_study_place place = *hpm_study_place_of(study, rows[i]);

        ranks[i] = (struct rank){place.task, place.tid, rows[i]};
    }
    qsort(ranks, n, sizeof *ranks, compare_rows);
    for (size_t i = 0; i < n; i++)
        rows[i] = ranks[i].row;
    hpm_memory_free(ranks);
    return true;
}

static size_t
larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* A flag of any row is a flag of the subject; but the subject is on one side
 * only where all its rows are. */
static void
add_flags(struct hpm_subject *subject, unsigned flags, bool is_first)
{
    const unsigned sides = HPM_ROW_SIDE_A | HPM_ROW_SIDE_B;
    unsigned before = is_first ? sides : subject->flags;

    subject->flags =
        ((subject->flags | flags) & ~sides) | (before & flags & sides);
}

/* Set flags, lines and counts of a subject from its rows. */
static void
describe_subject(const struct hpm_survey *survey, struct hpm_subject *subject)
{
    const struct hpm_study *study = survey->study;
    uint32_t last_place = HPM_NO_INDEX, last_task = HPM_NO_INDEX;
    size_t n_here = 0;  /* threads at the last place */
    size_t n_tasks = 0; /* that the last task stands for */

    for (size_t i = 0; i < subject->count; i++) {
        const struct hpm_row *row =
            hpm_study_row(study, survey->rows[subject->first + i]);
        uint32_t task = study->places[row->place].task;

        if (row->place != last_place) {
            subject->n_threads += n_here;
            n_here = 0;
        }
        n_here = larger(n_here, hpm_study_n_threads(
                                    study, survey->rows[subject->first + i]));
        if (task != last_task) {
            subject->n_tasks += n_tasks;
            n_tasks = 0;
        }
        n_tasks =
            larger(n_tasks,
                   hpm_study_n_tasks(study, survey->rows[subject->first + i]));
        last_place = row->place;
        last_task = task;
        add_flags(subject, row->flags, i == 0);
        if (row->line_end > subject->line_end)
            subject->line_end = row->line_end;
    }
    subject->n_threads += n_here;
    subject->n_tasks += n_tasks;
}

struct hpm_watched_row
hpm_survey_watched(const struct hpm_survey *survey,
                   const struct hpm_subject *subject)
{
    struct hpm_watched_row all = {0};

    for (size_t i = 0; i < subject->count; i++) {
        struct hpm_watched_row watched =
            hpm_watched_get(survey->study, survey->rows[subject->first + i]);

        if (i == 0)
            all = watched;
        else
            hpm_watched_join(&all, &watched);
    }
    return all;
}

static bool
list_rows(struct hpm_survey *survey, const uint32_t *subject_of)
{
    const struct hpm_study *study = survey->study;
    size_t *next =
        hpm_arena_new(&survey->arena, survey->n_subjects + 1, sizeof *next);

    survey->rows =
        hpm_arena_new(&survey->arena, study->n_rows + 1, sizeof *survey->rows);
    if (next == NULL || survey->rows == NULL)
        return false;
    for (size_t i = 0; i < study->n_rows; i++)
        survey->subjects[subject_of[hpm_study_row(study, i)->section]].count++;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        survey->subjects[i].first = next[i];
        next[i + 1] = next[i] + survey->subjects[i].count;
    }
    for (uint32_t i = 0; i < study->n_rows; i++) {
        uint32_t subject = subject_of[hpm_study_row(study, i)->section];

        survey->rows[next[subject]++] = i;
    }
    for (size_t i = 0; i < survey->n_subjects; i++) {
        struct hpm_subject *subject = &survey->subjects[i];

        if (!sort_rows(survey->rows + subject->first, subject->count, study))
            return false;
        describe_subject(survey, subject);
    }
    return true;
}

/* Count the threads and tasks that have any section of a scope. */
static bool
count_places(struct hpm_survey *survey)
{
    const struct hpm_study *study = survey->study;
    bool *place_is_met =
        hpm_arena_new(&survey->arena, 2 * study->n_places + 1, sizeof(bool));
    bool *task_is_met =
        hpm_arena_new(&survey->arena, 2 * study->n_tasks + 1, sizeof(bool));

    if (place_is_met == NULL || task_is_met == NULL)
        return false;
    for (size_t i = 0; i < study->n_rows; i++) {
        const struct hpm_row *row = hpm_study_row(study, i);
        int scope = study->sections[row->section].scope == HPM_SCOPE_PROCESS;
        size_t place = 2 * (size_t)row->place + (size_t)scope;
        size_t task =
            2 * (size_t)study->places[row->place].task + (size_t)scope;

        survey->n_threads[scope] += !place_is_met[place];
        survey->n_tasks[scope] += !task_is_met[task];
        place_is_met[place] = task_is_met[task] = true;
    }
    return true;
}

bool
hpm_survey_list_subjects(struct hpm_survey *survey, struct hpm_error *err)
{
    const uint32_t *first = find_representatives(survey);
    const uint32_t *subject_of =
        first != NULL ? add_subjects(survey, first) : NULL;

    return (subject_of != NULL && list_rows(survey, subject_of) &&
            count_places(survey)) ||
           hpm_error_no_memory(err);
}

/* ---- names ----------------------------------------------------------- */

static void
add_section_label(const struct hpm_study_section *section,
                  struct hpm_string *string)
{
    if (section->label != NULL && section->label[0] != '\0')
        hpm_string_add(string, section->label);
    else
        hpm_string_add_format(string, "#%d", section->instance);
}

void
hpm_survey_add_label(const struct hpm_survey *survey, size_t subject,
                     struct hpm_string *string)
{
    const struct hpm_study_section *section =
        &survey->study->sections[survey->subjects[subject].section];

    if (survey->options.grouping != HPM_GROUP_FILES || section->is_outside)
        add_section_label(section, string);
    else if (section->base != NULL && section->base[0] != '\0')
        hpm_string_add(string, section->base);
    else
        hpm_string_add(string, "(no file)");
}

/* Labels from the root on. */
void
hpm_survey_add_path(const struct hpm_survey *survey, size_t subject,
                    struct hpm_string *string)
{
    const struct hpm_study_section *sections = survey->study->sections;
    uint32_t last = survey->subjects[subject].section;
    uint32_t *path;
    size_t n = 0;

    for (uint32_t i = last; i != HPM_NO_INDEX; i = sections[i].parent)
        n++;
    path = hpm_memory_new(n, sizeof *path);
    if (path == NULL) {
        string->failed = true;
        return;
    }
    for (size_t i = n; i > 0; i--, last = sections[last].parent)
        path[i - 1] = last;
    for (size_t i = 0; i < n; i++) {
        hpm_string_add(string, i > 0 ? "/" : "");
        add_section_label(&sections[path[i]], string);
    }
    hpm_memory_free(path);
}

/* ---- shares of subjects ---------------------------------------------- */

static double
exclusive_seconds(const struct hpm_survey *survey,
                  const struct hpm_subject *subject)
{
    const struct hpm_entry *entry = hpm_subject_entry(
        subject, hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE));

    return entry != NULL ? entry->threads.mean * (double)entry->threads.n : 0.0;
}

static double
divide_or_none(double part, double whole)
{
    return whole > 0.0 ? part / whole : NAN;
}

void
hpm_survey_share_out(struct hpm_survey *survey)
{
    for (int scope = 0; scope < 2; scope++)
        survey->totals[scope] = survey->section_totals[scope] = 0.0;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];
        const struct hpm_study_section *section =
            &survey->study->sections[subject->section];
        double seconds = exclusive_seconds(survey, subject);

        survey->totals[section->scope] += seconds;
        if (!section->is_outside)
            survey->section_totals[section->scope] += seconds;
    }
    for (size_t i = 0; i < survey->n_subjects; i++) {
        struct hpm_subject *subject = &survey->subjects[i];
        const struct hpm_study_section *section =
            &survey->study->sections[subject->section];
        double seconds = exclusive_seconds(survey, subject);

        subject->share =
            divide_or_none(seconds, survey->totals[section->scope]);
        subject->section_share =
            section->is_outside
                ? NAN
                : divide_or_none(seconds,
                                 survey->section_totals[section->scope]);
    }
}
