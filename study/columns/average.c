/* SPDX-License-Identifier: BSD-3-Clause
 * The weighted mean of some numbers.
 *
 * Integers are added exactly, in 128 bits.  Doubles are sorted by value before
 * they are added: the sum is the same in whatever order they came.
 */
#include "study/columns/average.h"

#ifdef __FAST_MATH__
#error "-ffast-math takes NAN for a number and sums in any order"
#endif

#include <stdlib.h>

void
hpm_average_add(struct hpm_average *average, struct hpm_number number,
                uint64_t weight)
{
    __int128 amount = number.amount;

    if (number.kind == HPM_NUMBER_NONE)
        return;
    if (number.kind == HPM_NUMBER_REAL ||
        (average->weight > 0 &&
         hpm_number_is_seconds(number) != average->has_seconds))
        average->is_inexact = true;
    average->has_seconds = hpm_number_is_seconds(number);
    if (number.kind == HPM_NUMBER_MINUS ||
        number.kind == HPM_NUMBER_MINUS_SECONDS)
        amount = -amount;
    if (!average->is_inexact)
        average->exact += amount * weight;
    average->real += (long double)hpm_number_to_real(number) * weight;
    average->weight += weight;
}

static struct hpm_number
average_exactly(const struct hpm_average *average)
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

struct hpm_number
hpm_average_get(const struct hpm_average *average)
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
    const struct hpm_weighted *x = a, *y = b;
    int order = hpm_number_compare(x->number, y->number);

    if (order != 0)
        return order;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

struct hpm_number
hpm_average_of(struct hpm_weighted *numbers, size_t n)
{
    struct hpm_average average = {0};

    qsort(numbers, n, sizeof *numbers, compare_weighted);
    for (size_t i = 0; i < n; i++)
        hpm_average_add(&average, numbers[i].number, numbers[i].weight);
    return hpm_average_get(&average);
}
