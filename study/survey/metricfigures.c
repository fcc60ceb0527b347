/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of metrics, computed from counts. */
#include "study/survey/metricfigures.h"

#include <math.h>
#include <string.h>

static bool
has_value(const struct hpm_metric_value *value)
{
    return value->is_present && !isnan(value->value);
}

static bool
uses_total(const struct hpm_metrics *metrics)
{
    for (size_t i = 0; i < metrics->n_steps; i++) {
        if (metrics->steps[i].kind == HPM_OP_TOTAL)
            return true;
    }
    return false;
}

/* The wall clock time of the whole is that of the longest task; NAN where no
 * task has one. */
static double
longest_task(const struct hpm_survey *survey,
             const struct hpm_survey_machine *machine)
{
    const struct hpm_study *study = survey->study;
    double longest = 0.0;

    for (size_t i = 0; i < study->n_tasks; i++) {
        if (&survey->machines[survey->machine_of[i]] == machine)
            longest = fmax(longest, hpm_study_run_seconds(&study->tasks[i]));
    }
    return longest > 0.0 ? longest : NAN;
}

/* Counts and metrics of all records of a scope on this kind of machine; in a
 * difference, of one side. */
static void
count_all(struct hpm_survey *survey, struct hpm_survey_machine *machine,
          int scope, int side)
{
    static const enum hpm_studymetrics_side sides[] = {HPM_STUDYMETRICS_A,
                                                       HPM_STUDYMETRICS_B};
    const struct hpm_study *study = survey->study;
    struct hpm_survey_whole *whole = &machine->wholes[scope][side];

    if (whole->is_there)
        return;
    whole->is_there = true;
    hpm_sum_reset(&whole->counts);
    for (uint32_t i = 0; i < study->n_rows; i++) {
        const struct hpm_row *row = hpm_study_row(study, i);
        uint32_t task = study->places[row->place].task;

        if (study->sections[row->section].scope == scope &&
            &survey->machines[survey->machine_of[task]] == machine)
            hpm_sum_add_own(&whole->counts, &machine->studymetrics, i,
                            hpm_survey_is_difference(survey)
                                ? sides[side]
                                : HPM_STUDYMETRICS_VALUE);
    }
    hpm_sum_end_whole(&whole->counts, &machine->studymetrics, scope,
                      longest_task(survey, machine));
    hpm_metrics_evaluate_possible(machine->library.metrics,
                                  machine->possible.order, machine->possible.n,
                                  whole->counts.tallies, NULL, whole->values);
}

const struct hpm_metric_value *
hpm_survey_whole_values(struct hpm_survey *survey, size_t machine, int scope)
{
    struct hpm_survey_machine *here = &survey->machines[machine];

    count_all(survey, here, scope, 0);
    return here->wholes[scope][0].values;
}

static void
find_parts(struct hpm_survey_machine *machine,
           const struct hpm_metric_value *values)
{
    const struct hpm_metrics *metrics = machine->library.metrics;

    memset(machine->has_part, 0, metrics->n_metrics * sizeof(bool));
    for (size_t i = 0; i < machine->possible.n; i++) {
        size_t metric = machine->possible.order[i];
        size_t parent = metrics->metrics[metric].parent;

        if (parent != HPM_NO_METRIC && !metrics->metrics[metric].is_ratio &&
            has_value(&values[metric]))
            machine->has_part[parent] = true;
    }
}

/* Show a metric that is computed, that is wanted even as a plain count, or that
 * belongs to a tree.  Any other plain count is shown among the counters. */
static bool
is_shown(const struct hpm_survey_machine *machine,
         const struct hpm_quantity *quantity, size_t metric,
         const struct hpm_metric_value *values)
{
    const struct hpm_metrics *metrics = machine->library.metrics;
    size_t parent = metrics->metrics[metric].parent;

    if (hpm_metrics_is_derived(metrics, metric, &values[metric]) ||
        (quantity->is_wanted && values[metric].is_present))
        return true;
    return has_value(&values[metric]) &&
           (machine->has_part[metric] ||
            (parent != HPM_NO_METRIC && has_value(&values[parent])));
}

/* Keep the figure of a metric that only renames a counter?  Reports decide
 * whether they show it.  A single row may have a plain count where other rows
 * compute the metric, so each row is kept for the sake of the whole.  A maximum
 * recorded in files is used instead of a row's count. */
static bool
is_kept(const struct hpm_survey *survey, const struct hpm_quantity *quantity,
        struct hpm_extent extent)
{
    return survey->options.has_all_metrics ||
           (!extent.is_whole && quantity->n_columns == 0);
}

/* A count as a part of the root of its tree. */
static double
part_of_root(const struct hpm_metrics *metrics, size_t metric,
             const struct hpm_metric_value *values)
{
    size_t root = metric;

    if (metrics->metrics[metric].is_ratio || !has_value(&values[metric]))
        return NAN;
    while (metrics->metrics[root].parent != HPM_NO_METRIC &&
           !metrics->metrics[metrics->metrics[root].parent].is_ratio &&
           has_value(&values[metrics->metrics[root].parent]))
        root = metrics->metrics[root].parent;
    if (root == metric || values[root].is_partial ||
        !(values[root].value > 0.0))
        return NAN;
    /* counters that disagree can make a part larger than the whole */
    if (values[metric].value > 1.005 * values[root].value)
        return NAN;
    return values[metric].value / values[root].value;
}

static void
take_value(struct hpm_figure *figure, const struct hpm_metric_value *value,
           double scale)
{
    *figure = (struct hpm_figure){
        .is_present = true,
        .state = value->state,
        .value = hpm_studymetrics_number(value, scale),
        .cause = value->cause,
        .privilege = value->privilege,
        .culprit = value->culprit,
        .part = NAN,
        .only_exclusive = NAN,
        .is_partial = value->is_partial,
        .doubt = value->doubt,
    };
    if (value->state == HPM_STATE_SHARED && value->error > 0.0)
        figure->reach = hpm_number_real(value->error / scale);
}

/* The difference of a metric is that of its values on both sides. */
static void
take_difference(struct hpm_figure *figure, const struct hpm_metric_value *a,
                const struct hpm_metric_value *b, double scale)
{
    take_value(figure, has_value(a) ? b : a, scale);
    figure->base = hpm_studymetrics_number(a, scale);
    figure->value =
        hpm_number_subtract(hpm_studymetrics_number(b, scale), figure->base);
    figure->doubt = a->doubt > b->doubt ? a->doubt : b->doubt;
    figure->is_partial = a->is_partial || b->is_partial;
}

static void
judge_metric(const struct hpm_metrics *metrics,
             const struct hpm_metric_value *values, size_t metric,
             struct hpm_extent extent, struct hpm_figure *figure)
{
    figure->is_of_run = metrics->metrics[metric].is_of_run;
    if (figure->is_of_run ? !extent.is_whole : !extent.is_row)
        return;
    figure->doubt = hpm_metrics_doubt(metrics, values, metric);
    hpm_figure_take_limits(figure, metrics->metrics[metric].limits,
                           hpm_number_to_real(figure->value));
    for (int i = 0; i < 2; i++)
        figure->verdicts[i] =
            hpm_metrics_judge(metrics, values, metric, (enum hpm_precision)i);
}

static void
derive_metric(struct hpm_survey *survey, struct hpm_survey_machine *machine,
              size_t metric, struct hpm_extent extent,
              struct hpm_figure *figure)
{
    const struct hpm_metrics *metrics = machine->library.metrics;
    const struct hpm_metric_value *first = machine->values[0];
    const struct hpm_metric_value *second = machine->values[1];
    double scale = metrics->metrics[metric].scale;

    if (hpm_survey_is_difference(survey)) {
        take_difference(figure, &first[metric], &second[metric], scale);
        return;
    }
    if (survey->options.grouping == HPM_GROUP_FILES)
        first = second;
    take_value(figure, &first[metric], scale);
    figure->exclusive = hpm_studymetrics_number(&second[metric], scale);
    figure->part = part_of_root(metrics, metric, first);
    judge_metric(metrics, first, metric, extent, figure);
    figure->own_doubt = first[metric].value == second[metric].value
                            ? figure->doubt
                            : hpm_metrics_doubt(metrics, second, metric);
}

static void
evaluate(struct hpm_survey *survey, struct hpm_survey_machine *machine,
         const struct hpm_sum sums[2], int scope)
{
    const struct hpm_metrics *metrics = machine->library.metrics;

    for (int i = 0; i < 2; i++) {
        int side = hpm_survey_is_difference(survey) ? i : 0;
        const struct hpm_survey_whole *of = &machine->wholes[scope][side];
        struct hpm_whole whole = {of->counts.tallies, of->values};

        if (uses_total(metrics))
            count_all(survey, machine, scope, side);
        hpm_metrics_evaluate_possible(metrics, machine->possible.order,
                                      machine->possible.n, sums[i].tallies,
                                      &whole, machine->values[i]);
    }
}

void
hpm_metricfigures_derive(struct hpm_survey *survey,
                         struct hpm_survey_machine *machine,
                         const struct hpm_sum sums[2], int scope,
                         struct hpm_extent extent, struct hpm_figure *figures)
{
    size_t index = (size_t)(machine - survey->machines);
    const struct hpm_metric_value *values = machine->values[0];

    if (survey->options.grouping == HPM_GROUP_FILES)
        values = machine->values[1];
    evaluate(survey, machine, sums, scope);
    find_parts(machine, values);
    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];
        const struct hpm_quantity *quantity = &survey->quantities[i];
        bool is_own;

        if (quantity->kind != HPM_QUANTITY_METRIC)
            continue;
        figures[i] = (struct hpm_figure){.part = NAN, .only_exclusive = NAN};
        if (quantity->metrics[index] == HPM_NO_METRIC)
            continue;
        is_own = is_shown(machine, quantity, quantity->metrics[index], values);
        if (is_own || (values[quantity->metrics[index]].is_present &&
                       is_kept(survey, quantity, extent))) {
            derive_metric(survey, machine, quantity->metrics[index], extent,
                          &figures[i]);
            figures[i].is_renamed = !is_own;
        }
    }
}
