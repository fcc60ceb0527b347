/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics and a study: which columns belong to which leaf. */
#include "study/metric/studymetrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "metric/matching.h"
#include "metric/roof.h"
#include "study/columns/absence.h"
#include "study/columns/standarderror.h"
#include "study/metric/studyruns.h"

struct hpm_platform
hpm_studymetrics_platform(const struct hpm_task *task)
{
    struct hpm_machine machine = {.pmu = (char *)task->machine.pmu,
                                  .facts = (char *)task->machine.facts};

    return hpm_platform_of(&machine);
}

/* ---- finding columns ------------------------------------------------- */

/* Spellings of columns, each with its columns. */
struct spellings {
    struct hpm_matching matching;
    struct hpm_names names;
    uint32_t *of_column;       /* by column: its spelling, or HPM_NO_NAME */
    struct hpm_reach *reaches; /* by column */
    enum hpm_privilege base;   /* the default domain */
};

static bool
add_spelling(struct spellings *spellings, const char *name,
             uint32_t *ret_number)
{
    struct hpm_string text = {0};

    *ret_number = HPM_NO_NAME;
    hpm_matching_add(&text, &spellings->matching, name);
    if (!text.failed)
        *ret_number = hpm_names_add(&spellings->names, hpm_string_text(&text),
                                    text.length);
    hpm_string_free(&text);
    return *ret_number != HPM_NO_NAME;
}

/* Where a file does not say what its data are, ratios are not counters. */
static bool
is_counted(const struct hpm_metrics *metrics, const struct hpm_column *column)
{
    size_t metric;

    if (column->kind != HPM_COLUMN_UNSAID)
        return column->kind != HPM_COLUMN_METRIC;
    metric = hpm_metrics_find(metrics, column->name);
    return metric == HPM_NO_METRIC || !metrics->metrics[metric].is_ratio;
}

/* The counter of the first task that has it; NULL where none has. */
static const struct hpm_task_counter *
counter_of(const struct hpm_study *study, const char *name)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_counters; j++) {
            if (strcmp(task->counters[j].name, name) == 0)
                return &task->counters[j];
        }
    }
    return NULL;
}

static const char *
domain_of(const struct hpm_study *study, const char *name)
{
    const struct hpm_task_counter *counter = counter_of(study, name);

    return counter != NULL ? counter->domain : NULL;
}

static void
take_reach(struct spellings *spellings, const struct hpm_study *study, size_t i)
{
    const struct hpm_column *column = &study->columns[i];

    if (column->kind != HPM_COLUMN_COUNTER && column->kind != HPM_COLUMN_UNSAID)
        return;
    spellings->reaches[i] = hpm_reach_of(
        column->name, domain_of(study, column->name), column->unit);
    spellings->base =
        hpm_privilege_learn(spellings->base, spellings->reaches[i]);
}

static bool
spell_columns(struct spellings *spellings, const struct hpm_metrics *metrics,
              const struct hpm_study *study)
{
    spellings->of_column =
        hpm_memory_new(study->n_columns + 1, sizeof(uint32_t));
    spellings->reaches =
        hpm_memory_new(study->n_columns + 1, sizeof *spellings->reaches);
    if (spellings->of_column == NULL || spellings->reaches == NULL)
        return false;
    for (size_t i = 0; i < study->n_columns; i++) {
        spellings->of_column[i] = HPM_NO_NAME;
        if (is_counted(metrics, &study->columns[i]) &&
            !add_spelling(spellings, study->columns[i].name,
                          &spellings->of_column[i]))
            return false;
        take_reach(spellings, study, i);
    }
    return true;
}

static enum hpm_origin
first_origin(const char *leaf)
{
    enum hpm_origin origin = hpm_binding_free_origin(leaf);

    return origin != HPM_ORIGIN_NONE ? origin : HPM_ORIGIN_COUNTER;
}

/* The study's names of columns that every record has. */
static const char *
column_name(enum hpm_origin origin, const char *leaf)
{
    if (origin == HPM_ORIGIN_WALL)
        return "IncSec";
    return origin == HPM_ORIGIN_CALLS ? "Count" : leaf;
}

static const struct hpm_task_resource *
resource_of(const struct hpm_task *task, const char *name)
{
    for (size_t i = 0; i < task->n_resources; i++) {
        if (strcmp(task->resources[i].name, name) == 0)
            return &task->resources[i];
    }
    return NULL;
}

/* Does any task know this resource of its whole run? */
static bool
find_resource(const struct hpm_study *study, const char *name)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (resource_of(&study->tasks[i], name) != NULL)
            return true;
    }
    return false;
}

/* Add the columns that serve the leaf, or (`is_refused`) those that do not. */
static bool
add_columns(struct hpm_studymetrics *studymetrics,
            const struct spellings *spellings, size_t leaf, uint32_t number,
            bool is_refused)
{
    for (size_t i = 0; i < studymetrics->study->n_columns; i++) {
        struct hpm_studymetrics_column column = {.column = (uint32_t)i,
                                                 .is_refused = is_refused};

        if (spellings->of_column[i] != number ||
            hpm_reach_serves(spellings->reaches[i],
                             studymetrics->metrics->leaves[leaf],
                             spellings->base, &column.privilege) == is_refused)
            continue;
        if (is_refused)
            column.privilege = spellings->reaches[i].privilege;
        if (!hpm_memory_grow(&studymetrics->columns,
                             &studymetrics->columns_capacity,
                             studymetrics->n_columns + 1, sizeof column))
            return false;
        studymetrics->columns[studymetrics->n_columns++] = column;
        studymetrics->ranges[leaf].count++;
    }
    return true;
}

static bool
find_columns(struct hpm_studymetrics *studymetrics, struct spellings *spellings,
             size_t leaf)
{
    enum hpm_origin origin = first_origin(studymetrics->metrics->leaves[leaf]);
    struct hpm_range *range = &studymetrics->ranges[leaf];
    uint32_t number;

    studymetrics->origins[leaf] = origin;
    *range = (struct hpm_range){studymetrics->n_columns, 0};
    if (!add_spelling(spellings,
                      column_name(origin, studymetrics->metrics->leaves[leaf]),
                      &number) ||
        !add_columns(studymetrics, spellings, leaf, number, false) ||
        !add_columns(studymetrics, spellings, leaf, number, true))
        return false;
    if (origin == HPM_ORIGIN_COUNTER && range->count == 0)
        studymetrics->origins[leaf] =
            find_resource(studymetrics->study,
                          studymetrics->metrics->leaves[leaf])
                ? HPM_ORIGIN_RESOURCE
                : HPM_ORIGIN_NONE;
    if (studymetrics->origins[leaf] != HPM_ORIGIN_NONE)
        studymetrics->live[studymetrics->n_live++] = leaf;
    return true;
}

static bool
has_counts_of_node(const struct hpm_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (hpm_tally_is_of_node(study->columns[i].name))
            return true;
    }
    return false;
}

bool
hpm_studymetrics_init(struct hpm_studymetrics *studymetrics,
                      const struct hpm_metrics *metrics,
                      const struct hpm_study *study, struct hpm_error *err)
{
    struct spellings spellings = {.of_column = NULL};
    size_t n = metrics->n_leaves;
    bool is_good;

    *studymetrics = (struct hpm_studymetrics){
        .metrics = metrics,
        .study = study,
        .time = hpm_study_find_named(study, "IncSec"),
        .calls = hpm_study_find_named(study, "Count")};
    studymetrics->origins = hpm_memory_new(n, sizeof *studymetrics->origins);
    studymetrics->ranges = hpm_memory_new(n, sizeof *studymetrics->ranges);
    studymetrics->live = hpm_memory_new(n, sizeof *studymetrics->live);
    studymetrics->runs = hpm_studyruns_new(study);
    is_good = studymetrics->runs != NULL && studymetrics->origins != NULL &&
              studymetrics->ranges != NULL && studymetrics->live != NULL &&
              hpm_matching_init(&spellings.matching, metrics) &&
              spell_columns(&spellings, metrics, study);
    for (size_t i = 0; i < n && is_good; i++)
        is_good = find_columns(studymetrics, &spellings, i);
    studymetrics->shares_nodes =
        has_counts_of_node(study) && hpm_study_shares_nodes(study);
    for (size_t i = 0; i < study->n_tasks && !studymetrics->has_wrong; i++)
        studymetrics->has_wrong =
            hpm_some_count_is_wrong(study->tasks[i].machine.facts);
    hpm_matching_clear(&spellings.matching);
    hpm_names_free(&spellings.names);
    hpm_memory_free(spellings.of_column);
    hpm_memory_free(spellings.reaches);
    return is_good || hpm_error_no_memory(err);
}

void
hpm_studymetrics_clear(struct hpm_studymetrics *studymetrics)
{
    hpm_memory_free(studymetrics->origins);
    hpm_memory_free(studymetrics->ranges);
    hpm_memory_free(studymetrics->columns);
    hpm_memory_free(studymetrics->live);
    hpm_studyruns_free(studymetrics->runs);
    *studymetrics = (struct hpm_studymetrics){0};
}

/* ---- counts of a row ------------------------------------------------- */

static double
unit_factor(const char *unit)
{
    if (unit == NULL)
        return 1.0;
    if (strcmp(unit, "ns") == 0)
        return 1e-9;
    if (strcmp(unit, "uJ") == 0)
        return 1e-6;
    return strcmp(unit, "kB") == 0 ? 1024.0 : 1.0;
}

/* Times are computed as the recorder computes them, to the last bit, so that
 * all programs give the same metrics of a run. */
static double
to_seconds_or_count(struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_SECONDS)
        return 1e-9 * (double)number.amount;
    if (number.kind == HPM_NUMBER_MINUS_SECONDS)
        return -1e-9 * (double)number.amount;
    return hpm_number_to_real(number);
}

static struct hpm_number
number_of(const struct hpm_study *study, uint32_t row, uint32_t column,
          enum hpm_span span, enum hpm_studymetrics_side side)
{
    bool is_exclusive = span == HPM_SPAN_EXCLUSIVE;
    struct hpm_number value =
        hpm_study_number(study, row, column,
                         is_exclusive ? HPM_FIELD_EXCLUSIVE : HPM_FIELD_VALUE);
    struct hpm_number base = hpm_study_number(
        study, row, column,
        is_exclusive ? HPM_FIELD_BASE_EXCLUSIVE : HPM_FIELD_BASE);

    /* a side without the section has 0 of everything */
    if (base.kind == HPM_NUMBER_NONE &&
        (hpm_study_row(study, row)->flags & HPM_ROW_SIDE_B) != 0)
        base = hpm_number_subtract(value, value);
    if (side == HPM_STUDYMETRICS_A)
        return base;
    return side == HPM_STUDYMETRICS_B ? hpm_number_sum(base, value) : value;
}

static double
amount(const struct hpm_study *study, uint32_t row, uint32_t column,
       enum hpm_span span, enum hpm_studymetrics_side side)
{
    return to_seconds_or_count(number_of(study, row, column, span, side));
}

/* Keep whole numbers whose unit formulas use unchanged. */
static void
take_exact(struct hpm_tally *tally, struct hpm_number number, double factor)
{
    tally->is_exact = factor == 1.0 && (number.kind == HPM_NUMBER_COUNT ||
                                        number.kind == HPM_NUMBER_MINUS);
    if (tally->is_exact)
        tally->exact = number.kind == HPM_NUMBER_MINUS
                           ? -(hpm_exact)number.amount
                           : (hpm_exact)number.amount;
}

/* The doubt of a value that was counted for a part of the time.  Metrics use
 * each side of a difference, whose errors are at most the difference's
 * error. */
static enum hpm_doubt
doubt_of(const struct hpm_study *study, uint32_t row, uint32_t column,
         enum hpm_studymetrics_side side)
{
    struct hpm_number share =
        hpm_study_number(study, row, column, HPM_FIELD_SHARE);
    struct hpm_number error =
        hpm_study_number(study, row, column, HPM_FIELD_ERROR);

    return hpm_doubt_of_share(
        hpm_number_to_real(share),
        amount(study, row, column, HPM_SPAN_INCLUSIVE, side),
        to_seconds_or_count(error));
}

/* How wrong an estimate may be; NAN where the value is no estimate, or this is
 * not known. */
static double
reach_of(const struct hpm_study *study, uint32_t row, uint32_t column,
         enum hpm_span span)
{
    enum hpm_field field = span == HPM_SPAN_EXCLUSIVE
                               ? HPM_FIELD_ERROR_EXCLUSIVE
                               : HPM_FIELD_ERROR;

    return hpm_standarderror_reach(
        hpm_study_number(study, row, column, field),
        hpm_study_number(study, row, column, HPM_FIELD_FREEDOM));
}

static bool
says(const struct hpm_study *study, uint32_t row, uint32_t column,
     enum hpm_field field)
{
    return hpm_study_number(study, row, column, field).kind != HPM_NUMBER_NONE;
}

static struct hpm_tally
tally_of(const struct hpm_study *study, uint32_t row, uint32_t column,
         enum hpm_span span, enum hpm_studymetrics_side side)
{
    double factor = unit_factor(study->columns[column].unit);
    struct hpm_number number = number_of(study, row, column, span, side);
    struct hpm_tally tally = {0};
    double off;

    if (!hpm_study_get_state(study, row, column, &tally.state))
        return tally;
    tally.value = factor * to_seconds_or_count(number);
    take_exact(&tally, number, factor);
    tally.is_events = study->columns[column].unit == NULL ||
                      study->columns[column].unit[0] == '\0';
    tally.is_partial = span == HPM_SPAN_INCLUSIVE &&
                       says(study, row, column, HPM_FIELD_PARTIAL);
    off = hpm_number_to_real(
        hpm_study_number(study, row, column, HPM_FIELD_UNCERTAINTY));
    tally.error = isnan(off) ? 0.0 : factor * off;
    off = reach_of(study, row, column, span);
    tally.error += isnan(off) ? 0.0 : factor * off;
    tally.doubt = doubt_of(study, row, column, side);
    tally.is_present = !isnan(tally.value) || !hpm_state_has_value(tally.state);
    return tally;
}

static struct hpm_tally
known(struct hpm_number number)
{
    double value = hpm_number_to_real(number);

    return (struct hpm_tally){.is_present = true,
                              .state = value > 0.0 ? HPM_STATE_COUNTED
                                                   : HPM_STATE_UNSUPPORTED,
                              .value = value};
}

/* The exclusive time is a column of its own. */
static struct hpm_tally
exclusive_time(const struct hpm_study *study, uint32_t row,
               enum hpm_studymetrics_side side)
{
    struct hpm_tally tally = {0};

    for (uint32_t i = 0; i < study->n_columns && !tally.is_present; i++) {
        if (strcmp(study->columns[i].name, "ExcSec") == 0)
            tally = tally_of(study, row, i, HPM_SPAN_INCLUSIVE, side);
    }
    return tally;
}

/* Is this the only record of its process, as in hpmcount's files? */
static bool
is_only_record(const struct hpm_study *study, uint32_t row)
{
    return hpm_study_task_of(study, row)->n_rows == 1 &&
           hpm_study_place_of(study, row)->tid == -1;
}

/* Is the record the whole run, as in hpmcount's files?  Resource usage is that
 * of the run, and belongs to no part of it. */
static bool
is_whole_run(const struct hpm_studymetrics *studymetrics,
             const struct hpm_task *task, uint32_t row)
{
    const struct hpm_study *study = studymetrics->study;
    double run = to_seconds_or_count(task->seconds);
    double length;

    if (study->kind == HPM_STUDY_DIFF || !is_only_record(study, row) ||
        studymetrics->time == HPM_NO_INDEX)
        return false;
    length = to_seconds_or_count(
        hpm_study_number(study, row, studymetrics->time, HPM_FIELD_VALUE));
    return fabs(length - run) <= 1e-9 * run;
}

static struct hpm_tally
count_of_run(const struct hpm_studymetrics *studymetrics, size_t leaf,
             uint32_t row)
{
    const struct hpm_task *task = hpm_study_task_of(studymetrics->study, row);
    const struct hpm_task_resource *resource =
        resource_of(task, studymetrics->metrics->leaves[leaf]);
    struct hpm_tally tally = {.state = HPM_STATE_COUNTED};

    if (resource == NULL || !is_whole_run(studymetrics, task, row))
        return tally;
    tally.is_present = true;
    tally.value =
        unit_factor(resource->unit) * to_seconds_or_count(resource->value);
    take_exact(&tally, resource->value, unit_factor(resource->unit));
    tally.is_events = resource->unit == NULL || resource->unit[0] == '\0';
    tally.resolution = hpm_count_resolution(studymetrics->metrics->leaves[leaf],
                                            task->machine.facts);
    tally.state = hpm_said_state(resource->said_state);
    return tally;
}

/* The allowed processors count for process sections only: one thread uses one
 * processor. */
static struct hpm_tally
count_allowed(const struct hpm_study *study, const struct hpm_task *task,
              uint32_t row)
{
    const struct hpm_row *of = hpm_study_row(study, row);

    return study->sections[of->section].scope == HPM_SCOPE_PROCESS
               ? known(task->machine.n_allowed)
               : (struct hpm_tally){0};
}

/* Doubt a time counter whose overhead was not subtracted, while that of the
 * section's time was; or of which a part is missing. */
static enum hpm_doubt
doubt_of_clock(const struct hpm_studymetrics *studymetrics, uint32_t row,
               uint32_t column, double value)
{
    const struct hpm_study *study = studymetrics->study;
    struct hpm_number own =
        hpm_study_number(study, row, column, HPM_FIELD_OVERHEAD);
    struct hpm_number of_time = {0};

    if (studymetrics->time != HPM_NO_INDEX)
        of_time = hpm_study_number(study, row, studymetrics->time,
                                   HPM_FIELD_OVERHEAD);
    return hpm_doubt_of_time(
        study->columns[column].unit, own.kind != HPM_NUMBER_NONE,
        hpm_number_to_real(of_time),
        1e-9 * hpm_number_to_real(
                   hpm_study_number(study, row, column, HPM_FIELD_UNCERTAINTY)),
        value);
}

/* In a mean: is the inclusive or the exclusive value of fewer runs than its
 * record?  With values of all runs, it would make a metric that no run had. */
static bool
lacks_runs(const struct hpm_studymetrics *studymetrics, uint32_t row,
           uint32_t column, enum hpm_span span)
{
    const struct hpm_study *study = studymetrics->study;
    struct hpm_number own =
        hpm_study_number(study, row, column, HPM_FIELD_RUNS_EXCLUSIVE);
    struct hpm_number runs =
        hpm_study_number(study, row, column, HPM_FIELD_RUNS);

    if (!says(study, row, column, HPM_FIELD_PARTIAL) ||
        says(study, row, column, HPM_FIELD_ONLY_EXCLUSIVE) ||
        runs.kind == HPM_NUMBER_NONE)
        return false;
    if (span == HPM_SPAN_INCLUSIVE || study->kind == HPM_STUDY_DIFF ||
        studymetrics->calls == HPM_NO_INDEX)
        return true;
    if (own.kind != HPM_NUMBER_NONE)
        runs = own;
    return hpm_number_compare(runs,
                              hpm_study_number(study, row, studymetrics->calls,
                                               HPM_FIELD_RUNS)) < 0;
}

/* Why a count of a row must not be used in formulas. */
static enum hpm_cause
cause_of(const struct hpm_studymetrics *studymetrics, uint32_t row,
         uint32_t column, enum hpm_span span)
{
    const struct hpm_study *study = studymetrics->study;
    const char *name = study->columns[column].name;
    bool is_whole =
        study->kind == HPM_STUDY_DIFF
            ? is_only_record(study, row)
            : is_whole_run(studymetrics, hpm_study_task_of(study, row), row);

    if (hpm_tally_is_peak(name) && !is_whole)
        return HPM_CAUSE_PEAK;
    if (hpm_tally_is_of_process(name) &&
        (hpm_study_n_threads(study, row) > 1 ||
         hpm_study_counts_others(study, row, hpm_tally_is_of_node(name))))
        return HPM_CAUSE_PROCESS;
    return lacks_runs(studymetrics, row, column, span) ? HPM_CAUSE_RUNS
                                                       : HPM_CAUSE_NONE;
}

/* How far a run may be from the mean of runs; all of the value where the spread
 * is not known.  Files have the spread of inclusive values; exclusive values
 * are assumed to have the same relative spread. */
static double
spread_of(const struct hpm_study *study, uint32_t row, uint32_t column,
          enum hpm_span span)
{
    double value =
        amount(study, row, column, HPM_SPAN_INCLUSIVE, HPM_STUDYMETRICS_VALUE);
    double min = to_seconds_or_count(
        hpm_study_number(study, row, column, HPM_FIELD_MIN));
    double max = to_seconds_or_count(
        hpm_study_number(study, row, column, HPM_FIELD_MAX));
    double runs = hpm_number_to_real(
        hpm_study_number(study, row, column, HPM_FIELD_RUNS));
    double spread = fmax(max - value, value - min);

    if (!(runs > 1.0))
        return 0.0;
    if (isnan(spread))
        spread = fabs(value);
    spread *= unit_factor(study->columns[column].unit);
    if (span == HPM_SPAN_EXCLUSIVE && value != 0.0)
        spread *= fabs(
            amount(study, row, column, span, HPM_STUDYMETRICS_VALUE) / value);
    return isnan(spread) ? 0.0 : spread;
}

static bool
is_wrong(const struct hpm_studymetrics *studymetrics, size_t leaf, uint32_t row)
{
    return studymetrics->has_wrong &&
           hpm_count_is_wrong(
               studymetrics->metrics->leaves[leaf],
               hpm_study_task_of(studymetrics->study, row)->machine.facts);
}

static struct hpm_tally
tally_of_leaf(const struct hpm_studymetrics *studymetrics, size_t leaf,
              const struct hpm_studymetrics_column *column, uint32_t row,
              enum hpm_span span, enum hpm_studymetrics_side side)
{
    struct hpm_tally tally =
        tally_of(studymetrics->study, row, column->column, span, side);
    enum hpm_doubt doubt =
        doubt_of_clock(studymetrics, row, column->column, tally.value);

    if (tally.is_present)
        tally.resolution = hpm_count_resolution(
            studymetrics->metrics->leaves[leaf],
            hpm_study_task_of(studymetrics->study, row)->machine.facts);
    if (tally.is_present && doubt > tally.doubt)
        tally.doubt = doubt;
    if (tally.is_present && is_wrong(studymetrics, leaf, row))
        tally.doubt = HPM_DOUBT_WRONG;
    tally.privilege = column->privilege;
    tally.runs = hpm_studyruns_of(
        studymetrics->runs, column->column,
        (uint32_t)(hpm_study_task_of(studymetrics->study, row) -
                   studymetrics->study->tasks));
    if (tally.runs != NULL)
        tally.spread =
            spread_of(studymetrics->study, row, column->column, span);
    tally.omits_children =
        says(studymetrics->study, row, column->column, HPM_FIELD_CHILDREN) ||
        hpm_absence_is_work(&studymetrics->study->columns[column->column]);
    if (tally.is_present)
        tally.cause = cause_of(studymetrics, row, column->column, span);
    if (hpm_tally_is_of_process(
            studymetrics->study->columns[column->column].name))
        tally.place = hpm_study_row(studymetrics->study, row)->place + 1;
    if (tally.is_present && column->is_refused)
        return hpm_tally_refuse(
            studymetrics->study->columns[column->column].name,
            column->privilege);
    return tally;
}

struct hpm_tally
hpm_studymetrics_count(const struct hpm_studymetrics *studymetrics, size_t leaf,
                       uint32_t row, enum hpm_span span,
                       enum hpm_studymetrics_side side)
{
    const struct hpm_task *task = hpm_study_task_of(studymetrics->study, row);
    struct hpm_range range = studymetrics->ranges[leaf];
    struct hpm_tally tally = {0};

    switch (studymetrics->origins[leaf]) {
    case HPM_ORIGIN_ROOF:
        return known(hpm_number_real(hpm_roof_value(
            studymetrics->metrics->leaves[leaf], task->machine.facts)));
    case HPM_ORIGIN_MHZ:
        return known(task->machine.mhz);
    case HPM_ORIGIN_CPUS:
        return known(task->machine.n_cpus);
    case HPM_ORIGIN_ALLOWED:
        return count_allowed(studymetrics->study, task, row);
    case HPM_ORIGIN_RESOURCE:
        return count_of_run(studymetrics, leaf, row);
    case HPM_ORIGIN_WALL:
        if (span == HPM_SPAN_EXCLUSIVE)
            return exclusive_time(studymetrics->study, row, side);
        break;
    case HPM_ORIGIN_CALLS:
        span = HPM_SPAN_INCLUSIVE;
        break;
    case HPM_ORIGIN_NONE:
    case HPM_ORIGIN_COUNTER:
        break;
    }
    for (size_t i = 0; i < range.count && !tally.is_present; i++)
        tally = tally_of_leaf(studymetrics, leaf,
                              &studymetrics->columns[range.first + i], row,
                              span, side);
    return tally;
}

struct hpm_number
hpm_studymetrics_number(const struct hpm_metric_value *value, double scale)
{
    struct hpm_string digits = {0};
    struct hpm_number number = hpm_number_real(value->value / scale);

    if (hpm_metric_value_add_exact(&digits, value, scale))
        hpm_number_read(hpm_string_text(&digits),
                        hpm_string_text(&digits) + digits.length, &number);
    hpm_string_free(&digits);
    return number;
}
