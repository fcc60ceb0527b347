/* SPDX-License-Identifier: BSD-3-Clause
 * The difference of two values. */
#include "study/columns/difference.h"

#include <math.h>

#include "study/columns/operand.h"
#include "study/columns/standarderror.h"

static bool
is_there(const struct hpm_datum *datum)
{
    return datum == NULL || hpm_state_has_value(datum->state);
}

/* The field of b minus the field of a.  A side without the section has zero. */
static struct hpm_number
subtract_fields(const struct hpm_datum *a, enum hpm_field of_a,
                const struct hpm_datum *b, enum hpm_field of_b)
{
    struct hpm_number zero;

    if (a != NULL && b != NULL)
        return hpm_number_subtract(b->numbers[of_b], a->numbers[of_a]);
    if (a == NULL)
        return b->numbers[of_b];
    zero = hpm_number_subtract(a->numbers[of_a], a->numbers[of_a]);
    return hpm_number_subtract(zero, a->numbers[of_a]);
}

static struct hpm_number
subtract_field(const struct hpm_datum *a, const struct hpm_datum *b,
               enum hpm_field field)
{
    return subtract_fields(a, field, b, field);
}

static bool
tells_runs(const struct hpm_datum *side)
{
    return side != NULL &&
           side->numbers[HPM_FIELD_RUNS].kind == HPM_NUMBER_COUNT;
}

/* The number of runs of a side.  A side without the section had no such section
 * in any number of runs. */
static uint64_t
runs_of_side(const struct hpm_datum *side)
{
    if (side == NULL)
        return UINT64_MAX;
    return tells_runs(side) ? side->numbers[HPM_FIELD_RUNS].amount : 1;
}

static bool
has_spread(const struct hpm_datum *side)
{
    return side == NULL ||
           (runs_of_side(side) > 1 &&
            side->numbers[HPM_FIELD_DEV].kind != HPM_NUMBER_NONE &&
            side->numbers[HPM_FIELD_MIN].kind != HPM_NUMBER_NONE &&
            side->numbers[HPM_FIELD_MAX].kind != HPM_NUMBER_NONE);
}

/* The spread of a run of b minus a run of a, for any pair of runs: deviation,
 * smallest and largest.  A side with runs but without a spread leaves no
 * spread. */
static void
subtract_spread(const struct hpm_datum *a, const struct hpm_datum *b,
                struct hpm_datum *datum)
{
    uint64_t of_a = runs_of_side(a), of_b = runs_of_side(b);
    long double deviations[2] = {0, 0};

    if (!tells_runs(a) && !tells_runs(b))
        return;
    datum->numbers[HPM_FIELD_RUNS] =
        hpm_number_count(of_a < of_b ? of_a : of_b);
    if (!has_spread(a) || !has_spread(b))
        return;
    if (a != NULL)
        deviations[0] = hpm_number_to_real(a->numbers[HPM_FIELD_DEV]);
    if (b != NULL)
        deviations[1] = hpm_number_to_real(b->numbers[HPM_FIELD_DEV]);
    datum->numbers[HPM_FIELD_DEV] = hpm_number_real((double)sqrtl(
        deviations[0] * deviations[0] + deviations[1] * deviations[1]));
    datum->numbers[HPM_FIELD_MIN] =
        subtract_fields(a, HPM_FIELD_MAX, b, HPM_FIELD_MIN);
    datum->numbers[HPM_FIELD_MAX] =
        subtract_fields(a, HPM_FIELD_MIN, b, HPM_FIELD_MAX);
}

static void
keep_marks_of_side(const struct hpm_datum *side, struct hpm_datum *datum)
{
    static const enum hpm_field marks[] = {HPM_FIELD_PARTIAL,
                                           HPM_FIELD_CHILDREN};

    for (size_t i = 0; side != NULL && i < sizeof marks / sizeof *marks; i++) {
        if (side->numbers[marks[i]].kind != HPM_NUMBER_NONE)
            datum->numbers[marks[i]] = hpm_number_count(1);
    }
    if (side != NULL && side->numbers[HPM_FIELD_BOUNDS].kind &&
        datum->numbers[HPM_FIELD_DEV].kind != HPM_NUMBER_NONE)
        datum->numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
}

static bool
is_estimate(const struct hpm_datum *side)
{
    return side != NULL &&
           (side->numbers[HPM_FIELD_SHARE].kind != HPM_NUMBER_NONE ||
            side->numbers[HPM_FIELD_ERROR].kind != HPM_NUMBER_NONE ||
            side->numbers[HPM_FIELD_ERROR_EXCLUSIVE].kind != HPM_NUMBER_NONE ||
            side->numbers[HPM_FIELD_WINDOWS].kind != HPM_NUMBER_NONE);
}

/* Both sides are independent estimates; the smaller share tells how good the
 * worse side is. */
static void
subtract_estimates(const struct hpm_datum *a, const struct hpm_datum *b,
                   struct hpm_datum *datum)
{
    const struct hpm_datum *sides[] = {a, b};
    struct hpm_operand inputs[2];
    struct hpm_number *share = &datum->numbers[HPM_FIELD_SHARE];
    size_t n = 0;

    for (int i = 0; i < 2; i++) {
        if (sides[i] == NULL)
            continue;
        inputs[n++] = (struct hpm_operand){.datum = *sides[i]};
        if (share->kind == HPM_NUMBER_NONE ||
            hpm_number_to_real(sides[i]->numbers[HPM_FIELD_SHARE]) <
                hpm_number_to_real(*share))
            *share = sides[i]->numbers[HPM_FIELD_SHARE];
    }
    hpm_standarderror_of_sum(inputs, n, false, datum);
}

/* Each side may be too large or too small, so the uncertainties are added. */
static void
add_uncertainties(const struct hpm_datum *a, const struct hpm_datum *b,
                  struct hpm_datum *datum)
{
    const struct hpm_datum *sides[] = {a, b};
    struct hpm_number *sum = &datum->numbers[HPM_FIELD_UNCERTAINTY];

    for (int i = 0; i < 2; i++) {
        if (sides[i] != NULL)
            *sum = hpm_number_total(*sum,
                                    sides[i]->numbers[HPM_FIELD_UNCERTAINTY]);
    }
}

void
hpm_difference_of(const struct hpm_datum *a, const struct hpm_datum *b,
                  struct hpm_datum *ret_datum)
{
    struct hpm_datum datum = {.is_hidden = (a == NULL || a->is_hidden) &&
                                           (b == NULL || b->is_hidden)};
    const struct hpm_datum *worse =
        a == NULL || (b != NULL && b->state > a->state) ? b : a;

    datum.state = worse->state;
    if (!is_there(a) || !is_there(b)) {
        datum.reason = worse->reason;
        *ret_datum = datum;
        return;
    }
    datum.numbers[HPM_FIELD_VALUE] = subtract_field(a, b, HPM_FIELD_VALUE);
    datum.numbers[HPM_FIELD_EXCLUSIVE] =
        subtract_field(a, b, HPM_FIELD_EXCLUSIVE);
    if (a != NULL && b != NULL)
        datum.numbers[HPM_FIELD_MEAN] = subtract_field(a, b, HPM_FIELD_MEAN);
    if (a != NULL && datum.numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE)
        datum.numbers[HPM_FIELD_BASE] = a->numbers[HPM_FIELD_VALUE];
    if (a != NULL && datum.numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE)
        datum.numbers[HPM_FIELD_BASE_EXCLUSIVE] =
            a->numbers[HPM_FIELD_EXCLUSIVE];
    if (datum.numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE) {
        subtract_spread(a, b, &datum);
        if (is_estimate(a) || is_estimate(b))
            subtract_estimates(a, b, &datum);
        add_uncertainties(a, b, &datum);
    }
    keep_marks_of_side(a, &datum);
    keep_marks_of_side(b, &datum);
    hpm_study_settle_datum(&datum);
    *ret_datum = datum;
}
