/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm taken away from a source. */
#include "hpmviz/instrument/removal.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/calls.h"
#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/libraryuse.h"
#include "hpmviz/instrument/textlines.h"

struct work {
    const char *text;
    const struct hpmviz_wanted *wanted;
    GArray *calls, *edits;
    struct hpmviz_textlines lines;
    gboolean *goes; /* of each call */
};

static const struct hpmviz_call *
nth(const struct work *work, guint i)
{
    return &g_array_index(work->calls, struct hpmviz_call, i);
}

static gboolean
is_of_section(const struct hpmviz_call *call)
{
    return call->kind != HPMVIZ_CALL_OTHER;
}

/* ---- which calls ----------------------------------------------------- */

static gboolean
is_in_lines(const struct work *work, const struct hpmviz_call *call)
{
    return call->line <= work->wanted->last &&
           call->last_line >= work->wanted->first;
}

/* The line of the last call of a section. */
static guint
last_line_of(const struct work *work, guint start)
{
    guint line = 0;

    for (guint i = start; i < work->calls->len; i++) {
        if (hpmviz_calls_start_of(work->calls, i) == start)
            line = nth(work, i)->last_line;
    }
    return line;
}

/* The start of the innermost section around the lines. */
static guint
find_around(const struct work *work)
{
    guint found = work->calls->len;

    for (guint i = 0; i < work->calls->len; i++) {
        if (nth(work, i)->line <= work->wanted->first &&
            hpmviz_calls_start_of(work->calls, i) == i &&
            last_line_of(work, i) >= work->wanted->last)
            found = i;
    }
    return found;
}

static void
take_section(struct work *work, guint start)
{
    for (guint i = 0; i < work->calls->len; i++) {
        if (hpmviz_calls_start_of(work->calls, i) == start)
            work->goes[i] = TRUE;
    }
}

/* FALSE where there is none. */
static gboolean
take_calls_of_lines(struct work *work)
{
    gboolean has_one = FALSE;
    guint around;

    for (guint i = 0; i < work->calls->len; i++) {
        guint start = hpmviz_calls_start_of(work->calls, i);

        if (!is_of_section(nth(work, i)) || !is_in_lines(work, nth(work, i)))
            continue;
        has_one = TRUE;
        work->goes[i] = TRUE;
        if (start < work->calls->len)
            take_section(work, start);
    }
    around = has_one ? work->calls->len : find_around(work);
    if (around < work->calls->len)
        take_section(work, around);
    return has_one || around < work->calls->len;
}

static gboolean
take_all_calls(struct work *work)
{
    gboolean has_one = FALSE;

    for (guint i = 0; i < work->calls->len; i++) {
        work->goes[i] = is_of_section(nth(work, i));
        has_one = has_one || work->goes[i];
    }
    return has_one;
}

/* ---- taking them away ------------------------------------------------ */

static gboolean
is_blank(const char *from, const char *to)
{
    while (from < to && g_ascii_isspace(*from))
        from++;
    return from == to;
}

/* With its line, where that has nothing else. */
static void
remove_call(struct work *work, const struct hpmviz_call *call)
{
    gsize start = hpmviz_textlines_start(&work->lines, call->line);
    gsize end = hpmviz_textlines_end(&work->lines, call->last_line);
    gsize call_end = call->at + call->n_bytes;
    gboolean is_fortran = work->wanted->language == HPMVIZ_LANGUAGE_FIXED ||
                          work->wanted->language == HPMVIZ_LANGUAGE_FREE;

    if (!is_fortran && !(is_blank(work->text + start, work->text + call->at) &&
                         is_blank(work->text + call_end, work->text + end))) {
        start = call->at - (call->at > 0 && work->text[call->at - 1] == ' ');
        end = call_end;
    }
    hpmviz_edits_add(work->edits, start, end - start, g_strdup(""));
}

static gboolean
remove_calls(struct work *work, GError **error)
{
    gboolean has_others = FALSE;

    for (guint i = 0; i < work->calls->len; i++) {
        const struct hpmviz_call *call = nth(work, i);

        if (!work->goes[i]) {
            has_others = TRUE;
            continue;
        }
        if (!call->is_alone)
            return hpmviz_edits_refuse(
                error,
                _("the call in line %u is not a statement by itself (an 'if' "
                  "decides about it, or it has a label): take it away by hand"),
                call->line);
        remove_call(work, call);
    }
    if (!has_others)
        hpmviz_libraryuse_remove(work->edits, work->text,
                                 work->wanted->language, work->calls->len);
    return TRUE;
}

static GArray *
finish(struct work *work, gboolean has_one, GError **error)
{
    GArray *edits = work->edits;

    if (!has_one)
        hpmviz_edits_refuse(error, _("no start or stop of libhpm is here"));
    if (!has_one || !remove_calls(work, error))
        g_clear_pointer(&edits, g_array_unref);
    g_free(work->goes);
    hpmviz_textlines_clear(&work->lines);
    g_array_unref(work->calls);
    return edits;
}

static void
begin(struct work *work, const char *text, const struct hpmviz_wanted *wanted)
{
    work->text = text;
    work->wanted = wanted;
    work->calls = hpmviz_calls_find(text, wanted->language);
    work->edits = hpmviz_edits_new();
    work->goes = g_new0(gboolean, work->calls->len + 1);
    hpmviz_textlines_init(&work->lines, text);
}

GArray *
hpmviz_removal_of_section(const char *text, const struct hpmviz_wanted *wanted,
                          GError **error)
{
    struct work work;

    begin(&work, text, wanted);
    return finish(&work, take_calls_of_lines(&work), error);
}

GArray *
hpmviz_removal_of_all(const char *text, const struct hpmviz_wanted *wanted,
                      GError **error)
{
    struct work work;

    begin(&work, text, wanted);
    return finish(&work, take_all_calls(&work), error);
}
