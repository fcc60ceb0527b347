/* SPDX-License-Identifier: BSD-3-Clause
 * One line of a report, and its fields by name. */
#include "study/report/line.h"

#include <math.h>
#include <string.h>

#include "model/experiment.h"

/* ---- names ----------------------------------------------------------- */

static const struct {
    const char *name;
    enum hpm_field_kind kind;
} words[] = {
    {"label", HPM_LINE_LABEL},
    {"path", HPM_LINE_PATH},
    {"file", HPM_LINE_FILE},
    {"scope", HPM_LINE_SCOPE},
    {"calls", HPM_LINE_CALLS},
    {"excl", HPM_LINE_EXCLUSIVE},
    {"incl", HPM_LINE_INCLUSIVE},
    {"share", HPM_LINE_SHARE},
    {"section_share", HPM_LINE_SECTION_SHARE},
    {"imbalance", HPM_LINE_IMBALANCE},
    {"lost", HPM_LINE_LOST},
    {"bad", HPM_LINE_BAD},
    {"tasks", HPM_LINE_TASKS},
    {"threads", HPM_LINE_THREADS},
    {"task", HPM_LINE_TASK},
    {"thread", HPM_LINE_THREAD},
    {"line", HPM_LINE_LINE},
    {"id", HPM_LINE_ID},
};

enum { N_WORDS = sizeof words / sizeof words[0] };

static bool
has_value_anywhere(const struct hpm_survey *survey, size_t quantity)
{
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (hpm_subject_entry(&survey->subjects[i], quantity) != NULL)
            return true;
    }
    return false;
}

static bool
refuse(const struct hpm_survey *survey, const char *name, struct hpm_error *err)
{
    const char *nearest = NULL;
    unsigned best = 3; /* with more edits it is not a typing error */

    for (size_t i = 0; i < N_WORDS + survey->n_quantities; i++) {
        const char *known =
            i < N_WORDS ? words[i].name : survey->quantities[i - N_WORDS].name;
        unsigned distance = hpm_string_distance(known, name, best);
        bool is_there = i < N_WORDS || has_value_anywhere(survey, i - N_WORDS);

        /* two edits of a short word would leave nothing of it */
        if (distance < best && is_there && strlen(name) > 2 * distance) {
            best = distance;
            nearest = known;
        }
    }
    if (nearest != NULL)
        return hpm_error_set(err,
                             "'%.60s' is no field, counter or metric; did you "
                             "mean '%s'?",
                             name, nearest);
    return hpm_error_set(err,
                         "'%.60s' is no field, counter or metric; expected "
                         "label, excl, calls, imbalance ... (hpm-report(1) "
                         "lists them) or a name from the report",
                         name);
}

bool
hpm_line_find_field(const struct hpm_survey *survey, const char *name,
                    struct hpm_line_field *ret_field, struct hpm_error *err)
{
    size_t quantity;

    for (size_t i = 0; i < N_WORDS; i++) {
        if (strcmp(words[i].name, name) == 0) {
            *ret_field = (struct hpm_line_field){words[i].kind, 0};
            return true;
        }
    }
    quantity = hpm_survey_find(survey, name);
    if (quantity == HPM_NO_QUANTITY)
        return refuse(survey, name, err);
    if (!has_value_anywhere(survey, quantity))
        return hpm_error_set(err,
                             "'%.60s' has no value in these files; 'hpm "
                             "explain %.60s' says what it needs",
                             name, survey->quantities[quantity].name);
    *ret_field = (struct hpm_line_field){HPM_LINE_QUANTITY, quantity};
    return true;
}

bool
hpm_line_field_is_text(const struct hpm_line_field *field)
{
    return field->kind <= HPM_LINE_SCOPE;
}

/* ---- values ---------------------------------------------------------- */

double
hpm_quantity_to_shown(const struct hpm_quantity *quantity, double value)
{
    return strcmp(quantity->unit, "ns") == 0 ? value / 1e9 : value;
}

const struct hpm_figure *
hpm_line_figure(const struct hpm_line *line, size_t quantity)
{
    const struct hpm_entry *entry;
    size_t slot = quantity;

    if (quantity == HPM_NO_QUANTITY)
        return NULL;
    if (line->slots != NULL) {
        if (line->slots[quantity] == 0 || line->slots[quantity] > line->n_slots)
            return NULL;
        slot = line->slots[quantity] - 1;
    }
    if (line->figures != NULL)
        return line->figures[slot].is_present ? &line->figures[slot] : NULL;
    entry = hpm_subject_entry(&line->survey->subjects[line->subject], quantity);
    return entry != NULL && entry->figure.is_present ? &entry->figure : NULL;
}

static double
value_of(const struct hpm_line *line, size_t quantity)
{
    const struct hpm_figure *figure = hpm_line_figure(line, quantity);

    if (figure == NULL)
        return NAN;
    return hpm_quantity_to_shown(&line->survey->quantities[quantity],
                                 hpm_number_to_real(figure->value));
}

static double
value_of_kind(const struct hpm_line *line, enum hpm_quantity_kind kind)
{
    return value_of(line, hpm_survey_find_kind(line->survey, kind));
}

/* The spread of the exclusive time of the whole. */
static const struct hpm_summary *
spread_of(const struct hpm_line *line)
{
    const struct hpm_entry *entry = hpm_subject_entry(
        &line->survey->subjects[line->subject],
        hpm_survey_find_kind(line->survey, HPM_QUANTITY_EXCLUSIVE));

    return entry != NULL ? &entry->threads : NULL;
}

static double
imbalance_of(const struct hpm_line *line, bool is_lost)
{
    const struct hpm_summary *spread = spread_of(line);

    if (spread == NULL)
        return NAN;
    return is_lost ? hpm_summary_imbalance(spread) * spread->max
                   : 100.0 * hpm_summary_imbalance(spread);
}

/* The share of the run, or of the time in sections. */
static double
share_of(const struct hpm_line *line, bool is_of_sections)
{
    const struct hpm_survey *survey = line->survey;
    const struct hpm_subject *subject = &survey->subjects[line->subject];
    int scope = survey->study->sections[subject->section].scope;
    double total =
        is_of_sections ? survey->section_totals[scope] : survey->totals[scope];

    if (line->figures == NULL)
        return 100.0 *
               (is_of_sections ? subject->section_share : subject->share);
    if (!(total > 0.0) || !line->has_thread ||
        (is_of_sections && hpm_survey_is_outside(survey, line->subject)))
        return NAN;
    return 100.0 * value_of_kind(line, HPM_QUANTITY_EXCLUSIVE) / total;
}

static double
bad_of(const struct hpm_line *line)
{
    size_t n = 0;

    if (line->figures == NULL)
        return (double)line->survey->subjects[line->subject].n_bad;
    for (size_t i = 0; i < line->survey->n_quantities; i++) {
        const struct hpm_figure *figure = hpm_line_figure(line, i);

        n += figure != NULL ? figure->judged.n_bad : 0;
    }
    return (double)n;
}

double
hpm_line_number(const struct hpm_line *line, const struct hpm_line_field *field)
{
    const struct hpm_subject *subject = &line->survey->subjects[line->subject];
    const struct hpm_study_section *section =
        &line->survey->study->sections[subject->section];

    switch (field->kind) {
    case HPM_LINE_CALLS:
        return value_of_kind(line, HPM_QUANTITY_CALLS);
    case HPM_LINE_EXCLUSIVE:
        return value_of_kind(line, HPM_QUANTITY_EXCLUSIVE);
    case HPM_LINE_INCLUSIVE:
        return value_of_kind(line, HPM_QUANTITY_INCLUSIVE);
    case HPM_LINE_SHARE:
        return share_of(line, false);
    case HPM_LINE_SECTION_SHARE:
        return share_of(line, true);
    case HPM_LINE_IMBALANCE:
        return imbalance_of(line, false);
    case HPM_LINE_LOST:
        return imbalance_of(line, true);
    case HPM_LINE_BAD:
        return bad_of(line);
    case HPM_LINE_TASKS:
        return (double)subject->n_tasks;
    case HPM_LINE_THREADS:
        return (double)subject->n_threads;
    case HPM_LINE_TASK:
        return line->has_task ? line->task : NAN;
    case HPM_LINE_THREAD:
        return line->has_thread ? line->tid : NAN;
    case HPM_LINE_LINE:
        return section->line;
    case HPM_LINE_ID:
        return section->instance;
    case HPM_LINE_QUANTITY:
        return value_of(line, field->quantity);
    default:
        return NAN;
    }
}

void
hpm_line_add_text(const struct hpm_line *line,
                  const struct hpm_line_field *field, struct hpm_string *string)
{
    const struct hpm_study_section *section =
        &line->survey->study
             ->sections[line->survey->subjects[line->subject].section];

    switch (field->kind) {
    case HPM_LINE_LABEL:
        hpm_survey_add_label(line->survey, line->subject, string);
        break;
    case HPM_LINE_PATH:
        hpm_survey_add_path(line->survey, line->subject, string);
        break;
    case HPM_LINE_FILE:
        hpm_string_add(string, section->base != NULL ? section->base : "");
        break;
    default:
        hpm_string_add(string, hpm_scope_name((enum hpm_scope)section->scope));
        break;
    }
}
