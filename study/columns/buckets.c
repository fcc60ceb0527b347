/* SPDX-License-Identifier: BSD-3-Clause
 * A histogram of any numbers, of bounded size. */
#include "study/columns/buckets.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/store/number.h"

/* At the finest level a bucket is a millionth of its numbers wide; at the coarsest
 * one all numbers of one sign below 1, or above it, are together. */
enum { FINEST = 20, COARSEST = -11 };

void
hpm_buckets_free(struct hpm_buckets *buckets)
{
    hpm_memory_free(buckets->buckets);
    *buckets = (struct hpm_buckets){0};
}

/* ---- numbers and buckets ----------------------------------------------- */

/* a / 2^bits rounded down. */
static int
halve(int a, int bits)
{
    return a >= 0 ? a >> bits : -((-a - 1) >> bits) - 1;
}

/* The bucket of a number above 0 at the finest level. */
static int
index_of(double value)
{
    int exponent;
    double part = 2 * frexp(value, &exponent) - 1;

    return (exponent - 1) * (1 << FINEST) + (int)ldexp(part, FINEST);
}

static double
edge_of(int level, int index)
{
    int power = level >= 0 ? halve(index, level) : index * (1 << -level);
    int rest = level >= 0 ? index - power * (1 << level) : 0;

    if (power > DBL_MAX_EXP)
        return HUGE_VAL;
    return ldexp(1 + ldexp(rest, level >= 0 ? -level : 0), power);
}

double
hpm_buckets_near(const struct hpm_buckets *buckets, size_t i)
{
    const struct hpm_bucket *bucket = &buckets->buckets[i];
    double edge = edge_of(buckets->level, bucket->index);

    return bucket->is_negative ? -edge : edge;
}

double
hpm_buckets_far(const struct hpm_buckets *buckets, size_t i)
{
    const struct hpm_bucket *bucket = &buckets->buckets[i];
    double edge = edge_of(buckets->level, bucket->index + 1);

    return bucket->is_negative ? -edge : edge;
}

/* ---- adding ------------------------------------------------------------ */

/* In the order of the numbers. */
static int
compare(const struct hpm_bucket *a, const struct hpm_bucket *b)
{
    int order;

    if (a->is_negative != b->is_negative)
        return a->is_negative ? -1 : 1;
    order = (a->index > b->index) - (a->index < b->index);
    return a->is_negative ? -order : order;
}

static void
put(struct hpm_buckets *buckets, const struct hpm_bucket *bucket)
{
    size_t low = 0, high = buckets->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(&buckets->buckets[middle], bucket);

        if (order == 0) {
            buckets->buckets[middle].n += bucket->n;
            return;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!hpm_memory_grow(&buckets->buckets, &buckets->capacity, buckets->n + 1,
                         sizeof *buckets->buckets)) {
        buckets->failed = true;
        return;
    }
    memmove(buckets->buckets + low + 1, buckets->buckets + low,
            (buckets->n - low) * sizeof *buckets->buckets);
    buckets->buckets[low] = *bucket;
    buckets->n++;
}

/* Put neighbours together until all are of this level. */
static void
coarsen(struct hpm_buckets *buckets, int level)
{
    int steps = buckets->level - level;
    size_t n = 0;

    if (steps <= 0)
        return;
    for (size_t i = 0; i < buckets->n; i++) {
        struct hpm_bucket bucket = buckets->buckets[i];

        bucket.index = halve(bucket.index, steps);
        if (n > 0 && compare(&buckets->buckets[n - 1], &bucket) == 0)
            buckets->buckets[n - 1].n += bucket.n;
        else
            buckets->buckets[n++] = bucket;
    }
    buckets->n = n;
    buckets->level = level;
}

static void
settle(struct hpm_buckets *buckets)
{
    while (buckets->n > HPM_BUCKETS_MOST && buckets->level > COARSEST)
        coarsen(buckets, buckets->level - 1);
}

static void
begin(struct hpm_buckets *buckets, int level)
{
    if (buckets->has_level)
        return;
    buckets->has_level = true;
    buckets->level = level;
}

void
hpm_buckets_add(struct hpm_buckets *buckets, double value)
{
    struct hpm_bucket bucket = {.is_negative = value < 0, .n = 1};

    if (value == 0) {
        buckets->n_zero++;
        return;
    }
    begin(buckets, FINEST);
    bucket.index = halve(index_of(fabs(value)), FINEST - buckets->level);
    put(buckets, &bucket);
    settle(buckets);
}

void
hpm_buckets_add_all(struct hpm_buckets *buckets,
                    const struct hpm_buckets *other)
{
    buckets->failed |= other->failed;
    buckets->n_zero += other->n_zero;
    if (!other->has_level)
        return;
    begin(buckets, other->level);
    coarsen(buckets, other->level);
    for (size_t i = 0; i < other->n; i++) {
        struct hpm_bucket bucket = other->buckets[i];

        bucket.index = halve(bucket.index, other->level - buckets->level);
        put(buckets, &bucket);
    }
    settle(buckets);
}

uint64_t
hpm_buckets_count(const struct hpm_buckets *buckets)
{
    uint64_t n = buckets->n_zero;

    for (size_t i = 0; i < buckets->n; i++)
        n += buckets->buckets[i].n;
    return n;
}

/* ---- texts ------------------------------------------------------------- */

static void
write_bucket(struct hpm_string *string, double edge, uint64_t n)
{
    hpm_string_add_char(string, ' ');
    hpm_number_add(string, hpm_number_real(edge));
    hpm_string_add_format(string, ":%llu", (unsigned long long)n);
}

void
hpm_buckets_write(const struct hpm_buckets *buckets, struct hpm_string *string)
{
    bool has_zero = buckets->n_zero == 0;

    string->failed |= buckets->failed;
    if (buckets->n_zero == 0 && buckets->n == 0)
        return;
    hpm_string_add_format(string, "%d",
                          buckets->has_level ? buckets->level : FINEST);
    for (size_t i = 0; i < buckets->n; i++) {
        if (!has_zero && !buckets->buckets[i].is_negative) {
            write_bucket(string, 0, buckets->n_zero);
            has_zero = true;
        }
        write_bucket(string, hpm_buckets_near(buckets, i),
                     buckets->buckets[i].n);
    }
    if (!has_zero)
        write_bucket(string, 0, buckets->n_zero);
}

/* Read a number from the text up to `stop`, and set *text behind it. */
static bool
read_number(const char **text, char stop, struct hpm_number *ret_number)
{
    const char *end = strchr(*text, stop);

    if (end == NULL)
        end = *text + strlen(*text);
    if (end == *text || hpm_number_read(*text, end, ret_number) != NULL)
        return false;
    *text = *end == '\0' ? end : end + 1;
    return true;
}

static bool
read_bucket(struct hpm_buckets *buckets, const char **text)
{
    struct hpm_number edge, n;
    struct hpm_bucket bucket;
    double value;

    if (!read_number(text, ':', &edge) || !read_number(text, ' ', &n) ||
        n.kind != HPM_NUMBER_COUNT || n.amount == 0 ||
        n.amount > UINT64_C(1) << 40)
        return false;
    value = hpm_number_to_real(edge);
    bucket.n = n.amount;
    if (value == 0) {
        buckets->n_zero += n.amount;
        return true;
    }
    buckets->has_level = true;
    bucket.is_negative = value < 0;
    bucket.index = halve(index_of(fabs(value)), FINEST - buckets->level);
    put(buckets, &bucket);
    return !buckets->failed;
}

bool
hpm_buckets_read(struct hpm_buckets *buckets, const char *text)
{
    struct hpm_number level;
    int64_t value;

    if (text[0] == '\0')
        return true;
    if (!read_number(&text, ' ', &level) ||
        !hpm_number_to_integer(level, COARSEST, FINEST, &value))
        return false;
    buckets->level = (int)value;
    while (text[0] != '\0') {
        if (buckets->n > HPM_BUCKETS_MOST || !read_bucket(buckets, &text))
            return false;
    }
    return true;
}
