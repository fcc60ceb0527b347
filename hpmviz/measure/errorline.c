/* SPDX-License-Identifier: BSD-3-Clause
 * The place in a source that a line of output names. */
#include "hpmviz/measure/errorline.h"

#include <stdlib.h>
#include <string.h>

/* No time ("12:30:01") and no address is a place: a file has a letter. */
static gboolean
is_file(const char *text, gsize n)
{
    gboolean has_letter = FALSE;

    for (gsize i = 0; i < n; i++) {
        if (strchr("\"'<>|*?", text[i]) != NULL)
            return FALSE;
        has_letter = has_letter || g_ascii_isalpha(text[i]);
    }
    return has_letter;
}

static gboolean
take(const char *file, gsize n, const char *digits, const char *text,
     struct hpmviz_errorline *ret_place)
{
    gsize n_digits = strspn(digits, "0123456789");
    long line = n_digits > 0 && n_digits < 10 ? strtol(digits, NULL, 10) : 0;

    if (line < 1 || n == 0 || !is_file(file, n))
        return FALSE;
    *ret_place = (struct hpmviz_errorline){
        .file = g_strndup(file, n),
        .line = (int)line,
        .n_bytes = (gsize)(digits - text) + n_digits,
    };
    return TRUE;
}

/* FILE:LINE: and FILE(LINE):, the file without blanks at its begin. */
static gboolean
read_plain(const char *text, const char *start,
           struct hpmviz_errorline *ret_place)
{
    for (const char *at = start; *at != '\0' && *at != ' '; at++) {
        const char *digits = at + 1;
        char after = digits[strspn(digits, "0123456789")];

        if (((*at == ':' && after == ':') || (*at == '(' && after == ')')) &&
            take(start, (gsize)(at - start), digits, text, ret_place))
            return TRUE;
    }
    return FALSE;
}

/* "FILE", line LINE */
static gboolean
read_quoted(const char *text, const char *start,
            struct hpmviz_errorline *ret_place)
{
    const char *end = strchr(start + 1, '"');
    const char *digits;

    if (end == NULL || !g_str_has_prefix(end, "\", line "))
        return FALSE;
    digits = end + strlen("\", line ");
    return take(start + 1, (gsize)(end - start) - 1, digits, text, ret_place);
}

gboolean
hpmviz_errorline_read(const char *text, struct hpmviz_errorline *ret_place)
{
    static const char included[] = "In file included from ";
    const char *start = text + strspn(text, " \t");

    if (g_str_has_prefix(start, included))
        start += strlen(included);
    else if (g_str_has_prefix(start, "from "))
        start += strlen("from ");
    return *start == '"' ? read_quoted(text, start, ret_place)
                         : read_plain(text, start, ret_place);
}

char *
hpmviz_errorline_folder(const char *text, gboolean *ret_is_left)
{
    static const char enters[] = ": Entering directory ",
                      leaves[] = ": Leaving directory ";
    const char *found = strstr(text, enters);
    gsize n = strlen(enters);

    *ret_is_left = FALSE;
    if (found == NULL) {
        found = strstr(text, leaves);
        n = strlen(leaves);
        *ret_is_left = found != NULL;
    }
    if (found == NULL || strchr("'`\"", found[n]) == NULL || found[n] == '\0')
        return NULL;
    found += n + 1;
    return g_strndup(found, strcspn(found, "'\""));
}
