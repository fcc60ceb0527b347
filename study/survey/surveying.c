/* SPDX-License-Identifier: BSD-3-Clause
 * Making a survey of a study. */
#include "study/survey/surveying.h"

#include "host/memory.h"
#include "study/survey/steps.h"

struct hpm_survey *
hpm_survey_new(const struct hpm_study *study,
               const struct hpm_survey_options *options, struct hpm_error *err)
{
    struct hpm_survey *survey = hpm_memory_new(1, sizeof *survey);

    if (survey == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    survey->study = study;
    survey->options = *options;
    survey->lacks_memory = hpm_arena_new(&survey->arena, 1, sizeof(bool));
    if (survey->lacks_memory == NULL)
        hpm_error_no_memory(err);
    else if ((options->is_brief || hpm_survey_find_machines(survey, err)) &&
             hpm_survey_list_quantities(survey, err) &&
             hpm_survey_list_subjects(survey, err) &&
             hpm_survey_fill(survey, err))
        return survey;
    hpm_survey_free(survey);
    return NULL;
}

void
hpm_survey_free(struct hpm_survey *survey)
{
    if (survey == NULL)
        return;
    while (survey->parts != NULL) {
        struct hpm_survey *part = survey->parts;

        survey->parts = part->next_part;
        hpm_survey_free(part);
    }
    hpm_survey_close_machines(survey);
    hpm_memory_free(survey->quantities);
    hpm_memory_free(survey->subjects);
    hpm_memory_free(survey->inputs);
    hpm_string_free(&survey->complaints);
    hpm_string_free(&survey->suggestion);
    hpm_arena_free(&survey->arena);
    hpm_memory_free(survey);
}

/* ---- parts ----------------------------------------------------------- */

static void
take_subjects(struct hpm_survey *survey, const struct hpm_survey *part)
{
    size_t step = part->options.n_parts > 0 ? part->options.n_parts : 1;

    for (size_t i = part->options.part; i < survey->n_subjects; i += step) {
        survey->subjects[i].entries = part->subjects[i].entries;
        survey->subjects[i].n_entries = part->subjects[i].n_entries;
        survey->subjects[i].n_bad = part->subjects[i].n_bad;
    }
}

void
hpm_survey_join(struct hpm_survey *survey, struct hpm_survey *part)
{
    take_subjects(survey, part);
    for (size_t i = 0; i < survey->n_quantities; i++)
        survey->quantities[i].is_hidden &= part->quantities[i].is_hidden;
    for (size_t i = 0; i < survey->n_machines; i++) {
        for (int j = 0; j < 2; j++)
            hpm_ranking_join(&survey->machines[i].rankings[j],
                             &part->machines[i].rankings[j]);
    }
    hpm_survey_share_out(survey);
    part->next_part = survey->parts;
    survey->parts = part;
}

/* ---- judging --------------------------------------------------------- */
