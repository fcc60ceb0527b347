/* SPDX-License-Identifier: BSD-3-Clause
 * Matching a printf format: which arguments made this sentence. */
#include "study/words/pattern.h"

#include <ctype.h>
#include <string.h>

size_t
hpm_pattern_directive(const char *format, char *ret_conversion,
                      size_t *ret_place)
{
    size_t length = 1 + strspn(format + 1, "0123456789");

    *ret_place = 0;
    if (format[length] == '$' && length == 2)
        *ret_place = (size_t)(format[1] - '0');
    length += strspn(format + length, "$ +-#.*0123456789hlzjt");
    *ret_conversion = format[length];
    return format[length] != '\0' ? length + 1 : length;
}

/* The characters of which an argument may consist; NULL: any. */
static const char *
letters_of(char conversion)
{
    switch (conversion) {
    case 's':
    case 'c':
        return NULL;
    case 'd':
    case 'i':
    case 'u':
        return "0123456789-";
    default:
        return "0123456789abcdefABCDEF+-.,x";
    }
}

/* A file's notes may be long, and made to match slowly. */
enum { MOST_TRIES = 10000 };

static bool match(struct hpm_pattern_match *match, const char *format,
                  const char *text);

/* Try the shortest argument first with which the rest of the format matches. */
static bool
match_argument(struct hpm_pattern_match *found, const char *rest,
               const char *text, const char *letters, bool is_quoted)
{
    size_t place = found->n_arguments;
    size_t most = letters == NULL ? strlen(text) : strspn(text, letters);

    if (place == HPM_PATTERN_MOST)
        return false;
    found->n_arguments++;
    for (size_t length = letters == NULL ? 0 : 1; length <= most; length++) {
        if (rest[0] == '\0')
            length = most;
        else if (rest[0] != '%' && text[length] != rest[0])
            continue;
        if (found->n_tries++ >= MOST_TRIES)
            break;
        found->arguments[place] =
            (struct hpm_argument){text, length, is_quoted};
        if (match(found, rest, text + length))
            return true;
    }
    found->n_arguments = place;
    return false;
}

static bool
match(struct hpm_pattern_match *found, const char *format, const char *text)
{
    char before = '\0', conversion;
    size_t letters = found->n_letters, length, place;

    for (; *format != '\0'; before = *format++, text++) {
        if (*format == '%' && format[1] == '%') {
            format++;
        } else if (*format == '%') {
            length = hpm_pattern_directive(format, &conversion, &place);
            if (match_argument(found, format + length, text,
                               letters_of(conversion), before == '\''))
                return true;
            break;
        }
        if (*format != *text)
            break;
        found->n_letters += isalpha((unsigned char)*format) != 0;
    }
    if (*format == '\0' && *text == '\0')
        return true;
    found->n_letters = letters;
    return false;
}

bool
hpm_pattern_match(struct hpm_pattern_match *ret_match, const char *format,
                  const char *text)
{
    *ret_match = (struct hpm_pattern_match){0};
    return match(ret_match, format, text);
}
