/* SPDX-License-Identifier: BSD-3-Clause
 * How far runs are apart. */
#include "study/columns/spread.h"

#ifdef __FAST_MATH__
#error "-ffast-math takes NAN for a number and sums in any order"
#endif

#include <math.h>

/* The difference of two values, exact where both are too large for doubles. */
static long double
distance(struct hpm_number value, struct hpm_number from)
{
    return hpm_number_to_real(hpm_number_subtract(value, from));
}

/* Does the input tell how far its runs are apart?  A single run has no
 * spread. */
static bool
tells_spread(const struct hpm_operand *input)
{
    return hpm_operand_runs(input) == 1 ||
           (hpm_operand_has(input, HPM_FIELD_DEV) &&
            hpm_operand_has(input, HPM_FIELD_MIN) &&
            hpm_operand_has(input, HPM_FIELD_MAX));
}

/* The deviation over all runs: the deviations inside the inputs, and the
 * deviation of their values, taken from the smallest value.  The result grows
 * with the deviations inside: if these are bounds, the result is a bound. */
static struct hpm_number
deviation_of(const struct hpm_operand *inputs, size_t n,
             struct hpm_number smallest)
{
    long double runs = 0, mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        struct hpm_number value =
            hpm_operand_number(&inputs[i], HPM_FIELD_VALUE);

        if (value.kind == HPM_NUMBER_NONE)
            continue;
        if (!tells_spread(&inputs[i]))
            return (struct hpm_number){0};
        runs += hpm_operand_runs(&inputs[i]);
        mean += hpm_operand_runs(&inputs[i]) * distance(value, smallest);
    }
    if (!(runs > 1))
        return (struct hpm_number){0};
    mean /= runs;
    for (size_t i = 0; i < n; i++) {
        struct hpm_number value =
            hpm_operand_number(&inputs[i], HPM_FIELD_VALUE);
        double deviation = hpm_operand_real(&inputs[i], HPM_FIELD_DEV);
        long double off = distance(value, smallest) - mean;

        if (value.kind == HPM_NUMBER_NONE)
            continue;
        squares += hpm_operand_runs(&inputs[i]) * off * off;
        if (isfinite(deviation))
            squares += (hpm_operand_runs(&inputs[i]) - 1) *
                       (long double)deviation * deviation;
    }
    return hpm_number_real((double)sqrtl(squares / (runs - 1)));
}

/* Smallest and largest of the inputs; none where one input does not tell
 * them. */
static void
keep_extremes(const struct hpm_operand *inputs, size_t n,
              struct hpm_datum *datum)
{
    struct hpm_number *numbers = datum->numbers;

    for (size_t i = 0; i < n; i++) {
        if (!hpm_operand_has(&inputs[i], HPM_FIELD_VALUE))
            continue;
        if (hpm_operand_has(&inputs[i], HPM_FIELD_BOUNDS))
            numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
        if (!tells_spread(&inputs[i]))
            numbers[HPM_FIELD_MIN] = numbers[HPM_FIELD_MAX] =
                (struct hpm_number){0};
    }
    if (numbers[HPM_FIELD_MIN].kind == HPM_NUMBER_NONE)
        numbers[HPM_FIELD_BOUNDS] = (struct hpm_number){0};
}

/* Deviation, smallest and largest of all runs. */
void
hpm_spread_over_runs(const struct hpm_operand *inputs, size_t n,
                     struct hpm_datum *datum)
{
    struct hpm_number *numbers = datum->numbers;
    struct hpm_number smallest = {0};
    uint64_t runs = 0;

    for (size_t i = 0; i < n; i++) {
        struct hpm_number value =
            hpm_operand_number(&inputs[i], HPM_FIELD_VALUE);
        struct hpm_number least = hpm_operand_number(&inputs[i], HPM_FIELD_MIN);
        struct hpm_number most = hpm_operand_number(&inputs[i], HPM_FIELD_MAX);

        if (value.kind == HPM_NUMBER_NONE)
            continue;
        if (least.kind == HPM_NUMBER_NONE)
            least = value;
        if (most.kind == HPM_NUMBER_NONE)
            most = value;
        runs += hpm_operand_runs(&inputs[i]);
        if (smallest.kind == HPM_NUMBER_NONE ||
            hpm_number_compare(value, smallest) < 0)
            smallest = value;
        if (numbers[HPM_FIELD_MIN].kind == HPM_NUMBER_NONE ||
            hpm_number_compare(least, numbers[HPM_FIELD_MIN]) < 0)
            numbers[HPM_FIELD_MIN] = least;
        if (hpm_number_compare(most, numbers[HPM_FIELD_MAX]) > 0)
            numbers[HPM_FIELD_MAX] = most;
    }
    keep_extremes(inputs, n, datum);
    numbers[HPM_FIELD_DEV] = deviation_of(inputs, n, smallest);
    numbers[HPM_FIELD_RUNS] =
        runs > 0 ? hpm_number_count(runs) : (struct hpm_number){0};
}

/* Are all inputs means of the same number of runs, with known spread? */
static bool
have_same_runs(const struct hpm_operand *inputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!hpm_operand_has(&inputs[i], HPM_FIELD_RUNS) ||
            hpm_operand_runs(&inputs[i]) != hpm_operand_runs(&inputs[0]) ||
            !hpm_operand_has(&inputs[i], HPM_FIELD_VALUE) ||
            !hpm_operand_has(&inputs[i], HPM_FIELD_DEV) ||
            !hpm_operand_has(&inputs[i], HPM_FIELD_MIN) ||
            !hpm_operand_has(&inputs[i], HPM_FIELD_MAX))
            return false;
    }
    return true;
}

/* Which value belongs to which run was not kept, so the spread of the sum is
 * not known.  It is at most the spread that results if all inputs are largest
 * in the same run; where only one input differs between runs, it is the spread
 * of that input. */
void
hpm_spread_of_sum(const struct hpm_operand *inputs, size_t n,
                  struct hpm_datum *datum)
{
    size_t n_apart = 0;
    bool is_bound = false;

    if (!have_same_runs(inputs, n))
        return;
    for (size_t i = 0; i < n; i++) {
        n_apart += hpm_operand_real(&inputs[i], HPM_FIELD_DEV) > 0;
        is_bound |= hpm_operand_has(&inputs[i], HPM_FIELD_BOUNDS);
    }
    datum->numbers[HPM_FIELD_DEV] = hpm_operand_total(inputs, n, HPM_FIELD_DEV);
    datum->numbers[HPM_FIELD_MIN] = hpm_operand_total(inputs, n, HPM_FIELD_MIN);
    datum->numbers[HPM_FIELD_MAX] = hpm_operand_total(inputs, n, HPM_FIELD_MAX);
    if (is_bound || n_apart > 1)
        datum->numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
}
