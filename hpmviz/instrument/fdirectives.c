/* SPDX-License-Identifier: BSD-3-Clause
 * Directives of compilers, OpenMP and OpenACC around lines of Fortran. */
#include "hpmviz/instrument/fdirectives.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/edits.h"

static const struct hpmviz_fdirective *
nth(const struct hpmviz_fcode *code, guint i)
{
    return &g_array_index(code->directives, struct hpmviz_fdirective, i);
}

/* ---- one directive --------------------------------------------------- */

gboolean
hpmviz_fdirective_is_end(const struct hpmviz_fdirective *directive)
{
    return directive->of != HPMVIZ_F_PREPROCESSOR &&
           g_str_has_prefix(directive->words, "end");
}

/* Clauses have parentheses, and may name whatever they like in them. */
gboolean
hpmviz_fdirective_has_word(const struct hpmviz_fdirective *directive,
                           const char *word)
{
    const char *words = directive->words;
    gsize n = strcspn(words, "(");
    const char *found = g_strstr_len(words, (gssize)n, word);

    while (found != NULL && ((found > words && g_ascii_isalnum(found[-1])) ||
                             g_ascii_isalnum(found[strlen(word)])))
        found = g_strstr_len(found + 1, (gssize)n - (found + 1 - words), word);
    return found != NULL;
}

static gboolean
has_one_of(const struct hpmviz_fdirective *directive, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (hpmviz_fdirective_has_word(directive, *words))
            return TRUE;
    }
    return FALSE;
}

/* Of OpenMP and OpenACC: neither a statement nor a region belongs to it. */
static gboolean
is_alone(const struct hpmviz_fdirective *directive)
{
    static const char *const openmp[] = {
        "barrier", "taskwait", "taskyield",     "flush",        "threadprivate",
        "declare", "cancel",   "target update", "target enter", "target exit",
        "section", "scan",     "allocate",      "depobj",       "requires",
        "error",   NULL};
    static const char *const openacc[] = {
        "update",  "wait", "enter",    "exit", "cache", "routine",
        "declare", "init", "shutdown", "set",  NULL};
    const char *const *words =
        directive->of == HPMVIZ_F_OPENMP ? openmp : openacc;

    for (; *words != NULL; words++) {
        if (g_str_has_prefix(directive->words, *words) &&
            directive->words[strlen(*words)] != 's') /* sections, allocators */
            return TRUE;
    }
    return FALSE;
}

gboolean
hpmviz_fdirective_is_of_statement(const struct hpmviz_fdirective *directive)
{
    static const char *const openmp[] = {"do",         "simd",     "loop",
                                         "distribute", "taskloop", "atomic",
                                         "tile",       "unroll",   NULL};
    static const char *const openacc[] = {"loop", "atomic", NULL};

    switch (directive->of) {
    case HPMVIZ_F_COMPILER:
        return TRUE;
    case HPMVIZ_F_OPENMP:
        return !is_alone(directive) && has_one_of(directive, openmp);
    case HPMVIZ_F_OPENACC:
        return !is_alone(directive) && has_one_of(directive, openacc);
    default:
        return FALSE;
    }
}

gboolean
hpmviz_fdirective_is_of_region(const struct hpmviz_fdirective *directive)
{
    static const char *const openmp[] = {
        "parallel", "sections", "single",    "master", "masked",
        "critical", "ordered",  "workshare", "task",   "taskgroup",
        "target",   "teams",    "scope",     NULL};
    static const char *const openacc[] = {"parallel", "kernels",   "serial",
                                          "data",     "host_data", NULL};

    if (hpmviz_fdirective_is_of_statement(directive) || is_alone(directive))
        return FALSE;
    return (directive->of == HPMVIZ_F_OPENMP &&
            has_one_of(directive, openmp)) ||
           (directive->of == HPMVIZ_F_OPENACC &&
            has_one_of(directive, openacc));
}

char *
hpmviz_fdirective_text(const struct hpmviz_fdirective *directive)
{
    return g_strconcat(directive->sign,
                       directive->of == HPMVIZ_F_PREPROCESSOR ? "" : " ",
                       directive->words, NULL);
}

/* ---- around lines ---------------------------------------------------- */

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

        if (at->line >= code_first || at->of == HPMVIZ_F_PREPROCESSOR)
            continue;
        if (has_statement(code, at->line, code_first - 1) ||
            hpmviz_fdirective_is_end(at) ||
            !hpmviz_fdirective_is_of_statement(at))
            break;
        *first = MIN(*first, at->line);
    }
}

static void
include_end(const struct hpmviz_fcode *code, guint code_last, guint *last)
{
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line <= code_last || at->of == HPMVIZ_F_PREPROCESSOR)
            continue;
        if (has_statement(code, code_last + 1, at->line) ||
            !hpmviz_fdirective_is_end(at) ||
            !hpmviz_fdirective_is_of_statement(at))
            break;
        *last = MAX(*last, at->last);
    }
}

/* ---- what cannot be -------------------------------------------------- */

static gboolean
is_section(const struct hpmviz_fdirective *directive)
{
    return directive->of == HPMVIZ_F_OPENMP &&
           g_str_has_prefix(directive->words, "section") &&
           !g_ascii_isalnum(directive->words[strlen("section")]);
}

static gboolean
refuse_section(const struct hpmviz_fdirective *directive, GError **error)
{
    g_autofree char *text = hpmviz_fdirective_text(directive);

    return hpmviz_edits_refuse(error,
                               _("'%s' in line %u begins a part of its own: "
                                 "select lines of one part, or all of them"),
                               text, directive->line);
}

static gboolean
check_regions(const struct hpmviz_fcode *code, guint first, guint last,
              GError **error)
{
    int depth = 0;
    guint line = 0;

    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line < first || at->line > last)
            continue;
        if (depth == 0 && is_section(at))
            return refuse_section(at, error);
        if (!hpmviz_fdirective_is_of_region(at))
            continue;
        depth += hpmviz_fdirective_is_end(at) ? -1 : 1;
        line = at->line;
        if (depth < 0)
            break;
    }
    return depth == 0 ||
           hpmviz_edits_refuse(error,
                               _("the region of line %u is only in part "
                                 "in the lines selected: select all of it, or "
                                 "lines inside"),
                               line);
}

/* A stop between a directive and its loop would take the loop's place. */
static gboolean
check_last(const struct hpmviz_fcode *code, guint code_last, guint last,
           GError **error)
{
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);
        g_autofree char *text = NULL;

        if (at->line <= code_last || at->line > last ||
            hpmviz_fdirective_is_end(at) ||
            !hpmviz_fdirective_is_of_statement(at))
            continue;
        text = hpmviz_fdirective_text(at);
        return hpmviz_edits_refuse(error,
                                   _("'%s' in line %u belongs to the statement "
                                     "below: select that, too"),
                                   text, at->line);
    }
    return TRUE;
}

gboolean
hpmviz_fdirectives_include(const struct hpmviz_fcode *code, guint code_first,
                           guint code_last, guint *first, guint *last,
                           gboolean *ret_has_parallel, GError **error)
{
    if (!check_last(code, code_last, *last, error))
        return FALSE;
    include_begin(code, code_first, first);
    if (*first < code_first)
        include_end(code, code_last, last);
    *ret_has_parallel = FALSE;
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(code, i);

        if (at->line >= *first && at->line <= *last &&
            at->of == HPMVIZ_F_OPENMP && !is_alone(at) &&
            !hpmviz_fdirective_is_end(at) &&
            hpmviz_fdirective_has_word(at, "parallel"))
            *ret_has_parallel = TRUE;
    }
    return check_regions(code, *first, *last, error);
}
