/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm that a source has. */
#include "hpmviz/instrument/calls.h"

#include <string.h>

#include "hpmviz/instrument/ccalls.h"
#include "hpmviz/instrument/fcalls.h"

GArray *
hpmviz_calls_find(const char *text, enum hpmviz_language language)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_call));

    if (language == HPMVIZ_LANGUAGE_C || language == HPMVIZ_LANGUAGE_CPP)
        hpmviz_ccalls_add(calls, text);
    else if (language != HPMVIZ_LANGUAGE_UNKNOWN)
        hpmviz_fcalls_add(calls, text, language == HPMVIZ_LANGUAGE_FIXED);
    return calls;
}

static const struct hpmviz_call *
nth(const GArray *calls, guint i)
{
    return &g_array_index(calls, struct hpmviz_call, i);
}

static gboolean
is_start(const struct hpmviz_call *call)
{
    return call->kind == HPMVIZ_CALL_START || call->kind == HPMVIZ_CALL_SCOPE;
}

int
hpmviz_calls_next_id(const GArray *calls, int least)
{
    int id = least;

    for (guint i = 0; i < calls->len; i++) {
        const struct hpmviz_call *call = nth(calls, i);

        if (!call->knows_id || call->id < id)
            continue;
        if (call->id == G_MAXINT)
            return -1;
        id = call->id + 1;
    }
    return id;
}

static gboolean
is_taken(const GArray *calls, const char *text, const char *label)
{
    for (guint i = 0; i < calls->len; i++) {
        const struct hpmviz_call *call = nth(calls, i);

        if (is_start(call) && call->n_label == strlen(label) &&
            memcmp(text + call->label_at, label, call->n_label) == 0)
            return TRUE;
    }
    return FALSE;
}

char *
hpmviz_calls_free_label(const GArray *calls, const char *text,
                        const char *label)
{
    char *wanted = g_strdup(label);

    for (guint number = 2; is_taken(calls, text, wanted); number++) {
        g_free(wanted);
        wanted = g_strdup_printf("%s %u", label, number);
    }
    return wanted;
}

guint
hpmviz_calls_start_of(const GArray *calls, guint i)
{
    const struct hpmviz_call *call = nth(calls, i);

    if (!call->knows_id)
        return calls->len;
    for (guint at = i + 1; at-- > 0;) {
        const struct hpmviz_call *start = nth(calls, at);

        if (is_start(start) && start->knows_id && start->id == call->id &&
            (start->is_process == call->is_process ||
             call->kind == HPMVIZ_CALL_WORK))
            return at;
    }
    return calls->len;
}
