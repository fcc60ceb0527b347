/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm put around lines of a source. */
#include "hpmviz/instrument/instrument.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "hpmviz/instrument/calls.h"
#include "hpmviz/instrument/cinstrument.h"
#include "hpmviz/instrument/finstrument.h"

static gboolean
add(GArray *edits, const char *text, const struct hpmviz_wanted *wanted,
    const GArray *calls, int id, GError **error)
{
    switch (wanted->language) {
    case HPMVIZ_LANGUAGE_C:
    case HPMVIZ_LANGUAGE_CPP:
        return hpmviz_cinstrument_add(edits, text, wanted, calls, id, error);
    case HPMVIZ_LANGUAGE_FIXED:
    case HPMVIZ_LANGUAGE_FREE:
        return hpmviz_finstrument_add(edits, text, wanted, calls, id, error);
    default:
        return hpmviz_edits_refuse(error,
                                   _("%s: the name does not tell a language "
                                     "that is known here (C, C++, Fortran)"),
                                   wanted->name);
    }
}

GArray *
hpmviz_instrument_add(const char *text, const struct hpmviz_wanted *wanted,
                      int *ret_id, GError **error)
{
    GArray *calls = hpmviz_calls_find(text, wanted->language);
    GArray *edits = hpmviz_edits_new();
    int id = hpmviz_calls_next_id(calls, MAX(wanted->least_id, 1));
    gboolean is_good;

    if (id < 0)
        is_good = hpmviz_edits_refuse(
            error, _("there is no free id: the largest is taken already"));
    else
        is_good = add(edits, text, wanted, calls, id, error);
    g_array_unref(calls);
    if (is_good)
        *ret_id = id;
    else
        g_clear_pointer(&edits, g_array_unref);
    return edits;
}

/* Does the call name this file, and a line? */
static gboolean
names_file(const struct hpmviz_call *call, const char *text, const char *name)
{
    return call->n_line > 0 && call->n_file == strlen(name) &&
           memcmp(text + call->file_at, name, call->n_file) == 0;
}

GArray *
hpmviz_instrument_renew_lines(const char *text, enum hpmviz_language language,
                              const char *name)
{
    GArray *calls = hpmviz_calls_find(text, language);
    GArray *edits = hpmviz_edits_new();

    for (guint i = 0; i < calls->len; i++) {
        const struct hpmviz_call *call =
            &g_array_index(calls, struct hpmviz_call, i);

        if (names_file(call, text, name) &&
            strtoul(text + call->line_at, NULL, 10) != call->line)
            hpmviz_edits_add(edits, call->line_at, call->n_line,
                             g_strdup_printf("%u", call->line));
    }
    g_array_unref(calls);
    return edits;
}
