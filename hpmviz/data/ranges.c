/* SPDX-License-Identifier: BSD-3-Clause
 * Ranges of numbers. */
#include "hpmviz/data/ranges.h"

#include <glib/gi18n.h>
#include <limits.h>

static void
skip_blanks(const char **at)
{
    while (g_ascii_isspace(**at))
        (*at)++;
}

/* A number from 0 on, blanks before it; moves *at behind it. */
static gboolean
read_number(const char **at, int *ret_number)
{
    char *end;
    guint64 number;

    skip_blanks(at);
    if (!g_ascii_isdigit(**at))
        return FALSE;
    number = g_ascii_strtoull(*at, &end, 10);
    *at = end;
    *ret_number = (int)MIN(number, INT_MAX);
    return number <= INT_MAX;
}

/* The sign, if it is there; moves *at behind it and blanks. */
static gboolean
read_sign(const char **at, char sign)
{
    skip_blanks(at);
    if (**at != sign)
        return FALSE;
    (*at)++;
    skip_blanks(at);
    return TRUE;
}

static gboolean
read_range(const char **at, struct hpmviz_range *range)
{
    if (!read_number(at, &range->first))
        return FALSE;
    range->last = range->first;
    range->step = 1;
    if (read_sign(at, '-') &&
        (!read_number(at, &range->last) || range->last < range->first))
        return FALSE;
    return !read_sign(at, ':') ||
           (read_number(at, &range->step) && range->step > 0);
}

/* Numbers below 0 stand for whole processes, and for threads that only have a sum:
 * without a text they are chosen, too. */
static const struct hpmviz_range all = {INT_MIN, INT_MAX, 1};

GArray *
hpmviz_ranges_read(const char *text, char **ret_problem)
{
    g_autoptr(GArray) ranges =
        g_array_new(FALSE, FALSE, sizeof(struct hpmviz_range));
    const char *at = text;

    skip_blanks(&at);
    if (*at == '\0')
        g_array_append_val(ranges, all);
    while (*at != '\0') {
        struct hpmviz_range range;
        const char *word = at;

        if (!read_range(&at, &range) || (!read_sign(&at, ',') && *at != '\0')) {
            *ret_problem =
                g_strdup_printf(_("'%s': expected numbers and ranges, such as "
                                  "0-7, 12, 16-64:4"),
                                word);
            return NULL;
        }
        g_array_append_val(ranges, range);
    }
    return g_steal_pointer(&ranges);
}

gboolean
hpmviz_ranges_has(const GArray *ranges, int number)
{
    for (guint i = 0; i < ranges->len; i++) {
        const struct hpmviz_range *range =
            &g_array_index(ranges, struct hpmviz_range, i);

        if (number >= range->first && number <= range->last &&
            (range->step == 1 || (number - range->first) % range->step == 0))
            return TRUE;
    }
    return FALSE;
}
