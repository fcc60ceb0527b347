/* SPDX-License-Identifier: BSD-3-Clause
 * What the session says of the values it shows. */
#include "hpmviz/data/session.h"

#include <math.h>
#include <string.h>

static const char *const statistics[HPMVIZ_N_STATISTICS] = {
    "max", "mean", "sum", "min", "task", "worst"};

const char *
hpmviz_statistic_name(enum hpmviz_statistic statistic)
{
    return statistics[statistic];
}

enum hpmviz_statistic
hpmviz_statistic_find(const char *name)
{
    for (int i = 0; name != NULL && i < HPMVIZ_N_STATISTICS; i++) {
        if (strcmp(statistics[i], name) == 0)
            return (enum hpmviz_statistic)i;
    }
    return HPMVIZ_STATISTIC_MAX;
}

static double
value_of_task(const HpmvizSession *session, size_t subject, size_t quantity)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    uint32_t task =
        hpm_study_find_task(survey->study, hpmviz_session_view(session)->task);

    return task != HPM_NO_INDEX
               ? hpm_survey_task_value(survey, subject, quantity, task)
               : NAN;
}

static gboolean
is_metric(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_METRIC ||
           quantity->kind == HPM_QUANTITY_RECORDED;
}

static double
worst_of(const struct hpm_survey *survey, const struct hpm_entry *entry)
{
    const struct hpm_worst *worst = hpm_entry_worst(survey, entry);

    if (!is_metric(&survey->quantities[entry->quantity]))
        return entry->threads.max;
    return worst->verdict != HPM_VERDICT_NONE ? worst->value : NAN;
}

static double
sum_of(const struct hpm_survey *survey, const struct hpm_entry *entry)
{
    return survey->quantities[entry->quantity].is_ratio
               ? NAN
               : entry->threads.mean * (double)entry->threads.n;
}

double
hpmviz_session_value(const HpmvizSession *session, size_t subject,
                     size_t quantity)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    const struct hpm_entry *entry =
        hpm_subject_entry(&survey->subjects[subject], quantity);

    if (hpmviz_session_view(session)->statistic == HPMVIZ_STATISTIC_TASK)
        return value_of_task(session, subject, quantity);
    if (entry == NULL || entry->threads.n == 0)
        return NAN;
    switch (hpmviz_session_view(session)->statistic) {
    case HPMVIZ_STATISTIC_MEAN:
        return entry->threads.mean;
    case HPMVIZ_STATISTIC_SUM:
        return sum_of(survey, entry);
    case HPMVIZ_STATISTIC_MIN:
        return entry->threads.min;
    case HPMVIZ_STATISTIC_WORST:
        return worst_of(survey, entry);
    default:
        return entry->threads.max;
    }
}
