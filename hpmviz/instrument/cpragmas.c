/* SPDX-License-Identifier: BSD-3-Clause
 * Pragmas around lines of C and C++. */
#include "hpmviz/instrument/cpragmas.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "hpmviz/instrument/cstatements.h"
#include "hpmviz/instrument/edits.h"

static const struct hpmviz_directiveline *
nth(const struct hpmviz_ccode *code, guint i)
{
    return &g_array_index(code->directives, struct hpmviz_directiveline, i);
}

/* ---- one pragma ------------------------------------------------------ */

/* Does the pragma belong to the statement that follows?  Others stand alone. */
static gboolean
is_of_statement(const struct hpmviz_directiveline *directive)
{
    static const char *const alone[] = {
        "omp barrier",
        "omp taskwait",
        "omp taskyield",
        "omp flush",
        "omp threadprivate",
        "omp declare",
        "omp cancel",
        "omp target update",
        "omp target enter",
        "omp end",
        "omp target exit",
        "omp begin",
        "GCC diagnostic",
        "clang diagnostic",
        "GCC push",
        "GCC pop",
        "GCC optimize",
        "STDC",
        "once",
        "pack",
        "message",
        "warning",
        "acc wait",
        "acc update",
        "acc enter",
        "acc exit",
        "acc routine",
        "acc declare",
    };

    if (directive->kind != HPMVIZ_DIRECTIVE_PRAGMA ||
        strlen(directive->words) <= strlen("pragma "))
        return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(alone); i++) {
        if (g_str_has_prefix(directive->words + strlen("pragma "), alone[i]))
            return FALSE;
    }
    return TRUE;
}

static gboolean
is_section(const struct hpmviz_directiveline *directive)
{
    static const char section[] = "pragma omp section";

    return g_str_has_prefix(directive->words, section) &&
           !g_ascii_isalnum(directive->words[strlen(section)]);
}

/* ---- around lines ---------------------------------------------------- */

/* Is there code between the directive and the line? */
static gboolean
is_code_between(const struct hpmviz_ctokens *tokens,
                const struct hpmviz_directiveline *directive, guint line)
{
    guint i = hpmviz_ctokens_from_line(tokens, directive->first);

    return hpmviz_ctokens_kind(tokens, i) != '\0' &&
           hpmviz_ctokens_nth(tokens, i)->line < line;
}

/* The pragmas right before a line that belong to the statement there: the
 * first line of them and of the conditionals they stand in, and the last
 * pragma; NULL for none. */
static const struct hpmviz_directiveline *
pragmas_before(const struct hpmviz_ctokens *tokens, guint line,
               guint *ret_first)
{
    const struct hpmviz_ccode *code = tokens->code;
    const struct hpmviz_directiveline *found = NULL;
    int depth = 0;

    for (guint i = code->directives->len; i-- > 0;) {
        const struct hpmviz_directiveline *at = nth(code, i);

        if (at->first >= line)
            continue;
        if (is_code_between(tokens, at, line) ||
            at->kind == HPMVIZ_DIRECTIVE_INCLUDE ||
            (at->kind == HPMVIZ_DIRECTIVE_PRAGMA && !is_of_statement(at)))
            break;
        depth += at->kind == HPMVIZ_DIRECTIVE_ENDIF;
        if (at->kind == HPMVIZ_DIRECTIVE_PRAGMA && found == NULL)
            found = at;
        if (found != NULL && (at->kind == HPMVIZ_DIRECTIVE_PRAGMA || depth > 0))
            *ret_first = at->first;
        depth -= at->kind == HPMVIZ_DIRECTIVE_IF && depth > 0;
    }
    return found;
}

/* A call between a pragma and its loop would take the loop's place. */
static gboolean
include_pragmas(const struct hpmviz_ctokens *tokens, guint first_token,
                guint *first, GError **error)
{
    const struct hpmviz_directiveline *pragma =
        pragmas_before(tokens, *first, first);

    if (pragma != NULL && is_section(pragma))
        return hpmviz_edits_refuse(
            error,
            _("line %u is the block of '#%s': select lines inside of it"),
            hpmviz_ctokens_nth(tokens, first_token)->line, pragma->words);
    return TRUE;
}

/* A section stands in the lines with the "sections" around it, or outside. */
static gboolean
check_sections(const struct hpmviz_ctokens *tokens, guint first_token,
               guint first, guint last, GError **error)
{
    for (guint i = 0; i < tokens->code->directives->len; i++) {
        const struct hpmviz_directiveline *at = nth(tokens->code, i);
        guint block = hpmviz_ctokens_from_line(tokens, at->last + 1);
        guint around = hpmviz_ctokens_around(tokens, block);

        if (at->first < first || at->first > last || !is_section(at) ||
            (around != HPMVIZ_NO_TOKEN && around >= first_token))
            continue;
        return hpmviz_edits_refuse(
            error,
            _("line %u is the block of '#%s': select lines inside of it"),
            hpmviz_ctokens_nth(tokens, block)->line, at->words);
    }
    return TRUE;
}

static gboolean
check_last_pragma(const struct hpmviz_ctokens *tokens, guint last,
                  GError **error)
{
    guint first;
    const struct hpmviz_directiveline *pragma =
        pragmas_before(tokens, last + 1, &first);

    if (pragma != NULL)
        return hpmviz_edits_refuse(error,
                                   _("'#%s' in line %u belongs to the "
                                     "statement below: select that, too"),
                                   pragma->words, pragma->first);
    return TRUE;
}

/* ---- what leaves no room for a call ---------------------------------- */

/* Is what belongs to it run by a device?  Data alone is not. */
static gboolean
is_for_device(const struct hpmviz_directiveline *pragma)
{
    static const char *const words[] = {"parallel", "kernels", "serial"};
    const char *text = pragma->words + strlen("pragma ");

    if (g_str_has_prefix(text, "omp target"))
        return !g_str_has_prefix(text, "omp target data");
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_str_has_prefix(text, "acc ") &&
            g_str_has_prefix(text + strlen("acc "), words[i]))
            return TRUE;
    }
    return FALSE;
}

/* How many loops it is about. */
static guint
count_loops(const struct hpmviz_directiveline *pragma)
{
    static const char *const clauses[] = {"collapse", "ordered"};
    guint n = 1;

    for (gsize i = 0; i < G_N_ELEMENTS(clauses); i++) {
        const char *clause = strstr(pragma->words, clauses[i]);
        const char *open = clause != NULL ? clause + strlen(clauses[i]) : "";

        open += strspn(open, " ");
        if (*open == '(')
            n = MAX(n, (guint)strtoul(open + 1, NULL, 10));
    }
    return n;
}

/* The loop right inside of one, with or without braces; HPMVIZ_NO_TOKEN for
 * none. */
static guint
inner_loop(const struct hpmviz_ctokens *tokens, guint loop)
{
    guint i = hpmviz_ctokens_nth(tokens, loop + 1)->match;

    if (i == HPMVIZ_NO_TOKEN)
        return i;
    for (i++; hpmviz_ctokens_kind(tokens, i) == '{'; i++)
        ;
    return hpmviz_ctokens_is(tokens, i, "for") ? i : HPMVIZ_NO_TOKEN;
}

static gboolean
is_inside(const struct hpmviz_ctokens *tokens, guint statement, guint token)
{
    guint behind = hpmviz_cstatements_behind(tokens, statement);

    return behind != HPMVIZ_NO_TOKEN && token > statement && token < behind;
}

/* Does the pragma leave room inside of the statement that belongs to it? */
static gboolean
check_room(const struct hpmviz_ctokens *tokens,
           const struct hpmviz_directiveline *pragma, guint first_token,
           GError **error)
{
    guint statement = hpmviz_ctokens_from_line(tokens, pragma->last + 1);

    if (!is_inside(tokens, statement, first_token))
        return TRUE;
    if (is_for_device(pragma))
        return hpmviz_edits_refuse(
            error,
            _("line %u is run by a device ('%s' in line %u), where nothing can "
              "be measured: select all of that, or what calls it"),
            hpmviz_ctokens_nth(tokens, first_token)->line, pragma->words,
            pragma->first);
    for (guint n = count_loops(pragma); n > 1; n--) {
        statement = inner_loop(tokens, statement);
        if (statement == HPMVIZ_NO_TOKEN ||
            !is_inside(tokens, statement, first_token))
            return hpmviz_edits_refuse(
                error,
                _("'%s' in line %u makes several loops one: select all of "
                  "them, or lines inside of the innermost"),
                pragma->words, pragma->first);
    }
    return TRUE;
}

static gboolean
check_rooms(const struct hpmviz_ctokens *tokens, guint first_token,
            GError **error)
{
    guint line = hpmviz_ctokens_nth(tokens, first_token)->line;

    for (guint i = 0; i < tokens->code->directives->len; i++) {
        const struct hpmviz_directiveline *at = nth(tokens->code, i);

        if (at->first < line && is_of_statement(at) &&
            (is_for_device(at) || count_loops(at) > 1) &&
            !check_room(tokens, at, first_token, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- all of it ------------------------------------------------------- */

gboolean
hpmviz_cpragmas_include(const struct hpmviz_ctokens *tokens, guint first_token,
                        guint last, guint *first, GError **error)
{
    return check_last_pragma(tokens, last, error) &&
           include_pragmas(tokens, first_token, first, error) &&
           check_sections(tokens, first_token, *first, last, error) &&
           check_rooms(tokens, first_token, error);
}

gboolean
hpmviz_cpragmas_have_parallel(const struct hpmviz_ccode *code, guint first,
                              guint last)
{
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_directiveline *directive = nth(code, i);

        if (directive->first >= first && directive->first <= last &&
            g_str_has_prefix(directive->words, "pragma omp ") &&
            !g_str_has_prefix(directive->words, "pragma omp cancel") &&
            strstr(directive->words, "parallel") != NULL)
            return TRUE;
    }
    return FALSE;
}
