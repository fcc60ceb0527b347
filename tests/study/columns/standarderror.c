/* SPDX-License-Identifier: BSD-3-Clause
 * Standard errors of sums and means of estimates, and their degrees of freedom
 * (Satterthwaite 1946). */
#include "study/columns/standarderror.h"

#include "tap.h"

/* An estimate that was scaled up; what is below 0 is not known. */
static struct hpm_operand
estimate(double error, double freedom, int runs)
{
    struct hpm_operand operand = {.datum = {.state = HPM_STATE_SHARED}};
    struct hpm_number *numbers = operand.datum.numbers;

    numbers[HPM_FIELD_VALUE] = hpm_number_count(1000);
    numbers[HPM_FIELD_WINDOWS] = hpm_number_count(5);
    if (error >= 0)
        numbers[HPM_FIELD_ERROR] = hpm_number_real(error);
    if (freedom >= 0)
        numbers[HPM_FIELD_FREEDOM] = hpm_number_real(freedom);
    if (runs > 0)
        numbers[HPM_FIELD_RUNS] = hpm_number_count((uint64_t)runs);
    return operand;
}

/* Both fields of the sum; below 0 for none. */
static void
is_sum(struct hpm_operand a, struct hpm_operand b, bool is_weighted,
       double error, double freedom, const char *sentence)
{
    const struct hpm_operand inputs[] = {a, b};
    struct hpm_datum datum = {.state = HPM_STATE_SHARED};
    const struct hpm_number *numbers = datum.numbers;

    hpm_standarderror_of_sum(inputs, 2, is_weighted, &datum);
    if (error < 0)
        ok(numbers[HPM_FIELD_ERROR].kind == HPM_NUMBER_NONE, sentence);
    else
        is_near(hpm_number_to_real(numbers[HPM_FIELD_ERROR]), error,
                1e-12 * error, sentence);
    if (freedom < 0)
        ok(numbers[HPM_FIELD_FREEDOM].kind == HPM_NUMBER_NONE, sentence);
    else
        is_near(hpm_number_to_real(numbers[HPM_FIELD_FREEDOM]), freedom,
                1e-12 * freedom, sentence);
    is_count((uint64_t)hpm_number_to_real(numbers[HPM_FIELD_WINDOWS]), 10,
             "windows are added");
}

static void
test_sums(void)
{
    struct hpm_operand counted = estimate(-1, -1, 0);

    counted.datum.state = HPM_STATE_COUNTED;
    is_sum(estimate(3, 10, 0), estimate(4, 10, 0), false, 5,
           625.0 / (81.0 / 10 + 256.0 / 10), "squares are added");
    is_sum(estimate(0.03, 10, 0), estimate(0.04, 10, 0), false, 0.05,
           625.0 / (81.0 / 10 + 256.0 / 10), "of small errors, too");
    is_sum(estimate(3, 10, 0), counted, false, 3, 10,
           "a value that was counted all the time has no error");
    is_sum(estimate(3, 10, 0), estimate(-1, -1, 0), false, -1, -1,
           "a value that does not say its error: none is known");
    is_sum(estimate(3, 10, 0), estimate(4, -1, 0), false, 5, -1,
           "nor are degrees of freedom that one does not say");
    is_sum(estimate(3, 10, 0), estimate(4, 0, 0), false, 5, -1,
           "none is no number of them");
    is_sum(estimate(0, 10, 0), estimate(0, 6, 0), false, 0, 6,
           "without any error the fewest count");
    is_sum(counted, counted, false, -1, -1, "nothing was scaled up");
}

/* Means of several runs: a sum of all their runs has each as often; a sum or
 * difference of the means does not. */
static void
test_weights(void)
{
    is_sum(estimate(3, 4, 1), estimate(2, 100, 10), true, sqrt(9.0 + 400.0),
           409.0 * 409.0 / (81.0 / 4 + 160000.0 / 100),
           "a mean of many runs weighs as many");
    is_sum(estimate(3, 4, 1), estimate(2, 100, 10), false, sqrt(9.0 + 4.0),
           13.0 * 13.0 / (81.0 / 4 + 16.0 / 100),
           "in a difference of means each is one");
}

static void
test_exclusive(void)
{
    struct hpm_operand inputs[] = {estimate(3, 10, 0), estimate(4, 10, 0)};
    struct hpm_datum datum = {.state = HPM_STATE_SHARED};

    for (int i = 0; i < 2; i++)
        inputs[i].datum.numbers[HPM_FIELD_EXCLUSIVE] = hpm_number_count(9);
    inputs[0].datum.numbers[HPM_FIELD_ERROR_EXCLUSIVE] = hpm_number_real(6);
    hpm_standarderror_of_sum(inputs, 2, false, &datum);
    ok(datum.numbers[HPM_FIELD_ERROR_EXCLUSIVE].kind == HPM_NUMBER_NONE,
       "an exclusive value that does not say its error");
    inputs[1].datum.numbers[HPM_FIELD_ERROR_EXCLUSIVE] = hpm_number_real(8);
    hpm_standarderror_of_sum(inputs, 2, false, &datum);
    is_near(hpm_number_to_real(datum.numbers[HPM_FIELD_ERROR_EXCLUSIVE]), 10,
            1e-12, "exclusive values have errors of their own");
}

static void
test_reach(void)
{
    struct hpm_number two = hpm_number_real(2), none = {0};

    is_near(hpm_standarderror_reach(two, hpm_number_real(1)), 2 * 12.706, 0.01,
            "Student's t of one degree of freedom");
    is_near(hpm_standarderror_reach(two, hpm_number_real(10.9)), 2 * 2.228,
            0.01, "of whole degrees");
    is_near(hpm_standarderror_reach(two, hpm_number_real(1e6)), 2 * 1.96, 0.01,
            "of very many");
    ok(isnan(hpm_standarderror_reach(two, hpm_number_real(0.9))) &&
           isnan(hpm_standarderror_reach(two, hpm_number_real(1.1e6))) &&
           isnan(hpm_standarderror_reach(two, none)),
       "not without a possible number of them");
    ok(isnan(hpm_standarderror_reach(none, hpm_number_real(5))),
       "nor without an error");
}

int
main(void)
{
    test_sums();
    test_weights();
    test_exclusive();
    test_reach();
    return done();
}
