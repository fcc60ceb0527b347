/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of performance files. */
#include "study/store/number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No number needs a longer text: no writer, ours or another, writes more than
 * 25 characters.  The bound keeps hostile files cheap. */
enum { LONGEST = 100, NANO_DECIMALS = 9 };

/* Any number of so many digits fits in 64 bits. */
enum { MOST_DIGITS = 19 };

static const uint64_t nano = 1000000000;

struct hpm_number
hpm_number_count(uint64_t count)
{
    return (struct hpm_number){.amount = count, .kind = HPM_NUMBER_COUNT};
}

struct hpm_number
hpm_number_integer(int64_t value)
{
    if (value >= 0)
        return hpm_number_count((uint64_t)value);
    return (struct hpm_number){.amount = -(uint64_t)value,
                               .kind = HPM_NUMBER_MINUS};
}

struct hpm_number
hpm_number_real(double value)
{
    if (!isfinite(value))
        return (struct hpm_number){0};
    return (struct hpm_number){.real = value, .kind = HPM_NUMBER_REAL};
}

/* ---- reading --------------------------------------------------------- */

/* A number in parts: 1.50e3 is 150, of which 2 digits are decimals, and 3. */
struct parts {
    const char *text;
    bool is_negative;
    bool has_point;
    bool has_exponent;
    bool is_long; /* its digits do not fit in 64 bits */
    uint64_t digits;
    int n_digits;
    int n_decimals;
    int exponent;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *
take_sign(const char *c, const char *end, bool *ret_is_negative)
{
    *ret_is_negative = c < end && *c == '-';
    return c < end && (*c == '-' || *c == '+') ? c + 1 : c;
}

/* ---- eight digits at a time ---- */

enum { WORD = sizeof(uint64_t) };

static const uint64_t powers_of_ten[WORD + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/* The next WORD characters of a number that has at least WORD characters from
 * `first` to `end`; zero bytes after its end.  The first character is the
 * lowest byte. */
static uint64_t
load_word(const char *c, const char *end)
{
    size_t left = (size_t)(end - c);
    uint64_t word;

    memcpy(&word, left >= WORD ? c : end - WORD, WORD);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return left >= WORD ? word : word >> 8 * (WORD - left);
}

/* Sets bits in the first byte that is not a digit, and none in the bytes before
 * it.  The high half of a digit is 3, and is still 3 after adding 6. */
static uint64_t
find_other(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t other = (word ^ 0x30 * ones) | ((word + 6 * ones) ^ 0x30 * ones);

    return other & 0xf0 * ones;
}

/* How many of the first bytes are digits. */
static int
count_digits(uint64_t word)
{
    uint64_t other = find_other(word);

    return other == 0 ? WORD : __builtin_ctzll(other) / 8;
}

/* The number of n digits, n from 1: neighbours are joined to numbers of two,
 * four and eight digits. */
static uint64_t
join_digits(uint64_t word, int n)
{
    word <<= 8 * (WORD - n);
    word &= 0x0f0f0f0f0f0f0f0fu;
    word = word * 10 + (word >> 8);
    word &= 0x00ff00ff00ff00ffu;
    word = word * 100 + (word >> 16);
    word &= 0x0000ffff0000ffffu;
    return (word * 10000 + (word >> 32)) & 0xffffffffu;
}

static const char *
take_digits(const char *c, const char *end, struct parts *parts)
{
    const char *first = c;
    uint64_t digits = parts->digits;
    int most = MOST_DIGITS - parts->n_digits;

    while (most >= WORD && c < end && end - parts->text >= WORD) {
        uint64_t word = load_word(c, end);
        int n = count_digits(word);

        if (n > 0)
            digits = digits * powers_of_ten[n] + join_digits(word, n);
        c += n;
        most = n == WORD ? most - WORD : 0;
    }
    for (; c < end && is_digit(*c); c++) {
        uint64_t digit = (uint64_t)(*c - '0');

        parts->is_long |= digits > (UINT64_MAX - digit) / 10;
        digits = digits * 10 + digit;
    }
    parts->digits = digits;
    parts->n_digits += (int)(c - first);
    return c;
}

/* Most numbers are counts of at most two words; reads such a count. */
static bool
is_short_count(const char *c, const char *end, uint64_t *ret_count)
{
    uint64_t count = 0;

    if (c == end || end - c > WORD)
        return false;
    for (; c < end; c++) {
        if (!is_digit(*c))
            return false;
        count = count * 10 + (uint64_t)(*c - '0');
    }
    *ret_count = count;
    return true;
}

static bool
is_long_count(const char *c, const char *end, uint64_t *ret_count)
{
    ptrdiff_t length = end - c;
    uint64_t first, last;

    if (length <= WORD || length > 2 * WORD)
        return false;
    first = load_word(c, end);
    last = load_word(end - WORD, end);
    if ((find_other(first) | find_other(last)) != 0)
        return false;
    *ret_count =
        join_digits(first, (int)(length - WORD)) * powers_of_ten[WORD] +
        join_digits(last, WORD);
    return true;
}

/* Beyond 99,999 every exponent is out of range, so the value no longer
 * matters. */
static const char *
take_exponent(const char *c, const char *end, struct parts *parts)
{
    const char *first;
    bool is_negative;

    c = first = take_sign(c, end, &is_negative);
    for (; c < end && is_digit(*c); c++) {
        if (parts->exponent < 100000)
            parts->exponent = parts->exponent * 10 + (*c - '0');
    }
    if (is_negative)
        parts->exponent = -parts->exponent;
    return c > first ? c : NULL;
}

static bool
take_apart(const char *c, const char *end, struct parts *parts)
{
    *parts = (struct parts){.text = c};
    c = take_sign(c, end, &parts->is_negative);
    c = take_digits(c, end, parts);
    if (c < end && *c == '.') {
        int before = parts->n_digits;

        parts->has_point = true;
        c = take_digits(c + 1, end, parts);
        parts->n_decimals = parts->n_digits - before;
    }
    if (parts->n_digits == 0)
        return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        parts->has_exponent = true;
        c = take_exponent(c + 1, end, parts);
    }
    return c == end;
}

/* Integers up to 2^53 and powers of ten up to 10^22 are exact doubles, so one
 * division or multiplication rounds once, and correctly. */
static bool
to_real_exactly(uint64_t digits, int power, double *ret_real)
{
    static const double tens[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    if (digits > (uint64_t)1 << 53 || power < -22 || power > 22)
        return false;
    /* signed, because there is a machine instruction for it */
    *ret_real = power < 0 ? (double)(int64_t)digits / tens[-power]
                          : (double)(int64_t)digits * tens[power];
    return true;
}

/* Where long doubles have 64 bits, they hold all digits and the powers of ten
 * up to 10^27 exactly.  Their quotient is wrong by at most half a unit of its
 * last place; rounding it to a double is correct unless its 11 extra bits are
 * within one of the middle. */
static bool
to_real_widely(uint64_t digits, int power, double *ret_real)
{
#if LDBL_MANT_DIG == 64
    static const long double tens[] = {
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
        1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
        1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    long double wide;
    uint64_t bits;

    if (power < -27 || power > 27)
        return false;
    wide = power < 0 ? (long double)digits / tens[-power]
                     : (long double)digits * tens[power];
    memcpy(&bits, &wide, sizeof bits);
    if ((bits & 0x7ff) - 0x3ff <= 2)
        return false;
    *ret_real = (double)wide;
    return true;
#else
    (void)digits, (void)power, (void)ret_real;
    return false;
#endif
}

/* Give strtod no decimal point: it would expect the locale's. */
static double
to_real_slowly(const char *text, const char *end, int power)
{
    char digits[LONGEST + 20];
    struct hpm_string whole = {.text = digits, .capacity = sizeof digits};
    int saved_errno = errno;
    double real;

    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        if (is_digit(*text))
            hpm_string_add_char(&whole, *text);
    }
    hpm_string_add_format(&whole, "e%d", power);
    real = strtod(digits, NULL);
    errno = saved_errno;
    return real;
}

static const char *
to_real(const struct parts *parts, const char *text, const char *end,
        double *ret_real)
{
    int power = parts->exponent - parts->n_decimals;

    if (parts->is_long || (!to_real_exactly(parts->digits, power, ret_real) &&
                           !to_real_widely(parts->digits, power, ret_real)))
        *ret_real = to_real_slowly(text, end, power);
    if (!isfinite(*ret_real))
        return "too large for a number";
    if (*ret_real == 0.0 && (parts->digits != 0 || parts->is_long))
        return "too small for a number";
    /* -0.0 is written as "-0", which is read as the count 0 */
    if (parts->is_negative && *ret_real != 0.0)
        *ret_real = -*ret_real;
    return NULL;
}

/* Read at most 19 digits with a point between, directly, without parts.  False
 * for every other text, valid or not. */
static bool
is_plain_decimal(const char *c, const char *end, struct hpm_number *ret_number)
{
    uint64_t digits, word;
    int n, n_decimals;

    if (end - c < WORD || end - c > MOST_DIGITS + 1)
        return false;
    word = load_word(c, end);
    n = count_digits(word);
    if (n == 0)
        return false;
    digits = join_digits(word, n);
    c += n;
    if (n == WORD && c < end) {
        word = load_word(c, end);
        n = count_digits(word);
        if (n > 0)
            digits = digits * powers_of_ten[n] + join_digits(word, n);
        c += n;
    }
    n_decimals = (int)(end - c) - 1;
    if (n_decimals <= 0 || *c != '.')
        return false;
    for (c++; c < end; c += n) {
        word = load_word(c, end);
        n = end - c < WORD ? (int)(end - c) : WORD;
        if (count_digits(word) != n)
            return false;
        digits = digits * powers_of_ten[n] + join_digits(word, n);
    }
    if (n_decimals == NANO_DECIMALS) {
        *ret_number =
            (struct hpm_number){.amount = digits, .kind = HPM_NUMBER_SECONDS};
        return true;
    }
    ret_number->kind = HPM_NUMBER_REAL;
    return to_real_exactly(digits, -n_decimals, &ret_number->real) ||
           to_real_widely(digits, -n_decimals, &ret_number->real);
}

/* Not inlined: the caller would set up this stack frame at each call. */
static __attribute__((noinline)) const char *
read_any(const char *text, const char *end, struct hpm_number *ret_number)
{
    struct hpm_number number = {0};
    struct parts parts;
    const char *problem;

    while (text < end && is_blank(*text))
        text++;
    while (end > text && is_blank(end[-1]))
        end--;
    if (end - text > LONGEST)
        return "too long for a number";
    if (text == end || !take_apart(text, end, &parts))
        return "not a number; expected digits like 12, 0.5 or 1e9";
    number.amount = parts.digits;
    if (!parts.has_point && !parts.has_exponent) {
        if (parts.is_long)
            return "too large for a count; the largest is "
                   "18446744073709551615";
        number.kind = parts.is_negative && number.amount > 0 ? HPM_NUMBER_MINUS
                                                             : HPM_NUMBER_COUNT;
    } else if (parts.n_decimals == NANO_DECIMALS && !parts.has_exponent &&
               !parts.is_long) {
        number.kind = parts.is_negative && number.amount > 0
                          ? HPM_NUMBER_MINUS_SECONDS
                          : HPM_NUMBER_SECONDS;
    } else {
        problem = to_real(&parts, text, end, &number.real);
        if (problem != NULL)
            return problem;
        number.kind = HPM_NUMBER_REAL;
    }
    *ret_number = number;
    return NULL;
}

const char *
hpm_number_read(const char *text, const char *end,
                struct hpm_number *ret_number)
{
    struct hpm_number number;

    if (is_short_count(text, end, &number.amount) ||
        is_long_count(text, end, &number.amount))
        number.kind = HPM_NUMBER_COUNT;
    else if (!is_plain_decimal(text, end, &number))
        return read_any(text, end, ret_number);
    *ret_number = number;
    return NULL;
}

/* ---- writing --------------------------------------------------------- */

/* Without printf, which takes several times as long: a large file has hundreds
 * of millions of numbers. */
static void
add_amount(struct hpm_string *string, uint64_t amount, int n_decimals)
{
    char digits[24];
    char *c = digits + sizeof digits;
    int n = 0;

    while (amount > 0 || n < n_decimals + 1) {
        if (n == n_decimals && n > 0)
            *--c = '.';
        *--c = (char)('0' + amount % 10);
        amount /= 10;
        n++;
    }
    hpm_string_add_bytes(string, c, (size_t)(digits + sizeof digits - c));
}

void
hpm_number_add(struct hpm_string *string, struct hpm_number number)
{
    switch (number.kind) {
    case HPM_NUMBER_NONE:
        break;
    case HPM_NUMBER_MINUS:
        hpm_string_add_char(string, '-');
        /* fall through */
    case HPM_NUMBER_COUNT:
        add_amount(string, number.amount, 0);
        break;
    case HPM_NUMBER_MINUS_SECONDS:
        hpm_string_add_char(string, '-');
        /* fall through */
    case HPM_NUMBER_SECONDS:
        add_amount(string, number.amount, NANO_DECIMALS);
        break;
    case HPM_NUMBER_REAL:
        hpm_string_add_real(string, number.real);
        break;
    }
}

/* ---- asking ---------------------------------------------------------- */

static bool
is_negative(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_MINUS ||
           number.kind == HPM_NUMBER_MINUS_SECONDS;
}

bool
hpm_number_is_seconds(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_SECONDS ||
           number.kind == HPM_NUMBER_MINUS_SECONDS;
}

/* Are both integers of the same unit? */
static bool
are_alike(struct hpm_number a, struct hpm_number b)
{
    return a.kind != HPM_NUMBER_REAL && b.kind != HPM_NUMBER_REAL &&
           hpm_number_is_seconds(a) == hpm_number_is_seconds(b);
}

/* Beyond 2^53 nanoseconds (104 days) a division would round twice. */
static double
seconds_to_real(uint64_t amount)
{
    char text[32];
    int saved_errno = errno;
    double real;

    if (amount <= (uint64_t)1 << 53)
        return (double)amount / (double)nano;
    snprintf(text, sizeof text, "%llue-9", (unsigned long long)amount);
    real = strtod(text, NULL);
    errno = saved_errno;
    return real;
}

double
hpm_number_to_real(struct hpm_number number)
{
    double real;

    if (number.kind == HPM_NUMBER_NONE)
        return NAN;
    if (number.kind == HPM_NUMBER_REAL)
        return number.real;
    real = hpm_number_is_seconds(number) ? seconds_to_real(number.amount)
                                         : (double)number.amount;
    return is_negative(number) ? -real : real;
}

bool
hpm_number_to_integer(struct hpm_number number, int64_t least, int64_t most,
                      int64_t *ret_value)
{
    int64_t value;

    if ((number.kind != HPM_NUMBER_COUNT && number.kind != HPM_NUMBER_MINUS) ||
        number.amount > INT64_MAX)
        return false;
    value =
        is_negative(number) ? -(int64_t)number.amount : (int64_t)number.amount;
    if (value < least || value > most)
        return false;
    *ret_value = value;
    return true;
}

static __int128
to_wide(struct hpm_number number)
{
    __int128 wide = number.amount;

    return is_negative(number) ? -wide : wide;
}

int
hpm_number_compare(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE || b.kind == HPM_NUMBER_NONE)
        return (a.kind != HPM_NUMBER_NONE) - (b.kind != HPM_NUMBER_NONE);
    if (are_alike(a, b))
        return (to_wide(a) > to_wide(b)) - (to_wide(a) < to_wide(b));
    double x = hpm_number_to_real(a), y = hpm_number_to_real(b);
    return (x > y) - (x < y);
}

/* ---- sums ------------------------------------------------------------ */

static struct hpm_number
from_wide(__int128 wide, bool has_seconds)
{
    struct hpm_number number = {0};
    __int128 amount = wide < 0 ? -wide : wide;

    if (amount > UINT64_MAX)
        return hpm_number_real((double)wide /
                               (has_seconds ? (double)nano : 1.0));
    number.amount = (uint64_t)amount;
    if (has_seconds)
        number.kind = wide < 0 ? HPM_NUMBER_MINUS_SECONDS : HPM_NUMBER_SECONDS;
    else
        number.kind = wide < 0 ? HPM_NUMBER_MINUS : HPM_NUMBER_COUNT;
    return number;
}

struct hpm_number
hpm_number_sum(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE || b.kind == HPM_NUMBER_NONE)
        return (struct hpm_number){0};
    if (are_alike(a, b))
        return from_wide(to_wide(a) + to_wide(b), hpm_number_is_seconds(a));
    return hpm_number_real(hpm_number_to_real(a) + hpm_number_to_real(b));
}

struct hpm_number
hpm_number_subtract(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE || b.kind == HPM_NUMBER_NONE)
        return (struct hpm_number){0};
    if (are_alike(a, b))
        return from_wide(to_wide(a) - to_wide(b), hpm_number_is_seconds(a));
    return hpm_number_real(hpm_number_to_real(a) - hpm_number_to_real(b));
}

struct hpm_number
hpm_number_total(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE)
        return b;
    return b.kind == HPM_NUMBER_NONE ? a : hpm_number_sum(a, b);
}
