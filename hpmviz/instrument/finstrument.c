/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm put around lines of Fortran. */
#include "hpmviz/instrument/finstrument.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/calls.h"
#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/fdoors.h"
#include "hpmviz/instrument/fselection.h"

enum {
    LAST_FREE_COLUMN = 132,
    FIRST_FIXED_COLUMN = 6, /* bytes before the statement */
};

struct work {
    GArray *edits;
    struct hpmviz_fcode code;
    struct hpmviz_fblocks blocks;
    struct hpmviz_fselection selection;
    const struct hpmviz_wanted *wanted;
    enum hpmviz_fdoor door;
    gboolean is_preprocessed;
};

/* ---- lines ----------------------------------------------------------- */

/* The blanks before a call: those of the first statement, whose label is in
 * front of them in fixed form. */
static char *
indent_of(const struct work *work)
{
    const struct hpmviz_textlines *lines = &work->code.lines;
    const struct hpmviz_fstatement *first =
        hpmviz_fcode_nth(&work->code, work->selection.first_statement);
    gsize column = hpmviz_fcode_place(first, 0) -
                   hpmviz_textlines_start(lines, first->first);
    char *indent = hpmviz_textlines_indent(lines, first->first);

    if (!work->code.is_fixed || strchr(indent, '\t') != NULL)
        return indent;
    g_free(indent);
    return g_strnfill(MAX(column, FIRST_FIXED_COLUMN), ' ');
}

static gsize
limit_of(const struct work *work)
{
    return work->code.is_fixed ? HPMVIZ_LAST_COLUMN : LAST_FREE_COLUMN;
}

/* As few blanks as can be before a statement. */
static gsize
least_indent(const struct work *work)
{
    g_autofree char *indent = indent_of(work);

    return work->code.is_fixed ? FIRST_FIXED_COLUMN : strlen(indent);
}

/* The statement in as many lines as the form wants; the arguments may be
 * divided at the first blank behind the label. */
static char *
lay_out(const struct work *work, const char *indent, const char *call,
        const char *more, const char *ending)
{
    gboolean is_fixed = work->code.is_fixed;
    gsize limit = limit_of(work);
    const char *less = is_fixed ? "      " : indent;

    if (strlen(indent) + strlen(call) + strlen(more) <= limit)
        return g_strconcat(indent, call, more, ending, NULL);
    if (strlen(less) + strlen(call) + strlen(more) <= limit)
        return g_strconcat(less, call, more, ending, NULL);
    return g_strconcat(less, call, is_fixed ? "" : " &", ending,
                       is_fixed ? "     &" : indent, more, ending, NULL);
}

/* What the module's calls want of file and line; the line is put right later
 * where no preprocessor does it, and has room for five digits. */
static char *
place_of(const struct work *work)
{
    return g_strdup_printf(" '%s', %s)", work->wanted->name,
                           work->is_preprocessed ? "__LINE__" : "00000");
}

static void
add_call(struct work *work, guint before, const char *call, const char *more)
{
    const struct hpmviz_textlines *lines = &work->code.lines;
    g_autofree char *indent = indent_of(work);
    const char *ending = hpmviz_textlines_ending(lines, work->selection.first);
    char *text = lay_out(work, indent, call, more, ending);
    gsize at = hpmviz_textlines_start(lines, before);

    if (at > 0 && lines->text[at - 1] != '\n') {
        char *line = g_strconcat(ending, text, NULL);

        g_free(text);
        text = line;
    }
    hpmviz_edits_add(work->edits, at, 0, text);
}

/* ---- the calls ------------------------------------------------------- */

static void
add_by_module(struct work *work, int id, const char *label)
{
    gboolean is_process = work->selection.has_parallel;
    const char *start = is_process ? "hpmStart" : "hpmTstart";
    const char *stop = is_process ? "hpmStop" : "hpmTstop";
    g_autofree char *begin =
        g_strdup_printf("call %s(%d, '%s',", start, id, label);
    g_autofree char *end = g_strdup_printf("call %s(%d,", stop, id);
    g_autofree char *place = place_of(work);

    hpmviz_fdoors_add_module(work->edits, &work->blocks, work->selection.unit,
                             start, stop);
    add_call(work, work->selection.first, begin, place);
    add_call(work, work->selection.last + 1, end, place);
}

/* The preprocessor cannot do with a call of two lines. */
static void
add_by_header(struct work *work, int id, const char *label)
{
    gboolean is_process = work->selection.has_parallel;
    g_autofree char *begin =
        g_strdup_printf("call %s(%d, '%s')",
                        is_process ? "f_hpmstart" : "f_hpmtstart", id, label);
    g_autofree char *end = g_strdup_printf(
        "call %s(%d)", is_process ? "f_hpmstop" : "f_hpmtstop", id);

    if (work->is_preprocessed)
        hpmviz_fdoors_add_header(work->edits, &work->blocks);
    add_call(work, work->selection.first, begin, "");
    add_call(work, work->selection.last + 1, end, "");
}

/* ---- all of it ------------------------------------------------------- */

/* The last of what the unit declares, or its own first statement. */
static gboolean
is_declaration(const struct work *work, guint i)
{
    const struct hpmviz_fnode *node = hpmviz_fblocks_nth(&work->blocks, i);

    if (node->kind == HPMVIZ_F_END_BLOCK && node->around != HPMVIZ_NO_STATEMENT)
        node = hpmviz_fblocks_nth(&work->blocks, node->around);
    return node->kind == HPMVIZ_F_UNIT || node->kind == HPMVIZ_F_DECLARATION ||
           node->kind == HPMVIZ_F_DECLARATIONS;
}

static gboolean
is_whole_unit(const struct work *work)
{
    guint unit = work->selection.unit;
    guint before = work->selection.first_statement - 1;
    const struct hpmviz_fnode *end =
        work->selection.end < work->blocks.nodes->len
            ? hpmviz_fblocks_nth(&work->blocks, work->selection.end)
            : NULL;

    return unit != HPMVIZ_NO_STATEMENT && end != NULL &&
           (end->kind == HPMVIZ_F_END_UNIT || end->kind == HPMVIZ_F_CONTAINS) &&
           is_declaration(work, before);
}

/* So many bytes a label may have: all of a call stands in a line up to it. */
static gsize
room_for_label(const struct work *work, int id)
{
    g_autofree char *call = g_strdup_printf(work->door == HPMVIZ_DOOR_MODULE
                                                ? "call hpmTstart(%d, '', &"
                                                : "call f_hpmtstart(%d, '')",
                                            id);
    gsize taken = least_indent(work) + strlen(call);

    return limit_of(work) > taken ? limit_of(work) - taken : 0;
}

/* Of a long name the beginning, with room for a number. */
static char *
label_of(const struct work *work, const GArray *calls, int id)
{
    enum { LEAST = 8, NUMBER = 4 };
    g_autofree char *name =
        hpmviz_fblocks_name(&work->blocks, work->selection.unit);
    const char *part = is_whole_unit(work)       ? ""
                       : work->selection.is_loop ? " loop"
                                                 : " part";
    gsize room = room_for_label(work, id), n = strlen(name);
    g_autofree char *label = NULL;

    if (n + strlen(part) > room)
        n = MIN(n, MAX(room, LEAST + NUMBER + strlen(part)) - strlen(part) -
                       NUMBER);
    label = g_strdup_printf("%.*s%s", (int)n, name, part);
    return hpmviz_calls_free_label(calls, work->code.lines.text, label);
}

/* The file is found by its name, so that cannot be shortened. */
static gboolean
check_name(const struct work *work, GError **error)
{
    g_autofree char *place = place_of(work);

    return work->door == HPMVIZ_DOOR_HEADER ||
           least_indent(work) + strlen(place) <= limit_of(work) ||
           hpmviz_edits_refuse(
               error,
               _("the name of the file does not fit into a line of %zu "
                 "characters: put the calls there by hand"),
               limit_of(work));
}

gboolean
hpmviz_finstrument_add(GArray *edits, const char *text,
                       const struct hpmviz_wanted *wanted, const GArray *calls,
                       int id, GError **error)
{
    struct work work = {.edits = edits, .wanted = wanted};
    gboolean is_good;

    hpmviz_fcode_init(&work.code, text,
                      wanted->language == HPMVIZ_LANGUAGE_FIXED);
    hpmviz_fblocks_init(&work.blocks, &work.code);
    work.is_preprocessed = hpmviz_language_is_preprocessed(wanted->name);
    work.door = hpmviz_fdoors_of(&work.blocks, work.is_preprocessed);
    is_good = hpmviz_fselection_find(&work.blocks, wanted->first, wanted->last,
                                     &work.selection, error) &&
              check_name(&work, error);
    if (is_good) {
        g_autofree char *label = label_of(&work, calls, id);

        if (work.door == HPMVIZ_DOOR_MODULE)
            add_by_module(&work, id, label);
        else
            add_by_header(&work, id, label);
    }
    hpmviz_fblocks_clear(&work.blocks);
    hpmviz_fcode_clear(&work.code);
    return is_good;
}
