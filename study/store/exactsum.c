/* SPDX-License-Identifier: BSD-3-Clause
 * A sum without any rounding. */
#include "study/store/exactsum.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"

/* The square of the smallest double above 0 is 2^-2148, that of the largest below
 * 2^2048: the digits of a text that is longer are not from here. */
enum { DIGIT_BITS = 32, LOWEST = -2200, HIGHEST = 2300 };

#define DIGIT_MASK ((INT64_C(1) << DIGIT_BITS) - 1)

void
hpm_exactsum_free(struct hpm_exactsum *sum)
{
    hpm_memory_free(sum->digits);
    *sum = (struct hpm_exactsum){0};
}

/* ---- digits ------------------------------------------------------------ */

/* a / 2^bits rounded down, for negative a, too. */
static int64_t
shift_down(int64_t a, int bits)
{
    return a >= 0 ? a >> bits : -((-a - 1) >> bits) - 1;
}

/* Make the digits of weight 2^(32 * low) to 2^(32 * high) exist.  A highest digit
 * below 0 passes its sign on to the new highest one. */
static bool
reach(struct hpm_exactsum *sum, int low, int high)
{
    size_t n_below, n;

    if (sum->n == 0)
        sum->first = low;
    n_below = low < sum->first ? (size_t)(sum->first - low) : 0;
    n = sum->n + n_below;
    if (high - (sum->first - (int)n_below) >= (int)n)
        n = (size_t)(high - (sum->first - (int)n_below)) + 1;
    if (n == sum->n)
        return true;
    if (!hpm_memory_grow(&sum->digits, &sum->capacity, n,
                         sizeof *sum->digits)) {
        sum->failed = true;
        return false;
    }
    memmove(sum->digits + n_below, sum->digits, sum->n * sizeof *sum->digits);
    memset(sum->digits, 0, n_below * sizeof *sum->digits);
    for (size_t i = sum->n + n_below; i < n; i++) {
        sum->digits[i] = 0;
        if (i > 0 && sum->digits[i - 1] < 0) {
            sum->digits[i] = shift_down(sum->digits[i - 1], DIGIT_BITS);
            sum->digits[i - 1] &= DIGIT_MASK;
        }
    }
    sum->first -= (int)n_below;
    sum->n = n;
    return true;
}

/* Let the digits from place `at` on be below 2^32, the highest one apart. */
static void
carry(struct hpm_exactsum *sum, size_t at)
{
    for (; at < sum->n; at++) {
        int64_t over = shift_down(sum->digits[at], DIGIT_BITS);

        if (over == 0 || (at + 1 == sum->n && over == -1))
            continue;
        if (at + 1 == sum->n &&
            !reach(sum, sum->first, sum->first + (int)sum->n))
            return;
        over = shift_down(sum->digits[at], DIGIT_BITS);
        sum->digits[at] &= DIGIT_MASK;
        sum->digits[at + 1] += over;
    }
}

static int
digit_of(int exponent)
{
    return (int)shift_down(exponent, 5);
}

void
hpm_exactsum_add(struct hpm_exactsum *sum, bool is_negative,
                 unsigned __int128 amount, int exponent)
{
    int at = digit_of(exponent), shift = exponent - at * DIGIT_BITS;
    unsigned __int128 low = amount << shift;
    uint64_t high =
        shift > 0 ? (uint64_t)(amount >> (128 - shift)) : UINT64_C(0);
    size_t first;

    if (amount == 0 || sum->failed || !reach(sum, at, at + 5))
        return;
    first = (size_t)(at - sum->first);
    for (size_t i = 0; i < 5; i++) {
        int64_t digit =
            i < 4 ? (int64_t)((uint64_t)(low >> (DIGIT_BITS * i)) & DIGIT_MASK)
                  : (int64_t)high;

        sum->digits[first + i] += is_negative ? -digit : digit;
    }
    carry(sum, first);
}

/* ---- doubles ----------------------------------------------------------- */

/* |value| as amount * 2^exponent. */
static uint64_t
split(double value, int *ret_exponent)
{
    double part = frexp(fabs(value), ret_exponent);

    *ret_exponent -= DBL_MANT_DIG;
    return (uint64_t)ldexp(part, DBL_MANT_DIG);
}

void
hpm_exactsum_add_real(struct hpm_exactsum *sum, double value)
{
    int exponent;
    uint64_t amount = split(value, &exponent);

    hpm_exactsum_add(sum, value < 0, amount, exponent);
}

void
hpm_exactsum_add_square(struct hpm_exactsum *sum, double value)
{
    int exponent;
    uint64_t amount = split(value, &exponent);

    hpm_exactsum_add(sum, false, (unsigned __int128)amount * amount,
                     2 * exponent);
}

void
hpm_exactsum_add_sum(struct hpm_exactsum *sum, const struct hpm_exactsum *other)
{
    sum->failed |= other->failed;
    for (size_t i = 0; i < other->n; i++) {
        int64_t digit = other->digits[i];

        hpm_exactsum_add(sum, digit < 0,
                         digit < 0 ? (uint64_t)-digit : (uint64_t)digit,
                         (other->first + (int)i) * DIGIT_BITS);
    }
}

/* A copy whose digits are all from 0 to 2^32 - 1: of the size without its sign,
 * which *ret_is_negative tells. */
static struct hpm_exactsum
size_of(const struct hpm_exactsum *sum, bool *ret_is_negative)
{
    bool is_negative = sum->n > 0 && sum->digits[sum->n - 1] < 0;
    struct hpm_exactsum size = {.failed = sum->failed};

    for (size_t i = 0; i < sum->n; i++) {
        int64_t digit = sum->digits[i];
        bool is_minus = digit < 0;

        hpm_exactsum_add(&size, is_minus != is_negative,
                         is_minus ? (uint64_t)-digit : (uint64_t)digit,
                         (sum->first + (int)i) * DIGIT_BITS);
    }
    while (size.n > 0 && size.digits[size.n - 1] == 0)
        size.n--;
    *ret_is_negative = is_negative;
    return size;
}

/* The highest four digits have more bits than a long double. */
static long double
top_of(const struct hpm_exactsum *sum, int *ret_exponent)
{
    bool is_negative;
    struct hpm_exactsum size = size_of(sum, &is_negative);
    size_t from = size.n > 4 ? size.n - 4 : 0;
    long double value = 0;

    *ret_exponent = (size.first + (int)from) * DIGIT_BITS;
    for (size_t i = size.n; i > from; i--)
        value = value * 4294967296.0L + (long double)size.digits[i - 1];
    if (size.failed)
        value = NAN;
    hpm_exactsum_free(&size);
    return is_negative ? -value : value;
}

double
hpm_exactsum_to_real(const struct hpm_exactsum *sum)
{
    return hpm_exactsum_mean(sum, 1);
}

double
hpm_exactsum_mean(const struct hpm_exactsum *sum, uint64_t n)
{
    int exponent;
    long double top = top_of(sum, &exponent);

    return (double)ldexpl(top / (long double)n, exponent);
}

/* n times the sum of squares less the square of the sum is n^2 times the
 * variance; both are large and nearly equal where the numbers are, so it is
 * worked out without rounding. */
double
hpm_exactsum_deviation(const struct hpm_exactsum *sum,
                       const struct hpm_exactsum *squares, uint64_t n)
{
    bool is_negative;
    struct hpm_exactsum size = size_of(sum, &is_negative);
    struct hpm_exactsum scaled = {.failed = size.failed || squares->failed};
    long double top;
    int exponent;

    for (size_t i = 0; i < squares->n; i++) {
        int64_t digit = squares->digits[i];

        hpm_exactsum_add(
            &scaled, digit < 0,
            (unsigned __int128)(uint64_t)(digit < 0 ? -digit : digit) * n,
            (squares->first + (int)i) * DIGIT_BITS);
    }
    for (size_t i = 0; i < size.n; i++) {
        for (size_t j = 0; j < size.n; j++)
            hpm_exactsum_add(&scaled, true,
                             (unsigned __int128)(uint64_t)size.digits[i] *
                                 (uint64_t)size.digits[j],
                             (2 * size.first + (int)(i + j)) * DIGIT_BITS);
    }
    top = top_of(&scaled, &exponent);
    hpm_exactsum_free(&size);
    hpm_exactsum_free(&scaled);
    if (!(top > 0)) /* texts of a file may contradict each other */
        return top == 0 ? 0 : NAN;
    return (double)(ldexpl(sqrtl(top), exponent / 2) / (long double)n);
}

bool
hpm_exactsum_to_count(const struct hpm_exactsum *sum, uint64_t *ret_count)
{
    bool is_negative;
    struct hpm_exactsum size = size_of(sum, &is_negative);
    uint64_t count = 0;
    bool is_count = !size.failed && !is_negative;

    for (size_t i = 0; i < size.n && is_count; i++) {
        int at = size.first + (int)i;

        if (size.digits[i] == 0)
            continue;
        is_count = at == 0 || at == 1;
        if (is_count)
            count |= (uint64_t)size.digits[i] << (at * DIGIT_BITS);
    }
    hpm_exactsum_free(&size);
    if (is_count)
        *ret_count = count;
    return is_count;
}

/* ---- texts ------------------------------------------------------------- */

/* Hexadecimal digits from the bit 2^low on, without zeros before them. */
static void
write_digits(const struct hpm_exactsum *size, int low,
             struct hpm_string *string)
{
    int bit = (size->first + (int)size->n) * DIGIT_BITS - 4;
    bool has_begun = false;

    for (; bit >= low; bit -= 4) {
        int at = digit_of(bit) - size->first;
        int64_t digit = at >= 0 ? size->digits[at] : 0;
        int four = (int)(digit >> (bit - digit_of(bit) * DIGIT_BITS)) & 15;

        has_begun |= four != 0;
        if (has_begun)
            hpm_string_add_char(string, "0123456789abcdef"[four]);
    }
}

/* The lowest bit that is written, a multiple of 4: 0, or below it the lowest four
 * that are not 0. */
static int
lowest_of(const struct hpm_exactsum *size)
{
    for (size_t i = 0; i < size->n && size->first + (int)i < 0; i++) {
        int bit = (size->first + (int)i) * DIGIT_BITS;

        for (int j = 0; j < DIGIT_BITS; j += 4) {
            if (size->digits[i] >> j & 15)
                return bit + j;
        }
    }
    return 0;
}

void
hpm_exactsum_write(const struct hpm_exactsum *sum, struct hpm_string *string)
{
    bool is_negative;
    struct hpm_exactsum size = size_of(sum, &is_negative);
    int low = lowest_of(&size);

    string->failed |= size.failed;
    if (size.n == 0) {
        hpm_string_add(string, "0x0");
    } else {
        hpm_string_add(string, is_negative ? "-0x" : "0x");
        write_digits(&size, low, string);
        if (low < 0)
            hpm_string_add_format(string, "p%d", low);
    }
    hpm_exactsum_free(&size);
}

static int
value_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* Read "p-52", or nothing; false for anything else. */
static bool
read_exponent(const char *text, int *ret_exponent)
{
    int exponent = 0;

    *ret_exponent = 0;
    if (*text == '\0')
        return true;
    if (text[0] != 'p' || text[1] != '-' || text[2] == '\0')
        return false;
    for (text += 2; *text >= '0' && *text <= '9' && exponent < -LOWEST; text++)
        exponent = 10 * exponent + (*text - '0');
    *ret_exponent = -exponent;
    return *text == '\0' && -exponent >= LOWEST;
}

bool
hpm_exactsum_read(struct hpm_exactsum *sum, const char *text)
{
    bool is_negative = text[0] == '-';
    const char *digits = text + (is_negative ? 3 : 2);
    int n = 0, exponent;

    if (strncmp(text, is_negative ? "-0x" : "0x", is_negative ? 3 : 2) != 0)
        return false;
    while (n < HIGHEST && value_of(digits[n]) >= 0)
        n++;
    if (n == 0 || !read_exponent(digits + n, &exponent) ||
        exponent + 4 * n > HIGHEST)
        return false;
    for (int i = 0; i < n; i++)
        hpm_exactsum_add(sum, is_negative,
                         (unsigned __int128)value_of(digits[i]),
                         exponent + 4 * (n - 1 - i));
    return !sum->failed;
}
