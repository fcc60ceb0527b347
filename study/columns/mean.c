/* SPDX-License-Identifier: BSD-3-Clause
 * Repeated runs as one. */
#include "study/columns/mean.h"

#include <math.h>
#include <stdlib.h>

#include "host/memory.h"
#include "study/columns/absence.h"
#include "study/columns/agree.h"
#include "study/columns/align.h"
#include "study/columns/anchor.h"
#include "study/columns/average.h"
#include "study/columns/calls.h"
#include "study/columns/combine.h"
#include "study/columns/jointhits.h"
#include "study/columns/watched.h"
#include "study/columns/runlist.h"
#include "study/columns/transfer.h"

struct averaging {
    struct hpm_align align;
    bool is_integration;
    uint32_t *counts;             /* by study: its column "Count" */
    struct hpm_operand *inputs;   /* one element for each study */
    struct hpm_weighted *calls;   /* one element for each study */
    struct hpm_absence *absences; /* by study; not begun where it has all
                                   * records */
};

/* The values of a column in a row. */
struct gathered {
    size_t n_all;       /* with the zeros of runs that did not enter the
                         * section */
    size_t n_recorded;  /* values that records have */
    bool is_incomplete; /* some runs should have a value and are not known */
};

/* ---- rows ------------------------------------------------------------ */

/* Outermost calls: mean and deviation per call are over these. */
static struct hpm_number
outer_of(const struct averaging *averaging, size_t which, uint32_t row)
{
    return hpm_study_outer(averaging->align.studies[which], row,
                           averaging->counts[which]);
}

static bool
find_counts(struct averaging *averaging)
{
    struct hpm_align *align = &averaging->align;

    averaging->counts = hpm_transfer_map(&align->arena, align->n);
    averaging->inputs =
        hpm_arena_new(&align->arena, align->n, sizeof *averaging->inputs);
    averaging->calls =
        hpm_arena_new(&align->arena, align->n, sizeof *averaging->calls);
    if (averaging->counts == NULL || averaging->inputs == NULL ||
        averaging->calls == NULL)
        return false;
    for (size_t i = 0; i < align->n; i++) {
        for (uint32_t j = 0; j < align->studies[i]->n_columns; j++) {
            if (strcmp(align->studies[i]->columns[j].name, "Count") == 0)
                averaging->counts[i] = j;
        }
    }
    return true;
}

/* Combine what the studies' rows say about one section: the flags that any row
 * has, and the last line. */
static void
combine_row(const struct hpm_align *align, uint32_t row)
{
    struct hpm_row *to = hpm_study_row(align->result, row);
    bool is_hidden = true;

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from = align->rows[(size_t)row * align->n + i];
        const struct hpm_row *other;

        if (from == HPM_NO_INDEX)
            continue;
        other = hpm_study_row(align->studies[i], from);
        to->flags |= other->flags & ~(unsigned)HPM_ROW_HIDDEN;
        is_hidden = is_hidden && (other->flags & HPM_ROW_HIDDEN) != 0;
        if (other->line_end > to->line_end)
            to->line_end = other->line_end;
    }
    if (is_hidden)
        to->flags |= HPM_ROW_HIDDEN;
}

/* The study has no record here, or its record has no work: what is known of the
 * value? */
static struct hpm_absence_answer
ask_absence(const struct averaging *averaging, uint32_t row, uint32_t column,
            size_t which)
{
    const struct hpm_align *align = &averaging->align;
    const struct hpm_study *result = align->result;
    const struct hpm_row *wanted = hpm_study_row(result, row);
    const struct hpm_study_place *place = &result->places[wanted->place];
    struct hpm_absence_record record = {
        .task = align->tasks[(size_t)place->task * align->n + which],
        .tid = place->tid,
        .is_outside = result->sections[wanted->section].is_outside,
        .section = align->rows[(size_t)row * align->n + which] == HPM_NO_INDEX
                       ? &result->sections[wanted->section]
                       : NULL,
        .column = &result->columns[column],
        .index = align->columns[(size_t)column * align->n + which]};

    return hpm_absence_ask(&averaging->absences[which], &record);
}

/* May the study lack records, or work in the records it has? */
static bool
may_lack(const struct averaging *averaging, size_t which)
{
    const struct hpm_study *result = averaging->align.result;
    bool may = averaging->align.studies[which]->n_rows < (size_t)result->n_rows;

    for (uint32_t i = 0; i < result->n_columns; i++)
        may |= hpm_absence_is_work(&result->columns[i]);
    return may;
}

static bool
find_absences(struct averaging *averaging)
{
    struct hpm_align *align = &averaging->align;

    averaging->absences =
        hpm_arena_new(&align->arena, align->n, sizeof *averaging->absences);
    if (averaging->absences == NULL)
        return false;
    for (size_t i = 0; i < align->n; i++) {
        if (may_lack(averaging, i) &&
            !hpm_absence_begin(&averaging->absences[i], align->studies[i],
                               &align->arena))
            return false;
    }
    return true;
}

/* The outermost calls in a study, weighted by its runs; false where the calls
 * are not known. */
static bool
get_outer(const struct averaging *averaging, uint32_t row, size_t which,
          struct hpm_weighted *ret_calls)
{
    const struct hpm_align *align = &averaging->align;
    const struct hpm_study *study = align->studies[which];
    uint32_t from = align->rows[(size_t)row * align->n + which];
    uint32_t count = averaging->counts[which];
    struct hpm_number runs = {0};

    if (from == HPM_NO_INDEX)
        return false;
    if (count != HPM_NO_INDEX)
        runs = hpm_study_number(study, from, count, HPM_FIELD_RUNS);
    *ret_calls = (struct hpm_weighted){
        outer_of(averaging, which, from),
        hpm_operand_runs_of_both(runs,
                                 (struct hpm_number){.kind = HPM_NUMBER_NONE})};
    return true;
}

/* In an integration, a study of whole runs says nothing about sections, and a
 * study of sections nothing about whole runs. */
static bool
is_comparable(const struct averaging *averaging, uint32_t row, size_t which)
{
    const struct hpm_study *result = averaging->align.result;

    return !averaging->is_integration ||
           hpm_absence_is_whole_run(hpm_study_section_of(result, row)) ==
               averaging->absences[which].is_of_whole_runs;
}

/* Zero calls, weighted by the runs that did not enter the section. */
static struct hpm_weighted
no_calls(const struct averaging *averaging, uint32_t row, size_t which)
{
    const struct hpm_study *result = averaging->align.result;
    uint32_t column = 0;

    while (column < result->n_columns &&
           strcmp(result->columns[column].name, "Count") != 0)
        column++;
    return (struct hpm_weighted){
        hpm_number_count(0),
        column < result->n_columns
            ? ask_absence(averaging, row, column, which).n_zero
            : 0};
}

/* Outermost calls are written where any study writes them; then those of every
 * run count. */
static bool
combine_outer(const struct averaging *averaging, uint32_t row)
{
    const struct hpm_align *align = &averaging->align;
    struct hpm_weighted *calls = averaging->calls;
    bool is_said = false;
    size_t n = 0;

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from = align->rows[(size_t)row * align->n + i];

        if (get_outer(averaging, row, i, &calls[n])) {
            is_said |= hpm_study_extra(align->studies[i], from, HPM_EXTRA_OUTER)
                           .kind != HPM_NUMBER_NONE;
            n++;
        } else if (is_comparable(averaging, row, i)) {
            calls[n++] = no_calls(averaging, row, i);
        }
    }
    return !is_said || hpm_study_set_extra(align->result, row, HPM_EXTRA_OUTER,
                                           hpm_average_of(calls, n));
}

static bool
needs_outer(const struct hpm_align *align)
{
    for (size_t i = 0; i < align->n; i++) {
        if (hpm_series_end(&align->studies[i]->extras[HPM_EXTRA_OUTER]) > 0)
            return true;
    }
    return false;
}

/* An extra that is no amount is kept where all studies that have the row agree
 * on it. */
static bool
keep_extra(struct hpm_align *align, uint32_t row, enum hpm_extra extra)
{
    struct hpm_number number = {0};
    bool is_first = true;

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from = align->rows[(size_t)row * align->n + i];
        struct hpm_number other;

        if (from == HPM_NO_INDEX)
            continue;
        other = hpm_study_extra(align->studies[i], from, extra);
        if (!is_first && hpm_number_compare(other, number) != 0)
            return true;
        number = other;
        is_first = false;
    }
    return hpm_study_set_extra(align->result, row, extra, number);
}

/* ---- values ---------------------------------------------------------- */

/* Collect the values that records have.  Where a record lacks the value, the
 * mean is of fewer runs than the other values of the row. */
static void
gather_recorded(struct averaging *averaging, uint32_t row, uint32_t column,
                struct gathered *gathered)
{
    const struct hpm_align *align = &averaging->align;
    bool is_work = hpm_absence_is_work(&align->result->columns[column]);

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from_row = align->rows[(size_t)row * align->n + i];
        uint32_t from_column = align->columns[(size_t)column * align->n + i];
        struct hpm_operand *input = &averaging->inputs[gathered->n_recorded];

        if (from_row == HPM_NO_INDEX)
            continue;
        if (from_column == HPM_NO_INDEX ||
            !hpm_study_get_datum(align->studies[i], from_row, from_column,
                                 &input->datum)) {
            gathered->is_incomplete |= !is_work && !averaging->is_integration;
            continue;
        }
        gathered->is_incomplete |= !hpm_state_has_value(input->datum.state) &&
                                   !averaging->is_integration;
        input->is_zero = false;
        input->n_calls = hpm_number_to_real(outer_of(averaging, i, from_row));
        gathered->n_recorded++;
    }
}

/* Does the study lack the value because it did not enter the section?  A record
 * without work counted 0 of it, too. */
static bool
lacks_value(const struct averaging *averaging, uint32_t row, uint32_t column,
            size_t which)
{
    const struct hpm_align *align = &averaging->align;
    uint32_t from_row = align->rows[(size_t)row * align->n + which];
    uint32_t from_column = align->columns[(size_t)column * align->n + which];
    enum hpm_state state;

    return from_row == HPM_NO_INDEX ||
           (hpm_absence_is_work(&align->result->columns[column]) &&
            (from_column == HPM_NO_INDEX ||
             !hpm_study_get_state(align->studies[which], from_row, from_column,
                                  &state)));
}

/* May zeros be added?  In an integration all runs that entered the section may
 * not have counted this, while the runs that counted it did not enter the
 * section. */
static bool
may_be_zero(const struct averaging *averaging, uint32_t column,
            const struct gathered *gathered)
{
    const struct hpm_column *wanted = &averaging->align.result->columns[column];

    return gathered->n_recorded > 0 ||
           (averaging->is_integration && wanted->kind == HPM_COLUMN_COUNTER &&
            strcmp(wanted->name, "Count") != 0 && !hpm_absence_is_work(wanted));
}

/* A run that did not enter the section counted 0 in it.  The mean is over all
 * runs, so that the means of all sections are of the same runs and may be
 * added, compared and divided.  In an integration the mean is over all runs
 * that counted this. */
static void
gather_zeros(struct averaging *averaging, uint32_t row, uint32_t column,
             struct gathered *gathered)
{
    for (size_t i = 0; i < averaging->align.n; i++) {
        struct hpm_operand *zero = &averaging->inputs[gathered->n_all];
        struct hpm_absence_answer answer;

        if (!lacks_value(averaging, row, column, i) ||
            !is_comparable(averaging, row, i))
            continue;
        answer = ask_absence(averaging, row, column, i);
        gathered->is_incomplete |=
            answer.n_zero <
            (averaging->is_integration ? answer.n_counted : answer.n_there);
        if (answer.n_zero == 0 ||
            !hpm_combine_zero(averaging->inputs, gathered->n_recorded,
                              answer.n_zero, zero))
            continue;
        if (averaging->is_integration)
            zero->datum.state = answer.state;
        gathered->n_all++;
    }
}

static struct gathered
gather(struct averaging *averaging, uint32_t row, uint32_t column)
{
    struct gathered gathered = {0};

    gather_recorded(averaging, row, column, &gathered);
    gathered.n_all = gathered.n_recorded;
    if (may_be_zero(averaging, column, &gathered))
        gather_zeros(averaging, row, column, &gathered);
    return gathered;
}

/* A metric is never averaged.  In an integration, a metric that only one run
 * recorded is kept. */
static bool
is_left_out(const struct averaging *averaging, uint32_t column, size_t n)
{
    return averaging->align.result->columns[column].kind == HPM_COLUMN_METRIC &&
           (n > 1 || !averaging->is_integration);
}

/* The mean of a value is of fewer runs than others, and is marked partial,
 * where a run with HPM_ONLY_EXCLUSIVE has the section but not its inclusive
 * time, where it is not known whether a run entered the section, or where a run
 * has the section without this value. */
static void
mark_lacking(const struct averaging *averaging, uint32_t row, uint32_t column,
             const struct gathered *gathered, struct hpm_datum *datum)
{
    const struct hpm_align *align = &averaging->align;
    bool is_lacking = gathered->is_incomplete;
    size_t n_rows = 0;

    for (size_t i = 0; i < align->n; i++)
        n_rows += align->rows[(size_t)row * align->n + i] != HPM_NO_INDEX;
    if (strcmp(align->result->columns[column].name, "IncSec") == 0)
        is_lacking |= gathered->n_recorded < n_rows;
    if (is_lacking && hpm_state_has_value(datum->state))
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
}

/* In an integration, a value that only one run has was not repeated: it has no
 * spread. */
static void
leave_out_spread(struct hpm_datum *datum)
{
    for (int i = HPM_FIELD_RUNS; i <= HPM_FIELD_MAX; i++)
        datum->numbers[i] = (struct hpm_number){0};
}

static bool
combine_values(struct averaging *averaging, uint32_t row)
{
    struct hpm_study *result = averaging->align.result;
    uint32_t last = HPM_NO_INDEX;

    for (uint32_t i = 0; i < result->n_columns; i++) {
        struct gathered gathered = gather(averaging, row, i);
        struct hpm_datum datum;

        if (gathered.n_all == 0 ||
            is_left_out(averaging, i, gathered.n_recorded))
            continue;
        hpm_combine_mean(averaging->inputs, gathered.n_all,
                         averaging->is_integration, &datum);
        mark_lacking(averaging, row, i, &gathered, &datum);
        if (averaging->is_integration &&
            datum.numbers[HPM_FIELD_RUNS].amount == 1)
            leave_out_spread(&datum);
        if (!hpm_study_own(result, &datum.reason) ||
            !hpm_study_set_datum(result, row, i, last, &datum))
            return false;
        last = i;
    }
    return true;
}

static bool
combine_rows(struct averaging *averaging)
{
    struct hpm_align *align = &averaging->align;
    bool has_outer = needs_outer(align);

    for (uint32_t i = 0; i < align->result->n_rows; i++) {
        combine_row(align, i);
        if ((has_outer && !combine_outer(averaging, i)) ||
            !keep_extra(align, i, HPM_EXTRA_OMP) ||
            !keep_extra(align, i, HPM_EXTRA_THREADS) ||
            !keep_extra(align, i, HPM_EXTRA_SKIPPED) ||
            !hpm_watched_align(align, i) || !combine_values(averaging, i))
            return false;
    }
    return true;
}

/* ---- checks ---------------------------------------------------------- */

static const struct hpm_task *
first_run(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].program != NULL)
            return &study->tasks[i];
    }
    return NULL;
}

static bool
check_programs(const struct hpm_study *const *studies, size_t n,
               struct hpm_error *err)
{
    const struct hpm_task *first = NULL;

    for (size_t i = 0; i < n; i++) {
        const struct hpm_task *task = first_run(studies[i]);
        struct hpm_string name = {0};

        if (task == NULL)
            continue;
        if (first == NULL)
            first = task;
        if (strcmp(first->program, task->program) == 0)
            continue;
        hpm_agree_add_name(studies[i], &name);
        hpm_error_set(err,
                      "%.200s is of the program '%.80s', others are of "
                      "'%.80s'; hpm --force takes them as of one program",
                      hpm_string_text(&name), task->program, first->program);
        hpm_string_free(&name);
        return false;
    }
    return true;
}

/* ---- public functions ------------------------------------------------ */

static struct hpm_study *
copy(const struct hpm_study *study, size_t most_bytes, struct hpm_error *err)
{
    struct hpm_study *result = hpm_transfer_copy(study, most_bytes);

    if (result == NULL)
        hpm_error_no_memory(err);
    return result;
}

static bool
average(struct averaging *averaging, const struct hpm_mean_options *options)
{
    struct hpm_align *align = &averaging->align;
    struct hpm_study *result = align->result;

    result->kind =
        averaging->is_integration ? HPM_STUDY_INTEGRATED : HPM_STUDY_MEAN;
    for (size_t i = 0; i < align->n; i++) {
        if (!hpm_transfer_sources(result, align->studies[i], HPM_SIDE_BOTH))
            return false;
    }
    return find_counts(averaging) && find_absences(averaging) &&
           hpm_agree_describe(align) && combine_rows(averaging) &&
           hpm_jointhits_add(align) &&
           hpm_calls_tell_left_out(result, align->studies, align->n) &&
           (!averaging->is_integration ||
            (hpm_anchor_check(align, options->tolerance) &&
             hpm_runlist_name_all(align))) &&
           hpm_study_arrange(result);
}

static struct hpm_study *
combine(const struct hpm_study *const *studies, size_t n, bool is_integration,
        const struct hpm_mean_options *options, struct hpm_error *err)
{
    struct averaging averaging = {.is_integration = is_integration};
    const struct hpm_study **sorted = hpm_memory_new(n, sizeof *sorted);
    struct hpm_study *result = NULL;
    bool is_good = false;

    if (sorted == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    memcpy(sorted, studies, n * sizeof *sorted);
    hpm_align_sort(sorted, n);
    if (hpm_align_begin(&averaging.align, sorted, n, false, options->most_bytes,
                        err)) {
        result = averaging.align.result;
        is_good = average(&averaging, options);
        if (!is_good)
            hpm_study_no_memory(result, err);
        hpm_align_free(&averaging.align);
    }
    hpm_memory_free(sorted);
    if (is_good)
        return result;
    hpm_study_free(result);
    return NULL;
}

static bool
go_together(const struct hpm_study *const *studies, size_t n,
            const struct hpm_mean_options *options, struct hpm_error *err)
{
    if (n == 0)
        return hpm_error_set(err, "there is no experiment to combine");
    return hpm_agree_on_pmu(studies, n, err) &&
           (options->is_forced || check_programs(studies, n, err));
}

struct hpm_study *
hpm_mean(const struct hpm_study *const *studies, size_t n,
         const struct hpm_mean_options *options, struct hpm_error *err)
{
    if (!go_together(studies, n, options, err))
        return NULL;
    if (n == 1)
        return copy(studies[0], options->most_bytes, err);
    return combine(studies, n, false, options, err);
}

struct hpm_study *
hpm_integrate(const struct hpm_study *const *studies, size_t n,
              const struct hpm_mean_options *options, struct hpm_error *err)
{
    if (!go_together(studies, n, options, err))
        return NULL;
    return combine(studies, n, true, options, err);
}
