/* SPDX-License-Identifier: BSD-3-Clause
 * What a study says about a section of which it has no record. */
#include "study/columns/absence.h"

#include "base/globs.h"
#include "study/columns/operand.h"

static size_t
slot(const struct hpm_study *study, size_t place, size_t column)
{
    return place * (study->n_columns + 1) + column;
}

bool
hpm_absence_is_whole_run(const struct hpm_study_section *section)
{
    return section->scope == HPM_SCOPE_PROCESS && !section->is_outside &&
           section->parent == HPM_NO_INDEX && section->instance == 0 &&
           section->line == 0 &&
           (section->base == NULL || section->base[0] == '\0');
}

static void
keep_most(struct hpm_absence *absence, size_t where, uint64_t runs,
          enum hpm_state state)
{
    if (runs > absence->runs[where])
        absence->runs[where] = runs < UINT32_MAX ? (uint32_t)runs : UINT32_MAX;
    if (state > absence->states[where])
        absence->states[where] = (unsigned char)state;
}

static void
look_at_row(struct hpm_absence *absence, uint32_t row)
{
    const struct hpm_study *study = absence->study;
    const struct hpm_task *task = hpm_study_task_of(study, row);
    size_t place = hpm_study_row(study, row)->place;

    if (hpm_absence_is_whole_run(hpm_study_section_of(study, row)))
        absence->is_of_whole_runs = true;
    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t column = task->columns[i];
        enum hpm_state state;
        uint64_t runs;

        if (!hpm_study_get_state(study, row, column, &state) ||
            !hpm_state_has_value(state))
            continue;
        runs = hpm_operand_runs_of_both(
            hpm_study_number(study, row, column, HPM_FIELD_RUNS),
            hpm_study_number(study, row, column, HPM_FIELD_RUNS_EXCLUSIVE));
        keep_most(absence, slot(study, place, column), runs, state);
        keep_most(absence, slot(study, place, study->n_columns), runs, state);
    }
}

bool
hpm_absence_begin(struct hpm_absence *absence, const struct hpm_study *study,
                  struct hpm_arena *arena)
{
    size_t n = study->n_places * (study->n_columns + 1);

    absence->study = study;
    absence->runs = hpm_arena_new(arena, n, sizeof *absence->runs);
    absence->states = hpm_arena_new(arena, n, sizeof *absence->states);
    if (absence->runs == NULL || absence->states == NULL)
        return false;
    for (uint32_t i = 0; i < study->n_rows; i++)
        look_at_row(absence, i);
    return true;
}

bool
hpm_absence_is_work(const struct hpm_column *column)
{
    return strncmp(column->name, "work::", 6) == 0;
}

static uint64_t
runs_of_name(const struct hpm_absence *absence, size_t place, const char *name)
{
    const struct hpm_study *study = absence->study;
    uint64_t runs = 0;

    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, name) == 0 &&
            absence->runs[slot(study, place, i)] > runs)
            runs = absence->runs[slot(study, place, i)];
    }
    return runs;
}

/* Work was counted in every run that counted anything.  A run with
 * HPM_ONLY_EXCLUSIVE has no inclusive times, but the inclusive time of a
 * section that it did not enter is known: 0. */
static uint64_t
runs_that_counted(const struct hpm_absence *absence, size_t place,
                  const struct hpm_absence_record *record)
{
    const struct hpm_study *study = absence->study;
    uint64_t runs = 0, others = 0;

    if (hpm_absence_is_work(record->column))
        return absence->runs[slot(study, place, study->n_columns)];
    if (record->index != HPM_NO_INDEX)
        runs = absence->runs[slot(study, place, record->index)];
    if (strcmp(record->column->name, "IncSec") == 0)
        others = runs_of_name(absence, place, "ExcSec");
    return runs > others ? runs : others;
}

/* Was the section to be measured, from its first call on? */
static bool
is_wanted(const struct hpm_task *task, const struct hpm_study_section *section)
{
    const char *label =
        section != NULL && section->label != NULL ? section->label : "";

    if (section == NULL)
        return true;
    return (task->n_skipped.kind == HPM_NUMBER_NONE ||
            task->n_skipped.amount == 0) &&
           hpm_globs_take(task->only, task->except, label, section->instance);
}

struct hpm_absence_answer
hpm_absence_ask(const struct hpm_absence *absence,
                const struct hpm_absence_record *record)
{
    const struct hpm_study *study = absence->study;
    struct hpm_absence_answer answer = {.doubt = HPM_ABSENCE_SURE};
    uint32_t place =
        record->task != HPM_NO_INDEX
            ? hpm_study_find_place(study, record->task, record->tid)
            : HPM_NO_INDEX;

    if (place == HPM_NO_INDEX)
        return answer;
    answer.n_there = absence->runs[slot(study, place, study->n_columns)];
    answer.n_counted = runs_that_counted(absence, place, record);
    if (record->index != HPM_NO_INDEX)
        answer.state = absence->states[slot(study, place, record->index)];
    if (record->is_outside || study->tasks[record->task].is_complete == HPM_NO)
        answer.doubt = HPM_ABSENCE_NOT_WHOLE;
    else if (!is_wanted(&study->tasks[record->task], record->section))
        answer.doubt = HPM_ABSENCE_LEFT_OUT;
    else
        answer.n_zero = answer.n_counted;
    if (answer.doubt == HPM_ABSENCE_SURE && answer.n_zero < answer.n_there)
        answer.doubt = HPM_ABSENCE_NOT_COUNTED;
    return answer;
}
