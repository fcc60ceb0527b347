/* SPDX-License-Identifier: BSD-3-Clause
 * Several values as one.
 *
 * Integers are added exactly, in 128 bits.  Doubles are added in one order,
 * that of the values: then a sum is the same whichever came first.
 */
#include "study/columns/combine.h"

#ifdef __FAST_MATH__
#error "-ffast-math takes NAN for a number and sums in any order"
#endif

#include <math.h>
#include <stdlib.h>

/* ---- means ----------------------------------------------------------- */

/* A weighted mean in the making. */
struct average {
    __int128 exact;
    long double real;
    uint64_t weight;
    bool is_inexact;
    bool has_seconds;
};

static bool
is_seconds(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_SECONDS ||
           number.kind == HPM_NUMBER_MINUS_SECONDS;
}

static void
average_add(struct average *average, struct hpm_number number, uint64_t weight)
{
    __int128 amount = number.amount;

    if (number.kind == HPM_NUMBER_NONE)
        return;
    if (number.kind == HPM_NUMBER_REAL ||
        (average->weight > 0 && is_seconds(number) != average->has_seconds))
        average->is_inexact = true;
    average->has_seconds = is_seconds(number);
    if (number.kind == HPM_NUMBER_MINUS ||
        number.kind == HPM_NUMBER_MINUS_SECONDS)
        amount = -amount;
    if (!average->is_inexact)
        average->exact += amount * weight;
    average->real += (long double)hpm_number_to_real(number) * weight;
    average->weight += weight;
}

static struct hpm_number
average_exactly(const struct average *average)
{
    __int128 quotient = average->exact / average->weight;
    __int128 amount = quotient < 0 ? -quotient : quotient;
    bool is_negative = quotient < 0;

    if (quotient * average->weight != average->exact || amount > UINT64_MAX)
        return hpm_number_real(
            (double)((long double)average->exact / average->weight /
                     (average->has_seconds ? 1e9L : 1.0L)));
    return (struct hpm_number){
        .amount = (uint64_t)amount,
        .kind =
            average->has_seconds
                ? (is_negative ? HPM_NUMBER_MINUS_SECONDS : HPM_NUMBER_SECONDS)
                : (is_negative ? HPM_NUMBER_MINUS : HPM_NUMBER_COUNT)};
}

static struct hpm_number
average_get(const struct average *average)
{
    if (average->weight == 0)
        return (struct hpm_number){0};
    if (!average->is_inexact)
        return average_exactly(average);
    return hpm_number_real((double)(average->real / average->weight));
}

static int
compare_weighted(const void *a, const void *b)
{
    const struct hpm_combine_weighted *x = a, *y = b;
    int order = hpm_number_compare(x->number, y->number);

    if (order != 0)
        return order;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

struct hpm_number
hpm_combine_average(struct hpm_combine_weighted *numbers, size_t n)
{
    struct average average = {0};

    qsort(numbers, n, sizeof *numbers, compare_weighted);
    for (size_t i = 0; i < n; i++)
        average_add(&average, numbers[i].number, numbers[i].weight);
    return average_get(&average);
}

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
    bool is_exclusive = field == HPM_FIELD_EXCLUSIVE ||
                        field == HPM_FIELD_BASE_EXCLUSIVE ||
                        !has(input, HPM_FIELD_VALUE);

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

/* Those with a value first, in their order; the number of them. */
static size_t
sort_out(struct hpm_combine_input *inputs, size_t n, bool prefers_measured)
{
    enum hpm_state best = HPM_STATE_UNSUPPORTED;
    size_t n_good = 0;

    for (size_t i = 0; i < n; i++) {
        if (has_any_value(&inputs[i]) && inputs[i].datum.state < best)
            best = inputs[i].datum.state;
    }
    for (size_t i = 0; i < n; i++) {
        struct hpm_combine_input input = inputs[i];

        if (!has_any_value(&input) ||
            (prefers_measured && input.datum.state != best))
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

/* An error is known where everything that was scaled up says its own; what was
 * counted all the time has none. */
static bool
lacks_error(const struct hpm_datum *datum)
{
    return datum->state == HPM_STATE_SHARED &&
           datum->numbers[HPM_FIELD_ERROR].kind == HPM_NUMBER_NONE;
}

/* Errors of independent estimates: the root of the squares.  No number where
 * one is not known, nor where there is none. */
static struct hpm_number
error_of_sum(const struct hpm_combine_input *inputs, size_t n, bool is_weighted)
{
    long double squares = 0;
    bool is_there = false;

    for (size_t i = 0; i < n; i++) {
        long double weight =
            is_weighted ? weight_of(&inputs[i], HPM_FIELD_ERROR) : 1;
        long double error = real_of(&inputs[i], HPM_FIELD_ERROR);

        if (lacks_error(&inputs[i].datum))
            return (struct hpm_number){0};
        if (!has(&inputs[i], HPM_FIELD_ERROR))
            continue;
        squares += error * error * weight * weight;
        is_there = true;
    }
    return is_there ? hpm_number_real((double)sqrtl(squares))
                    : (struct hpm_number){0};
}

/* ---- mean ------------------------------------------------------------ */

static struct hpm_number
average_field(const struct hpm_combine_input *inputs, size_t n,
              enum hpm_field field)
{
    struct average average = {0};

    for (size_t i = 0; i < n; i++)
        average_add(&average, number_of(&inputs[i], field),
                    weight_of(&inputs[i], field));
    return average_get(&average);
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

/* That of the sum over all runs, divided by their number. */
static void
average_error(const struct hpm_combine_input *inputs, size_t n,
              struct hpm_datum *datum)
{
    struct hpm_number error = error_of_sum(inputs, n, true);
    long double runs = 0;

    for (size_t i = 0; i < n; i++)
        runs += weight_of(&inputs[i], HPM_FIELD_ERROR);
    if (error.kind != HPM_NUMBER_NONE)
        datum->numbers[HPM_FIELD_ERROR] =
            hpm_number_real((double)(hpm_number_to_real(error) / runs));
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
    struct average average = {0};
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
        average_add(&average, part, runs_of(&inputs[i]));
    }
    numbers[HPM_FIELD_ONLY_EXCLUSIVE] = average_get(&average);
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
        .datum = {.state = HPM_STATE_COUNTED, .is_hidden = true}};
    struct hpm_number *numbers = zero.datum.numbers;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        numbers[fields[i]] = zero_of(inputs, n, fields[i]);
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
    average_error(inputs, n_good, &datum);
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
    datum->numbers[HPM_FIELD_ERROR] = error_of_sum(inputs, n, false);
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

/* ---- difference ------------------------------------------------------ */

static bool
is_there(const struct hpm_datum *datum)
{
    return datum == NULL || hpm_state_has_value(datum->state);
}

/* The field of b less that of a; a side without the section has zero of
 * everything the other has. */
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

/* The runs of a side; where the section is not there, it was not there in any
 * of them. */
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

/* A run of b less a run of a, whichever they are: their deviation, the smallest
 * and the largest.  With runs and without these, nobody knows. */
static void
subtract_spread(const struct hpm_datum *a, const struct hpm_datum *b,
                struct hpm_datum *datum)
{
    uint64_t of_a = runs_of_side(a), of_b = runs_of_side(b);
    double deviations[2] = {0, 0};

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
    datum->numbers[HPM_FIELD_DEV] =
        hpm_number_real(hypot(deviations[0], deviations[1]));
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

/* Both sides are estimates of their own; the smaller share tells how good the
 * worse of them is. */
static void
subtract_estimates(const struct hpm_datum *a, const struct hpm_datum *b,
                   struct hpm_datum *datum)
{
    const struct hpm_datum *sides[] = {a, b};
    struct hpm_combine_input inputs[2];
    struct hpm_number *share = &datum->numbers[HPM_FIELD_SHARE];
    size_t n = 0;

    for (int i = 0; i < 2; i++) {
        if (sides[i] == NULL)
            continue;
        inputs[n++] = (struct hpm_combine_input){.datum = *sides[i]};
        if (share->kind == HPM_NUMBER_NONE ||
            hpm_number_to_real(sides[i]->numbers[HPM_FIELD_SHARE]) <
                hpm_number_to_real(*share))
            *share = sides[i]->numbers[HPM_FIELD_SHARE];
    }
    datum->numbers[HPM_FIELD_ERROR] = error_of_sum(inputs, n, false);
}

void
hpm_combine_difference(const struct hpm_datum *a, const struct hpm_datum *b,
                       struct hpm_datum *ret_datum)
{
    struct hpm_datum datum = {.is_hidden = (a == NULL || a->is_hidden) &&
                                           (b == NULL || b->is_hidden)};
    const struct hpm_datum *worse =
        a == NULL || (b != NULL && b->state > a->state) ? b : a;

    datum.state = worse->state;
    if (!is_there(a) || !is_there(b)) {
        datum.reason = worse->reason;
        hpm_study_settle_datum(&datum);
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
        subtract_estimates(a, b, &datum);
    }
    keep_marks_of_side(a, &datum);
    keep_marks_of_side(b, &datum);
    hpm_study_settle_datum(&datum);
    *ret_datum = datum;
}
