/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' names and numbers. */
#include "study/vendor/notation.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/store/number.h"

static bool
is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

bool
hpm_notation_is_letter(char c)
{
    return is_alphanumeric(c) || (c != '\0' && strchr("_.:#$@", c) != NULL);
}

/* Digits, a fraction, an exponent. */
static size_t
decimal_length(const char *text)
{
    size_t n = strspn(text, "0123456789"), exponent;

    if (text[n] == '.' && (n > 0 || isdigit((unsigned char)text[1])))
        n += 1 + strspn(text + n + 1, "0123456789");
    if (n == 0 || (text[n] != 'e' && text[n] != 'E'))
        return n;
    exponent = 1 + (text[n + 1] == '-' || text[n + 1] == '+');
    if (!isdigit((unsigned char)text[n + exponent]))
        return n;
    exponent += strspn(text + n + exponent, "0123456789");
    return n + exponent;
}

size_t
hpm_notation_number(const char *text, double *ret_value)
{
    struct hpm_number number;
    size_t length;

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        char *end;
        unsigned long long value = strtoull(text, &end, 16);

        if (ret_value != NULL)
            *ret_value = (double)value;
        return (size_t)(end - text);
    }
    length = decimal_length(text);
    if (length == 0 || ret_value == NULL)
        return length;
    *ret_value = hpm_number_read(text, text + length, &number) == NULL
                     ? hpm_number_to_real(number)
                     : NAN;
    return length;
}

bool
hpm_notation_code(const char *text, uint64_t *ret_value)
{
    char *end;

    text += strspn(text, " ");
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *ret_value = strtoull(text, &end,
                          text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
    end += strspn(end, " ");
    return errno == 0 && (*end == '\0' || *end == ',');
}

bool
hpm_notation_are_terms(const char *text)
{
    while (*text != '\0') {
        size_t n = 0, value;

        while (is_alphanumeric(text[n]) || text[n] == '_')
            n++;
        value = text[n] == '=';
        while (value > 0 && is_alphanumeric(text[n + value]))
            value++;
        if (n == 0 || value == 1)
            return false;
        text += n + value;
        if (*text == ',' && text[1] != '\0')
            text++;
        else if (*text != '\0')
            return false;
    }
    return true;
}

/* Our names begin with a letter. */
static void
add_begin(struct hpm_string *string, const char *name)
{
    if (!is_alphanumeric(*name) || isdigit((unsigned char)*name))
        hpm_string_add_char(string, 'X');
}

void
hpm_notation_add_event(struct hpm_string *string, const char *name)
{
    bool is_inside = false; /* after the first colon: dots and - are letters
                             * there */

    add_begin(string, name);
    for (; *name != '\0'; name++) {
        bool is_colon = *name == ':' || (*name == '.' && !is_inside);
        bool is_good = is_alphanumeric(*name) || *name == '_' ||
                       (is_inside && strchr(".-=", *name) != NULL);

        hpm_string_add_char(string, is_colon ? ':' : is_good ? *name : '_');
        is_inside |= is_colon;
    }
}

void
hpm_notation_add_metric(struct hpm_string *string, const char *name)
{
    add_begin(string, name);
    for (; *name != '\0'; name++)
        hpm_string_add_char(string, is_alphanumeric(*name) ? *name : '_');
}

void
hpm_notation_add_quoted(struct hpm_string *string, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        hpm_string_add_char(string, c < ' ' || c == '\\' || c == 127 ? ' '
                                    : c == '"'                       ? '\''
                                                                     : *text);
    }
}
