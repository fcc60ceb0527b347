/* SPDX-License-Identifier: BSD-3-Clause
 * Several values as one, added up in one order, that of the values: then a sum
 * is the same whichever came first. */
#include "study/columns/combine.h"

#ifdef __FAST_MATH__
#error "-ffast-math takes NAN for a number and sums in any order"
#endif

#include <math.h>
#include <stdlib.h>

#include "study/columns/average.h"
#include "study/statistics/quantile.h"

/* ---- the order of inputs --------------------------------------------- */

static int
compare_inputs(const void *a, const void *b)
{
    const struct hpm_combine_input *x = a, *y = b;

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

static struct hpm_number
number_of(const struct hpm_combine_input *input, enum hpm_field field)
{
    return input->datum.numbers[field];
}

static double
real_of(const struct hpm_combine_input *input, enum hpm_field field)
{
    return hpm_number_to_real(number_of(input, field));
}

static bool
has(const struct hpm_combine_input *input, enum hpm_field field)
{
    return number_of(input, field).kind != HPM_NUMBER_NONE;
}

static bool
has_any_value(const struct hpm_combine_input *input)
{
    return hpm_state_has_value(input->datum.state) &&
           (has(input, HPM_FIELD_VALUE) || has(input, HPM_FIELD_EXCLUSIVE));
}

static bool
is_number_of_runs(struct hpm_number runs)
{
    return runs.kind == HPM_NUMBER_COUNT && runs.amount > 0 &&
           runs.amount < UINT32_MAX;
}

/* How many runs an input's inclusive value is the mean of. */
static uint64_t
runs_of(const struct hpm_combine_input *input)
{
    struct hpm_number runs = number_of(input, HPM_FIELD_RUNS);

    return is_number_of_runs(runs) ? runs.amount : 1;
}

/* Of these, some may have had the exclusive value only. */
static uint64_t
exclusive_runs_of(const struct hpm_combine_input *input)
{
    struct hpm_number runs = number_of(input, HPM_FIELD_RUNS_EXCLUSIVE);

    return is_number_of_runs(runs) ? runs.amount : runs_of(input);
}

/* How many runs a field of an input is the mean of: what is said beside an
 * inclusive value is said of it. */
static uint64_t
weight_of(const struct hpm_combine_input *input, enum hpm_field field)
{
    bool is_exclusive =
        field == HPM_FIELD_EXCLUSIVE || field == HPM_FIELD_ERROR_EXCLUSIVE ||
        field == HPM_FIELD_BASE_EXCLUSIVE || !has(input, HPM_FIELD_VALUE);

    return is_exclusive ? exclusive_runs_of(input) : runs_of(input);
}

static uint64_t
most_runs_of(const struct hpm_combine_input *input)
{
    return hpm_combine_runs(number_of(input, HPM_FIELD_RUNS),
                            number_of(input, HPM_FIELD_RUNS_EXCLUSIVE));
}

uint64_t
hpm_combine_runs(struct hpm_number runs, struct hpm_number exclusive)
{
    uint64_t of_value = is_number_of_runs(runs) ? runs.amount : 1;
    uint64_t of_part = is_number_of_runs(exclusive) ? exclusive.amount : 1;

    return of_value > of_part ? of_value : of_part;
}

/* A zero has no error, however the counter was counted. */
static bool
takes_part(struct hpm_combine_input *input, bool prefers_measured,
           enum hpm_state best)
{
    bool is_good_enough =
        !prefers_measured || (input->is_zero ? input->datum.state <= best
                                             : input->datum.state == best);

    if (input->is_zero)
        input->datum.state = HPM_STATE_COUNTED;
    return has_any_value(input) && is_good_enough;
}

/* Those with a value first, in their order; the number of them. */
static size_t
sort_out(struct hpm_combine_input *inputs, size_t n, bool prefers_measured)
{
    enum hpm_state best = HPM_STATE_UNSUPPORTED;
    size_t n_good = 0;

    for (size_t i = 0; i < n; i++) {
        if (has_any_value(&inputs[i]) && !inputs[i].is_zero &&
            inputs[i].datum.state < best)
            best = inputs[i].datum.state;
    }
    for (size_t i = 0; i < n; i++) {
        struct hpm_combine_input input = inputs[i];

        if (!takes_part(&input, prefers_measured, best))
            continue;
        inputs[i] = inputs[n_good];
        inputs[n_good++] = input;
    }
    qsort(inputs, n_good, sizeof *inputs, compare_inputs);
    return n_good;
}

/* ---- what all ways share --------------------------------------------- */

/* Of values none of which is there: the worst state, the first reason in the
 * alphabet. */
static void
take_worst(const struct hpm_combine_input *inputs, size_t n,
           struct hpm_datum *datum)
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
worst_state(const struct hpm_combine_input *inputs, size_t n)
{
    enum hpm_state state = HPM_STATE_COUNTED;

    for (size_t i = 0; i < n; i++) {
        if (inputs[i].datum.state > state)
            state = inputs[i].datum.state;
    }
    return state;
}

static bool
are_all_hidden(const struct hpm_combine_input *inputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!inputs[i].datum.is_hidden)
            return false;
    }
    return true;
}

/* The limits of a metric, where all agree on them. */
static void
keep_limits(const struct hpm_combine_input *inputs, size_t n,
            struct hpm_datum *datum)
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

/* Those of a mean are calls per run: in all runs together so many were made. */
static double
calls_made(const struct hpm_combine_input *input)
{
    return input->n_calls * (double)runs_of(input);
}

/* Mean and deviation per call over the calls of all: the deviations inside the
 * inputs and those of their means (Chan, Golub and LeVeque, 1983).  Not where
 * one of them does not say; one without calls has nothing to say. */
static void
pool_calls(const struct hpm_combine_input *inputs, size_t n,
           struct hpm_datum *datum)
{
    long double calls = 0, mean = 0, squares = 0;
    bool has_deviation = true;

    for (size_t i = 0; i < n; i++) {
        double made = calls_made(&inputs[i]);

        if (made == 0)
            continue;
        if (!has(&inputs[i], HPM_FIELD_MEAN) || !(made > 0))
            return;
        calls += made;
        mean += made * (long double)real_of(&inputs[i], HPM_FIELD_MEAN);
        if (!has(&inputs[i], HPM_FIELD_SDEV) && made > 1)
            has_deviation = false;
    }
    if (!(calls > 0))
        return;
    mean /= calls;
    datum->numbers[HPM_FIELD_MEAN] = hpm_number_real((double)mean);
    for (size_t i = 0; i < n && has_deviation; i++) {
        long double off = real_of(&inputs[i], HPM_FIELD_MEAN) - mean;
        long double deviation = has(&inputs[i], HPM_FIELD_SDEV)
                                    ? real_of(&inputs[i], HPM_FIELD_SDEV)
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

/* What is said of one value holds for what it is a part of. */
static void
keep_marks(const struct hpm_combine_input *inputs, size_t n,
           struct hpm_datum *datum)
{
    for (size_t i = 0; i < n; i++) {
        if (has(&inputs[i], HPM_FIELD_PARTIAL))
            datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
        if (has(&inputs[i], HPM_FIELD_CHILDREN))
            datum->numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    }
}

static size_t
count_with(const struct hpm_combine_input *inputs, size_t n,
           enum hpm_field field)
{
    size_t n_with = 0;

    for (size_t i = 0; i < n; i++)
        n_with += has(&inputs[i], field);
    return n_with;
}

static struct hpm_number
smallest_of(const struct hpm_combine_input *inputs, size_t n,
            enum hpm_field field)
{
    struct hpm_number smallest = {0};

    for (size_t i = 0; i < n; i++) {
        struct hpm_number number = number_of(&inputs[i], field);

        if (number.kind != HPM_NUMBER_NONE &&
            (smallest.kind == HPM_NUMBER_NONE ||
             hpm_number_compare(number, smallest) < 0))
            smallest = number;
    }
    return smallest;
}

/* An error is known where everything that was scaled up says its own; what was
 * counted all the time has none. */
static bool
lacks_error(const struct hpm_combine_input *input, enum hpm_field error)
{
    enum hpm_field value =
        error == HPM_FIELD_ERROR ? HPM_FIELD_VALUE : HPM_FIELD_EXCLUSIVE;

    return input->datum.state == HPM_STATE_SHARED && has(input, value) &&
           !has(input, error);
}

/* The root of the squares; no number where one of the inputs does not say what
 * it should. */
static struct hpm_number
root_of_squares(const struct hpm_combine_input *inputs, size_t n,
                enum hpm_field field, bool is_weighted)
{
    long double squares = 0;
    bool is_there = false;

    for (size_t i = 0; i < n; i++) {
        long double weight = is_weighted ? weight_of(&inputs[i], field) : 1;
        long double error = real_of(&inputs[i], field);

        if (lacks_error(&inputs[i], field))
            return (struct hpm_number){0};
        if (!has(&inputs[i], field))
            continue;
        squares += error * error * weight * weight;
        is_there = true;
    }
    return is_there ? hpm_number_real((double)sqrtl(squares))
                    : (struct hpm_number){0};
}

/* What of degrees of freedom the sum of the squares has (Satterthwaite 1946): a
 * part that has few, and a large error, leaves few. */
static struct hpm_number
freedom_of_sum(const struct hpm_combine_input *inputs, size_t n)
{
    long double squares = 0, fourths = 0;

    for (size_t i = 0; i < n; i++) {
        long double error = real_of(&inputs[i], HPM_FIELD_ERROR) *
                            weight_of(&inputs[i], HPM_FIELD_ERROR);
        double freedom = real_of(&inputs[i], HPM_FIELD_FREEDOM);

        if (!has(&inputs[i], HPM_FIELD_ERROR))
            continue;
        if (!has(&inputs[i], HPM_FIELD_FREEDOM) || !(freedom > 0))
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
hpm_combine_reach(struct hpm_number error, struct hpm_number freedom)
{
    double degrees = hpm_number_to_real(freedom);

    if (!(degrees >= 1.0) || degrees > 1e6)
        return NAN;
    return hpm_number_to_real(error) * hpm_quantile_student((size_t)degrees);
}

void
hpm_combine_errors(const struct hpm_combine_input *inputs, size_t n,
                   bool is_weighted, struct hpm_datum *datum)
{
    struct hpm_number *numbers = datum->numbers;

    numbers[HPM_FIELD_ERROR] =
        root_of_squares(inputs, n, HPM_FIELD_ERROR, is_weighted);
    numbers[HPM_FIELD_ERROR_EXCLUSIVE] =
        root_of_squares(inputs, n, HPM_FIELD_ERROR_EXCLUSIVE, is_weighted);
    if (numbers[HPM_FIELD_ERROR].kind != HPM_NUMBER_NONE)
        numbers[HPM_FIELD_FREEDOM] = freedom_of_sum(inputs, n);
    for (size_t i = 0; i < n; i++)
        numbers[HPM_FIELD_WINDOWS] =
            hpm_number_total(numbers[HPM_FIELD_WINDOWS],
                             number_of(&inputs[i], HPM_FIELD_WINDOWS));
}

/* ---- mean ------------------------------------------------------------ */

static struct hpm_number
average_field(const struct hpm_combine_input *inputs, size_t n,
              enum hpm_field field)
{
    struct hpm_average average = {0};

    for (size_t i = 0; i < n; i++)
        hpm_average_add(&average, number_of(&inputs[i], field),
                        weight_of(&inputs[i], field));
    return hpm_average_get(&average);
}

static struct hpm_number
largest(const struct hpm_combine_input *inputs, size_t n, enum hpm_field field)
{
    struct hpm_number number = {0};

    for (size_t i = 0; i < n; i++) {
        if (hpm_number_compare(number_of(&inputs[i], field), number) > 0)
            number = number_of(&inputs[i], field);
    }
    return number;
}

static struct hpm_number
total(const struct hpm_combine_input *inputs, size_t n, enum hpm_field field)
{
    struct hpm_number sum = {0};

    for (size_t i = 0; i < n; i++)
        sum = hpm_number_total(sum, number_of(&inputs[i], field));
    return sum;
}

/* How far a value is from another, where both may be too large for a double to
 * tell them apart. */
static long double
distance(struct hpm_number value, struct hpm_number from)
{
    return hpm_number_to_real(hpm_number_subtract(value, from));
}

/* Of a mean it must be known how far its runs were apart; one run is not apart
 * from itself. */
static bool
tells_spread(const struct hpm_combine_input *input)
{
    return runs_of(input) == 1 ||
           (has(input, HPM_FIELD_DEV) && has(input, HPM_FIELD_MIN) &&
            has(input, HPM_FIELD_MAX));
}

/* The deviation over runs: those inside the inputs, and those of their values,
 * seen from the smallest value.  It grows with those inside: of bounds it is a
 * bound. */
static struct hpm_number
deviation_of(const struct hpm_combine_input *inputs, size_t n,
             struct hpm_number smallest)
{
    long double runs = 0, mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        struct hpm_number value = number_of(&inputs[i], HPM_FIELD_VALUE);

        if (value.kind == HPM_NUMBER_NONE)
            continue;
        if (!tells_spread(&inputs[i]))
            return (struct hpm_number){0};
        runs += runs_of(&inputs[i]);
        mean += runs_of(&inputs[i]) * distance(value, smallest);
    }
    if (!(runs > 1))
        return (struct hpm_number){0};
    mean /= runs;
    for (size_t i = 0; i < n; i++) {
        struct hpm_number value = number_of(&inputs[i], HPM_FIELD_VALUE);
        double deviation = real_of(&inputs[i], HPM_FIELD_DEV);
        long double off = distance(value, smallest) - mean;

        if (value.kind == HPM_NUMBER_NONE)
            continue;
        squares += runs_of(&inputs[i]) * off * off;
        if (isfinite(deviation))
            squares +=
                (runs_of(&inputs[i]) - 1) * (long double)deviation * deviation;
    }
    return hpm_number_real((double)sqrtl(squares / (runs - 1)));
}

/* No smallest and largest where one of the inputs does not tell them. */
static void
keep_extremes(const struct hpm_combine_input *inputs, size_t n,
              struct hpm_datum *datum)
{
    struct hpm_number *numbers = datum->numbers;

    for (size_t i = 0; i < n; i++) {
        if (!has(&inputs[i], HPM_FIELD_VALUE))
            continue;
        if (has(&inputs[i], HPM_FIELD_BOUNDS))
            numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
        if (!tells_spread(&inputs[i]))
            numbers[HPM_FIELD_MIN] = numbers[HPM_FIELD_MAX] =
                (struct hpm_number){0};
    }
    if (numbers[HPM_FIELD_MIN].kind == HPM_NUMBER_NONE)
        numbers[HPM_FIELD_BOUNDS] = (struct hpm_number){0};
}

/* How far the runs are apart: deviation, smallest and largest. */
static void
spread(const struct hpm_combine_input *inputs, size_t n,
       struct hpm_datum *datum)
{
    struct hpm_number *numbers = datum->numbers;
    struct hpm_number smallest = {0};
    uint64_t runs = 0;

    for (size_t i = 0; i < n; i++) {
        struct hpm_number value = number_of(&inputs[i], HPM_FIELD_VALUE);
        struct hpm_number least = number_of(&inputs[i], HPM_FIELD_MIN);
        struct hpm_number most = number_of(&inputs[i], HPM_FIELD_MAX);

        if (value.kind == HPM_NUMBER_NONE)
            continue;
        if (least.kind == HPM_NUMBER_NONE)
            least = value;
        if (most.kind == HPM_NUMBER_NONE)
            most = value;
        runs += runs_of(&inputs[i]);
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

/* Those of the sum over all runs, divided by their number. */
static void
average_errors(const struct hpm_combine_input *inputs, size_t n,
               struct hpm_datum *datum)
{
    static const enum hpm_field errors[] = {HPM_FIELD_ERROR,
                                            HPM_FIELD_ERROR_EXCLUSIVE};

    hpm_combine_errors(inputs, n, true, datum);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct hpm_number *error = &datum->numbers[errors[i]];
        long double runs = 0;

        for (size_t j = 0; j < n; j++)
            runs += weight_of(&inputs[j], errors[i]);
        if (error->kind != HPM_NUMBER_NONE)
            *error =
                hpm_number_real((double)(hpm_number_to_real(*error) / runs));
    }
}

/* Said where it is not what the number of runs says. */
static void
say_exclusive_runs(struct hpm_datum *datum, uint64_t runs)
{
    struct hpm_number said = datum->numbers[HPM_FIELD_RUNS];

    if (datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE &&
        runs != (is_number_of_runs(said) ? said.amount : 1))
        datum->numbers[HPM_FIELD_RUNS_EXCLUSIVE] = hpm_number_count(runs);
}

static void
count_exclusive_runs(const struct hpm_combine_input *inputs, size_t n,
                     struct hpm_datum *datum)
{
    uint64_t runs = 0;

    for (size_t i = 0; i < n; i++) {
        if (has(&inputs[i], HPM_FIELD_EXCLUSIVE))
            runs += exclusive_runs_of(&inputs[i]);
    }
    say_exclusive_runs(datum, runs);
}

/* Runs in which only the exclusive value was wanted do not take part in the
 * inclusive one, which is then of fewer runs than the exclusive one. */
static void
average_only_exclusive(const struct hpm_combine_input *inputs, size_t n,
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
        struct hpm_number value = number_of(&inputs[i], HPM_FIELD_VALUE);
        struct hpm_number part =
            number_of(&inputs[i], HPM_FIELD_ONLY_EXCLUSIVE);

        if (part.kind == HPM_NUMBER_NONE)
            part = hpm_number_subtract(value, value);
        hpm_average_add(&average, part, runs_of(&inputs[i]));
    }
    numbers[HPM_FIELD_ONLY_EXCLUSIVE] = hpm_average_get(&average);
}

/* Zero, as a number of the kind that the others are; none where they have
 * none. */
static struct hpm_number
zero_of(const struct hpm_combine_input *inputs, size_t n, enum hpm_field field)
{
    for (size_t i = 0; i < n; i++) {
        struct hpm_number number = number_of(&inputs[i], field);

        if (has_any_value(&inputs[i]) && number.kind != HPM_NUMBER_NONE)
            return hpm_number_subtract(number, number);
    }
    return (struct hpm_number){0};
}

bool
hpm_combine_zero(const struct hpm_combine_input *inputs, size_t n,
                 uint64_t runs, struct hpm_combine_input *ret_input)
{
    static const enum hpm_field fields[] = {
        HPM_FIELD_VALUE, HPM_FIELD_EXCLUSIVE, HPM_FIELD_OVERHEAD,
        HPM_FIELD_BASE, HPM_FIELD_BASE_EXCLUSIVE};
    struct hpm_combine_input zero = {
        .datum = {.state = HPM_STATE_COUNTED, .is_hidden = n > 0},
        .is_zero = true};
    struct hpm_number *numbers = zero.datum.numbers;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        numbers[fields[i]] = zero_of(inputs, n, fields[i]);
    if (n == 0)
        numbers[HPM_FIELD_VALUE] = numbers[HPM_FIELD_EXCLUSIVE] =
            hpm_number_count(0);
    if (!has_any_value(&zero))
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
hpm_combine_mean(struct hpm_combine_input *inputs, size_t n,
                 bool prefers_measured, struct hpm_datum *ret_datum)
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
    datum.numbers[HPM_FIELD_CLAMPED] = total(inputs, n_good, HPM_FIELD_CLAMPED);
    pool_calls(inputs, n_good, &datum);
    average_errors(inputs, n_good, &datum);
    spread(inputs, n_good, &datum);
    count_exclusive_runs(inputs, n_good, &datum);
    keep_limits(inputs, n_good, &datum);
    keep_marks(inputs, n_good, &datum);
    average_only_exclusive(inputs, n_good, &datum);
    hpm_study_settle_datum(&datum);
    *ret_datum = datum;
}

/* ---- sum ------------------------------------------------------------- */

/* A value that was not wanted is at least the exclusive one: the sum says that
 * it is partial, and what of it stands for such values. */
static void
total_values(const struct hpm_combine_input *inputs, size_t n,
             struct hpm_datum *datum)
{
    struct hpm_number sum = {0}, part = {0};

    if (count_with(inputs, n, HPM_FIELD_VALUE) == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        struct hpm_number value = number_of(&inputs[i], HPM_FIELD_VALUE);
        struct hpm_number only =
            number_of(&inputs[i], HPM_FIELD_ONLY_EXCLUSIVE);

        if (value.kind == HPM_NUMBER_NONE)
            value = only = number_of(&inputs[i], HPM_FIELD_EXCLUSIVE);
        sum = sum.kind == HPM_NUMBER_NONE ? value : hpm_number_sum(sum, value);
        if (only.kind == HPM_NUMBER_NONE)
            continue;
        part = hpm_number_total(part, only);
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    }
    datum->numbers[HPM_FIELD_VALUE] = sum;
    datum->numbers[HPM_FIELD_ONLY_EXCLUSIVE] = part;
}

/* Are all of them means of as many runs, whose spread is known? */
static bool
have_same_runs(const struct hpm_combine_input *inputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!has(&inputs[i], HPM_FIELD_RUNS) ||
            runs_of(&inputs[i]) != runs_of(&inputs[0]) ||
            !has(&inputs[i], HPM_FIELD_VALUE) ||
            !has(&inputs[i], HPM_FIELD_DEV) ||
            !has(&inputs[i], HPM_FIELD_MIN) || !has(&inputs[i], HPM_FIELD_MAX))
            return false;
    }
    return true;
}

/* A record of which some runs are not known (their file is cut, they had no
 * such thread, they did not count this) is the mean of the others: beside the
 * mean of all runs too much of it is in the sum, or too little of the others.
 */
static bool
differ_in_runs(const struct hpm_combine_input *inputs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (most_runs_of(&inputs[i]) != most_runs_of(&inputs[0]))
            return true;
    }
    return false;
}

/* How far runs of the sum are apart is not known, for nobody kept which value
 * belongs to which run.  But it is not further than if all parts were largest
 * in the same run; and where one part only differs between runs, it is that. */
static void
total_spread(const struct hpm_combine_input *inputs, size_t n,
             struct hpm_datum *datum)
{
    size_t n_apart = 0;
    bool is_bound = false;
    uint64_t exclusive_runs = 0;

    datum->numbers[HPM_FIELD_RUNS] = largest(inputs, n, HPM_FIELD_RUNS);
    for (size_t i = 0; i < n; i++) {
        if (exclusive_runs_of(&inputs[i]) > exclusive_runs)
            exclusive_runs = exclusive_runs_of(&inputs[i]);
    }
    say_exclusive_runs(datum, exclusive_runs);
    if (!have_same_runs(inputs, n))
        return;
    for (size_t i = 0; i < n; i++) {
        n_apart += real_of(&inputs[i], HPM_FIELD_DEV) > 0;
        is_bound |= has(&inputs[i], HPM_FIELD_BOUNDS);
    }
    datum->numbers[HPM_FIELD_DEV] = total(inputs, n, HPM_FIELD_DEV);
    datum->numbers[HPM_FIELD_MIN] = total(inputs, n, HPM_FIELD_MIN);
    datum->numbers[HPM_FIELD_MAX] = total(inputs, n, HPM_FIELD_MAX);
    if (is_bound || n_apart > 1)
        datum->numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
}

/* All records the sum is of have a value; the exclusive value and what was
 * taken off are known if all of them have that, too. */
static void
sum_all(const struct hpm_combine_input *inputs, size_t n,
        struct hpm_datum *datum)
{
    static const enum hpm_field added[] = {
        HPM_FIELD_EXCLUSIVE, HPM_FIELD_OVERHEAD, HPM_FIELD_UNCERTAINTY,
        HPM_FIELD_CLAMPED,   HPM_FIELD_BASE,     HPM_FIELD_BASE_EXCLUSIVE};

    datum->state = worst_state(inputs, n);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        bool needs_all =
            added[i] == HPM_FIELD_EXCLUSIVE || added[i] == HPM_FIELD_OVERHEAD;

        if (!needs_all || count_with(inputs, n, added[i]) == n)
            datum->numbers[added[i]] = total(inputs, n, added[i]);
    }
    total_values(inputs, n, datum);
    total_spread(inputs, n, datum);
    datum->numbers[HPM_FIELD_SHARE] = average_field(inputs, n, HPM_FIELD_SHARE);
    hpm_combine_errors(inputs, n, false, datum);
    pool_calls(inputs, n, datum);
    keep_limits(inputs, n, datum);
    keep_marks(inputs, n, datum);
    if (differ_in_runs(inputs, n))
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
}

void
hpm_combine_sum(struct hpm_combine_input *inputs, size_t n,
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
