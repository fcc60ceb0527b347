/* SPDX-License-Identifier: BSD-3-Clause
 * What a study says about its sections. */
#include "study/survey/survey.h"

#include <math.h>
#include <string.h>

void
hpm_figure_judge(struct hpm_figure *figure, enum hpm_precision precision)
{
    figure->verdict = figure->verdicts[precision];
    figure->judged = figure->rows[precision];
}

static void
judge_subject(struct hpm_subject *subject, enum hpm_precision precision)
{
    subject->n_bad = 0;
    for (size_t i = 0; i < subject->n_entries; i++) {
        struct hpm_figure *figure = &subject->entries[i].figure;

        hpm_figure_judge(figure, precision);
        subject->n_bad += figure->judged.n_bad;
    }
}

void
hpm_survey_judge(struct hpm_survey *survey, enum hpm_precision precision)
{
    survey->options.precision = precision;
    for (size_t i = 0; i < survey->n_subjects; i++)
        judge_subject(&survey->subjects[i], precision);
}

bool
hpm_survey_is_outside(const struct hpm_survey *survey, size_t subject)
{
    return survey->study->sections[survey->subjects[subject].section]
        .is_outside;
}

bool
hpm_survey_has_outside(const struct hpm_survey *survey, int scope)
{
    return survey->section_totals[scope] < survey->totals[scope];
}

const struct hpm_entry *
hpm_subject_entry(const struct hpm_subject *subject, size_t quantity)
{
    for (size_t i = 0; i < subject->n_entries; i++) {
        if (subject->entries[i].quantity == quantity)
            return &subject->entries[i];
    }
    return NULL;
}

bool
hpm_subject_repeats(const struct hpm_subject *subject, size_t quantity,
                    const struct hpm_figure *figure)
{
    const struct hpm_entry *entry;

    if (!figure->is_renamed)
        return false;
    entry = hpm_subject_entry(subject, quantity);
    return entry == NULL || entry->figure.is_renamed;
}

size_t
hpm_survey_find_twin(const struct hpm_survey *survey, size_t counter)
{
    const struct hpm_quantity *here = &survey->quantities[counter];

    if (here->kind != HPM_QUANTITY_COUNTER)
        return HPM_NO_QUANTITY;
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (survey->quantities[i].kind == HPM_QUANTITY_METRIC &&
            strcmp(survey->quantities[i].name, here->name) == 0)
            return i;
    }
    return HPM_NO_QUANTITY;
}

const struct hpm_worst *
hpm_entry_worst(const struct hpm_survey *survey, const struct hpm_entry *entry)
{
    return &entry->worst[survey->options.precision];
}

/* No hints for a run shorter than this: less time does not matter. */
static const double least_seconds = 0.1;

bool
hpm_survey_is_long(const struct hpm_survey *survey)
{
    return survey->totals[0] + survey->totals[1] >= least_seconds;
}

void
hpm_survey_add_name(const struct hpm_survey *survey, size_t subject,
                    struct hpm_string *string)
{
    const struct hpm_study_section *section =
        &survey->study->sections[survey->subjects[subject].section];

    if (section->is_outside) {
        hpm_string_add(string, section->label);
        return;
    }
    hpm_string_add(string, "section '");
    hpm_survey_add_label(survey, subject, string);
    hpm_string_add(string, "'");
    if (section->base != NULL && section->line > 0)
        hpm_string_add_format(string, " (%s:%d)", section->base, section->line);
}

bool
hpm_survey_has_inner(const struct hpm_survey *survey,
                     const struct hpm_subject *subject)
{
    static const enum hpm_quantity_kind kinds[] = {HPM_QUANTITY_INCLUSIVE,
                                                   HPM_QUANTITY_EXCLUSIVE};
    double seconds[2] = {NAN, NAN};

    for (int i = 0; i < 2; i++) {
        size_t quantity = hpm_survey_find_kind(survey, kinds[i]);
        const struct hpm_entry *entry =
            quantity != HPM_NO_QUANTITY ? hpm_subject_entry(subject, quantity)
                                        : NULL;

        if (entry != NULL)
            seconds[i] = hpm_number_to_real(entry->figure.value);
    }
    return seconds[0] > seconds[1];
}

/* How many values of the metric are bad there, including the sections
 * inside. */
static size_t
count_bad(const struct hpm_survey *survey, const struct hpm_subject *subject,
          const struct hpm_metric *metric)
{
    size_t n = 0;

    for (size_t i = 0; i < subject->n_entries; i++) {
        const struct hpm_entry *entry = &subject->entries[i];
        const struct hpm_quantity *quantity =
            &survey->quantities[entry->quantity];

        if (quantity->kind == HPM_QUANTITY_METRIC &&
            strcmp(quantity->name, metric->shown) == 0)
            n += entry->figure.judged.n_bad;
    }
    return n;
}

static void
add_which(const struct hpm_survey *survey, const struct hpm_subject *subject,
          const struct hpm_metric *metric, struct hpm_string *string)
{
    bool is_process =
        survey->study->sections[subject->section].scope == HPM_SCOPE_PROCESS;
    size_t n_bad = metric->is_of_run || hpm_survey_has_inner(survey, subject)
                       ? 0
                       : count_bad(survey, subject, metric);

    hpm_string_add_format(
        string, "%s %zu %s ", metric->is_of_run ? "all" : "the gravest of",
        subject->n_threads, is_process ? "processes" : "threads");
    if (n_bad > 0)
        hpm_string_add_format(string, "(%zu bad) ", n_bad);
    hpm_string_add(string, "of ");
}

void
hpm_survey_add_hint_place(const struct hpm_survey *survey, size_t subject,
                          const struct hpm_metric *metric,
                          struct hpm_string *string)
{
    const struct hpm_subject *here = &survey->subjects[subject];

    if (here->n_threads > 1)
        add_which(survey, here, metric, string);
    hpm_survey_add_name(survey, subject, string);
    if (hpm_survey_has_inner(survey, here))
        hpm_string_add(string, " without the sections inside it");
}
