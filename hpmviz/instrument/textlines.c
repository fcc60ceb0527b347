/* SPDX-License-Identifier: BSD-3-Clause
 * The lines of a text. */
#include "hpmviz/instrument/textlines.h"

#include <string.h>

void
hpmviz_textlines_init(struct hpmviz_textlines *lines, const char *text)
{
    *lines = (struct hpmviz_textlines){
        .text = text,
        .n_bytes = strlen(text),
        .starts = g_array_new(FALSE, FALSE, sizeof(gsize)),
    };
    for (gsize at = 0; at < lines->n_bytes;) {
        const char *end = strchr(text + at, '\n');

        g_array_append_val(lines->starts, at);
        at = end != NULL ? (gsize)(end - text) + 1 : lines->n_bytes;
    }
}

void
hpmviz_textlines_clear(struct hpmviz_textlines *lines)
{
    g_clear_pointer(&lines->starts, g_array_unref);
}

guint
hpmviz_textlines_count(const struct hpmviz_textlines *lines)
{
    return lines->starts->len;
}

gsize
hpmviz_textlines_start(const struct hpmviz_textlines *lines, guint line)
{
    if (line == 0)
        return 0;
    return line <= lines->starts->len
               ? g_array_index(lines->starts, gsize, line - 1)
               : lines->n_bytes;
}

gsize
hpmviz_textlines_end(const struct hpmviz_textlines *lines, guint line)
{
    return hpmviz_textlines_start(lines, line + 1);
}

guint
hpmviz_textlines_of(const struct hpmviz_textlines *lines, gsize at)
{
    guint low = 0, high = lines->starts->len;

    while (high - low > 1) {
        guint middle = low + (high - low) / 2;

        if (g_array_index(lines->starts, gsize, middle) <= at)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

gboolean
hpmviz_textlines_is_blank(const struct hpmviz_textlines *lines, guint line)
{
    for (gsize at = hpmviz_textlines_start(lines, line);
         at < hpmviz_textlines_end(lines, line); at++) {
        if (!g_ascii_isspace(lines->text[at]))
            return FALSE;
    }
    return TRUE;
}

char *
hpmviz_textlines_indent(const struct hpmviz_textlines *lines, guint line)
{
    const char *start = lines->text + hpmviz_textlines_start(lines, line);

    return g_strndup(start, strspn(start, " \t"));
}

const char *
hpmviz_textlines_ending(const struct hpmviz_textlines *lines, guint line)
{
    gsize end = hpmviz_textlines_end(lines, line);

    return end >= 2 && memcmp(lines->text + end - 2, "\r\n", 2) == 0 ? "\r\n"
                                                                     : "\n";
}

gboolean
hpmviz_textlines_trim(const struct hpmviz_textlines *lines, guint *first,
                      guint *last)
{
    *first = MAX(*first, 1);
    *last = MIN(*last, hpmviz_textlines_count(lines));
    while (*first <= *last && hpmviz_textlines_is_blank(lines, *first))
        (*first)++;
    while (*first < *last && hpmviz_textlines_is_blank(lines, *last))
        (*last)--;
    return *first <= *last;
}
