/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as performance files hold them. */
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts than any number needs: nothing we or others write has more
 * than 25 characters, and a bound keeps hostile ones cheap. */
enum { LONGEST = 100, NANO_DECIMALS = 9 };

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

/* A number taken apart: sign, all its digits, how many of them are decimals,
 * exponent. */
struct parts {
    bool is_negative;
    bool has_exponent;
    char digits[LONGEST + 1];
    int n_digits;
    int n_decimals;
    bool has_point;
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

static const char *
take_digits(const char *c, const char *end, struct parts *parts)
{
    while (c < end && is_digit(*c)) {
        parts->digits[parts->n_digits++] = *c++;
        parts->n_decimals += parts->has_point;
    }
    return c;
}

/* Past 99,999 any exponent is out of range, so counting on is no use. */
static const char *
take_exponent(const char *c, const char *end, struct parts *parts)
{
    const char *first;
    bool is_negative;

    c = first = take_sign(c, end, &is_negative);
    while (c < end && is_digit(*c)) {
        if (parts->exponent < 100000)
            parts->exponent = parts->exponent * 10 + (*c - '0');
        c++;
    }
    if (is_negative)
        parts->exponent = -parts->exponent;
    return c > first ? c : NULL;
}

static bool
take_apart(const char *c, const char *end, struct parts *parts)
{
    memset(parts, 0, offsetof(struct parts, digits));
    parts->n_digits = parts->n_decimals = parts->exponent = 0;
    parts->has_point = false;
    c = take_sign(c, end, &parts->is_negative);
    c = take_digits(c, end, parts);
    if (c < end && *c == '.') {
        parts->has_point = true;
        c = take_digits(c + 1, end, parts);
    }
    if (parts->n_digits == 0)
        return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        parts->has_exponent = true;
        c = take_exponent(c + 1, end, parts);
    }
    return c == end;
}

/* All digits as one integer; false past 64 bits. */
static bool
to_amount(const struct parts *parts, uint64_t *ret_amount)
{
    uint64_t amount = 0;

    for (int i = 0; i < parts->n_digits; i++) {
        uint64_t digit = (uint64_t)(parts->digits[i] - '0');

        if (amount > (UINT64_MAX - digit) / 10)
            return false;
        amount = amount * 10 + digit;
    }
    *ret_amount = amount;
    return true;
}

/* Up to 2^53 and powers of ten up to 10^22 doubles are exact, so one division
 * or multiplication rounds once and right.  Everything else is left to strtod,
 * which gets no decimal point: that would be the locale's. */
static const char *
to_real(struct parts *parts, double *ret_real)
{
    static const double tens[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int power = parts->exponent - parts->n_decimals;
    int saved_errno = errno;
    uint64_t amount;
    char text[LONGEST + 20];
    struct hpm_string whole = {.text = text, .capacity = sizeof text};

    if (to_amount(parts, &amount) && amount <= (uint64_t)1 << 53 &&
        power >= -22 && power <= 22) {
        *ret_real = power < 0 ? (double)amount / tens[-power]
                              : (double)amount * tens[power];
    } else {
        hpm_string_add_bytes(&whole, parts->digits, (size_t)parts->n_digits);
        hpm_string_add_format(&whole, "e%d", power);
        *ret_real = strtod(text, NULL);
        errno = saved_errno;
    }
    if (!isfinite(*ret_real))
        return "too large for a number";
    if (*ret_real == 0.0 && strspn(parts->digits, "0") != strlen(parts->digits))
        return "too small for a number";
    if (parts->is_negative)
        *ret_real = -*ret_real;
    return NULL;
}

const char *
hpm_number_read(const char *text, const char *end,
                struct hpm_number *ret_number)
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
    parts.digits[parts.n_digits] = '\0';
    if (!parts.has_point && !parts.has_exponent) {
        if (!to_amount(&parts, &number.amount))
            return "too large for a count; the largest is "
                   "18446744073709551615";
        number.kind = parts.is_negative && number.amount > 0 ? HPM_NUMBER_MINUS
                                                             : HPM_NUMBER_COUNT;
    } else if (parts.n_decimals == NANO_DECIMALS && !parts.has_exponent &&
               to_amount(&parts, &number.amount)) {
        number.kind = parts.is_negative && number.amount > 0
                          ? HPM_NUMBER_MINUS_SECONDS
                          : HPM_NUMBER_SECONDS;
    } else {
        problem = to_real(&parts, &number.real);
        if (problem != NULL)
            return problem;
        number.kind = HPM_NUMBER_REAL;
    }
    *ret_number = number;
    return NULL;
}

/* ---- writing --------------------------------------------------------- */

/* By hand: a large file has hundreds of millions, and printf takes several
 * times as long. */
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

static bool
is_seconds(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_SECONDS ||
           number.kind == HPM_NUMBER_MINUS_SECONDS;
}

/* Can both be treated as integers of one unit? */
static bool
are_alike(struct hpm_number a, struct hpm_number b)
{
    return a.kind != HPM_NUMBER_REAL && b.kind != HPM_NUMBER_REAL &&
           is_seconds(a) == is_seconds(b);
}

/* Past 2^53 nanoseconds (104 days) the division would round twice. */
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
    real = is_seconds(number) ? seconds_to_real(number.amount)
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
        return from_wide(to_wide(a) + to_wide(b), is_seconds(a));
    return hpm_number_real(hpm_number_to_real(a) + hpm_number_to_real(b));
}

struct hpm_number
hpm_number_subtract(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE || b.kind == HPM_NUMBER_NONE)
        return (struct hpm_number){0};
    if (are_alike(a, b))
        return from_wide(to_wide(a) - to_wide(b), is_seconds(a));
    return hpm_number_real(hpm_number_to_real(a) - hpm_number_to_real(b));
}
