/* SPDX-License-Identifier: BSD-3-Clause
 * The function of a source that a line is in. */
#include "hpmviz/instrument/functionat.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/cblocks.h"
#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/fblocks.h"

static gboolean
refuse_place(guint line, GError **error)
{
    return hpmviz_edits_refuse(
        error,
        _("line %u is in no function: put the caret into the function that "
          "is to be measured"),
        line);
}

/* ---- C and C++ ------------------------------------------------------- */

/* Words before parentheses that are no name of a function. */
static gboolean
is_specifier(const struct hpmviz_ctokens *tokens, guint i)
{
    static const char *const words[] = {
        "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas",
        "noexcept",      "throw",       "decltype",   "typeof",  "__typeof__",
        "requires",      "explicit",    NULL};

    return hpmviz_ctokens_is_one_of(tokens, i, words);
}

/* The name stands before the last parentheses of the head that are a list of
 * parameters; behind a colon are initial values of a constructor. */
static char *
name_in_head(const struct hpmviz_ctokens *tokens, guint head, guint body)
{
    guint name = HPMVIZ_NO_TOKEN;

    for (guint i = head; i + 1 < body; i++) {
        char kind = hpmviz_ctokens_kind(tokens, i);
        guint match = hpmviz_ctokens_nth(tokens, i)->match;

        if (kind == ':')
            break;
        if (kind == HPMVIZ_TOKEN_WORD &&
            hpmviz_ctokens_kind(tokens, i + 1) == '(' &&
            !is_specifier(tokens, i))
            name = i;
        if ((kind == '(' || kind == '[') && match != HPMVIZ_NO_TOKEN)
            i = match;
    }
    if (name == HPMVIZ_NO_TOKEN)
        return NULL;
    if (name > head && hpmviz_ctokens_kind(tokens, name - 1) == '~') {
        g_autofree char *word = hpmviz_ctokens_text(tokens, name);

        return g_strconcat("~", word, NULL);
    }
    return hpmviz_ctokens_text(tokens, name);
}

/* The first brace around the line that opens statements, from the outside. */
static guint
body_around(const struct hpmviz_ctokens *tokens, guint line)
{
    for (guint i = 0; i < tokens->tokens->len; i++) {
        const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, i);
        guint head;

        if (token->kind != '{' || token->match == HPMVIZ_NO_TOKEN)
            continue;
        head = hpmviz_cblocks_head(tokens, i);
        if (hpmviz_ctokens_nth(tokens, head)->line <= line &&
            hpmviz_ctokens_nth(tokens, token->match)->line >= line &&
            hpmviz_cblocks_kind(tokens, i) == HPMVIZ_BLOCK_CODE)
            return i;
    }
    return HPMVIZ_NO_TOKEN;
}

static gboolean
find_c(const struct hpmviz_ctokens *tokens, guint line,
       struct hpmviz_function *function, GError **error)
{
    guint body = body_around(tokens, line), head;

    if (body == HPMVIZ_NO_TOKEN)
        return refuse_place(line, error);
    head = hpmviz_cblocks_head(tokens, body);
    function->first = hpmviz_ctokens_nth(tokens, head)->line;
    function->last =
        hpmviz_ctokens_nth(tokens, hpmviz_ctokens_nth(tokens, body)->match)
            ->line;
    function->name = name_in_head(tokens, head, body);
    if (function->name == NULL)
        return hpmviz_edits_refuse(
            error,
            _("the name of the function in line %u cannot be told from the "
              "text (an operator, or a macro): put calls around its lines "
              "(Ctrl+I)"),
            function->first);
    return TRUE;
}

static gboolean
find_in_c(const char *text, guint line, struct hpmviz_function *function,
          GError **error)
{
    struct hpmviz_ccode code;
    struct hpmviz_ctokens tokens;
    gboolean is_found;

    hpmviz_ccode_init(&code, text);
    hpmviz_ccode_choose(&code, line, FALSE);
    hpmviz_ctokens_init(&tokens, &code);
    is_found = find_c(&tokens, line, function, error);
    hpmviz_ctokens_clear(&tokens);
    hpmviz_ccode_clear(&code);
    return is_found;
}

/* ---- Fortran --------------------------------------------------------- */

static guint
first_line(const struct hpmviz_fblocks *blocks, guint statement)
{
    return hpmviz_fcode_nth(blocks->code, statement)->first;
}

/* The last statement that begins in this line or above. */
static guint
statement_at(const struct hpmviz_fblocks *blocks, guint line)
{
    guint found = HPMVIZ_NO_STATEMENT;

    for (guint i = 0; i < blocks->nodes->len && first_line(blocks, i) <= line;
         i++)
        found = i;
    return found;
}

/* Its last line; that of a unit which nothing ends is the last of the text. */
static guint
last_line(const struct hpmviz_fblocks *blocks, guint unit)
{
    guint end = unit != HPMVIZ_NO_STATEMENT
                    ? hpmviz_fblocks_nth(blocks, unit)->end
                    : HPMVIZ_NO_STATEMENT;

    return end < blocks->nodes->len
               ? hpmviz_fcode_nth(blocks->code, end)->last
               : hpmviz_textlines_count(&blocks->code->lines);
}

/* Modules contain procedures, and are none. */
static gboolean
is_container(const char *words)
{
    return (g_str_has_prefix(words, "module") &&
            strstr(words, "subroutine") == NULL &&
            strstr(words, "function") == NULL &&
            !g_str_has_prefix(words, "moduleprocedure")) ||
           g_str_has_prefix(words, "submodule") ||
           g_str_has_prefix(words, "blockdata");
}

static gboolean
find_fortran(const struct hpmviz_fblocks *blocks, guint line,
             struct hpmviz_function *function, GError **error)
{
    guint at = statement_at(blocks, line), unit;
    const char *words;

    if (at == HPMVIZ_NO_STATEMENT)
        return refuse_place(line, error);
    unit = hpmviz_fblocks_unit(blocks, at);
    while (unit != HPMVIZ_NO_STATEMENT && last_line(blocks, unit) < line)
        unit = hpmviz_fblocks_unit(blocks,
                                   hpmviz_fblocks_nth(blocks, unit)->around);
    words = unit != HPMVIZ_NO_STATEMENT ? hpmviz_fblocks_words(blocks, unit)
                                        : "program";
    if (is_container(words) || last_line(blocks, unit) < line ||
        (unit == HPMVIZ_NO_STATEMENT &&
         hpmviz_fblocks_nth(blocks, at)->kind == HPMVIZ_F_END_UNIT))
        return refuse_place(line, error);
    function->name = hpmviz_fblocks_name(blocks, unit);
    function->is_program = g_str_has_prefix(words, "program");
    function->first =
        unit != HPMVIZ_NO_STATEMENT ? first_line(blocks, unit) : 1;
    function->last = last_line(blocks, unit);
    return TRUE;
}

static gboolean
find_in_fortran(const char *text, guint line, struct hpmviz_function *function,
                GError **error)
{
    struct hpmviz_fcode code;
    struct hpmviz_fblocks blocks;
    gboolean is_found;

    hpmviz_fcode_init(&code, text, function->language == HPMVIZ_LANGUAGE_FIXED);
    hpmviz_fblocks_init(&blocks, &code);
    is_found = find_fortran(&blocks, line, function, error);
    hpmviz_fblocks_clear(&blocks);
    hpmviz_fcode_clear(&code);
    return is_found;
}

/* ---- all languages --------------------------------------------------- */

gboolean
hpmviz_function_at(const char *text, enum hpmviz_language language, guint line,
                   struct hpmviz_function *ret_function, GError **error)
{
    *ret_function = (struct hpmviz_function){.language = language};
    switch (language) {
    case HPMVIZ_LANGUAGE_C:
    case HPMVIZ_LANGUAGE_CPP:
        return find_in_c(text, line, ret_function, error);
    case HPMVIZ_LANGUAGE_FIXED:
    case HPMVIZ_LANGUAGE_FREE:
        return find_in_fortran(text, line, ret_function, error);
    default:
        return hpmviz_edits_refuse(
            error, _("the name of this file does not tell a language in which "
                     "functions are found here (C, C++, Fortran)"));
    }
}

void
hpmviz_function_clear(struct hpmviz_function *function)
{
    g_clear_pointer(&function->name, g_free);
}
