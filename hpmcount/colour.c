/* SPDX-License-Identifier: BSD-3-Clause
 * Colour for a text report on a terminal. */
#include "hpmcount/colour.h"

#include <string.h>

/* The escape sequence before a line, or NULL. */
static const char *
style_of(const char *line, size_t length)
{
    static const char dash[] = "   -";

    if (length == 0)
        return NULL;
    if (strncmp(line, "note: ", 6) == 0)
        return "\033[33m";
    if (line[0] != ' ')
        return "\033[1m";
    for (size_t i = 0; i + sizeof dash - 1 <= length; i++) {
        const char *end = line + i + sizeof dash - 1;

        if (memcmp(line + i, dash, sizeof dash - 1) == 0 &&
            (end == line + length || *end == ' '))
            return "\033[2m";
    }
    return NULL;
}

void
colour_add(struct hpm_string *string, const char *report)
{
    while (*report != '\0') {
        size_t length = strcspn(report, "\n");
        const char *style = style_of(report, length);

        if (style != NULL)
            hpm_string_add(string, style);
        hpm_string_add_bytes(string, report, length);
        if (style != NULL)
            hpm_string_add(string, "\033[0m");
        report += length;
        if (*report == '\n')
            hpm_string_add_char(string, *report++);
    }
}
