/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of a study, computed again from its counts. */
#include "study/metric/renew.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "metric/language/threshold.h"
#include "metric/library.h"
#include "study/metric/sum.h"

enum { N_SPANS = 2, N_SIDES = 2, N_SCOPES = 2 };

/* The totals that total() needs. */
struct whole {
    struct hpm_sum sum;
    struct hpm_metric_value *values;
};

/* Data for the tasks on machines of one kind. */
struct kind {
    const char *pmu, *facts;
    struct hpm_library library;
    struct hpm_studymetrics studymetrics;
    uint32_t *columns; /* by metric: its column, once it has one */
    bool *is_renewed;  /* by column of the study: it has a new value now */
    size_t is_renewed_capacity;
    struct whole wholes[N_SIDES][N_SCOPES]; /* of all its tasks */
    bool has_wholes;
};

struct renewal {
    struct hpm_study *study;
    const char *pmu;
    struct kind *kinds;
    size_t n_kinds, kinds_capacity;
    size_t *kind_of; /* by task */

    /* for the present kind */
    struct kind *kind;
    struct hpm_sum sum;
    struct hpm_metric_value *values[N_SIDES][N_SPANS];
};

/* ---- kinds of machines ----------------------------------------------- */

static void
close_kind(struct kind *kind)
{
    for (int i = 0; i < N_SIDES * N_SCOPES; i++) {
        struct whole *whole = &kind->wholes[i / N_SCOPES][i % N_SCOPES];

        hpm_sum_clear(&whole->sum);
        hpm_memory_free(whole->values);
    }
    hpm_memory_free(kind->columns);
    hpm_memory_free(kind->is_renewed);
    hpm_studymetrics_clear(&kind->studymetrics);
    hpm_library_close(&kind->library);
}

static bool
open_kind(const struct renewal *renewal, struct kind *kind,
          struct hpm_error *err)
{
    const struct hpm_task task = {
        .machine = {.pmu = kind->pmu, .facts = kind->facts}};
    struct hpm_platform platform = hpm_studymetrics_platform(&task);
    const struct hpm_metrics *metrics;

    if (!hpm_library_open(&kind->library, NULL, &platform, err))
        return false;
    metrics = kind->library.metrics;
    if (!hpm_studymetrics_init(&kind->studymetrics, metrics, renewal->study,
                               err))
        return false;
    kind->columns =
        hpm_memory_new(metrics->n_metrics + 1, sizeof *kind->columns);
    if (kind->columns == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < metrics->n_metrics; i++)
        kind->columns[i] = HPM_NO_INDEX;
    return true;
}

static struct kind *
find_kind(struct renewal *renewal, const struct hpm_task *task,
          struct hpm_error *err)
{
    const char *pmu = renewal->pmu != NULL ? renewal->pmu : task->machine.pmu;
    struct kind *kind;

    for (size_t i = 0; i < renewal->n_kinds; i++) {
        kind = &renewal->kinds[i];
        if (hpm_string_compare(kind->pmu, pmu) == 0 &&
            hpm_string_compare(kind->facts, task->machine.facts) == 0)
            return kind;
    }
    if (!hpm_memory_grow(&renewal->kinds, &renewal->kinds_capacity,
                         renewal->n_kinds + 1, sizeof *renewal->kinds)) {
        hpm_error_no_memory(err);
        return NULL;
    }
    kind = &renewal->kinds[renewal->n_kinds++];
    *kind = (struct kind){.pmu = pmu, .facts = task->machine.facts};
    return open_kind(renewal, kind, err) ? kind : NULL;
}

/* ---- room for values ------------------------------------------------- */

static void
leave_kind(struct renewal *renewal)
{
    hpm_sum_clear(&renewal->sum);
    for (int i = 0; i < N_SIDES; i++) {
        for (int j = 0; j < N_SPANS; j++) {
            hpm_memory_free(renewal->values[i][j]);
            renewal->values[i][j] = NULL;
        }
    }
}

static struct hpm_metric_value *
new_values(const struct kind *kind)
{
    return hpm_memory_new(kind->library.metrics->n_metrics + 1,
                          sizeof(struct hpm_metric_value));
}

static bool
make_wholes(struct kind *kind, struct hpm_error *err)
{
    for (int i = 0; i < N_SIDES * N_SCOPES; i++) {
        struct whole *whole = &kind->wholes[i / N_SCOPES][i % N_SCOPES];

        whole->values = new_values(kind);
        if (whole->values == NULL)
            return hpm_error_no_memory(err);
        if (!hpm_sum_init(&whole->sum, &kind->studymetrics, err))
            return false;
    }
    return true;
}

static bool
enter_kind(struct renewal *renewal, struct kind *kind, struct hpm_error *err)
{
    bool is_good = true;

    if (renewal->kind == kind)
        return true;
    leave_kind(renewal);
    renewal->kind = kind;
    for (int i = 0; i < N_SIDES * N_SPANS && is_good; i++) {
        renewal->values[i / N_SPANS][i % N_SPANS] = new_values(kind);
        is_good = renewal->values[i / N_SPANS][i % N_SPANS] != NULL;
    }
    return (is_good && hpm_sum_init(&renewal->sum, &kind->studymetrics, err)) ||
           hpm_error_no_memory(err);
}

/* ---- values ---------------------------------------------------------- */

static int
scope_of(const struct hpm_study *study, uint32_t row)
{
    return hpm_study_section_of(study, row)->scope;
}

static bool
is_difference(const struct renewal *renewal)
{
    return renewal->study->kind == HPM_STUDY_DIFF;
}

static enum hpm_studymetrics_side
studymetrics_side(const struct renewal *renewal, int side)
{
    static const enum hpm_studymetrics_side sides[] = {HPM_STUDYMETRICS_A,
                                                       HPM_STUDYMETRICS_B};

    return is_difference(renewal) ? sides[side] : HPM_STUDYMETRICS_VALUE;
}

/* The wall clock time of a task's run; not known in a difference. */
static double
seconds_of(const struct renewal *renewal, const struct hpm_task *task)
{
    if (is_difference(renewal))
        return NAN;
    return hpm_study_run_seconds(task);
}

static void
add_task(struct renewal *renewal, struct kind *kind,
         const struct hpm_task *task, int side)
{
    for (size_t i = 0; i < task->n_rows; i++) {
        uint32_t row = (uint32_t)(task->first_row + i);
        int scope = scope_of(renewal->study, row);

        hpm_sum_add_own(&kind->wholes[side][scope].sum, &kind->studymetrics,
                        row, studymetrics_side(renewal, side));
    }
}

/* The whole program is all tasks on this kind of machine, as in reports; its
 * time is that of the longest task. */
static void
evaluate_whole(struct renewal *renewal, struct kind *kind, int side)
{
    const struct hpm_study *study = renewal->study;
    double seconds = NAN;

    for (size_t i = 0; i < study->n_tasks; i++) {
        if (&renewal->kinds[renewal->kind_of[i]] != kind)
            continue;
        add_task(renewal, kind, &study->tasks[i], side);
        seconds = fmax(seconds, seconds_of(renewal, &study->tasks[i]));
    }
    for (int i = 0; i < N_SCOPES; i++) {
        struct whole *whole = &kind->wholes[side][i];

        hpm_sum_end_whole(&whole->sum, &kind->studymetrics, i, seconds);
        hpm_metrics_evaluate(kind->library.metrics, whole->sum.tallies, NULL,
                             whole->values);
    }
}

static bool
evaluate_wholes(struct renewal *renewal, struct kind *kind,
                struct hpm_error *err)
{
    if (kind->has_wholes)
        return true;
    if (!make_wholes(kind, err))
        return false;
    for (int side = 0; side < (is_difference(renewal) ? N_SIDES : 1); side++)
        evaluate_whole(renewal, kind, side);
    kind->has_wholes = true;
    return true;
}

static void
evaluate(struct renewal *renewal, uint32_t row, int side, int span)
{
    const struct whole *of =
        &renewal->kind->wholes[side][scope_of(renewal->study, row)];
    const struct hpm_whole whole = {of->sum.tallies, of->values};

    hpm_sum_reset(&renewal->sum);
    hpm_sum_add_row(&renewal->sum, &renewal->kind->studymetrics, row,
                    (enum hpm_span)span, studymetrics_side(renewal, side));
    hpm_sum_end(&renewal->sum, &renewal->kind->studymetrics, false);
    hpm_metrics_evaluate(renewal->kind->library.metrics, renewal->sum.tallies,
                         &whole, renewal->values[side][span]);
}

/* ---- data ------------------------------------------------------------ */

static bool
set_reason(struct hpm_study *study, const struct hpm_metric_value *value,
           struct hpm_datum *datum)
{
    struct hpm_string text = {0};

    hpm_metric_value_explain(value, &text);
    datum->reason = hpm_study_keep(study, &text);
    return datum->reason != NULL;
}

static void
set_limits(const struct hpm_metric *metric, struct hpm_datum *datum)
{
    static const enum hpm_field fields[2][2] = {
        {HPM_FIELD_SBAD, HPM_FIELD_SGOOD}, {HPM_FIELD_DBAD, HPM_FIELD_DGOOD}};

    for (int i = 0; i < 2; i++) {
        const struct hpm_limits *limits = &metric->limits[i];

        if (limits->bad.is_given)
            datum->numbers[fields[i][0]] =
                hpm_number_real(hpm_limit_to_file(&limits->bad));
        if (limits->good.is_given)
            datum->numbers[fields[i][1]] =
                hpm_number_real(hpm_limit_to_file(&limits->good));
    }
}

/* The state of the inclusive value if there is one, else of the exclusive
 * value, as in files written at run time. */
static bool
set_state(struct hpm_study *study, const struct hpm_metric_value *value,
          struct hpm_datum *datum)
{
    datum->state = value->state;
    if (value->is_partial)
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    return !isnan(value->value) || set_reason(study, value, datum);
}

/* Give the datum a reason where it has no inclusive value. */
static bool
settle(struct hpm_study *study, struct hpm_datum *datum)
{
    hpm_study_settle_datum(datum);
    return hpm_study_own(study, &datum->reason);
}

static bool
fill_datum(struct hpm_study *study, const struct hpm_metric *metric,
           const struct hpm_metric_value *inclusive,
           const struct hpm_metric_value *exclusive, struct hpm_datum *datum)
{
    *datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    if (inclusive->is_present)
        datum->numbers[HPM_FIELD_VALUE] =
            hpm_studymetrics_number(inclusive, metric->scale);
    if (exclusive->is_present)
        datum->numbers[HPM_FIELD_EXCLUSIVE] =
            hpm_studymetrics_number(exclusive, metric->scale);
    set_limits(metric, datum);
    return set_state(study, inclusive->is_present ? inclusive : exclusive,
                     datum) &&
           settle(study, datum);
}

/* b - a, and the value in a; n/a where either side has no value. */
static bool
fill_difference(struct hpm_study *study, const struct hpm_metric *metric,
                const struct hpm_metric_value *a,
                const struct hpm_metric_value *b, enum hpm_field value,
                enum hpm_field base, struct hpm_datum *datum)
{
    struct hpm_number was = hpm_studymetrics_number(a, metric->scale);
    struct hpm_number is = hpm_studymetrics_number(b, metric->scale);

    if (!a->is_present || !b->is_present)
        return true;
    datum->numbers[value] = hpm_number_subtract(is, was);
    datum->numbers[base] = was;
    return set_state(study, b->state > a->state ? b : a, datum);
}

static bool
fill_sides(const struct renewal *renewal, size_t index, struct hpm_datum *datum)
{
    const struct hpm_metric *metric =
        &renewal->kind->library.metrics->metrics[index];
    struct hpm_study *study = renewal->study;

    *datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    return fill_difference(
               study, metric, &renewal->values[0][HPM_SPAN_EXCLUSIVE][index],
               &renewal->values[1][HPM_SPAN_EXCLUSIVE][index],
               HPM_FIELD_EXCLUSIVE, HPM_FIELD_BASE_EXCLUSIVE, datum) &&
           fill_difference(study, metric,
                           &renewal->values[0][HPM_SPAN_INCLUSIVE][index],
                           &renewal->values[1][HPM_SPAN_INCLUSIVE][index],
                           HPM_FIELD_VALUE, HPM_FIELD_BASE, datum) &&
           settle(study, datum);
}

/* ---- rows ------------------------------------------------------------ */

static bool
is_shown(const struct renewal *renewal, size_t index)
{
    int n_sides = is_difference(renewal) ? N_SIDES : 1;
    bool is_shown = false, is_there = true;

    for (int i = 0; i < n_sides; i++) {
        const struct hpm_metric_value *inclusive =
            &renewal->values[i][HPM_SPAN_INCLUSIVE][index];
        const struct hpm_metric_value *exclusive =
            &renewal->values[i][HPM_SPAN_EXCLUSIVE][index];
        const struct hpm_metrics *metrics = renewal->kind->library.metrics;

        is_shown = is_shown ||
                   hpm_metrics_is_derived(metrics, index, inclusive) ||
                   hpm_metrics_is_derived(metrics, index, exclusive);
        is_there = is_there && (inclusive->is_present || exclusive->is_present);
    }
    return is_shown && is_there;
}

static uint32_t
column_of(struct renewal *renewal, size_t index)
{
    struct kind *kind = renewal->kind;
    const struct hpm_metric *metric = &kind->library.metrics->metrics[index];
    struct hpm_names *names = &renewal->study->names;
    const char *unit = metric->texts[HPM_TEXT_UNIT];

    if (kind->columns[index] == HPM_NO_INDEX)
        kind->columns[index] = hpm_study_add_column(
            renewal->study, hpm_names_keep_text(names, metric->shown),
            hpm_names_keep_text(names, unit), HPM_COLUMN_METRIC);
    if (kind->columns[index] != HPM_NO_INDEX &&
        !hpm_memory_grow(&kind->is_renewed, &kind->is_renewed_capacity,
                         kind->columns[index] + 1u, sizeof(bool)))
        return HPM_NO_INDEX;
    return kind->columns[index];
}

/* A task lists a column once.  All rows of the task have been added before. */
static void
recall_task(struct hpm_study *study, uint32_t row, uint32_t column)
{
    uint32_t task = hpm_study_place_of(study, row)->task;

    for (size_t i = 0; i < study->tasks[task].n_columns; i++) {
        if (study->tasks[task].columns[i] == column)
            study->columns[column].last_task = task;
    }
}

/* Remove what was recorded for this metric before. */
static bool
set_datum(struct renewal *renewal, uint32_t row, uint32_t column,
          uint32_t after, const struct hpm_datum *datum)
{
    struct hpm_study *study = renewal->study;
    struct hpm_column *here = &study->columns[column];

    for (int i = HPM_FIELD_VALUE + 1; i < HPM_N_FIELDS; i++) {
        if (hpm_series_get(&here->fields[i], row).kind != HPM_NUMBER_NONE &&
            !hpm_series_set(&here->fields[i], &study->arena, row,
                            (struct hpm_number){0}, 0))
            return false;
    }
    renewal->kind->is_renewed[column] = true;
    recall_task(study, row, column);
    return hpm_study_set_datum(study, row, column, after, datum);
}

/* A metric that only the file has stays as it is. */
static bool
mark_recorded(struct renewal *renewal, const struct hpm_task *task,
              uint32_t row)
{
    struct hpm_study *study = renewal->study;
    struct kind *kind = renewal->kind;

    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t column = task->columns[i];
        struct hpm_datum datum;

        if (study->columns[column].kind != HPM_COLUMN_METRIC ||
            (column < kind->is_renewed_capacity && kind->is_renewed[column]) ||
            !hpm_study_get_datum(study, row, column, &datum) ||
            datum.state >= HPM_STATE_RECORDED)
            continue;
        datum.state = HPM_STATE_RECORDED;
        recall_task(study, row, column);
        if (!hpm_study_set_datum(study, row, column, HPM_NO_INDEX, &datum))
            return false;
    }
    return true;
}

static bool
renew_row(struct renewal *renewal, uint32_t task, uint32_t row)
{
    const struct hpm_task *of = &renewal->study->tasks[task];
    const struct hpm_metrics *metrics = renewal->kind->library.metrics;
    bool is_diff = is_difference(renewal);
    uint32_t last =
        of->n_columns > 0 ? of->columns[of->n_columns - 1] : HPM_NO_INDEX;

    if (renewal->kind->is_renewed != NULL)
        memset(renewal->kind->is_renewed, 0,
               renewal->kind->is_renewed_capacity * sizeof(bool));
    for (int i = 0; i < N_SPANS * (is_diff ? N_SIDES : 1); i++)
        evaluate(renewal, row, i / N_SPANS, i % N_SPANS);
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        struct hpm_datum datum;
        uint32_t column;

        if (!is_shown(renewal, i))
            continue;
        column = column_of(renewal, i);
        if (column == HPM_NO_INDEX ||
            !(is_diff ? fill_sides(renewal, i, &datum)
                      : fill_datum(renewal->study, &metrics->metrics[i],
                                   &renewal->values[0][HPM_SPAN_INCLUSIVE][i],
                                   &renewal->values[0][HPM_SPAN_EXCLUSIVE][i],
                                   &datum)) ||
            !set_datum(renewal, row, column, last, &datum))
            return false;
        last = column;
    }
    return mark_recorded(renewal, of, row);
}

static bool
renew_task(struct renewal *renewal, uint32_t task, struct hpm_error *err)
{
    struct hpm_study *study = renewal->study;
    struct kind *kind = &renewal->kinds[renewal->kind_of[task]];

    if (!enter_kind(renewal, kind, err) || !evaluate_wholes(renewal, kind, err))
        return false;
    for (size_t i = 0; i < study->tasks[task].n_rows; i++) {
        if (!renew_row(renewal, task,
                       (uint32_t)(study->tasks[task].first_row + i)))
            return hpm_study_no_memory(study, err);
    }
    return true;
}

static bool
find_kinds(struct renewal *renewal, struct hpm_error *err)
{
    const struct hpm_study *study = renewal->study;

    renewal->kind_of =
        hpm_memory_new(study->n_tasks + 1, sizeof *renewal->kind_of);
    if (renewal->kind_of == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct kind *kind = find_kind(renewal, &study->tasks[i], err);

        if (kind == NULL)
            return false;
        renewal->kind_of[i] = (size_t)(kind - renewal->kinds);
    }
    return true;
}

/* ---- metrics left out ------------------------------------------------ */

static bool
has_metric(const struct hpm_study *study, const char *name)
{
    for (size_t i = 0; i < study->n_columns; i++) {
        if (study->columns[i].kind == HPM_COLUMN_METRIC &&
            study->columns[i].name == name)
            return true;
    }
    return false;
}

/* Metrics are never averaged or subtracted.  Recorded metrics that cannot be
 * computed from counts are lost, and a problem must say so. */
static bool
name_left_out(struct hpm_study *study)
{
    struct hpm_string text = {0};
    size_t n = 0;
    bool is_good = true;

    if (study->n_tasks == 0 || study->kind == HPM_STUDY_RUN ||
        study->kind == HPM_STUDY_MERGED)
        return true;
    hpm_string_add(&text, "left out, for the counts here do not give these "
                          "metrics of the files again: ");
    for (size_t i = 0; i < study->n_dropped; i++) {
        if (has_metric(study, study->dropped[i]))
            continue;
        hpm_string_add(&text, n++ > 0 ? ", " : "");
        hpm_string_add(&text, study->dropped[i]);
    }
    if (n > 0) {
        const char *kept = hpm_study_keep(study, &text);

        is_good = kept != NULL && hpm_study_add_problem(study, 0, kept);
    }
    hpm_string_free(&text);
    return is_good;
}

bool
hpm_renew(struct hpm_study *study, const char *pmu,
          struct hpm_string *complaints, struct hpm_error *err)
{
    struct renewal renewal = {.study = study, .pmu = pmu};
    bool is_good = find_kinds(&renewal, err);

    if (is_good && renewal.n_kinds > 0)
        hpm_string_add(
            complaints,
            hpm_string_text(&renewal.kinds[0].library.spec->complaints));
    for (uint32_t i = 0; i < study->n_tasks && is_good; i++)
        is_good = renew_task(&renewal, i, err);
    if (is_good && !name_left_out(study))
        is_good = hpm_study_no_memory(study, err);
    leave_kind(&renewal);
    for (size_t i = 0; i < renewal.n_kinds; i++)
        close_kind(&renewal.kinds[i]);
    hpm_memory_free(renewal.kinds);
    hpm_memory_free(renewal.kind_of);
    return is_good;
}
