/* SPDX-License-Identifier: BSD-3-Clause
 * The "measured" sections of a performance file, and the calibrated costs of
 * measuring. */
#include "hpm/diagnosis/calls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "study/file/reader.h"

void
calls_clear(struct calls *calls)
{
    for (size_t i = 0; i < calls->n_measures; i++) {
        hpm_memory_free(calls->measures[i].name);
        hpm_memory_free(calls->measures[i].unit);
        hpm_memory_free(calls->measures[i].read);
        hpm_memory_free(calls->measures[i].left);
    }
    for (size_t i = 0; i < calls->n_costs; i++)
        hpm_memory_free(calls->costs[i].name);
    hpm_memory_free(calls->measures);
    hpm_memory_free(calls->costs);
    *calls = (struct calls){0};
}

const struct measure *
calls_find(const struct calls *calls, const char *name)
{
    for (size_t i = 0; i < calls->n_measures; i++) {
        if (strcmp(calls->measures[i].name, name) == 0)
            return &calls->measures[i];
    }
    return NULL;
}

/* ---- numbers --------------------------------------------------------- */

/* Counts unchanged, times in nanoseconds. */
static int64_t
amount_of(struct hpm_number number, bool is_time)
{
    switch (number.kind) {
    case HPM_NUMBER_COUNT:
    case HPM_NUMBER_MINUS:
        number.amount *= is_time ? UINT64_C(1000000000) : 1;
        break;
    case HPM_NUMBER_REAL:
        return llround(number.real * (is_time ? 1e9 : 1));
    default:
        break;
    }
    return number.kind == HPM_NUMBER_MINUS ||
                   number.kind == HPM_NUMBER_MINUS_SECONDS
               ? -(int64_t)number.amount
               : (int64_t)number.amount;
}

static bool
is_there(struct hpm_number number)
{
    return number.kind != HPM_NUMBER_NONE;
}

/* ---- values ---------------------------------------------------------- */

static struct measure *
find_measure(struct calls *calls, const char *name, const char *unit)
{
    struct measure *measure = (struct measure *)calls_find(calls, name);

    if (measure != NULL)
        return measure;
    if (!hpm_memory_grow(&calls->measures, &calls->measures_capacity,
                         calls->n_measures + 1, sizeof *calls->measures))
        return NULL;
    measure = &calls->measures[calls->n_measures++];
    *measure = (struct measure){.name = hpm_memory_copy_text(name),
                                .unit = hpm_memory_copy_text(unit)};
    return measure->name != NULL && measure->unit != NULL ? measure : NULL;
}

static bool
add_section(struct measure *measure, int64_t left, int64_t overhead)
{
    size_t n = measure->n_sections;

    if (!hpm_memory_grow(&measure->read, &measure->read_capacity, n + 1,
                         sizeof *measure->read) ||
        !hpm_memory_grow(&measure->left, &measure->left_capacity, n + 1,
                         sizeof *measure->left))
        return false;
    measure->read[n] = (uint64_t)(left + overhead);
    measure->left[n] = (uint64_t)left;
    measure->n_sections++;
    return true;
}

/* Take one datum of a section with so many calls.  False when there is no
 * memory. */
static bool
take_datum(struct calls *calls, const struct hpm_column *column,
           const struct hpm_datum *datum, uint64_t n_calls)
{
    bool is_time = strcmp(column->name, "IncSec") == 0;
    const char *unit = column->unit != NULL ? column->unit : "";
    const struct hpm_number *numbers = datum->numbers;
    struct measure *measure;
    int64_t overhead;

    if (datum->is_hidden || column->kind == HPM_COLUMN_METRIC ||
        strcmp(column->name, "ExcSec") == 0 ||
        strcmp(column->name, "Count") == 0 ||
        !is_there(numbers[HPM_FIELD_VALUE]))
        return true;
    measure = find_measure(calls, is_time ? "time" : column->name,
                           is_time ? "ns" : unit);
    if (measure == NULL)
        return false;
    measure->is_shared |= is_there(numbers[HPM_FIELD_SHARE]);
    if (measure->is_shared)
        return true;
    measure->is_corrected |= is_there(numbers[HPM_FIELD_OVERHEAD]);
    overhead = is_there(numbers[HPM_FIELD_OVERHEAD])
                   ? amount_of(numbers[HPM_FIELD_OVERHEAD], is_time)
                   : 0;
    measure->deviation =
        hpm_number_to_real(numbers[HPM_FIELD_SDEV]) * (is_time ? 1e9 : 1);
    measure->n_calls += n_calls;
    return add_section(measure, amount_of(numbers[HPM_FIELD_VALUE], is_time),
                       overhead);
}

static uint64_t
calls_of(const struct hpm_study *study, uint32_t row)
{
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, "Count") == 0)
            return (uint64_t)amount_of(
                hpm_study_number(study, row, i, HPM_FIELD_VALUE), false);
    }
    return 0;
}

static bool
take_row(struct calls *calls, const struct hpm_study *study, uint32_t row)
{
    const struct hpm_task *task = hpm_study_task_of(study, row);
    uint64_t n_calls = calls_of(study, row);

    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t column = task->columns[i];
        struct hpm_datum datum;

        if (hpm_study_get_datum(study, row, column, &datum) &&
            !take_datum(calls, &study->columns[column], &datum, n_calls))
            return false;
    }
    return true;
}

/* ---- costs ----------------------------------------------------------- */

/* The numbers of a cost are the minimum, median and maximum of self, then of
 * pair. */
static bool
take_cost(struct calls *calls, const struct hpm_task_calibration *calibration,
          const struct hpm_task_cost *from)
{
    bool is_time = strcmp(from->name, "IncSec") == 0;
    int64_t n_calls = amount_of(calibration->n_calls, false);
    struct cost cost = {.n_calls = (uint64_t)n_calls};

    for (int i = 0; i < 3; i++) {
        if (!is_there(from->numbers[i]) || !is_there(from->numbers[3 + i]))
            return true;
        cost.self[i] = amount_of(from->numbers[i], is_time);
        cost.pair[i] = amount_of(from->numbers[3 + i], is_time);
    }
    snprintf(cost.scope, sizeof cost.scope, "%s",
             hpm_scope_name(calibration->said_scope == 2 ? HPM_SCOPE_PROCESS
                                                         : HPM_SCOPE_THREAD));
    snprintf(cost.when, sizeof cost.when, "%s",
             calibration->when != NULL ? calibration->when : "");
    if (!hpm_memory_grow(&calls->costs, &calls->costs_capacity,
                         calls->n_costs + 1, sizeof *calls->costs))
        return false;
    cost.name = hpm_memory_copy_text(is_time ? "time" : from->name);
    calls->costs[calls->n_costs++] = cost;
    return cost.name != NULL;
}

static bool
take_costs(struct calls *calls, const struct hpm_task *task)
{
    for (size_t i = 0; i < task->n_calibrations; i++) {
        const struct hpm_task_calibration *calibration = &task->calibrations[i];

        for (size_t j = 0; j < calibration->n_costs; j++) {
            if (!take_cost(calls, calibration, &calibration->costs[j]))
                return false;
        }
    }
    return true;
}

/* ---- the file -------------------------------------------------------- */

static bool
take_study(struct calls *calls, const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (!take_costs(calls, &study->tasks[i]))
            return false;
    }
    for (uint32_t i = 0; i < study->n_rows; i++) {
        uint32_t section = hpm_study_row(study, i)->section;

        if (strcmp(study->sections[section].label, "measured") == 0 &&
            !take_row(calls, study, i))
            return false;
    }
    return true;
}

bool
calls_read(struct calls *calls, const char *path, struct hpm_error *err)
{
    struct hpm_reader_report report = {.n_unknown = 0};
    struct hpm_study *study = hpm_reader_read(path, 0, &report, err);
    bool is_good;

    hpm_notes_free(&report.notes);
    if (study == NULL)
        return false;
    is_good = take_study(calls, study) || hpm_error_no_memory(err);
    hpm_study_free(study);
    if (is_good && calls->n_measures == 0)
        return hpm_error_set(err, "'%s' has no section \"measured\"", path);
    return is_good;
}
