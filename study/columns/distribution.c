/* SPDX-License-Identifier: BSD-3-Clause
 * How many values of one kind lie. */
#include "study/columns/distribution.h"

#include <math.h>

void
hpm_distribution_free(struct hpm_distribution *distribution)
{
    hpm_exactsum_free(&distribution->sum);
    hpm_exactsum_free(&distribution->squares);
    hpm_buckets_free(&distribution->buckets);
}

/* ---- numbers ----------------------------------------------------------- */

/* A file may give times with fewer or more decimals than nine, and a metric with
 * exactly nine. */
struct hpm_number
hpm_distribution_settle(struct hpm_number number, bool is_time)
{
    double real = hpm_number_to_real(number);
    double ns = nearbyint(fabs(real) * 1e9);

    if (number.kind == HPM_NUMBER_NONE ||
        is_time == hpm_number_is_seconds(number))
        return number;
    if (!is_time)
        return hpm_number_real(real);
    if (!(ns < 1e19))
        return (struct hpm_number){0};
    return (struct hpm_number){.amount = (uint64_t)ns,
                               .kind = real < 0 ? HPM_NUMBER_MINUS_SECONDS
                                                : HPM_NUMBER_SECONDS};
}

static bool
is_minus(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_MINUS ||
           number.kind == HPM_NUMBER_MINUS_SECONDS;
}

void
hpm_distribution_add_to(struct hpm_exactsum *sum, struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_REAL)
        hpm_exactsum_add_real(sum, number.real);
    else if (number.kind != HPM_NUMBER_NONE)
        hpm_exactsum_add(sum, is_minus(number), number.amount, 0);
}

struct hpm_number
hpm_distribution_total(const struct hpm_exactsum *sum, bool is_time)
{
    uint64_t count;

    if (hpm_exactsum_to_count(sum, &count))
        return (struct hpm_number){.amount = count,
                                   .kind = is_time ? HPM_NUMBER_SECONDS
                                                   : HPM_NUMBER_COUNT};
    return hpm_number_real(hpm_exactsum_to_real(sum) / (is_time ? 1e9 : 1));
}

/* The amount as it is counted in buckets. */
static double
amount_of(struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_REAL)
        return number.real;
    return is_minus(number) ? -(double)number.amount : (double)number.amount;
}

/* ---- adding ------------------------------------------------------------ */

/* Of equal values that of the first task, and its first thread. */
static bool
is_before(const struct hpm_study_extreme *a, const struct hpm_study_extreme *b)
{
    int order = hpm_number_compare(a->task, b->task);

    return order < 0 ||
           (order == 0 && hpm_number_compare(a->thread, b->thread) < 0);
}

static void
keep_extremes(struct hpm_distribution *distribution,
              const struct hpm_study_extreme *low,
              const struct hpm_study_extreme *high)
{
    int below = hpm_number_compare(low->value, distribution->low.value);
    int above = hpm_number_compare(high->value, distribution->high.value);
    bool is_first = distribution->n == 0;

    if (is_first || below < 0 ||
        (below == 0 && is_before(low, &distribution->low)))
        distribution->low = *low;
    if (is_first || above > 0 ||
        (above == 0 && is_before(high, &distribution->high)))
        distribution->high = *high;
}

void
hpm_distribution_add(struct hpm_distribution *distribution,
                     const struct hpm_study_extreme *value)
{
    struct hpm_number number = value->value;

    keep_extremes(distribution, value, value);
    distribution->n++;
    hpm_distribution_add_to(&distribution->sum, number);
    if (number.kind == HPM_NUMBER_REAL)
        hpm_exactsum_add_square(&distribution->squares, number.real);
    else
        hpm_exactsum_add(&distribution->squares, false,
                         (unsigned __int128)number.amount * number.amount, 0);
    hpm_buckets_add(&distribution->buckets, amount_of(number));
}

bool
hpm_distribution_add_spread(struct hpm_distribution *distribution,
                            const struct hpm_study_spread *spread, bool is_time)
{
    struct hpm_study_extreme low = spread->low, high = spread->high;
    struct hpm_buckets buckets = {0};
    bool is_good;

    low.value = hpm_distribution_settle(low.value, is_time);
    high.value = hpm_distribution_settle(high.value, is_time);
    if (spread->n.kind != HPM_NUMBER_COUNT || spread->n.amount == 0 ||
        spread->sum == NULL || spread->squares == NULL ||
        spread->bins == NULL || low.value.kind == HPM_NUMBER_NONE ||
        high.value.kind == HPM_NUMBER_NONE)
        return false;
    is_good = hpm_buckets_read(&buckets, spread->bins) &&
              hpm_buckets_count(&buckets) == spread->n.amount &&
              hpm_exactsum_read(&distribution->sum, spread->sum) &&
              hpm_exactsum_read(&distribution->squares, spread->squares);
    if (is_good) {
        keep_extremes(distribution, &low, &high);
        distribution->n += spread->n.amount;
        hpm_buckets_add_all(&distribution->buckets, &buckets);
    }
    hpm_buckets_free(&buckets);
    return is_good;
}

/* ---- writing ----------------------------------------------------------- */

bool
hpm_distribution_write(const struct hpm_distribution *distribution,
                       bool is_time, struct hpm_study *study,
                       struct hpm_study_spread *ret_spread)
{
    double unit = is_time ? 1e9 : 1;
    uint64_t n = distribution->n;
    struct hpm_string bins = {0}, sum = {0}, squares = {0};
    struct hpm_study_spread spread = {
        .row = HPM_NO_INDEX,
        .column = HPM_NO_INDEX,
        .n = hpm_number_count(n),
        .low = distribution->low,
        .high = distribution->high,
        .average = hpm_number_real(
            hpm_exactsum_mean(&distribution->sum, n > 0 ? n : 1) / unit),
        .deviation = hpm_number_real(
            hpm_exactsum_deviation(&distribution->sum, &distribution->squares,
                                   n > 0 ? n : 1) /
            unit)};

    hpm_buckets_write(&distribution->buckets, &bins);
    hpm_exactsum_write(&distribution->sum, &sum);
    hpm_exactsum_write(&distribution->squares, &squares);
    spread.bins = hpm_study_keep(study, &bins);
    spread.sum = hpm_study_keep(study, &sum);
    spread.squares = hpm_study_keep(study, &squares);
    *ret_spread = spread;
    return spread.bins != NULL && spread.sum != NULL &&
           spread.squares != NULL &&
           hpm_study_own(study, &ret_spread->low.host) &&
           hpm_study_own(study, &ret_spread->high.host);
}
