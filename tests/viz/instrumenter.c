/* SPDX-License-Identifier: BSD-3-Clause
 * The commands on calls of a source. */
#include "viz/instrumenter.h"

#include "hpmviz/instrument/instrument.h"
#include "hpmviz/instrument/removal.h"
#include "hpmviz/instrument/renumbering.h"

/* The text with the edits, or the reason why there are none.  Takes both. */
static char *
finish(const char *name, const char *text, GArray *edits, GError *error)
{
    g_autofree char *edited = NULL;
    char *result;
    GArray *lines;

    if (edits == NULL) {
        result = g_strdup(error->message);
        g_error_free(error);
        return result;
    }
    edited = hpmviz_edits_apply(edits, text);
    lines =
        hpmviz_instrument_renew_lines(edited, hpmviz_language_of(name), name);
    result = hpmviz_edits_apply(lines, edited);
    g_array_unref(lines);
    g_array_unref(edits);
    return result;
}

static struct hpmviz_wanted
want(const char *name, guint first, guint last)
{
    return (struct hpmviz_wanted){hpmviz_language_of(name), name, first, last,
                                  1};
}

char *
instrumenter_add(const char *name, const char *text, guint first, guint last)
{
    struct hpmviz_wanted wanted = want(name, first, last);
    GError *error = NULL;
    int id = 0;
    GArray *edits = hpmviz_instrument_add(text, &wanted, &id, &error);

    return finish(name, text, edits, error);
}

char *
instrumenter_take_away(const char *name, const char *text, guint first,
                       guint last)
{
    struct hpmviz_wanted wanted = want(name, first, last);
    GError *error = NULL;
    GArray *edits = first == 0
                        ? hpmviz_removal_of_all(text, &wanted, &error)
                        : hpmviz_removal_of_section(text, &wanted, &error);

    return finish(name, text, edits, error);
}

char *
instrumenter_renumber(const char *name, const char *text)
{
    GError *error = NULL;
    GArray *edits =
        hpmviz_renumbering_edits(text, hpmviz_language_of(name), 1, &error);

    return finish(name, text, edits, error);
}
