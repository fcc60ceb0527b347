/* SPDX-License-Identifier: BSD-3-Clause
 * What one task has of a subject. */
#include <math.h>

#include "report/survey.h"

static uint32_t
task_of(const struct hpm_survey *survey, size_t at)
{
    const struct hpm_study *study = survey->study;
    uint32_t place = hpm_study_row(study, survey->rows[at])->place;

    return study->places[place].task;
}

/* The first of the subject's rows that is of this task, or of one behind it:
 * rows stand by task. */
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
value_of_row(const struct hpm_survey *survey,
             const struct hpm_quantity *quantity, uint32_t row)
{
    for (size_t i = 0; i < quantity->n_columns; i++) {
        double value = hpm_number_to_real(hpm_study_number(
            survey->study, row, quantity->columns[i], HPM_FIELD_VALUE));

        if (!isnan(value))
            return value;
    }
    return NAN;
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

    for (size_t at = find_task(survey, here, task);
         at < end && task_of(survey, at) == task; at++) {
        uint32_t row = survey->rows[at];
        uint32_t place = hpm_study_row(survey->study, row)->place;
        double value = value_of_row(survey, what, row);

        sum = place == last_place ? sum + value : value;
        last_place = place;
        /* of a thread on several call paths the sum grows: the last is it */
        if (isnan(largest) || sum > largest)
            largest = sum;
    }
    return largest;
}
