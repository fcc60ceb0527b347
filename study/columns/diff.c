/* SPDX-License-Identifier: BSD-3-Clause
 * What changed from one experiment to another. */
#include "study/columns/diff.h"

#include "study/columns/absence.h"
#include "study/columns/agree.h"
#include "study/columns/align.h"
#include "study/columns/combine.h"
#include "study/columns/difference.h"
#include "study/columns/watched.h"
#include "study/columns/transfer.h"

enum { A, B, BOTH };

struct subtracting {
    struct hpm_align align;
    struct hpm_absence absences[BOTH];
};

/* The row of one side, or HPM_NO_INDEX. */
static uint32_t
row_of(const struct hpm_align *align, uint32_t row, int side)
{
    return align->rows[(size_t)row * BOTH + (size_t)side];
}

static bool
get(const struct hpm_align *align, uint32_t row, uint32_t column, int side,
    struct hpm_datum *ret_datum)
{
    uint32_t from = row_of(align, row, side);
    uint32_t from_column = align->columns[(size_t)column * BOTH + (size_t)side];

    return from != HPM_NO_INDEX && from_column != HPM_NO_INDEX &&
           hpm_study_get_datum(align->studies[side], from, from_column,
                               ret_datum);
}

static void
compare_rows(const struct hpm_align *align, uint32_t row)
{
    struct hpm_row *to = hpm_study_row(align->result, row);

    for (int side = A; side < BOTH; side++) {
        uint32_t from = row_of(align, row, side);
        const struct hpm_row *other;

        if (from == HPM_NO_INDEX) {
            to->flags |= side == A ? HPM_ROW_SIDE_B : HPM_ROW_SIDE_A;
            continue;
        }
        other = hpm_study_row(align->studies[side], from);
        to->flags |= other->flags & (HPM_ROW_OPEN | HPM_ROW_SHORT |
                                     HPM_ROW_OVERLAP | HPM_ROW_FIRST_CALLS);
        if (other->line_end > to->line_end)
            to->line_end = other->line_end;
    }
}

/* One side lacks a value that the other side has.  NULL where the value is 0
 * for certain, in *ret_n_zero runs (0: there was no such thread); else the
 * reason why the value is not known. */
static const char *
doubt_absence(const struct subtracting *subtracting, uint32_t row,
              uint32_t column, int side, uint64_t *ret_n_zero)
{
    const struct hpm_align *align = &subtracting->align;
    const struct hpm_study *result = align->result;
    const struct hpm_row *wanted = hpm_study_row(result, row);
    const struct hpm_study_place *place = &result->places[wanted->place];
    struct hpm_absence_record record = {
        .task = align->tasks[(size_t)place->task * BOTH + (size_t)side],
        .tid = place->tid,
        .is_outside = result->sections[wanted->section].is_outside,
        .section = row_of(align, row, side) == HPM_NO_INDEX
                       ? &result->sections[wanted->section]
                       : NULL,
        .column = &result->columns[column],
        .index = align->columns[(size_t)column * BOTH + (size_t)side]};
    struct hpm_absence_answer answer;
    bool is_work = hpm_absence_is_work(record.column);

    if (row_of(align, row, side) != HPM_NO_INDEX && !is_work)
        return side == A ? "counted in b only" : "counted in a only";
    answer = hpm_absence_ask(&subtracting->absences[side], &record);
    *ret_n_zero = answer.n_zero;
    if (answer.n_zero > 0)
        return NULL;
    if (answer.doubt == HPM_ABSENCE_NOT_WHOLE)
        return side == A ? "a is not complete: it is not known whether it "
                           "entered the section"
                         : "b is not complete: it is not known whether it "
                           "entered the section";
    if (answer.doubt == HPM_ABSENCE_LEFT_OUT)
        return side == A ? "a left the section out (HPM_ONLY, HPM_EXCEPT or "
                           "HPM_SKIP)"
                         : "b left the section out (HPM_ONLY, HPM_EXCEPT or "
                           "HPM_SKIP)";
    if (answer.n_there > 0 || (record.index == HPM_NO_INDEX && !is_work))
        return side == A ? "counted in b only" : "counted in a only";
    return NULL; /* there was no such thread */
}

/* The difference where one side is 0, in n_zero runs.  What is new in b has no
 * base. */
static void
subtract_nothing(const struct hpm_datum *datum, int side, uint64_t n_zero,
                 struct hpm_datum *ret_datum)
{
    struct hpm_operand there = {.datum = *datum}, zero;
    const struct hpm_datum *other = NULL;

    if (n_zero > 0 && hpm_combine_zero(&there, 1, n_zero, &zero))
        other = &zero.datum;
    if (side == A) {
        hpm_difference_of(datum, other, ret_datum);
        return;
    }
    hpm_difference_of(other, datum, ret_datum);
    ret_datum->numbers[HPM_FIELD_BASE] =
        ret_datum->numbers[HPM_FIELD_BASE_EXCLUSIVE] = (struct hpm_number){0};
}

/* The difference of one value; *ret_is_there tells whether the row has it. */
static bool
subtract(struct subtracting *subtracting, uint32_t row, uint32_t column,
         struct hpm_datum *ret_datum, bool *ret_is_there)
{
    struct hpm_align *align = &subtracting->align;
    struct hpm_datum a, b;
    bool is_in_a = get(align, row, column, A, &a);
    bool is_in_b = get(align, row, column, B, &b);
    const struct hpm_datum *there = is_in_a ? &a : &b;
    struct hpm_datum *datum = ret_datum;
    const char *doubt = NULL;
    uint64_t n_zero = 0;

    *ret_is_there = is_in_a || is_in_b;
    if (!*ret_is_there)
        return true;
    if (is_in_a != is_in_b)
        doubt =
            doubt_absence(subtracting, row, column, is_in_a ? B : A, &n_zero);
    if (doubt != NULL)
        *datum = (struct hpm_datum){.state = HPM_STATE_UNSUPPORTED,
                                    .is_hidden = there->is_hidden,
                                    .reason = doubt};
    else if (is_in_a != is_in_b)
        subtract_nothing(there, is_in_a ? A : B, n_zero, datum);
    else
        hpm_difference_of(&a, &b, datum);
    return hpm_study_own(align->result, &datum->reason);
}

static bool
subtract_row(struct subtracting *subtracting, uint32_t row)
{
    struct hpm_study *result = subtracting->align.result;
    uint32_t last = HPM_NO_INDEX;

    compare_rows(&subtracting->align, row);
    for (uint32_t i = 0; i < result->n_columns; i++) {
        struct hpm_datum datum;
        bool is_there;

        if (result->columns[i].kind == HPM_COLUMN_METRIC)
            continue;
        if (!subtract(subtracting, row, i, &datum, &is_there))
            return false;
        if (!is_there)
            continue;
        if (!hpm_study_set_datum(result, row, i, last, &datum))
            return false;
        last = i;
    }
    return hpm_watched_align(&subtracting->align, row);
}

static bool
subtract_all(struct subtracting *subtracting)
{
    struct hpm_align *align = &subtracting->align;
    struct hpm_study *result = align->result;

    result->kind = HPM_STUDY_DIFF;
    if (!hpm_transfer_sources(result, align->studies[A], HPM_SIDE_A) ||
        !hpm_transfer_sources(result, align->studies[B], HPM_SIDE_B) ||
        !hpm_agree_describe(align))
        return false;
    for (int side = A; side < BOTH; side++) {
        if (!hpm_absence_begin(&subtracting->absences[side],
                               align->studies[side], &align->arena))
            return false;
    }
    for (uint32_t i = 0; i < result->n_rows; i++) {
        if (!subtract_row(subtracting, i))
            return false;
    }
    return hpm_study_arrange(result);
}

/* The description keeps what both sides agree on; but a difference has no runs,
 * time or resources. */
static void
forget_runs(struct hpm_align *align)
{
    for (size_t i = 0; i < align->result->n_tasks; i++) {
        struct hpm_task *task = &align->result->tasks[i];

        task->n_runs = (struct hpm_number){0};
        task->seconds = (struct hpm_number){0};
        task->n_resources = 0;
    }
}

/* The spreads of summaries cannot be subtracted, and threads are only known
 * together. */
static bool
tell_of_summaries(struct hpm_study *result, const struct hpm_study *a)
{
    const char *kept = hpm_names_keep_text(
        &result->names, "a and b are summaries: all values, times too, are the "
                        "sums over all threads, and how they lie is left out");

    if (a->kind != HPM_STUDY_SUMMARY)
        return true;
    for (uint32_t i = 0; i < result->n_tasks && kept != NULL; i++) {
        if (!hpm_study_add_problem(result, i, kept))
            return false;
    }
    return kept != NULL;
}

static bool
check_summaries(const struct hpm_study *a, const struct hpm_study *b,
                struct hpm_error *err)
{
    bool is_of_a = a->kind == HPM_STUDY_SUMMARY;

    return is_of_a == (b->kind == HPM_STUDY_SUMMARY) ||
           hpm_error_set(err,
                         "%s is a summary, which has no single tasks, and "
                         "the other side is not: make it one, too, by "
                         "'hpm merge --summary'",
                         is_of_a ? "a" : "b");
}

struct hpm_study *
hpm_diff(const struct hpm_study *a, const struct hpm_study *b,
         size_t most_bytes, struct hpm_error *err)
{
    const struct hpm_study *sides[] = {a, b};
    struct subtracting subtracting = {.align = {.n = BOTH}};
    struct hpm_align *align = &subtracting.align;
    bool is_good;

    if (!check_summaries(a, b, err) || !hpm_agree_on_pmu(sides, BOTH, err) ||
        !hpm_align_begin(align, sides, BOTH, true, most_bytes, err))
        return NULL;
    is_good = subtract_all(&subtracting) && tell_of_summaries(align->result, a);
    if (is_good)
        forget_runs(align);
    else
        hpm_study_no_memory(align->result, err);
    hpm_align_free(align);
    if (is_good)
        return align->result;
    hpm_study_free(align->result);
    return NULL;
}
