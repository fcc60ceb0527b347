/* SPDX-License-Identifier: BSD-3-Clause
 * How far the runs behind a mean or a sum are apart: the same as if all their values had
 * been kept. */
#include "study/columns/spread.h"

#include "tap.h"

/* The mean of these runs, with their spread. */
static struct hpm_operand
mean_of(const double *values, size_t n)
{
    struct hpm_operand operand = {.datum = {.state = HPM_STATE_COUNTED}};
    struct hpm_number *numbers = operand.datum.numbers;
    double mean = 0, squares = 0, least = values[0], most = values[0];

    for (size_t i = 0; i < n; i++) {
        mean += values[i] / (double)n;
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    numbers[HPM_FIELD_VALUE] = hpm_number_real(mean);
    if (n == 1)
        return operand;
    numbers[HPM_FIELD_RUNS] = hpm_number_count(n);
    numbers[HPM_FIELD_DEV] = hpm_number_real(sqrt(squares / (double)(n - 1)));
    numbers[HPM_FIELD_MIN] = hpm_number_real(least);
    numbers[HPM_FIELD_MAX] = hpm_number_real(most);
    return operand;
}

static double
real(const struct hpm_datum *datum, enum hpm_field field)
{
    return hpm_number_to_real(datum->numbers[field]);
}

static bool
has(const struct hpm_datum *datum, enum hpm_field field)
{
    return datum->numbers[field].kind != HPM_NUMBER_NONE;
}

static const double values[] = {2, 4, 9, 10, 20, 7};

/* Of all six runs: their mean is 52 / 6. */
static void
is_all(const struct hpm_datum *datum, const char *sentence)
{
    double squares = 0;

    for (size_t i = 0; i < 6; i++)
        squares += (values[i] - 52.0 / 6) * (values[i] - 52.0 / 6);
    is_near(real(datum, HPM_FIELD_DEV), sqrt(squares / 5), 1e-12, sentence);
    ok(real(datum, HPM_FIELD_MIN) == 2 && real(datum, HPM_FIELD_MAX) == 20,
       "the smallest and the largest run");
    is_near(real(datum, HPM_FIELD_RUNS), 6, 0, "all runs");
    ok(!has(datum, HPM_FIELD_BOUNDS), "they are no bounds");
}

static void
test_runs(void)
{
    struct hpm_operand inputs[6];
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    for (size_t i = 0; i < 6; i++)
        inputs[i] = mean_of(&values[i], 1);
    hpm_spread_over_runs(inputs, 6, &datum);
    is_all(&datum, "the deviation of six runs");
    datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    hpm_spread_over_runs(inputs, 1, &datum);
    ok(!has(&datum, HPM_FIELD_DEV) && real(&datum, HPM_FIELD_MIN) == 2,
       "one run has no deviation");
    datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    inputs[0] = mean_of(values, 3);
    inputs[1] = mean_of(values + 3, 2);
    inputs[2] = mean_of(values + 5, 1);
    inputs[3] = (struct hpm_operand){.datum = {.state = HPM_STATE_COUNTED}};
    hpm_spread_over_runs(inputs, 4, &datum);
    is_all(&datum, "of means of three, two and one, and none without a value");
}

static void
test_lacks(void)
{
    struct hpm_operand inputs[2] = {mean_of(values, 3), mean_of(values, 2)};
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    inputs[0].datum.numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
    hpm_spread_over_runs(inputs, 2, &datum);
    ok(has(&datum, HPM_FIELD_BOUNDS), "a bound makes it a bound");
    inputs[1].datum.numbers[HPM_FIELD_MIN] = (struct hpm_number){0};
    datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    hpm_spread_over_runs(inputs, 2, &datum);
    ok(!has(&datum, HPM_FIELD_DEV) && !has(&datum, HPM_FIELD_MIN) &&
           !has(&datum, HPM_FIELD_MAX) && !has(&datum, HPM_FIELD_BOUNDS),
       "runs that do not tell their spread: none is known");
    is_near(real(&datum, HPM_FIELD_RUNS), 5, 0, "but their number");
}

static void
test_sum(void)
{
    const double still[] = {3, 3, 3};
    struct hpm_operand inputs[2] = {mean_of(values, 3), mean_of(still, 3)};
    double deviation = real(&inputs[0].datum, HPM_FIELD_DEV);
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    hpm_spread_of_sum(inputs, 2, &datum);
    ok(real(&datum, HPM_FIELD_DEV) == deviation &&
           real(&datum, HPM_FIELD_MIN) == 5 &&
           real(&datum, HPM_FIELD_MAX) == 12,
       "where one alone differs between runs the spread is its own");
    ok(!has(&datum, HPM_FIELD_BOUNDS), "it is no bound");
    inputs[1] = mean_of(values, 3);
    datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    hpm_spread_of_sum(inputs, 2, &datum);
    ok(real(&datum, HPM_FIELD_DEV) == 2 * deviation &&
           has(&datum, HPM_FIELD_BOUNDS),
       "where two differ it is a bound");
    inputs[1] = mean_of(values, 2);
    datum = (struct hpm_datum){.state = HPM_STATE_COUNTED};
    hpm_spread_of_sum(inputs, 2, &datum);
    ok(!has(&datum, HPM_FIELD_DEV) && !has(&datum, HPM_FIELD_MIN),
       "of unlike numbers of runs no spread is known");
}

int
main(void)
{
    test_runs();
    test_lacks();
    test_sum();
    return done();
}
