/* SPDX-License-Identifier: BSD-3-Clause
 * The value of one task in a subject. */
#include <math.h>

#include "study/survey/survey.h"

static uint32_t
task_of(const struct hpm_survey *survey, size_t at)
{
    const struct hpm_study *study = survey->study;
    uint32_t place = hpm_study_row(study, survey->rows[at])->place;

    return study->places[place].task;
}

/* The subject's first row of this task, or of a later task: rows are sorted by
 * task. */
static size_t
find_task(const struct hpm_survey *survey, const struct hpm_subject *subject,
          uint32_t task)
{
    size_t low = subject->first, high = subject->first + subject->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (task_of(survey, middle) < task)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double
number_of_row(const struct hpm_survey *survey,
              const struct hpm_quantity *quantity, uint32_t row,
              enum hpm_field field)
{
    for (size_t i = 0; i < quantity->n_columns; i++) {
        double value = hpm_number_to_real(
            hpm_study_number(survey->study, row, quantity->columns[i], field));

        if (!isnan(value))
            return value;
    }
    return NAN;
}

/* A row's value.  An inclusive value that is missing (HPM_ONLY_EXCLUSIVE) is at
 * least the exclusive one, as in the figures of a task. */
static double
value_of_row(const struct hpm_survey *survey,
             const struct hpm_quantity *quantity, uint32_t row)
{
    size_t own = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    double value = number_of_row(survey, quantity, row, HPM_FIELD_VALUE);

    if (isnan(value))
        value = number_of_row(survey, quantity, row, HPM_FIELD_EXCLUSIVE);
    if (isnan(value) && quantity->kind == HPM_QUANTITY_INCLUSIVE &&
        own != HPM_NO_QUANTITY)
        value = number_of_row(survey, &survey->quantities[own], row,
                              HPM_FIELD_VALUE);
    return value;
}

static double
larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

double
hpm_survey_task_value(const struct hpm_survey *survey, size_t subject,
                      size_t quantity, uint32_t task)
{
    const struct hpm_subject *here = &survey->subjects[subject];
    const struct hpm_quantity *what = &survey->quantities[quantity];
    size_t end = here->first + here->count;
    uint32_t last_place = HPM_NO_INDEX;
    double sum = NAN, largest = NAN;

    /* a thread may have rows on several call paths */
    for (size_t at = find_task(survey, here, task);
         at < end && task_of(survey, at) == task; at++) {
        uint32_t row = survey->rows[at];
        uint32_t place = hpm_study_row(survey->study, row)->place;
        double value = value_of_row(survey, what, row);

        if (place != last_place)
            largest = larger(largest, sum);
        sum = place == last_place ? sum + value : value;
        last_place = place;
    }
    return larger(largest, sum);
}
