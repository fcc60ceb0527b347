/* SPDX-License-Identifier: BSD-3-Clause
 * The facts about an experiment on a page, beside its tables, as JSON. */
#include "study/html/facts.h"

#include <math.h>
#include <string.h>

#include "model/experiment.h"
#include "study/html/block.h"
#include "study/html/calibrations.h"
#include "study/metric/formula.h"
#include "study/report/format.h"
#include "study/report/overview.h"
#include "study/report/report.h"
#include "study/report/surveyhints.h"

/* ---- JSON ------------------------------------------------------------ */

void
hpm_html_add_real(struct hpm_string *json, double value)
{
    if (isfinite(value))
        hpm_string_add_real(json, value);
    else
        hpm_string_add(json, "null");
}

static void
add_number(struct hpm_string *json, struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_NONE)
        hpm_string_add(json, "null");
    else
        hpm_number_add(json, number);
}

static void
add_key(struct hpm_string *json, const char *key)
{
    char last = json->length > 0 ? json->text[json->length - 1] : '{';

    hpm_string_add(json, last == '{' ? "\n\"" : ",\n\"");
    hpm_string_add(json, key);
    hpm_string_add(json, "\": ");
}

static void
add_text(struct hpm_string *json, const char *key, const char *text)
{
    add_key(json, key);
    if (text == NULL)
        hpm_string_add(json, "null");
    else
        hpm_json_add_text(json, text);
}

static void
add_comma(struct hpm_string *json)
{
    if (json->length > 0 && json->text[json->length - 1] != '[')
        hpm_string_add_char(json, ',');
}

/* Append the lines of a text as an array of strings. */
static void
add_lines(struct hpm_string *json, const char *key, struct hpm_string *text)
{
    const char *from = hpm_string_text(text);
    struct hpm_string line = {0};

    add_key(json, key);
    hpm_string_add_char(json, '[');
    while (*from != '\0') {
        size_t length = strcspn(from, "\n");

        hpm_string_clear(&line);
        hpm_string_add_bytes(&line, from, length);
        if (length > 0) {
            add_comma(json);
            hpm_json_add_text(json, hpm_string_text(&line));
        }
        from += length + (from[length] == '\n');
    }
    hpm_string_add_char(json, ']');
    hpm_string_finish(&line, &json->failed);
    hpm_string_finish(text, &json->failed);
}

/* ---- quantities ------------------------------------------------------ */

/* The metric of a quantity, from the first kind of machine that has it. */
static const struct hpm_metric *
find_metric(const struct hpm_survey *survey,
            const struct hpm_quantity *quantity,
            const struct hpm_metrics **ret_metrics)
{
    for (size_t i = 0; i < survey->n_machines && quantity->metrics != NULL;
         i++) {
        const struct hpm_metrics *metrics = survey->machines[i].library.metrics;

        if (quantity->metrics[i] != HPM_NO_METRIC) {
            *ret_metrics = metrics;
            return &metrics->metrics[quantity->metrics[i]];
        }
    }
    return NULL;
}

static void
add_limit(struct hpm_string *json, const char *key,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    add_key(json, key);
    hpm_string_add(json, limit->is_above ? "[1," : "[-1,");
    hpm_html_add_real(json, limit->value);
    hpm_string_add_char(json, ']');
}

/* Is the metric a part of the metric above it?  Otherwise it is listed there as
 * advice. */
static bool
is_part(const struct hpm_metrics *metrics, const struct hpm_metric *metric)
{
    const struct hpm_rule *tree;

    if (metric->parent == HPM_NO_METRIC ||
        metrics->metrics[metric->parent].tree == HPM_NO_RULE)
        return false;
    tree = &metrics->rules[metrics->metrics[metric->parent].tree];
    for (size_t i = 0; i < tree->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[tree->inputs.first + i];

        if (input.is_metric && &metrics->metrics[input.index] == metric)
            return true;
    }
    return false;
}

static void
add_metric(struct hpm_string *json, const struct hpm_survey *survey,
           const struct hpm_metric *metric, const struct hpm_metrics *metrics)
{
    const struct hpm_limits *limits =
        &metric->limits[survey->options.precision];
    struct hpm_string formula = {0};

    add_limit(json, "bad", &limits->bad);
    add_limit(json, "good", &limits->good);
    add_key(json, "is_part");
    hpm_string_add(json, is_part(metrics, metric) ? "true" : "false");
    add_key(json, "of_run");
    hpm_string_add(json, metric->is_of_run ? "true" : "false");
    if (metric->rules.count > 0)
        hpm_formula_add(&formula, metrics, metric->rules.first);
    add_text(json, "formula", hpm_string_text(&formula));
    add_text(json, "info", metric->texts[HPM_TEXT_INFO]);
    add_text(json, "source", metric->texts[HPM_TEXT_SOURCE]);
    add_text(json, "rises", metric->texts[HPM_TEXT_RISES]);
    add_text(json, "falls", metric->texts[HPM_TEXT_FALLS]);
    hpm_string_finish(&formula, &json->failed);
}

/* Append how many sections have the quantity, and how many values are bad: a
 * page need not unpack a quantity that no section has. */
static void
add_counts(struct hpm_string *json, const struct hpm_survey *survey,
           size_t quantity)
{
    size_t n = 0, n_bad = 0;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_entry *entry =
            hpm_subject_entry(&survey->subjects[i], quantity);

        n += entry != NULL;
        n_bad += entry != NULL ? entry->figure.judged.n_bad : 0;
    }
    add_key(json, "sections");
    hpm_string_add_format(json, "%zu", n);
    add_key(json, "bad_values");
    hpm_string_add_format(json, "%zu", n_bad);
}

static void
add_quantity(struct hpm_string *json, const struct hpm_survey *survey,
             size_t index)
{
    const struct hpm_quantity *quantity = &survey->quantities[index];
    static const char *const kinds[] = {
        [HPM_QUANTITY_CALLS] = "calls",
        [HPM_QUANTITY_EXCLUSIVE] = "exclusive",
        [HPM_QUANTITY_INCLUSIVE] = "inclusive",
        [HPM_QUANTITY_COUNTER] = "counter",
        [HPM_QUANTITY_METRIC] = "metric",
        [HPM_QUANTITY_RECORDED] = "recorded",
    };
    const struct hpm_metrics *metrics = NULL;
    const struct hpm_metric *metric = find_metric(survey, quantity, &metrics);

    add_comma(json);
    hpm_string_add(json, "\n{");
    add_text(json, "name", quantity->name);
    add_text(json, "kind", kinds[quantity->kind]);
    add_text(json, "unit", quantity->unit);
    add_text(json, "about", quantity->description);
    add_key(json, "ratio");
    hpm_string_add(json, quantity->is_ratio ? "true" : "false");
    add_key(json, "hidden");
    hpm_string_add(json, quantity->is_hidden ? "true" : "false");
    add_counts(json, survey, index);
    if (quantity->parent != HPM_NO_QUANTITY) {
        add_key(json, "parent");
        hpm_string_add_format(json, "%zu", quantity->parent);
    }
    if (metric != NULL)
        add_metric(json, survey, metric, metrics);
    hpm_string_add_char(json, '}');
}

static void
add_quantities(struct hpm_string *json, const char *key,
               const struct hpm_survey *survey)
{
    add_key(json, key);
    hpm_string_add_char(json, '[');
    for (size_t i = 0; i < survey->n_quantities; i++)
        add_quantity(json, survey, i);
    hpm_string_add_char(json, ']');
}

/* ---- subjects -------------------------------------------------------- */

/* What measured a function, and where it is; "" and "" for calls of libhpm. */
static void
add_watched(struct hpm_string *json, const struct hpm_survey *survey,
            const struct hpm_subject *subject)
{
    struct hpm_watched_row watched = hpm_survey_watched(survey, subject);
    const char *words = hpm_watched_words(watched.via);
    struct hpm_string code = {0};
    int64_t offset = 0;

    if (watched.module != NULL)
        hpm_string_add(&code, watched.module);
    if (watched.module != NULL &&
        hpm_number_to_integer(watched.offset, 0, INT64_MAX, &offset))
        hpm_string_add_format(&code, " + 0x%llx", (unsigned long long)offset);
    hpm_string_add_char(json, ',');
    hpm_json_add_text(json, words != NULL ? words : "");
    hpm_string_add_char(json, ',');
    hpm_json_add_text(json, hpm_string_text(&code));
    hpm_string_finish(&code, &json->failed);
}

static void
add_subject(struct hpm_string *json, const struct hpm_survey *survey, size_t i)
{
    const struct hpm_subject *subject = &survey->subjects[i];
    const struct hpm_study_section *section =
        &survey->study->sections[subject->section];
    struct hpm_string label = {0};

    hpm_survey_add_label(survey, i, &label);
    add_comma(json);
    hpm_string_add(json, "\n[");
    hpm_json_add_text(json, hpm_string_text(&label));
    hpm_string_add_char(json, ',');
    hpm_json_add_text(json, section->file != NULL ? section->file : "");
    hpm_string_add_format(json, ",%d,%d,%d,%d,%zu,%zu,%zu,", section->line,
                          subject->line_end, section->instance, section->scope,
                          subject->n_threads, subject->n_tasks, subject->n_bad);
    hpm_html_add_real(json, subject->share);
    hpm_string_add_char(json, ',');
    hpm_html_add_real(json, subject->section_share);
    hpm_string_add_format(json, ",%u,%d", subject->flags,
                          hpm_survey_is_outside(survey, i));
    if (subject->parent == HPM_NO_SUBJECT)
        hpm_string_add(json, ",-1");
    else
        hpm_string_add_format(json, ",%zu", subject->parent);
    add_watched(json, survey, subject);
    hpm_string_add_char(json, ']');
    hpm_string_finish(&label, &json->failed);
}

static void
add_subjects(struct hpm_string *json, const char *key,
             const struct hpm_survey *survey)
{
    add_key(json, key);
    hpm_string_add_char(json, '[');
    for (size_t i = 0; i < survey->n_subjects; i++)
        add_subject(json, survey, i);
    hpm_string_add_char(json, ']');
}

/* ---- the whole experiment -------------------------------------------- */

/* Append [quantity, value, state, partial, reason, doubtful]. */
static void
add_value(struct hpm_string *json, size_t quantity,
          const struct hpm_metrics *metrics,
          const struct hpm_metric_value *values, size_t metric)
{
    const struct hpm_metric_value *value = &values[metric];
    enum hpm_doubt doubt = hpm_metrics_doubt(metrics, values, metric);
    struct hpm_string reason = {0};

    hpm_metric_value_explain(value, &reason);
    if (reason.length == 0)
        hpm_string_add(&reason, hpm_doubt_text(doubt));
    add_comma(json);
    hpm_string_add_format(json, "[%zu,", quantity);
    add_number(json,
               hpm_studymetrics_number(value, metrics->metrics[metric].scale));
    hpm_string_add_char(json, ',');
    hpm_json_add_text(json, hpm_state_name(value->state));
    hpm_string_add(json, value->is_partial ? ",true," : ",false,");
    hpm_json_add_text(json, hpm_string_text(&reason));
    hpm_string_add(json, doubt != HPM_DOUBT_NONE ? ",true]" : ",false]");
    hpm_string_finish(&reason, &json->failed);
}

static void
add_whole(struct hpm_string *json, struct hpm_survey *survey, size_t machine,
          int scope)
{
    const struct hpm_survey_machine *here = &survey->machines[machine];
    const struct hpm_metric_value *values =
        hpm_survey_whole_values(survey, machine, scope);

    add_comma(json);
    hpm_string_add(json, "\n{");
    add_text(json, "pmu", here->pmu);
    add_text(json, "scope", hpm_scope_name((enum hpm_scope)scope));
    add_key(json, "values");
    hpm_string_add_char(json, '[');
    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];
        size_t metric = quantity->kind == HPM_QUANTITY_METRIC
                            ? quantity->metrics[machine]
                            : HPM_NO_METRIC;

        if (metric != HPM_NO_METRIC && values[metric].is_present)
            add_value(json, i, here->library.metrics, values, metric);
    }
    hpm_string_add(json, "]}");
}

/* Append the values of the whole; none for a difference, where the sections
 * show what both sides have. */
static void
add_wholes(struct hpm_string *json, struct hpm_survey *survey)
{
    add_key(json, "overall");
    hpm_string_add_char(json, '[');
    for (size_t i = 0;
         i < survey->n_machines && !hpm_survey_is_difference(survey); i++) {
        for (int scope = 0; scope < 2; scope++) {
            if (survey->n_threads[scope] > 0)
                add_whole(json, survey, i, scope);
        }
    }
    hpm_string_add_char(json, ']');
}

/* ---- the experiment -------------------------------------------------- */

static void
add_hints(struct hpm_string *json, struct hpm_survey *survey)
{
    const struct hpm_view_options view = {.view = HPM_VIEW_SECTION};
    struct hpm_table table = {0};

    hpm_hints_begin_table(&table);
    if (hpm_surveyhints_are_wanted(survey, &view))
        hpm_surveyhints_add_rows(&table, survey);
    add_key(json, "hints");
    hpm_json_add_table(json, &table);
    hpm_table_finish(&table, &json->failed);
}

static void
add_scopes(struct hpm_string *json, const struct hpm_survey *survey)
{
    add_key(json, "totals");
    hpm_string_add_char(json, '[');
    for (int scope = 0; scope < 2; scope++) {
        hpm_string_add_format(json,
                              "%s{\"threads\":%zu,\"tasks\":%zu,"
                              "\"seconds\":",
                              scope > 0 ? "," : "", survey->n_threads[scope],
                              survey->n_tasks[scope]);
        hpm_html_add_real(json, survey->totals[scope]);
        hpm_string_add(json, ",\"in_sections\":");
        hpm_html_add_real(json, survey->section_totals[scope]);
        hpm_string_add_format(json, ",\"has_outside\":%s}",
                              hpm_survey_has_outside(survey, scope) ? "true"
                                                                    : "false");
    }
    hpm_string_add_char(json, ']');
}

void
hpm_html_add_experiment(struct hpm_string *json,
                        const struct hpm_html_experiment *experiment)
{
    struct hpm_survey *survey = experiment->sections;
    struct hpm_string head = {0}, notes = {0};

    hpm_string_add_char(json, '{');
    add_text(json, "name", experiment->name);
    add_text(json, "kind", hpm_study_kind_names[survey->study->kind]);
    hpm_overview_add_head(&head, survey, 0);
    add_lines(json, "head", &head);
    hpm_overview_add_notes(&notes, survey, 0);
    add_lines(json, "notes", &notes);
    add_text(json, "suggestion", hpm_string_text(&survey->suggestion));
    add_key(json, "calibrations");
    hpm_html_add_calibrations(json, survey->study);
    add_scopes(json, survey);
    add_quantities(json, "quantities", survey);
    add_subjects(json, "sections", survey);
    if (experiment->paths != NULL) {
        add_quantities(json, "path_quantities", experiment->paths);
        add_subjects(json, "paths", experiment->paths);
    }
    add_wholes(json, survey);
    add_hints(json, survey);
    add_text(json, "kinds", hpm_string_text(&experiment->kinds));
    add_key(json, "pictures");
    hpm_string_add(json, experiment->pictures.length > 0
                             ? hpm_string_text(&experiment->pictures)
                             : "[]");
    if (experiment->group != NULL) {
        add_text(json, "group", experiment->group);
        add_key(json, "members");
        hpm_string_add_format(json, "%zu", experiment->n_members);
    }
    hpm_string_add_char(json, '}');
}

void
hpm_html_add_details(struct hpm_string *page, struct hpm_survey *survey)
{
    const struct hpm_view_options view = {.view = HPM_VIEW_SECTION};
    struct hpm_string json = {0};

    hpm_report_add_json_facts(&json, survey, &view);
    hpm_string_add_char(&json, '}');
    hpm_block_add_packed(page, hpm_string_text(&json), json.length);
    hpm_string_finish(&json, &page->failed);
}
