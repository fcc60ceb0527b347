/* SPDX-License-Identifier: BSD-3-Clause
 * The ids of a source's sections, in their order. */
#include "hpmviz/instrument/renumbering.h"

#include <glib/gi18n.h>

#include "hpmviz/instrument/calls.h"
#include "hpmviz/instrument/edits.h"

static const struct hpmviz_call *
nth(const GArray *calls, guint i)
{
    return &g_array_index(calls, struct hpmviz_call, i);
}

/* The start that another start goes on with: the call of its id before is a
 * start, too.  `len` for none. */
static guint
same_start(const GArray *calls, guint i)
{
    const struct hpmviz_call *call = nth(calls, i);

    if (call->kind != HPMVIZ_CALL_START)
        return calls->len;
    while (i-- > 0) {
        const struct hpmviz_call *before = nth(calls, i);

        if (before->knows_id && before->id == call->id &&
            before->is_process == call->is_process &&
            before->kind != HPMVIZ_CALL_WORK)
            return before->kind == HPMVIZ_CALL_START ? i : calls->len;
    }
    return calls->len;
}

/* Has a call this id by a name?  Then it stays what it is, for the name may be
 * used elsewhere. */
static gboolean
is_named(const GArray *calls, int id)
{
    for (guint i = 0; i < calls->len; i++) {
        if (nth(calls, i)->knows_id && !nth(calls, i)->has_id &&
            nth(calls, i)->id == id)
            return TRUE;
    }
    return FALSE;
}

/* The new id of each call; those that have none keep 0. */
static int *
number(const GArray *calls, int first_id, guint *ret_n)
{
    int *ids = g_new0(int, calls->len + 1);
    int next = first_id;

    *ret_n = 0;
    for (guint i = 0; i < calls->len; i++) {
        guint start = hpmviz_calls_start_of(calls, i);

        if (start == calls->len || is_named(calls, nth(calls, i)->id))
            continue;
        if (start == i)
            start = same_start(calls, i);
        while (is_named(calls, next))
            next++;
        ids[i] = start < calls->len ? ids[start] : next++;
        (*ret_n)++;
    }
    return ids;
}

GArray *
hpmviz_renumbering_edits(const char *text, enum hpmviz_language language,
                         int first_id, GError **error)
{
    GArray *calls = hpmviz_calls_find(text, language);
    GArray *edits = hpmviz_edits_new();
    guint n;
    int *ids = number(calls, first_id, &n);

    for (guint i = 0; i < calls->len; i++) {
        const struct hpmviz_call *call = nth(calls, i);

        if (ids[i] != 0 && ids[i] != call->id)
            hpmviz_edits_add(edits, call->id_at, call->n_id,
                             g_strdup_printf("%d", ids[i]));
    }
    g_free(ids);
    g_array_unref(calls);
    if (n == 0) {
        hpmviz_edits_refuse(error, _("this file has no section with a number"));
        g_clear_pointer(&edits, g_array_unref);
    }
    return edits;
}
