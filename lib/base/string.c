/* SPDX-License-Identifier: BSD-3-Clause
 * Text that grows, numbers as text, and the few string questions we ask. */
#include "base/string.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

void
hpm_string_free(struct hpm_string *string)
{
    hpm_memory_free(string->text);
    *string = (struct hpm_string){0};
}

void
hpm_string_finish(struct hpm_string *string, bool *failed)
{
    *failed |= string->failed;
    hpm_string_free(string);
}

void
hpm_string_clear(struct hpm_string *string)
{
    string->length = 0;
    if (string->text != NULL)
        string->text[0] = '\0';
}

void
hpm_string_reserve(struct hpm_string *string, size_t length)
{
    if (!string->failed)
        string->failed =
            !hpm_memory_grow(&string->text, &string->capacity, length + 1, 1);
}

void
hpm_string_add_bytes(struct hpm_string *string, const char *bytes,
                     size_t length)
{
    hpm_string_reserve(string, string->length + length);
    if (string->failed)
        return;
    if (length > 0) /* memcpy must not get NULL */
        memcpy(string->text + string->length, bytes, length);
    string->length += length;
    string->text[string->length] = '\0';
}

void
hpm_string_add(struct hpm_string *string, const char *text)
{
    hpm_string_add_bytes(string, text, strlen(text));
}

void
hpm_string_add_char(struct hpm_string *string, char c)
{
    hpm_string_add_bytes(string, &c, 1);
}

void
hpm_string_add_blanks(struct hpm_string *string, size_t used, size_t width)
{
    for (; used < width; used++)
        hpm_string_add_char(string, ' ');
}

void
hpm_string_add_string(struct hpm_string *string, struct hpm_string *more)
{
    hpm_string_add(string, hpm_string_text(more));
    hpm_string_finish(more, &string->failed);
}

void
hpm_string_trim(struct hpm_string *string)
{
    while (string->length > 0 && string->text[string->length - 1] == ' ')
        string->text[--string->length] = '\0';
}

void
hpm_string_add_arguments(struct hpm_string *string, const char *format,
                         va_list arguments)
{
    va_list again;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0 || string->failed ||
        !hpm_memory_grow(&string->text, &string->capacity,
                         string->length + (size_t)length + 1, 1)) {
        string->failed = true;
    } else {
        vsnprintf(string->text + string->length, (size_t)length + 1, format,
                  again);
        string->length += (size_t)length;
    }
    va_end(again);
}

void
hpm_string_add_format(struct hpm_string *string, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    hpm_string_add_arguments(string, format, arguments);
    va_end(arguments);
}

/* printf writes the locale's decimal point, which may be several bytes (the
 * Persian one is): every run of bytes that no C number has becomes one dot. */
static void
add_c_number(struct hpm_string *string, char *digits)
{
    bool in_point = false;
    size_t n = 0;

    for (const char *c = digits; *c != '\0'; c++) {
        bool is_ours = strchr("0123456789+-e", *c) != NULL;

        if (is_ours)
            digits[n++] = *c;
        else if (!in_point)
            digits[n++] = '.';
        in_point = !is_ours;
    }
    hpm_string_add_bytes(string, digits, n);
}

/* From 2^53 on, a double cannot hold every integer. */
static bool
may_be_rounded(double value)
{
    return fabs(value) >= 9007199254740992.0; /* 2^53 */
}

/* "1.5000e+16" becomes "1.5e+16": drops zeros, and the point if no digit
 * follows. */
static void
drop_zeros(char *digits)
{
    char *exponent = strchr(digits, 'e'), *end = exponent;

    while (end > digits && end[-1] == '0')
        end--;
    while (end > digits && !(end[-1] >= '0' && end[-1] <= '9'))
        end--;
    memmove(end, exponent, strlen(exponent) + 1);
}

void
hpm_string_add_real(struct hpm_string *string, double value)
{
    char digits[64];
    bool is_rounded = may_be_rounded(value);

    if (!isfinite(value))
        return;
    /* start at 15 digits, which a double always keeps; only a denormal has
     * fewer */
    for (int precision = fabs(value) < DBL_MIN ? 1 : 15; precision <= 17;
         precision++) {
        if (is_rounded)
            snprintf(digits, sizeof digits, "%.*e", precision - 1, value);
        else
            snprintf(digits, sizeof digits, "%.*g", precision, value);
        /* strtod and printf use the same locale */
        if (strtod(digits, NULL) == value)
            break;
    }
    if (is_rounded)
        drop_zeros(digits);
    add_c_number(string, digits);
}

/* A number that was rounded to zero has no sign. */
static char *
skip_sign_of_zero(char *digits)
{
    return digits[0] == '-' && strpbrk(digits, "123456789") == NULL ? digits + 1
                                                                    : digits;
}

void
hpm_string_add_fixed(struct hpm_string *string, double value, int decimals)
{
    char digits[64];

    if (!isfinite(value))
        return;
    if (may_be_rounded(value)) {
        hpm_string_add_real(string, value);
        return;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    add_c_number(string, skip_sign_of_zero(digits));
}

void
hpm_string_add_grouped(struct hpm_string *string, uint64_t value)
{
    char digits[32], grouped[48];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t length = 0;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            grouped[length++] = ',';
        grouped[length++] = digits[i];
    }
    hpm_string_add_bytes(string, grouped, length);
}

const char *
hpm_string_text(const struct hpm_string *string)
{
    return string->text != NULL ? string->text : "";
}

static int
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

bool
hpm_string_same_word(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

bool
hpm_string_to_count(const char *text, uint64_t *ret_value)
{
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = is_hex ? text + 2 : text;
    size_t n = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long long value;
    int saved_errno = errno;

    if (n == 0 || digits[n] != '\0')
        return false;
    errno = 0;
    value = strtoull(digits, NULL, is_hex ? 16 : 10);
    if (errno != 0) {
        errno = saved_errno;
        return false;
    }
    errno = saved_errno;
    *ret_value = value;
    return true;
}

static unsigned
minimum(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment; only three rows of the table are kept. */
unsigned
hpm_string_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 63 };
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    size_t length_a = strlen(a), length_b = strlen(b);

    if (length_a > LONGEST || length_b > LONGEST)
        return limit;
    for (unsigned j = 0; j <= length_b; j++)
        last[j] = j;
    for (unsigned i = 1; i <= length_a; i++) {
        unsigned *free_row = before;

        row[0] = i;
        for (unsigned j = 1; j <= length_b; j++) {
            unsigned change = lower(a[i - 1]) != lower(b[j - 1]);

            row[j] = minimum(minimum(last[j] + 1, row[j - 1] + 1),
                             last[j - 1] + change);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = minimum(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
        row = free_row;
    }
    return minimum(last[length_b], limit);
}

size_t
hpm_string_character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code;
    size_t length;

    if (c[0] < 0x80) {
        bool is_allowed =
            c[0] >= 0x20 || c[0] == '\t' || c[0] == '\n' || c[0] == '\r';
        return is_allowed && c[0] != 0x7f ? 1 : 0;
    }
    if ((c[0] & 0xe0) == 0xc0)
        length = 2;
    else if ((c[0] & 0xf0) == 0xe0)
        length = 3;
    else if ((c[0] & 0xf8) == 0xf0)
        length = 4;
    else
        return 0;
    code = c[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    if (code < smallest[length] || code > 0x10ffff ||
        (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe ||
        code == 0xffff || (code >= 0x80 && code < 0xa0))
        return 0;
    return length;
}

int
hpm_string_compare(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

/* U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069: invisible
 * characters that change the direction of the text around them or begin a line
 * (Unicode 15, annex 9). */
static bool
is_direction(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    if (c[0] == 0xd8)
        return c[1] == 0x9c;
    if (c[0] == 0xe2 && c[1] == 0x80)
        return c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae);
    return c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9;
}

void
hpm_string_add_safe(struct hpm_string *string, const char *text)
{
    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (length == 0 || *text == '\t' || *text == '\n' || *text == '\r' ||
            is_direction(text)) {
            hpm_string_add_format(string, "\\x%02X", (unsigned char)*text);
            text++;
        } else {
            hpm_string_add_bytes(string, text, length);
            text += length;
        }
    }
}
