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
    bool are_kept; /* a and b outlive the result: see hpm_diff_of_kept */
    struct hpm_absence absences[BOTH]; /* once something is absent */
    bool has_absences;
    bool *are_plain; /* by column of the result: see find_plain */
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

/* What the difference of two values does not depend on, or works out when it is
 * asked for (hpm_diff_of_kept). */
static const enum hpm_field left_out[] = {
    HPM_FIELD_EXCLUSIVE,      HPM_FIELD_MEAN,  HPM_FIELD_BASE,
    HPM_FIELD_BASE_EXCLUSIVE, HPM_FIELD_SDEV,  HPM_FIELD_OVERHEAD,
    HPM_FIELD_CLAMPED,        HPM_FIELD_REASON};

static bool
is_left_out(enum hpm_field field)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (left_out[i] == field)
            return true;
    }
    return false;
}

/* Has no value of the column anything that its difference depends on, beside the
 * value and its state? */
static bool
is_plain_in(const struct hpm_column *column)
{
    for (int i = HPM_FIELD_VALUE + 1; i < HPM_N_FIELDS; i++) {
        if (!is_left_out((enum hpm_field)i) &&
            hpm_series_end(&column->fields[i]) > 0)
            return false;
    }
    return true;
}

/* Columns whose differences are found in a tenth of the time: of a million
 * records that is two seconds. */
static bool
find_plain(struct subtracting *subtracting)
{
    const struct hpm_align *align = &subtracting->align;
    size_t n = align->result->n_columns;

    subtracting->are_plain =
        hpm_arena_new(&subtracting->align.arena, n, sizeof(bool));
    if (subtracting->are_plain == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const uint32_t *columns = align->columns + i * BOTH;

        subtracting->are_plain[i] =
            columns[A] != HPM_NO_INDEX && columns[B] != HPM_NO_INDEX &&
            align->studies[A]->sides == NULL &&
            align->studies[B]->sides == NULL &&
            is_plain_in(&align->studies[A]->columns[columns[A]]) &&
            is_plain_in(&align->studies[B]->columns[columns[B]]);
    }
    return true;
}

/* The difference of two values of a plain column; false where one of them is
 * not there. */
static bool
subtract_plain(const struct hpm_align *align, uint32_t row, uint32_t column,
               struct hpm_datum *ret_datum)
{
    const uint32_t *rows = align->rows + (size_t)row * BOTH;
    const uint32_t *columns = align->columns + (size_t)column * BOTH;
    struct hpm_number values[BOTH];
    enum hpm_state states[BOTH];
    bool is_hidden = true;

    for (int side = A; side < BOTH; side++) {
        const struct hpm_study *study = align->studies[side];

        if (rows[side] == HPM_NO_INDEX ||
            !hpm_study_get_state(study, rows[side], columns[side],
                                 &states[side]) ||
            !hpm_state_has_value(states[side]))
            return false;
        values[side] =
            hpm_study_number(study, rows[side], columns[side], HPM_FIELD_VALUE);
        is_hidden &= hpm_study_is_hidden(study, rows[side], columns[side]);
    }
    *ret_datum = (struct hpm_datum){.state = states[A] > states[B] ? states[A]
                                                                   : states[B],
                                    .is_hidden = is_hidden};
    ret_datum->numbers[HPM_FIELD_VALUE] =
        hpm_number_subtract(values[B], values[A]);
    return ret_datum->numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE;
}

static void
subtract_both(const struct subtracting *subtracting, const struct hpm_datum *a,
              const struct hpm_datum *b, struct hpm_datum *ret_datum)
{
    hpm_difference_of(a, b, ret_datum);
    if (!subtracting->are_kept)
        return;
    for (int i = 0; i < HPM_N_NUMBERS; i++) {
        if (is_left_out((enum hpm_field)i))
            ret_datum->numbers[i] = (struct hpm_number){0};
    }
}

static bool
begin_absences(struct subtracting *subtracting)
{
    struct hpm_align *align = &subtracting->align;

    for (int side = A; side < BOTH && !subtracting->has_absences; side++) {
        if (!hpm_absence_begin(&subtracting->absences[side],
                               align->studies[side], &align->arena))
            return false;
    }
    subtracting->has_absences = true;
    return true;
}

/* The difference of one value; *ret_is_there tells whether the row has it. */
static bool
subtract(struct subtracting *subtracting, uint32_t row, uint32_t column,
         struct hpm_datum *ret_datum, bool *ret_is_there)
{
    struct hpm_align *align = &subtracting->align;
    struct hpm_datum a, b;
    struct hpm_datum *datum = ret_datum;
    const struct hpm_datum *there;
    const char *doubt = NULL;
    uint64_t n_zero = 0;
    bool is_in_a, is_in_b;

    *ret_is_there = subtracting->are_kept && subtracting->are_plain[column] &&
                    subtract_plain(align, row, column, ret_datum);
    if (*ret_is_there)
        return true;
    is_in_a = get(align, row, column, A, &a);
    is_in_b = get(align, row, column, B, &b);
    there = is_in_a ? &a : &b;
    *ret_is_there = is_in_a || is_in_b;
    if (!*ret_is_there)
        return true;
    if (is_in_a != is_in_b && !begin_absences(subtracting))
        return false;
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
        subtract_both(subtracting, &a, &b, datum);
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

/* Where rows and columns of the result are in a and b. */
static bool
keep_sides(const struct hpm_align *align)
{
    struct hpm_study *result = align->result;
    struct hpm_study_sides *sides =
        hpm_arena_new(&result->arena, 1, sizeof *sides);
    uint32_t *rows =
        hpm_arena_new(&result->arena, result->n_rows * BOTH, sizeof *rows);

    if (sides == NULL || rows == NULL)
        return false;
    if (result->n_rows > 0)
        memcpy(rows, align->rows, result->n_rows * BOTH * sizeof *rows);
    for (size_t i = 0; i < result->n_columns; i++)
        memcpy(result->columns[i].sides, align->columns + i * BOTH,
               sizeof result->columns[i].sides);
    sides->rows = rows;
    for (int side = A; side < BOTH; side++)
        sides->studies[side] = align->studies[side];
    result->sides = sides;
    return true;
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
    if (subtracting->are_kept && !find_plain(subtracting))
        return false;
    for (uint32_t i = 0; i < result->n_rows; i++) {
        if (!subtract_row(subtracting, i))
            return false;
    }
    return (!subtracting->are_kept || keep_sides(align)) &&
           hpm_study_arrange(result);
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

static struct hpm_study *
make(const struct hpm_study *a, const struct hpm_study *b, bool are_kept,
     size_t most_bytes, struct hpm_error *err)
{
    const struct hpm_study *sides[] = {a, b};
    struct subtracting subtracting = {.align = {.n = BOTH},
                                      .are_kept = are_kept};
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

struct hpm_study *
hpm_diff(const struct hpm_study *a, const struct hpm_study *b,
         size_t most_bytes, struct hpm_error *err)
{
    return make(a, b, false, most_bytes, err);
}

struct hpm_study *
hpm_diff_of_kept(const struct hpm_study *a, const struct hpm_study *b,
                 size_t most_bytes, struct hpm_error *err)
{
    return make(a, b, true, most_bytes, err);
}
