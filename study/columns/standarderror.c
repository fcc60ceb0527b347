/* SPDX-License-Identifier: BSD-3-Clause
 * Standard errors of sums of estimates. */
#include "study/columns/standarderror.h"

#ifdef __FAST_MATH__
#error "-ffast-math takes NAN for a number and sums in any order"
#endif

#include <math.h>

#include "study/statistics/quantile.h"

static struct hpm_number
smallest_of(const struct hpm_operand *inputs, size_t n, enum hpm_field field)
{
    struct hpm_number smallest = {0};

    for (size_t i = 0; i < n; i++) {
        struct hpm_number number = hpm_operand_number(&inputs[i], field);

        if (number.kind != HPM_NUMBER_NONE &&
            (smallest.kind == HPM_NUMBER_NONE ||
             hpm_number_compare(number, smallest) < 0))
            smallest = number;
    }
    return smallest;
}

/* Is an error missing?  A value that was scaled up must say its error; a value
 * that was counted all the time has none. */
static bool
lacks_error(const struct hpm_operand *input, enum hpm_field error)
{
    enum hpm_field value =
        error == HPM_FIELD_ERROR ? HPM_FIELD_VALUE : HPM_FIELD_EXCLUSIVE;

    return input->datum.state == HPM_STATE_SHARED &&
           hpm_operand_has(input, value) && !hpm_operand_has(input, error);
}

static long double
weight_of(const struct hpm_operand *input, enum hpm_field field,
          bool is_weighted)
{
    return is_weighted ? hpm_operand_weight(input, field) : 1;
}

/* The root of the sum of squares; none where one of the inputs lacks its
 * error. */
static struct hpm_number
root_of_squares(const struct hpm_operand *inputs, size_t n,
                enum hpm_field field, bool is_weighted)
{
    long double squares = 0;
    bool is_there = false;

    for (size_t i = 0; i < n; i++) {
        long double weight = weight_of(&inputs[i], field, is_weighted);
        long double error = hpm_operand_real(&inputs[i], field);

        if (lacks_error(&inputs[i], field))
            return (struct hpm_number){0};
        if (!hpm_operand_has(&inputs[i], field))
            continue;
        squares += error * error * weight * weight;
        is_there = true;
    }
    return is_there ? hpm_number_real((double)sqrtl(squares))
                    : (struct hpm_number){0};
}

/* The degrees of freedom of the sum of squares (Satterthwaite 1946): a part
 * with few degrees of freedom and a large error leaves few. */
static struct hpm_number
freedom_of_sum(const struct hpm_operand *inputs, size_t n, bool is_weighted)
{
    long double squares = 0, fourths = 0;

    for (size_t i = 0; i < n; i++) {
        long double error = hpm_operand_real(&inputs[i], HPM_FIELD_ERROR) *
                            weight_of(&inputs[i], HPM_FIELD_ERROR, is_weighted);
        double freedom = hpm_operand_real(&inputs[i], HPM_FIELD_FREEDOM);

        if (!hpm_operand_has(&inputs[i], HPM_FIELD_ERROR))
            continue;
        if (!hpm_operand_has(&inputs[i], HPM_FIELD_FREEDOM) || !(freedom > 0))
            return (struct hpm_number){0};
        squares += error * error;
        fourths += error * error * error * error / freedom;
    }
    if (!(fourths > 0))
        return n > 0 ? smallest_of(inputs, n, HPM_FIELD_FREEDOM)
                     : (struct hpm_number){0};
    return hpm_number_real((double)(squares * squares / fourths));
}

double
hpm_standarderror_reach(struct hpm_number error, struct hpm_number freedom)
{
    double degrees = hpm_number_to_real(freedom);

    if (!(degrees >= 1.0) || degrees > 1e6)
        return NAN;
    return hpm_number_to_real(error) * hpm_quantile_student((size_t)degrees);
}

void
hpm_standarderror_of_sum(const struct hpm_operand *inputs, size_t n,
                         bool is_weighted, struct hpm_datum *datum)
{
    struct hpm_number *numbers = datum->numbers;

    numbers[HPM_FIELD_ERROR] =
        root_of_squares(inputs, n, HPM_FIELD_ERROR, is_weighted);
    numbers[HPM_FIELD_ERROR_EXCLUSIVE] =
        root_of_squares(inputs, n, HPM_FIELD_ERROR_EXCLUSIVE, is_weighted);
    if (numbers[HPM_FIELD_ERROR].kind != HPM_NUMBER_NONE)
        numbers[HPM_FIELD_FREEDOM] = freedom_of_sum(inputs, n, is_weighted);
    for (size_t i = 0; i < n; i++)
        numbers[HPM_FIELD_WINDOWS] =
            hpm_number_total(numbers[HPM_FIELD_WINDOWS],
                             hpm_operand_number(&inputs[i], HPM_FIELD_WINDOWS));
}
