/* SPDX-License-Identifier: BSD-3-Clause
 * The hints of a survey. */
#include "study/report/surveyhints.h"

static const struct hpm_ranking *
ranking_of(const struct hpm_survey *survey, size_t machine)
{
    return &survey->machines[machine].rankings[survey->options.precision];
}

bool
hpm_surveyhints_are_wanted(const struct hpm_survey *survey,
                           const struct hpm_view_options *options)
{
    return options->filter == NULL && options->view != HPM_VIEW_TASK &&
           options->view != HPM_VIEW_THREAD && options->view != HPM_VIEW_FILE &&
           hpm_survey_is_long(survey);
}

void
hpm_surveyhints_name(struct hpm_string *string, size_t subject,
                     const struct hpm_metric *metric, void *survey)
{
    hpm_survey_add_hint_place(survey, subject, metric, string);
}

void
hpm_surveyhints_add_mark(struct hpm_table *table,
                         const struct hpm_survey *survey, size_t subject,
                         size_t quantity)
{
    const struct hpm_quantity *here = &survey->quantities[quantity];
    const struct hpm_ranking *ranking = NULL;
    size_t metric = HPM_NO_METRIC;

    /* where several kinds of machines give one, take the first machine's */
    for (size_t i = survey->n_machines; i-- > 0;) {
        size_t own = here->kind == HPM_QUANTITY_METRIC ? here->metrics[i]
                                                       : HPM_NO_METRIC;

        if (own != HPM_NO_METRIC &&
            hpm_hints_has(ranking_of(survey, i), own, subject)) {
            ranking = ranking_of(survey, i);
            metric = own;
        }
    }
    hpm_hints_add_mark(table, ranking, metric, subject);
}

void
hpm_surveyhints_add_rows(struct hpm_table *table, struct hpm_survey *survey)
{
    for (size_t i = 0; i < survey->n_machines; i++)
        hpm_hints_add_rows(table, ranking_of(survey, i), true,
                           hpm_surveyhints_name, survey);
}
