/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of C or C++ that are to be measured. */
#include "hpmviz/instrument/cselection.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/cblocks.h"
#include "hpmviz/instrument/cpragmas.h"
#include "hpmviz/instrument/cstatements.h"
#include "hpmviz/instrument/edits.h"

/* ---- directives ------------------------------------------------------ */

static const struct hpmviz_directiveline *
nth(const struct hpmviz_ccode *code, guint i)
{
    return &g_array_index(code->directives, struct hpmviz_directiveline, i);
}

static gboolean
refuse_part(const struct hpmviz_directiveline *directive, GError **error)
{
    return hpmviz_edits_refuse(
        error,
        _("'#%s' in line %u has a part outside of the lines selected: select "
          "all of it, or lines of one part"),
        directive->words, directive->first);
}

/* Each conditional is in the lines with all its parts, or outside. */
static gboolean
check_conditionals(const struct hpmviz_ccode *code, guint first, guint last,
                   GError **error)
{
    const struct hpmviz_directiveline *open = NULL;
    int depth = 0;

    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_directiveline *directive = nth(code, i);

        if (directive->first < first || directive->first > last)
            continue;
        if (directive->kind == HPMVIZ_DIRECTIVE_IF && depth++ == 0)
            open = directive;
        if (depth == 0 && (directive->kind == HPMVIZ_DIRECTIVE_ELSE ||
                           directive->kind == HPMVIZ_DIRECTIVE_ENDIF))
            return refuse_part(directive, error);
        depth -= directive->kind == HPMVIZ_DIRECTIVE_ENDIF;
    }
    return depth == 0 || refuse_part(open, error);
}

/* ---- where the lines are --------------------------------------------- */

/* Can a line be put in before this one? */
static gboolean
check_line(const struct hpmviz_ccode *code, guint line, GError **error)
{
    switch (hpmviz_ccode_inside(code, line)) {
    case HPMVIZ_INSIDE_COMMENT:
        return hpmviz_edits_refuse(error,
                                   _("line %u begins inside a comment: select "
                                     "all of the comment or none of it"),
                                   line);
    case HPMVIZ_INSIDE_DIRECTIVE:
        return hpmviz_edits_refuse(error,
                                   _("line %u goes on with a macro or a "
                                     "directive: no call can stand before it"),
                                   line);
    case HPMVIZ_INSIDE_STRING:
        return hpmviz_edits_refuse(error,
                                   _("line %u begins inside a string: select "
                                     "the whole statement"),
                                   line);
    default:
        return TRUE;
    }
}

static gboolean
check_brackets(const struct hpmviz_ctokens *tokens,
               const struct hpmviz_cselection *selection, GError **error)
{
    for (guint i = selection->first_token; i < selection->end; i++) {
        const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, i);
        guint match = token->match;

        if (strchr("(){}[]", token->kind) == NULL ||
            (match >= selection->first_token && match < selection->end))
            continue;
        if (match == HPMVIZ_NO_TOKEN)
            return hpmviz_edits_refuse(
                error, _("the '%c' of line %u has no other one in this file"),
                token->kind, token->line);
        return hpmviz_edits_refuse(
            error,
            _("the lines selected have the '%c' of line %u, but not the '%c' "
              "of line %u: select both or none"),
            token->kind, token->line, hpmviz_ctokens_kind(tokens, match),
            hpmviz_ctokens_nth(tokens, match)->line);
    }
    return TRUE;
}

static gboolean
check_place(const struct hpmviz_ctokens *tokens,
            const struct hpmviz_cselection *selection, guint around,
            GError **error)
{
    guint line = hpmviz_ctokens_nth(tokens, selection->first_token)->line;

    if (around == HPMVIZ_NO_TOKEN)
        return hpmviz_edits_refuse(
            error, _("line %u is not inside a function: select statements"),
            line);
    if (hpmviz_ctokens_kind(tokens, around) != '{')
        return hpmviz_edits_refuse(
            error,
            _("line %u is inside the '%c' of line %u: select whole statements"),
            line, hpmviz_ctokens_kind(tokens, around),
            hpmviz_ctokens_nth(tokens, around)->line);
    if (hpmviz_cblocks_kind(tokens, around) != HPMVIZ_BLOCK_CODE)
        return hpmviz_edits_refuse(
            error, _("line %u is not inside a function: select statements"),
            line);
    if (hpmviz_cblocks_is_switch(tokens, around) &&
        selection->first_token == around + 1)
        return hpmviz_edits_refuse(
            error,
            _("a switch jumps to line %u, past the start: select lines behind "
              "it, or the whole switch"),
            line);
    return TRUE;
}

/* ---- where statements begin and end ---------------------------------- */

static gboolean
refuse_owned(const struct hpmviz_ctokens *tokens, guint owner, guint line,
             GError **error)
{
    char *word = hpmviz_ctokens_text(tokens, owner);

    hpmviz_edits_refuse(error,
                        _("line %u belongs to the '%s' of line %u, which has "
                          "no braces: select both, or put braces around it"),
                        line, word, hpmviz_ctokens_nth(tokens, owner)->line);
    g_free(word);
    return FALSE;
}

/* What decides about the statement that begins here: "else", or the "if" whose
 * parentheses end before, or a macro, which may be a loop; HPMVIZ_NO_TOKEN for
 * nothing. */
static guint
owner_of(const struct hpmviz_ctokens *tokens, guint first)
{
    static const char *const words[] = {"else", "do", NULL};
    guint open;

    if (hpmviz_ctokens_is_one_of(tokens, first - 1, words))
        return first - 1;
    if (hpmviz_ctokens_kind(tokens, first - 1) != ')')
        return HPMVIZ_NO_TOKEN;
    open = hpmviz_ctokens_nth(tokens, first - 1)->match;
    return open != HPMVIZ_NO_TOKEN &&
                   hpmviz_ctokens_kind(tokens, open - 1) == HPMVIZ_TOKEN_WORD
               ? open - 1
               : HPMVIZ_NO_TOKEN;
}

/* The ":" of "a ? b : c" ends no label. */
static gboolean
is_conditional(const struct hpmviz_ctokens *tokens, guint colon)
{
    for (guint i = hpmviz_cblocks_head(tokens, colon); i < colon; i++) {
        if (hpmviz_ctokens_kind(tokens, i) == '?')
            return TRUE;
    }
    return FALSE;
}

/* "[[" begins an attribute, "[" goes on with what is before. */
static gboolean
is_index(const struct hpmviz_ctokens *tokens, guint i)
{
    return hpmviz_ctokens_kind(tokens, i) == '[' &&
           hpmviz_ctokens_kind(tokens, i + 1) != '[';
}

static gboolean
check_beginning(const struct hpmviz_ctokens *tokens, guint around, guint first,
                GError **error)
{
    char before = hpmviz_ctokens_kind(tokens, first - 1);
    char kind = hpmviz_ctokens_kind(tokens, first);
    guint line = hpmviz_ctokens_nth(tokens, first)->line;
    guint owner = owner_of(tokens, first);

    if (owner != HPMVIZ_NO_TOKEN)
        return refuse_owned(tokens, owner, line, error);
    if (strchr(";{}:", before) == NULL || strchr(";,.)=", kind) != NULL ||
        hpmviz_cstatements_is_end_of_do(tokens, around, first) ||
        (before == ':' && is_conditional(tokens, first - 1)) ||
        (before == '}' &&
         (kind == HPMVIZ_TOKEN_ARROW || is_index(tokens, first))))
        return hpmviz_edits_refuse(
            error,
            _("line %u goes on with the statement of line %u: select all of "
              "it"),
            line, hpmviz_ctokens_nth(tokens, first - 1)->line);
    return TRUE;
}

static gboolean
check_end(const struct hpmviz_ctokens *tokens, guint end, GError **error)
{
    static const char *const halves[] = {"else", "catch", NULL};
    guint line = hpmviz_ctokens_nth(tokens, end)->line;
    char kind = hpmviz_ctokens_kind(tokens, end);
    guint match = hpmviz_ctokens_nth(tokens, end - 1)->match;

    if (hpmviz_ctokens_is_one_of(tokens, end, halves) ||
        (hpmviz_ctokens_kind(tokens, end - 1) == '}' &&
         ((kind != '\0' && strchr(";,.)=", kind) != NULL) ||
          hpmviz_ctokens_is(tokens, match - 1, "do"))))
        return hpmviz_edits_refuse(
            error,
            _("line %u goes on with the statement selected: select all of it"),
            line);
    return TRUE;
}

/* ---- falling through ------------------------------------------------- */

/* The first token of a "[[fallthrough]];" that ends before this one, also as an
 * attribute or a word of a macro; HPMVIZ_NO_TOKEN for another statement. */
static guint
find_fallthrough(const struct hpmviz_ctokens *tokens, guint end)
{
    static const char *const words[] = {"fallthrough", "FALLTHROUGH",
                                        "__fallthrough__", NULL};
    guint last = end - 2, at = last;

    if (end < 2 || hpmviz_ctokens_kind(tokens, end - 1) != ';')
        return HPMVIZ_NO_TOKEN;
    if (hpmviz_ctokens_is_one_of(tokens, last, words))
        return strchr(";{}:)", hpmviz_ctokens_kind(tokens, last - 1)) != NULL
                   ? last
                   : HPMVIZ_NO_TOKEN;
    while (hpmviz_ctokens_kind(tokens, at) == ']' ||
           hpmviz_ctokens_kind(tokens, at) == ')')
        at--;
    if (at == last || !hpmviz_ctokens_is_one_of(tokens, at, words) ||
        hpmviz_ctokens_nth(tokens, last)->match == HPMVIZ_NO_TOKEN)
        return HPMVIZ_NO_TOKEN;
    at = hpmviz_ctokens_nth(tokens, last)->match;
    return hpmviz_ctokens_kind(tokens, at) == '(' ? at - 1 : at;
}

/* It must stay the last statement before its "case": the lines end above. */
static gboolean
leave_out_fallthrough(const struct hpmviz_ctokens *tokens,
                      struct hpmviz_cselection *selection, GError **error)
{
    guint at = find_fallthrough(tokens, selection->end);
    guint line = hpmviz_ctokens_nth(tokens, at)->line;

    if (at == HPMVIZ_NO_TOKEN || at < selection->first_token)
        return TRUE;
    if (at > selection->first_token &&
        hpmviz_ctokens_nth(tokens, at - 1)->line == line)
        return hpmviz_edits_refuse(
            error,
            _("no stop can stand behind 'fallthrough' in line %u: put that "
              "into a line of its own"),
            line);
    selection->end = at;
    selection->last = line - 1;
    return at > selection->first_token &&
                   hpmviz_textlines_trim(&tokens->code->lines,
                                         &selection->first, &selection->last)
               ? TRUE
               : hpmviz_edits_refuse(
                     error, _("there is no statement in the lines selected"));
}

/* ---- shape ----------------------------------------------------------- */

static enum hpmviz_cshape
shape_of(const struct hpmviz_ctokens *tokens,
         const struct hpmviz_cselection *selection, guint around)
{
    const struct hpmviz_token *first =
        hpmviz_ctokens_nth(tokens, selection->first_token);

    if (first->kind == '{' && first->match == selection->end - 1)
        return HPMVIZ_SHAPE_BLOCK;
    return selection->first_token == around + 1 &&
                   hpmviz_ctokens_nth(tokens, around)->match == selection->end
               ? HPMVIZ_SHAPE_INSIDE
               : HPMVIZ_SHAPE_STATEMENTS;
}

/* Does a loop begin the lines? */
static gboolean
is_loop(const struct hpmviz_ctokens *tokens,
        const struct hpmviz_cselection *selection)
{
    static const char *const loops[] = {"for", "while", "do", NULL};

    return hpmviz_ctokens_is_one_of(tokens, selection->first_token, loops);
}

/* ---- all of it ------------------------------------------------------- */

/* With the branches of conditionals that are chosen now. */
static gboolean
check_tokens(const struct hpmviz_ctokens *tokens, gboolean may_leave_blocks,
             struct hpmviz_cselection *selection, GError **error)
{
    guint around;
    gboolean may_not_leave;

    selection->first_token = hpmviz_ctokens_from_line(tokens, selection->first);
    selection->end = hpmviz_ctokens_from_line(tokens, selection->last + 1);
    if (selection->first_token >= selection->end)
        return hpmviz_edits_refuse(
            error, _("there is no statement in the lines selected"));
    if (!check_brackets(tokens, selection, error) ||
        !leave_out_fallthrough(tokens, selection, error))
        return FALSE;
    around = hpmviz_ctokens_around(tokens, selection->first_token);
    if (!check_place(tokens, selection, around, error) ||
        !check_beginning(tokens, around, selection->first_token, error) ||
        !check_end(tokens, selection->end, error))
        return FALSE;
    selection->body = hpmviz_cblocks_body(tokens, around);
    selection->shape = shape_of(tokens, selection, around);
    selection->is_loop = is_loop(tokens, selection);
    may_not_leave =
        !may_leave_blocks || selection->shape == HPMVIZ_SHAPE_STATEMENTS;
    return hpmviz_cstatements_check(tokens, selection->first_token,
                                    selection->end, may_not_leave, error) &&
           hpmviz_cstatements_check_labels(
               tokens, selection->body, selection->first_token, selection->end,
               may_not_leave, error);
}

static gboolean
check_branches(struct hpmviz_ccode *code, struct hpmviz_ctokens *tokens,
               gboolean may_leave_blocks, struct hpmviz_cselection *selection,
               GError **error)
{
    for (int wants_last = 1; wants_last >= 0; wants_last--) {
        hpmviz_ctokens_clear(tokens);
        hpmviz_ccode_choose(code, selection->first, wants_last);
        hpmviz_ctokens_init(tokens, code);
        if (!check_tokens(tokens, may_leave_blocks, selection, error))
            return FALSE;
    }
    return TRUE;
}

gboolean
hpmviz_cselection_find(struct hpmviz_ccode *code, struct hpmviz_ctokens *tokens,
                       guint first, guint last, gboolean may_leave_blocks,
                       struct hpmviz_cselection *ret_selection, GError **error)
{
    struct hpmviz_cselection selection = {.first = first, .last = last};

    if (!hpmviz_textlines_trim(&code->lines, &selection.first, &selection.last))
        return hpmviz_edits_refuse(
            error, _("there is no statement in the lines selected"));
    if (!check_line(code, selection.first, error) ||
        !check_line(code, selection.last + 1, error) ||
        !check_conditionals(code, selection.first, selection.last, error) ||
        !check_branches(code, tokens, may_leave_blocks, &selection, error) ||
        !check_line(code, selection.last + 1, error) ||
        !hpmviz_cpragmas_include(tokens, selection.first_token, selection.last,
                                 &selection.first, error) ||
        !check_conditionals(code, selection.first, selection.last, error))
        return FALSE;
    selection.has_parallel =
        hpmviz_cpragmas_have_parallel(code, selection.first, selection.last);
    *ret_selection = selection;
    return TRUE;
}

/* The word before the parameters, which follow the first words of the head. */
char *
hpmviz_cselection_function(const struct hpmviz_ctokens *tokens,
                           const struct hpmviz_cselection *selection)
{
    guint i = hpmviz_cblocks_head(tokens, selection->body);

    for (; i + 1 < selection->body; i++) {
        if (hpmviz_ctokens_kind(tokens, i) == HPMVIZ_TOKEN_WORD &&
            hpmviz_ctokens_kind(tokens, i + 1) == '(' &&
            !hpmviz_ctokens_is(tokens, i, "__attribute__"))
            return hpmviz_ctokens_text(tokens, i);
        if (hpmviz_ctokens_kind(tokens, i) == '(')
            i = hpmviz_ctokens_nth(tokens, i)->match;
    }
    return g_strdup("code");
}
