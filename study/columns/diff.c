/* SPDX-License-Identifier: BSD-3-Clause
 * What changed from one experiment to another. */
#include "study/columns/diff.h"

#include "study/columns/agree.h"
#include "study/columns/align.h"
#include "study/columns/combine.h"
#include "study/columns/transfer.h"

enum { A, B, BOTH };

/* The row of a side; HPM_NO_INDEX. */
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
        to->flags |=
            other->flags & (HPM_ROW_OPEN | HPM_ROW_SHORT | HPM_ROW_OVERLAP);
        if (other->line_end > to->line_end)
            to->line_end = other->line_end;
    }
}

/* The difference of a value; *ret_is_there tells if the row has it at all. */
static bool
subtract(struct hpm_align *align, uint32_t row, uint32_t column,
         struct hpm_datum *ret_datum, bool *ret_is_there)
{
    bool has_a = row_of(align, row, A) != HPM_NO_INDEX;
    bool has_b = row_of(align, row, B) != HPM_NO_INDEX;
    struct hpm_datum a, b;
    bool is_in_a = get(align, row, column, A, &a);
    bool is_in_b = get(align, row, column, B, &b);
    struct hpm_datum *datum = ret_datum;

    *ret_is_there = is_in_a || is_in_b;
    if (!*ret_is_there)
        return true;
    if (is_in_a != is_in_b && has_a && has_b) {
        *datum = (struct hpm_datum){
            .state = HPM_STATE_UNSUPPORTED,
            .is_hidden = is_in_a ? a.is_hidden : b.is_hidden,
            .reason = is_in_a ? "counted in a only" : "counted in b only"};
    } else {
        hpm_combine_difference(is_in_a ? &a : NULL, is_in_b ? &b : NULL, datum);
    }
    if (datum->reason == NULL)
        return true;
    datum->reason = hpm_atoms_add_text(&align->result->names, datum->reason);
    return datum->reason != NULL;
}

static bool
subtract_row(struct hpm_align *align, uint32_t row)
{
    struct hpm_study *result = align->result;
    uint32_t last = HPM_NO_INDEX;

    compare_rows(align, row);
    for (uint32_t i = 0; i < result->n_columns; i++) {
        struct hpm_datum datum;
        bool is_there;

        if (result->columns[i].kind == HPM_COLUMN_METRIC)
            continue;
        if (!subtract(align, row, i, &datum, &is_there))
            return false;
        if (!is_there)
            continue;
        if (!hpm_study_set_datum(result, row, i, last, &datum))
            return false;
        last = i;
    }
    return true;
}

static bool
subtract_all(struct hpm_align *align)
{
    struct hpm_study *result = align->result;

    result->kind = HPM_STUDY_DIFF;
    if (!hpm_transfer_sources(result, align->studies[A], HPM_SIDE_A) ||
        !hpm_transfer_sources(result, align->studies[B], HPM_SIDE_B) ||
        !hpm_agree_describe(align))
        return false;
    for (uint32_t i = 0; i < result->n_rows; i++) {
        if (!subtract_row(align, i))
            return false;
    }
    return hpm_study_arrange(result);
}

/* A description is that of both sides, but a difference is no mean. */
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

struct hpm_study *
hpm_diff(const struct hpm_study *a, const struct hpm_study *b,
         size_t most_bytes, struct hpm_error *err)
{
    const struct hpm_study *sides[] = {a, b};
    struct hpm_align align;
    bool is_good;

    if (!hpm_agree_on_pmu(sides, BOTH, err) ||
        !hpm_align_begin(&align, sides, BOTH, true, most_bytes, err))
        return NULL;
    is_good = subtract_all(&align);
    if (is_good)
        forget_runs(&align);
    else
        hpm_study_no_memory(align.result, err);
    hpm_align_free(&align);
    if (is_good)
        return align.result;
    hpm_study_free(align.result);
    return NULL;
}
