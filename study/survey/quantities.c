/* SPDX-License-Identifier: BSD-3-Clause
 * The quantities of a section: calls, times, counters, metrics. */
#include <string.h>

#include "host/memory.h"
#include "study/metric/samename.h"
#include "study/survey/steps.h"

static struct hpm_quantity *
add_quantity(struct hpm_survey *survey, enum hpm_quantity_kind kind,
             const char *name, const char *unit)
{
    struct hpm_quantity *quantity;

    if (!hpm_memory_grow(&survey->quantities, &survey->quantities_capacity,
                         survey->n_quantities + 1, sizeof *quantity))
        return NULL;
    quantity = &survey->quantities[survey->n_quantities++];
    *quantity = (struct hpm_quantity){.kind = kind,
                                      .name = name,
                                      .unit = unit != NULL ? unit : "",
                                      .parent = HPM_NO_QUANTITY};
    quantity->metrics = hpm_arena_new(&survey->arena, survey->n_machines + 1,
                                      sizeof *quantity->metrics);
    if (quantity->metrics == NULL)
        return NULL;
    for (size_t i = 0; i < survey->n_machines; i++)
        quantity->metrics[i] = HPM_NO_METRIC;
    return quantity;
}

static size_t
find(const struct hpm_survey *survey, enum hpm_quantity_kind kind,
     const char *name, const char *unit)
{
    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];

        if (quantity->kind == kind && strcmp(quantity->name, name) == 0 &&
            (unit == NULL || strcmp(quantity->unit, unit) == 0))
            return i;
    }
    return HPM_NO_QUANTITY;
}

/* Columns of one name and unit are one quantity, whatever kind files give
 * them. */
static bool
add_column(struct hpm_survey *survey, struct hpm_quantity *quantity,
           uint32_t column)
{
    if (!hpm_arena_grow(&survey->arena, &quantity->columns,
                        &quantity->columns_capacity, quantity->n_columns + 1,
                        sizeof *quantity->columns))
        return false;
    quantity->columns[quantity->n_columns++] = column;
    return true;
}

/* ---- calls, times and counters --------------------------------------- */

static enum hpm_quantity_kind
kind_of(const char *column)
{
    if (strcmp(column, "Count") == 0)
        return HPM_QUANTITY_CALLS;
    if (strcmp(column, "ExcSec") == 0)
        return HPM_QUANTITY_EXCLUSIVE;
    return strcmp(column, "IncSec") == 0 ? HPM_QUANTITY_INCLUSIVE
                                         : HPM_QUANTITY_COUNTER;
}

/* Is the column a counter for any machine's metrics? */
static bool
is_counted(const struct hpm_survey *survey, uint32_t column)
{
    const struct hpm_column *here = &survey->study->columns[column];
    size_t metric;

    if (here->kind != HPM_COLUMN_UNSAID)
        return here->kind != HPM_COLUMN_METRIC;
    for (size_t i = 0; i < survey->n_machines; i++) {
        const struct hpm_metrics *metrics = survey->machines[i].library.metrics;

        metric = hpm_metrics_find(metrics, here->name);
        if (metric != HPM_NO_METRIC && metrics->metrics[metric].is_ratio)
            return false;
    }
    return true;
}

static const char *
describe_counter(const struct hpm_study *study, const char *name)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        for (size_t j = 0; j < study->tasks[i].n_counters; j++) {
            if (strcmp(study->tasks[i].counters[j].name, name) == 0)
                return study->tasks[i].counters[j].description;
        }
    }
    return NULL;
}

static bool
list_counted(struct hpm_survey *survey)
{
    const struct hpm_study *study = survey->study;

    for (uint32_t i = 0; i < study->n_columns; i++) {
        const struct hpm_column *column = &study->columns[i];
        enum hpm_quantity_kind kind = kind_of(column->name);
        bool is_time =
            kind == HPM_QUANTITY_EXCLUSIVE || kind == HPM_QUANTITY_INCLUSIVE;
        const char *unit = is_time ? "s" : column->unit;
        struct hpm_quantity *quantity;
        size_t there;

        if (!is_counted(survey, i) ||
            (survey->options.is_brief && kind == HPM_QUANTITY_COUNTER))
            continue;
        there = find(survey, kind, column->name, unit != NULL ? unit : "");
        if (there == HPM_NO_QUANTITY) {
            quantity = add_quantity(survey, kind, column->name, unit);
            if (quantity == NULL)
                return false;
            quantity->description = describe_counter(study, column->name);
        } else {
            quantity = &survey->quantities[there];
        }
        if (!add_column(survey, quantity, i))
            return false;
    }
    return true;
}

/* ---- metrics --------------------------------------------------------- */

/* The metrics of the machine being listed, as a tree, and the quantities of all
 * machines listed so far, by their shown name. */
struct listing {
    struct hpm_survey *survey;
    size_t machine;
    struct hpm_names names;
    size_t *quantity_of; /* by name */
    size_t capacity;
    size_t *first, *next; /* by metric: its first part, and the next part of the
                           * same whole; or HPM_NO_METRIC */
};

static bool
link_parts(struct listing *listing, const struct hpm_metrics *metrics)
{
    size_t n = metrics->n_metrics;

    hpm_memory_free(listing->first);
    hpm_memory_free(listing->next);
    listing->first = hpm_memory_new(n + 1, sizeof *listing->first);
    listing->next = hpm_memory_new(n + 1, sizeof *listing->next);
    if (listing->first == NULL || listing->next == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        listing->first[i] = HPM_NO_METRIC;
    for (size_t i = n; i > 0; i--) {
        size_t parent = metrics->metrics[i - 1].parent;

        if (parent == HPM_NO_METRIC)
            continue;
        listing->next[i - 1] = listing->first[parent];
        listing->first[parent] = i - 1;
    }
    return true;
}

static bool
is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Does the text contain the name as a whole word? */
static bool
names_word(const char *text, const char *name)
{
    size_t length = strlen(name);
    const char *at = text;

    while (at != NULL && length > 0 && (at = strstr(at, name)) != NULL) {
        if ((at == text || !is_of_name(at[-1])) && !is_of_name(at[length]))
            return true;
        at += length;
    }
    return false;
}

static size_t
make_metric(struct listing *listing, const struct hpm_metric *metric,
            size_t parent)
{
    struct hpm_survey *survey = listing->survey;
    struct hpm_quantity *quantity =
        add_quantity(survey, HPM_QUANTITY_METRIC, metric->shown,
                     metric->texts[HPM_TEXT_UNIT]);

    if (quantity == NULL)
        return HPM_NO_QUANTITY;
    quantity->description = metric->texts[HPM_TEXT_LABEL];
    quantity->is_ratio = metric->is_ratio;
    quantity->is_wanted = names_word(survey->options.named, metric->name) ||
                          names_word(survey->options.named, metric->shown);
    quantity->parent = parent;
    return survey->n_quantities - 1;
}

/* The quantity of a metric, from the first machine that listed it. */
static size_t
quantity_of(struct listing *listing, const struct hpm_metric *metric,
            size_t parent)
{
    size_t n_before = listing->names.n_texts;
    uint32_t name =
        hpm_names_lend(&listing->names, metric->shown, strlen(metric->shown));

    if (name == HPM_NO_NAME)
        return HPM_NO_QUANTITY;
    if (name < n_before)
        return listing->quantity_of[name];
    if (!hpm_memory_grow(&listing->quantity_of, &listing->capacity,
                         n_before + 1, sizeof *listing->quantity_of))
        return HPM_NO_QUANTITY;
    listing->quantity_of[name] = make_metric(listing, metric, parent);
    return listing->quantity_of[name];
}

static bool
add_metric(struct listing *listing, size_t metric, size_t parent)
{
    struct hpm_survey *survey = listing->survey;
    const struct hpm_metrics *metrics =
        survey->machines[listing->machine].library.metrics;
    size_t there = quantity_of(listing, &metrics->metrics[metric], parent);

    if (there == HPM_NO_QUANTITY)
        return false;
    survey->quantities[there].metrics[listing->machine] = metric;
    for (size_t i = listing->first[metric]; i != HPM_NO_METRIC;
         i = listing->next[i]) {
        if (!add_metric(listing, i, there))
            return false;
    }
    return true;
}

/* List the metrics of a machine; parts follow their whole. */
static bool
list_machine(struct listing *listing)
{
    const struct hpm_metrics *metrics =
        listing->survey->machines[listing->machine].library.metrics;

    if (!link_parts(listing, metrics))
        return false;
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (metrics->metrics[i].parent == HPM_NO_METRIC &&
            !add_metric(listing, i, HPM_NO_QUANTITY))
            return false;
    }
    return true;
}

static bool
list_metrics(struct hpm_survey *survey)
{
    struct listing listing = {.survey = survey};
    bool is_good = true;

    for (; listing.machine < survey->n_machines && is_good; listing.machine++)
        is_good = list_machine(&listing);
    hpm_names_free(&listing.names);
    hpm_memory_free(listing.quantity_of);
    hpm_memory_free(listing.first);
    hpm_memory_free(listing.next);
    return is_good;
}

static bool
has_peak(const struct hpm_metrics *metrics, struct hpm_range inputs)
{
    for (size_t i = inputs.first; i < inputs.first + inputs.count; i++) {
        const struct hpm_input *input = &metrics->inputs[i];

        if (!input->is_metric &&
            hpm_tally_is_peak(metrics->leaves[input->index]))
            return true;
    }
    return false;
}

bool
hpm_survey_is_peak(const struct hpm_survey *survey, size_t which)
{
    const struct hpm_quantity *quantity = &survey->quantities[which];

    if (quantity->kind == HPM_QUANTITY_COUNTER)
        return hpm_tally_is_peak(quantity->name);
    for (size_t i = 0; i < survey->n_machines; i++) {
        const struct hpm_metrics *metrics = survey->machines[i].library.metrics;
        struct hpm_range rules;

        if (quantity->kind != HPM_QUANTITY_METRIC ||
            quantity->metrics[i] == HPM_NO_METRIC)
            continue;
        rules = metrics->metrics[quantity->metrics[i]].rules;
        for (size_t j = rules.first; j < rules.first + rules.count; j++) {
            if (has_peak(metrics, metrics->rules[j].inputs))
                return true;
        }
    }
    return false;
}

/* Recorded metrics are used where a metric cannot be computed.  Whoever
 * recorded a metric wants it, even where it only renames a counter. */
static bool
list_recorded(struct hpm_survey *survey)
{
    const struct hpm_study *study = survey->study;

    for (uint32_t i = 0; i < study->n_columns; i++) {
        const char *name = study->columns[i].name;
        size_t there;

        if (is_counted(survey, i))
            continue;
        name += name[0] == '~';
        there = find(survey, HPM_QUANTITY_METRIC, name, NULL);
        if (there == HPM_NO_QUANTITY)
            there = find(survey, HPM_QUANTITY_RECORDED, name, NULL);
        if (there == HPM_NO_QUANTITY) {
            struct hpm_quantity *quantity = add_quantity(
                survey, HPM_QUANTITY_RECORDED, name, study->columns[i].unit);

            if (quantity == NULL)
                return false;
            quantity->is_ratio = true;
            there = survey->n_quantities - 1;
        }
        if (!hpm_survey_is_peak(survey, there))
            survey->quantities[there].is_wanted = true;
        if (!add_column(survey, &survey->quantities[there], i))
            return false;
    }
    return true;
}

static bool
is_possible(const struct hpm_survey *survey,
            const struct hpm_quantity *quantity)
{
    if (quantity->n_columns > 0)
        return true;
    for (size_t i = 0; i < survey->n_machines; i++) {
        size_t metric = quantity->metrics[i];

        if (metric != HPM_NO_METRIC &&
            survey->machines[i].possible.is_possible[metric])
            return true;
    }
    return false;
}

static bool
list_live(struct hpm_survey *survey)
{
    survey->live = hpm_arena_new(&survey->arena, survey->n_quantities + 1,
                                 sizeof *survey->live);
    for (size_t i = 0; i < survey->n_quantities && survey->live != NULL; i++) {
        if (is_possible(survey, &survey->quantities[i]))
            survey->live[survey->n_live++] = i;
    }
    return survey->live != NULL;
}

bool
hpm_survey_list_quantities(struct hpm_survey *survey, struct hpm_error *err)
{
    bool is_good = list_counted(survey) &&
                   (survey->options.is_brief ||
                    (list_metrics(survey) && list_recorded(survey))) &&
                   list_live(survey);
    size_t calls = hpm_survey_find_kind(survey, HPM_QUANTITY_CALLS);

    survey->calls = calls != HPM_NO_QUANTITY
                        ? survey->quantities[calls].columns[0]
                        : HPM_NO_INDEX;
    return is_good || hpm_error_no_memory(err);
}

/* ---- finding --------------------------------------------------------- */

size_t
hpm_survey_find_kind(const struct hpm_survey *survey,
                     enum hpm_quantity_kind kind)
{
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (survey->quantities[i].kind == kind)
            return i;
    }
    return HPM_NO_QUANTITY;
}

/* The only counter of this name in any case (libpfm4 and PAPI ignore case,
 * too); none where there are several. */
static size_t
find_in_any_case(const struct hpm_survey *survey, const char *name)
{
    size_t found = HPM_NO_QUANTITY;

    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (survey->quantities[i].kind != HPM_QUANTITY_COUNTER ||
            !hpm_string_same_word(survey->quantities[i].name, name))
            continue;
        if (found != HPM_NO_QUANTITY)
            return HPM_NO_QUANTITY;
        found = i;
    }
    return found;
}

/* Find a metric by the name in its definition, where it is shown under another
 * name. */
static size_t
find_by_definition(const struct hpm_survey *survey, const char *name)
{
    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];

        for (size_t j = 0; j < survey->n_machines; j++) {
            const struct hpm_metrics *metrics =
                survey->machines[j].library.metrics;

            if (quantity->metrics[j] != HPM_NO_METRIC &&
                strcmp(metrics->metrics[quantity->metrics[j]].name, name) == 0)
                return i;
        }
    }
    return HPM_NO_QUANTITY;
}

/* Looks for the exact name first, then for any spelling of it. */
size_t
hpm_survey_find(const struct hpm_survey *survey, const char *name)
{
    size_t found;

    name += name[0] == '~';
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (strcmp(survey->quantities[i].name, name) == 0)
            return i;
    }
    found = find_by_definition(survey, name);
    if (found != HPM_NO_QUANTITY)
        return found;
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (hpm_samename_is(survey->quantities[i].name, name))
            return i;
    }
    return find_in_any_case(survey, name);
}

/* ---- spreads --------------------------------------------------------- */

/* Nobody knows whether more calls, or counts, are better. */
static size_t
count_spreads(const struct hpm_survey *survey,
              const struct hpm_subject *subject)
{
    size_t n = 0;

    for (size_t i = 0; i < subject->n_entries; i++) {
        const struct hpm_entry *entry = &subject->entries[i];
        enum hpm_quantity_kind kind = survey->quantities[entry->quantity].kind;

        n += kind != HPM_QUANTITY_CALLS && kind != HPM_QUANTITY_COUNTER &&
             entry->figure.run_min.kind != HPM_NUMBER_NONE;
    }
    return n;
}

size_t
hpm_survey_count_spreads(struct hpm_survey *survey)
{
    for (size_t i = 0; i < survey->n_subjects && !survey->has_counted; i++)
        survey->n_spreads += count_spreads(survey, &survey->subjects[i]);
    survey->has_counted = true;
    return survey->n_spreads;
}
