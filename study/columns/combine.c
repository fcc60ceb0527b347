/* SPDX-License-Identifier: BSD-3-Clause
 * Several values combined into one.  They are sorted by value before they are
 * added: the sum is the same in whatever order they came. */
#include "study/columns/combine.h"

#ifdef __FAST_MATH__
#error "-ffast-math takes NAN for a number and sums in any order"
#endif

#include <math.h>
#include <stdlib.h>

#include "study/columns/average.h"
#include "study/columns/spread.h"
#include "study/columns/standarderror.h"

/* ---- the order of inputs --------------------------------------------- */

static int
compare_inputs(const void *a, const void *b)
{
    const struct hpm_operand *x = a, *y = b;

    for (int i = 0; i < HPM_N_NUMBERS; i++) {
        int order =
            hpm_number_compare(x->datum.numbers[i], y->datum.numbers[i]);

        if (order != 0)
            return order;
    }
    if (x->datum.state != y->datum.state)
        return (int)x->datum.state - (int)y->datum.state;
    return (x->n_calls > y->n_calls) - (x->n_calls < y->n_calls);
}

/* A zero of a section that was not entered is exact, however the counter was
 * counted. */
static bool
takes_part(struct hpm_operand *input, bool prefers_measured,
           enum hpm_state best)
{
    bool is_good_enough =
        !prefers_measured || (input->is_zero ? input->datum.state <= best
                                             : input->datum.state == best);

    if (input->is_zero)
        input->datum.state = HPM_STATE_COUNTED;
    return hpm_operand_has_any_value(input) && is_good_enough;
}

/* Move the inputs that take part to the front, sorted; returns their number. */
static size_t
sort_out(struct hpm_operand *inputs, size_t n, bool prefers_measured)
{
    enum hpm_state best = HPM_STATE_UNSUPPORTED;
    size_t n_good = 0;

    for (size_t i = 0; i < n; i++) {
        if (hpm_operand_has_any_value(&inputs[i]) && !inputs[i].is_zero &&
            inputs[i].datum.state < best)
            best = inputs[i].datum.state;
    }
    for (size_t i = 0; i < n; i++) {
        struct hpm_operand input = inputs[i];

        if (!takes_part(&input, prefers_measured, best))
            continue;
        inputs[i] = inputs[n_good];
        inputs[n_good++] = input;
    }
    qsort(inputs, n_good, sizeof *inputs, compare_inputs);
    return n_good;
}

/* ---- common parts of mean and sum ------------------------------------ */

/* No input has a value: keep the worst state and its alphabetically first
 * reason. */
static void
take_worst(const struct hpm_operand *inputs, size_t n, struct hpm_datum *datum)
{
    for (size_t i = 0; i < n; i++) {
        const struct hpm_datum *other = &inputs[i].datum;

        if (i > 0 && other->state < datum->state)
            continue;
        if (i == 0 || other->state > datum->state || datum->reason == NULL ||
            (other->reason != NULL && strcmp(other->reason, datum->reason) < 0))
            datum->reason = other->reason;
        datum->state = other->state;
    }
}

static enum hpm_state
worst_state(const struct hpm_operand *inputs, size_t n)
{
    enum hpm_state state = HPM_STATE_COUNTED;

    for (size_t i = 0; i < n; i++) {
        if (inputs[i].datum.state > state)
            state = inputs[i].datum.state;
    }
    return state;
}

static bool
are_all_hidden(const struct hpm_operand *inputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!inputs[i].datum.is_hidden)
            return false;
    }
    return true;
}

/* Keep the limits of a metric on which all inputs agree. */
static void
keep_limits(const struct hpm_operand *inputs, size_t n, struct hpm_datum *datum)
{
    for (int i = HPM_FIELD_SBAD; i <= HPM_FIELD_DGOOD; i++) {
        datum->numbers[i] = inputs[0].datum.numbers[i];
        for (size_t j = 1; j < n; j++) {
            if (hpm_number_compare(inputs[j].datum.numbers[i],
                                   datum->numbers[i]) != 0)
                datum->numbers[i] = (struct hpm_number){0};
        }
    }
}

/* The calls of a mean are calls per run: in all its runs together so many were
 * made. */
static double
calls_made(const struct hpm_operand *input)
{
    return input->n_calls * (double)hpm_operand_runs(input);
}

/* Mean and deviation per call, over the calls of all inputs: the deviations
 * inside the inputs, and those of their means (Chan, Golub and LeVeque, 1983).
 * An input without calls takes no part; if another one has no deviation, the
 * result has none. */
static void
pool_calls(const struct hpm_operand *inputs, size_t n, struct hpm_datum *datum)
{
    long double calls = 0, mean = 0, squares = 0;
    bool has_deviation = true;

    for (size_t i = 0; i < n; i++) {
        double made = calls_made(&inputs[i]);

        if (made == 0)
            continue;
        if (!hpm_operand_has(&inputs[i], HPM_FIELD_MEAN) || !(made > 0))
            return;
        calls += made;
        mean +=
            made * (long double)hpm_operand_real(&inputs[i], HPM_FIELD_MEAN);
        if (!hpm_operand_has(&inputs[i], HPM_FIELD_SDEV) && made > 1)
            has_deviation = false;
    }
    if (!(calls > 0))
        return;
    mean /= calls;
    datum->numbers[HPM_FIELD_MEAN] = hpm_number_real((double)mean);
    for (size_t i = 0; i < n && has_deviation; i++) {
        long double off = hpm_operand_real(&inputs[i], HPM_FIELD_MEAN) - mean;
        long double deviation =
            hpm_operand_has(&inputs[i], HPM_FIELD_SDEV)
                ? hpm_operand_real(&inputs[i], HPM_FIELD_SDEV)
                : 0;

        if (calls_made(&inputs[i]) == 0)
            continue;
        squares += (calls_made(&inputs[i]) - 1) * deviation * deviation +
                   calls_made(&inputs[i]) * off * off;
    }
    if (has_deviation && calls > 1)
        datum->numbers[HPM_FIELD_SDEV] =
            hpm_number_real((double)sqrtl(squares / (calls - 1)));
}

/* A mark of one value also holds for the combined value. */
static void
keep_marks(const struct hpm_operand *inputs, size_t n, struct hpm_datum *datum)
{
    for (size_t i = 0; i < n; i++) {
        if (hpm_operand_has(&inputs[i], HPM_FIELD_PARTIAL))
            datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
        if (hpm_operand_has(&inputs[i], HPM_FIELD_CHILDREN))
            datum->numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    }
}

static size_t
count_with(const struct hpm_operand *inputs, size_t n, enum hpm_field field)
{
    size_t n_with = 0;

    for (size_t i = 0; i < n; i++)
        n_with += hpm_operand_has(&inputs[i], field);
    return n_with;
}

/* ---- mean ------------------------------------------------------------ */

static struct hpm_number
average_field(const struct hpm_operand *inputs, size_t n, enum hpm_field field)
{
    struct hpm_average average = {0};

    for (size_t i = 0; i < n; i++)
        hpm_average_add(&average, hpm_operand_number(&inputs[i], field),
                        hpm_operand_weight(&inputs[i], field));
    return hpm_average_get(&average);
}

static struct hpm_number
largest(const struct hpm_operand *inputs, size_t n, enum hpm_field field)
{
    struct hpm_number number = {0};

    for (size_t i = 0; i < n; i++) {
        if (hpm_number_compare(hpm_operand_number(&inputs[i], field), number) >
            0)
            number = hpm_operand_number(&inputs[i], field);
    }
    return number;
}

/* The errors of the sum over all runs, divided by the number of runs. */
static void
average_errors(const struct hpm_operand *inputs, size_t n,
               struct hpm_datum *datum)
{
    static const enum hpm_field errors[] = {HPM_FIELD_ERROR,
                                            HPM_FIELD_ERROR_EXCLUSIVE};

    hpm_standarderror_of_sum(inputs, n, true, datum);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct hpm_number *error = &datum->numbers[errors[i]];
        long double runs = 0;

        for (size_t j = 0; j < n; j++)
            runs += hpm_operand_weight(&inputs[j], errors[i]);
        if (error->kind != HPM_NUMBER_NONE)
            *error =
                hpm_number_real((double)(hpm_number_to_real(*error) / runs));
    }
}

/* Say the number of exclusive runs where it differs from the number of runs. */
static void
say_exclusive_runs(struct hpm_datum *datum, uint64_t runs)
{
    struct hpm_number said = datum->numbers[HPM_FIELD_RUNS];

    if (datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE &&
        runs != (hpm_operand_is_runs(said) ? said.amount : 1))
        datum->numbers[HPM_FIELD_RUNS_EXCLUSIVE] = hpm_number_count(runs);
}

static void
count_exclusive_runs(const struct hpm_operand *inputs, size_t n,
                     struct hpm_datum *datum)
{
    uint64_t runs = 0;

    for (size_t i = 0; i < n; i++) {
        if (hpm_operand_has(&inputs[i], HPM_FIELD_EXCLUSIVE))
            runs += hpm_operand_exclusive_runs(&inputs[i]);
    }
    say_exclusive_runs(datum, runs);
}

/* A run with HPM_ONLY_EXCLUSIVE has no inclusive value: then the inclusive mean
 * is over fewer runs than the exclusive one. */
static void
average_only_exclusive(const struct hpm_operand *inputs, size_t n,
                       struct hpm_datum *datum)
{
    struct hpm_average average = {0};
    struct hpm_number *numbers = datum->numbers;

    if (numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE &&
        count_with(inputs, n, HPM_FIELD_VALUE) < n)
        numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    if (count_with(inputs, n, HPM_FIELD_ONLY_EXCLUSIVE) == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        struct hpm_number value =
            hpm_operand_number(&inputs[i], HPM_FIELD_VALUE);
        struct hpm_number part =
            hpm_operand_number(&inputs[i], HPM_FIELD_ONLY_EXCLUSIVE);

        if (part.kind == HPM_NUMBER_NONE)
            part = hpm_number_subtract(value, value);
        hpm_average_add(&average, part, hpm_operand_runs(&inputs[i]));
    }
    numbers[HPM_FIELD_ONLY_EXCLUSIVE] = hpm_average_get(&average);
}

/* Zero as a number of the same kind as the inputs' field; none where no input
 * has the field. */
static struct hpm_number
zero_of(const struct hpm_operand *inputs, size_t n, enum hpm_field field)
{
    for (size_t i = 0; i < n; i++) {
        struct hpm_number number = hpm_operand_number(&inputs[i], field);

        if (hpm_operand_has_any_value(&inputs[i]) &&
            number.kind != HPM_NUMBER_NONE)
            return hpm_number_subtract(number, number);
    }
    return (struct hpm_number){0};
}

bool
hpm_combine_zero(const struct hpm_operand *inputs, size_t n, uint64_t runs,
                 struct hpm_operand *ret_input)
{
    static const enum hpm_field fields[] = {
        HPM_FIELD_VALUE, HPM_FIELD_EXCLUSIVE, HPM_FIELD_OVERHEAD,
        HPM_FIELD_BASE, HPM_FIELD_BASE_EXCLUSIVE};
    struct hpm_operand zero = {
        .datum = {.state = HPM_STATE_COUNTED, .is_hidden = n > 0},
        .is_zero = true};
    struct hpm_number *numbers = zero.datum.numbers;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        numbers[fields[i]] = zero_of(inputs, n, fields[i]);
    if (n == 0)
        numbers[HPM_FIELD_VALUE] = numbers[HPM_FIELD_EXCLUSIVE] =
            hpm_number_count(0);
    if (!hpm_operand_has_any_value(&zero))
        return false;
    *ret_input = zero;
    if (runs == 1)
        return true;
    numbers = ret_input->datum.numbers;
    numbers[HPM_FIELD_MIN] = numbers[HPM_FIELD_MAX] = numbers[HPM_FIELD_VALUE];
    numbers[HPM_FIELD_DEV] = hpm_number_real(0);
    numbers[HPM_FIELD_RUNS] = hpm_number_count(runs);
    return true;
}

void
hpm_combine_mean(struct hpm_operand *inputs, size_t n, bool prefers_measured,
                 struct hpm_datum *ret_datum)
{
    static const enum hpm_field averaged[] = {
        HPM_FIELD_VALUE, HPM_FIELD_EXCLUSIVE, HPM_FIELD_OVERHEAD,
        HPM_FIELD_SHARE, HPM_FIELD_BASE,      HPM_FIELD_BASE_EXCLUSIVE};
    size_t n_good = sort_out(inputs, n, prefers_measured);
    struct hpm_datum datum = {.is_hidden = are_all_hidden(inputs, n)};

    if (n_good == 0) {
        take_worst(inputs, n, &datum);
        *ret_datum = datum;
        return;
    }
    datum.state = worst_state(inputs, n_good);
    for (size_t i = 0; i < sizeof averaged / sizeof *averaged; i++)
        datum.numbers[averaged[i]] = average_field(inputs, n_good, averaged[i]);
    datum.numbers[HPM_FIELD_UNCERTAINTY] =
        largest(inputs, n_good, HPM_FIELD_UNCERTAINTY);
    datum.numbers[HPM_FIELD_CLAMPED] =
        hpm_operand_total(inputs, n_good, HPM_FIELD_CLAMPED);
    pool_calls(inputs, n_good, &datum);
    average_errors(inputs, n_good, &datum);
    hpm_spread_over_runs(inputs, n_good, &datum);
    count_exclusive_runs(inputs, n_good, &datum);
    keep_limits(inputs, n_good, &datum);
    keep_marks(inputs, n_good, &datum);
    average_only_exclusive(inputs, n_good, &datum);
    hpm_study_settle_datum(&datum);
    *ret_datum = datum;
}

/* ---- sum ------------------------------------------------------------- */

/* Where an inclusive value is missing (HPM_ONLY_EXCLUSIVE), the exclusive value
 * is added in its place: the true value is at least that.  The sum is marked
 * partial, with the amount that was added so. */
static void
total_values(const struct hpm_operand *inputs, size_t n,
             struct hpm_datum *datum)
{
    struct hpm_number sum = {0}, part = {0};

    if (count_with(inputs, n, HPM_FIELD_VALUE) == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        struct hpm_number value =
            hpm_operand_number(&inputs[i], HPM_FIELD_VALUE);
        struct hpm_number only =
            hpm_operand_number(&inputs[i], HPM_FIELD_ONLY_EXCLUSIVE);

        if (value.kind == HPM_NUMBER_NONE)
            value = only = hpm_operand_number(&inputs[i], HPM_FIELD_EXCLUSIVE);
        sum = sum.kind == HPM_NUMBER_NONE ? value : hpm_number_sum(sum, value);
        if (only.kind == HPM_NUMBER_NONE)
            continue;
        part = hpm_number_total(part, only);
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    }
    datum->numbers[HPM_FIELD_VALUE] = sum;
    datum->numbers[HPM_FIELD_ONLY_EXCLUSIVE] = part;
}

/* Some runs of a record may be unknown (their file is cut, they had no such
 * thread, they did not count this): the record is then the mean of fewer runs
 * than the others, and a sum of both would give it the wrong weight.
 */
static bool
differ_in_runs(const struct hpm_operand *inputs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (hpm_operand_most_runs(&inputs[i]) !=
            hpm_operand_most_runs(&inputs[0]))
            return true;
    }
    return false;
}

/* The sum has as many runs as the input with most runs. */
static void
total_runs(const struct hpm_operand *inputs, size_t n, struct hpm_datum *datum)
{
    uint64_t exclusive_runs = 0;

    datum->numbers[HPM_FIELD_RUNS] = largest(inputs, n, HPM_FIELD_RUNS);
    for (size_t i = 0; i < n; i++) {
        if (hpm_operand_exclusive_runs(&inputs[i]) > exclusive_runs)
            exclusive_runs = hpm_operand_exclusive_runs(&inputs[i]);
    }
    say_exclusive_runs(datum, exclusive_runs);
}

/* All inputs have a value.  The exclusive value and the overhead are known only
 * where all inputs have them, too. */
static void
sum_all(const struct hpm_operand *inputs, size_t n, struct hpm_datum *datum)
{
    static const enum hpm_field added[] = {
        HPM_FIELD_EXCLUSIVE, HPM_FIELD_OVERHEAD, HPM_FIELD_UNCERTAINTY,
        HPM_FIELD_CLAMPED,   HPM_FIELD_BASE,     HPM_FIELD_BASE_EXCLUSIVE};

    datum->state = worst_state(inputs, n);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        bool needs_all =
            added[i] == HPM_FIELD_EXCLUSIVE || added[i] == HPM_FIELD_OVERHEAD;

        if (!needs_all || count_with(inputs, n, added[i]) == n)
            datum->numbers[added[i]] = hpm_operand_total(inputs, n, added[i]);
    }
    total_values(inputs, n, datum);
    total_runs(inputs, n, datum);
    hpm_spread_of_sum(inputs, n, datum);
    datum->numbers[HPM_FIELD_SHARE] = average_field(inputs, n, HPM_FIELD_SHARE);
    hpm_standarderror_of_sum(inputs, n, false, datum);
    pool_calls(inputs, n, datum);
    keep_limits(inputs, n, datum);
    keep_marks(inputs, n, datum);
    if (differ_in_runs(inputs, n))
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
}

void
hpm_combine_sum(struct hpm_operand *inputs, size_t n,
                struct hpm_datum *ret_datum)
{
    struct hpm_datum datum = {.is_hidden = are_all_hidden(inputs, n)};

    if (n == 1)
        datum = inputs[0].datum;
    else if (sort_out(inputs, n, false) < n)
        take_worst(inputs, n, &datum);
    else
        sum_all(inputs, n, &datum);
    hpm_study_settle_datum(&datum);
    *ret_datum = datum;
}
