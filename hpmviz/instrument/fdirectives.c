/* SPDX-License-Identifier: BSD-3-Clause
 * OpenMP directives around lines of Fortran. */
#include "hpmviz/instrument/fdirectives.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/edits.h"

static const struct hpmviz_fdirective *
nth(const struct hpmviz_fcode *code, guint i)
{
    return &g_array_index(code->directives, struct hpmviz_fdirective, i);
}

static gboolean
is_end(const struct hpmviz_fdirective *directive)
{
    return g_str_has_prefix(directive->words, "end");
}

static gboolean
has_word(const struct hpmviz_fdirective *directive, const char *const *words)
{
    for (; *words != NULL; words++) {
        const char *found = strstr(directive->words, *words);

        if (found != NULL &&
            (found == directive->words || !g_ascii_isalnum(found[-1])) &&
            !g_ascii_isalnum(found[strlen(*words)]))
            return TRUE;
    }
    return FALSE;
}

/* Of a loop or a statement: its end may be left out. */
static gboolean
is_of_loop(const struct hpmviz_fdirective *directive)
{
    static const char *const words[] = {
        "do", "simd", "loop", "distribute", "taskloop", "atomic", NULL};

    return !directive->is_include && has_word(directive, words);
}

/* Of a region that has an end. */
static gboolean
is_of_region(const struct hpmviz_fdirective *directive)
{
    static const char *const words[] = {
        "parallel", "sections", "single",    "master", "masked",
        "critical", "ordered",  "workshare", "task",   "taskgroup",
        "target",   "teams",    NULL};
    const char *first =
        directive->words + (is_end(directive) ? strlen("end") : 0);

    return !directive->is_include && !is_of_loop(directive) && *first != '\0' &&
           has_word(directive, words) &&
           strstr(directive->words, "target update") == NULL &&
           strstr(directive->words, "target enter") == NULL &&
           strstr(directive->words, "target exit") == NULL;
}

/* Is there a statement in these lines? */
static gboolean
has_statement(const struct hpmviz_fcode *code, guint first, guint last)
{
    for (guint i = 0; i < code->statements->len; i++) {
        const struct hpmviz_fstatement *at = hpmviz_fcode_nth(code, i);

        if (at->last >= first && at->first <= last)
            return TRUE;
    }
    return FALSE;
}

static void
include_begin(const struct hpmviz_fcode *code, guint code_first, guint *first)
{
    for (guint i = code->directives->len; i-- > 0;) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line >= code_first || at->is_include)
            continue;
        if (has_statement(code, at->line, code_first - 1))
            break;
        if (is_end(at) || !is_of_loop(at))
            break;
        *first = MIN(*first, at->line);
    }
}

static void
include_end(const struct hpmviz_fcode *code, guint code_last, guint *last)
{
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line <= code_last || at->is_include)
            continue;
        if (has_statement(code, code_last + 1, at->line) || !is_end(at) ||
            !is_of_loop(at))
            break;
        *last = MAX(*last, at->last);
    }
}

static gboolean
check_regions(const struct hpmviz_fcode *code, guint first, guint last,
              GError **error)
{
    int depth = 0;
    guint line = 0;

    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line < first || at->line > last || !is_of_region(at))
            continue;
        depth += is_end(at) ? -1 : 1;
        line = at->line;
        if (depth < 0)
            break;
    }
    return depth == 0 ||
           hpmviz_edits_refuse(error,
                               _("the OpenMP region of line %u is only in part "
                                 "in the lines selected: select all of it, or "
                                 "lines inside"),
                               line);
}

gboolean
hpmviz_fdirectives_include(const struct hpmviz_fcode *code, guint code_first,
                           guint code_last, guint *first, guint *last,
                           gboolean *ret_has_parallel, GError **error)
{
    static const char *const words[] = {"parallel", NULL};

    include_begin(code, code_first, first);
    if (*first < code_first)
        include_end(code, code_last, last);
    *ret_has_parallel = FALSE;
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line >= *first && at->line <= *last && !is_end(at) &&
            !at->is_include && has_word(at, words))
            *ret_has_parallel = TRUE;
    }
    return check_regions(code, *first, *last, error);
}
