/* SPDX-License-Identifier: BSD-3-Clause
 * The lines that make libhpm known to a source. */
#include "hpmviz/instrument/libraryuse.h"

#include <string.h>

#include "hpmviz/instrument/ctokens.h"
#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/fcode.h"

static void
remove_lines(GArray *edits, const struct hpmviz_textlines *lines, guint first,
             guint last)
{
    gsize start = hpmviz_textlines_start(lines, first);

    hpmviz_edits_add(edits, start, hpmviz_textlines_end(lines, last) - start,
                     g_strdup(""));
}

/* ---- C and C++ ------------------------------------------------------- */

static guint
count_words(const struct hpmviz_ctokens *tokens)
{
    guint n = 0;

    for (guint i = 0; i < tokens->tokens->len; i++) {
        g_autofree char *word = hpmviz_ctokens_text(tokens, i);

        n += g_str_has_prefix(word, "hpm") || g_str_has_prefix(word, "HPM_");
    }
    return n;
}

static gboolean
is_header(const struct hpmviz_directiveline *directive)
{
    return directive->kind == HPMVIZ_DIRECTIVE_INCLUDE &&
           strstr(directive->words, "libhpm.h") != NULL;
}

static void
remove_from_c(GArray *edits, const char *text, guint n_calls)
{
    struct hpmviz_ccode code;
    struct hpmviz_ctokens tokens;

    hpmviz_ccode_init(&code, text);
    hpmviz_ctokens_init(&tokens, &code);
    for (guint i = 0;
         count_words(&tokens) <= n_calls && i < code.directives->len; i++) {
        const struct hpmviz_directiveline *directive =
            &g_array_index(code.directives, struct hpmviz_directiveline, i);

        if (is_header(directive))
            remove_lines(edits, &code.lines, directive->first, directive->last);
    }
    hpmviz_ctokens_clear(&tokens);
    hpmviz_ccode_clear(&code);
}

/* ---- Fortran --------------------------------------------------------- */

static gboolean
is_use(const struct hpmviz_fstatement *statement)
{
    const char *words = statement->words->str;

    return strcmp(words, "usehpm") == 0 ||
           g_str_has_prefix(words, "usehpm,only:");
}

static guint
count_statements(const struct hpmviz_fcode *code)
{
    guint n = 0;

    for (guint i = 0; i < code->statements->len; i++) {
        const struct hpmviz_fstatement *statement = hpmviz_fcode_nth(code, i);

        n += !is_use(statement) && strstr(statement->words->str, "hpm") != NULL;
    }
    return n;
}

static void
remove_includes(GArray *edits, const struct hpmviz_fcode *code)
{
    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *directive =
            &g_array_index(code->directives, struct hpmviz_fdirective, i);

        if (directive->of == HPMVIZ_F_PREPROCESSOR &&
            g_str_has_prefix(directive->words, "include") &&
            strstr(directive->words, "f_hpm") != NULL)
            remove_lines(edits, &code->lines, directive->line, directive->line);
    }
}

static void
remove_from_fortran(GArray *edits, const char *text, gboolean is_fixed,
                    guint n_calls)
{
    struct hpmviz_fcode code;

    hpmviz_fcode_init(&code, text, is_fixed);
    if (count_statements(&code) <= n_calls) {
        remove_includes(edits, &code);
        for (guint i = 0; i < code.statements->len; i++) {
            const struct hpmviz_fstatement *statement =
                hpmviz_fcode_nth(&code, i);

            if (is_use(statement) && !statement->is_shared)
                remove_lines(edits, &code.lines, statement->first,
                             statement->last);
        }
    }
    hpmviz_fcode_clear(&code);
}

void
hpmviz_libraryuse_remove(GArray *edits, const char *text,
                         enum hpmviz_language language, guint n_calls)
{
    if (language == HPMVIZ_LANGUAGE_C || language == HPMVIZ_LANGUAGE_CPP)
        remove_from_c(edits, text, n_calls);
    else
        remove_from_fortran(edits, text, language == HPMVIZ_LANGUAGE_FIXED,
                            n_calls);
}
