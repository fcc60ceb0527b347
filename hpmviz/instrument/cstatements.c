/* SPDX-License-Identifier: BSD-3-Clause
 * Are tokens of C or C++ whole statements? */
#include "hpmviz/instrument/cstatements.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/edits.h"

/* In what a statement stands, of the tokens that are looked at. */
struct within {
    gboolean is_loop, is_switch, is_try;
};

enum { DEEPEST = 500 };

struct parser {
    const struct hpmviz_ctokens *tokens;
    guint end;
    int depth; /* of statements in statements */
    gboolean may_not_leave;
    GError **error;
};

/* A statement that begins at a token: the token behind it, or HPMVIZ_NO_TOKEN,
 * with a reason. */
static guint parse_statement(struct parser *parser, guint i,
                             struct within within);

static gboolean
is(const struct parser *parser, guint i, const char *word)
{
    return i < parser->end && hpmviz_ctokens_is(parser->tokens, i, word);
}

static char
kind(const struct parser *parser, guint i)
{
    return i < parser->end ? hpmviz_ctokens_kind(parser->tokens, i) : '\0';
}

static guint
line(const struct parser *parser, guint i)
{
    return hpmviz_ctokens_nth(parser->tokens, i)->line;
}

static guint
fail_end(struct parser *parser, guint i)
{
    hpmviz_edits_refuse(parser->error,
                        _("the statement that begins in line %u does not end "
                          "in the lines selected: select all of it"),
                        line(parser, i));
    return HPMVIZ_NO_TOKEN;
}

static guint
fail_leave(struct parser *parser, guint i)
{
    char *word = hpmviz_ctokens_text(parser->tokens, i);

    hpmviz_edits_refuse(parser->error,
                        _("'%s' in line %u leaves the lines selected, and the "
                          "section would not stop: select lines without it"),
                        word, line(parser, i));
    g_free(word);
    return HPMVIZ_NO_TOKEN;
}

/* The token behind a bracket's other one; HPMVIZ_NO_TOKEN if it has none. */
static guint
behind(const struct parser *parser, guint i)
{
    guint match = hpmviz_ctokens_nth(parser->tokens, i)->match;

    return match != HPMVIZ_NO_TOKEN && match < parser->end ? match + 1
                                                           : HPMVIZ_NO_TOKEN;
}

static guint
parse_block(struct parser *parser, guint i, struct within within)
{
    guint end = behind(parser, i);

    if (end == HPMVIZ_NO_TOKEN)
        return fail_end(parser, i);
    for (i++; i < end - 1;) {
        i = parse_statement(parser, i, within);
        if (i == HPMVIZ_NO_TOKEN)
            return i;
        if (i > end - 1)
            return fail_end(parser, end - 1);
    }
    return end;
}

/* ---- statements with statements inside ------------------------------- */

/* "for (...)" and the like: the token behind the parentheses. */
static guint
parse_head(struct parser *parser, guint i)
{
    guint at = i + 1;

    while (kind(parser, at) == HPMVIZ_TOKEN_WORD) /* constexpr, co_await */
        at++;
    if (kind(parser, at) != '(' || behind(parser, at) == HPMVIZ_NO_TOKEN)
        return fail_end(parser, i);
    return behind(parser, at);
}

static guint
parse_headed(struct parser *parser, guint i, struct within within)
{
    guint at = parse_head(parser, i);

    return at != HPMVIZ_NO_TOKEN ? parse_statement(parser, at, within) : at;
}

static guint
parse_if(struct parser *parser, guint i, struct within within)
{
    guint at = parse_headed(parser, i, within);

    if (at != HPMVIZ_NO_TOKEN && is(parser, at, "else"))
        at = parse_statement(parser, at + 1, within);
    return at;
}

static guint
parse_loop(struct parser *parser, guint i, struct within within)
{
    within.is_loop = TRUE;
    return parse_headed(parser, i, within);
}

static guint
parse_switch(struct parser *parser, guint i, struct within within)
{
    within.is_switch = TRUE;
    return parse_headed(parser, i, within);
}

static guint
parse_do(struct parser *parser, guint i, struct within within)
{
    guint at;

    within.is_loop = TRUE;
    at = parse_statement(parser, i + 1, within);
    if (at == HPMVIZ_NO_TOKEN)
        return at;
    if (!is(parser, at, "while") || kind(parser, at + 1) != '(')
        return fail_end(parser, i);
    at = behind(parser, at + 1);
    if (at == HPMVIZ_NO_TOKEN || kind(parser, at) != ';')
        return fail_end(parser, i);
    return at + 1;
}

static guint
parse_try(struct parser *parser, guint i, struct within within)
{
    struct within inside = within;
    guint at;

    if (kind(parser, i + 1) != '{')
        return fail_end(parser, i);
    inside.is_try = TRUE;
    at = parse_block(parser, i + 1, inside);
    if (at != HPMVIZ_NO_TOKEN && !is(parser, at, "catch"))
        return fail_end(parser, i);
    while (at != HPMVIZ_NO_TOKEN && is(parser, at, "catch"))
        at = parse_headed(parser, at, within);
    return at;
}

/* ---- labels and ways out --------------------------------------------- */

static guint
parse_case(struct parser *parser, guint i, struct within within)
{
    guint start = i;

    if (!within.is_switch) {
        hpmviz_edits_refuse(parser->error,
                            _("a switch jumps to line %u, past the start: "
                              "select lines behind it, or the whole switch"),
                            line(parser, i));
        return HPMVIZ_NO_TOKEN;
    }
    while (i < parser->end && kind(parser, i) != ':')
        i++;
    return i < parser->end ? i + 1 : fail_end(parser, start);
}

static guint
to_semicolon(struct parser *parser, guint i)
{
    guint start = i;

    while (i < parser->end && kind(parser, i) != ';') {
        if (strchr("([{", kind(parser, i)) != NULL)
            i = behind(parser, i);
        else
            i++;
        if (i == HPMVIZ_NO_TOKEN)
            return fail_end(parser, start);
    }
    return i < parser->end ? i + 1 : fail_end(parser, start);
}

static guint
parse_way_out(struct parser *parser, guint i, struct within within)
{
    gboolean is_inside = FALSE;

    if (is(parser, i, "break"))
        is_inside = within.is_loop || within.is_switch;
    else if (is(parser, i, "continue"))
        is_inside = within.is_loop;
    else if (is(parser, i, "throw"))
        is_inside = within.is_try;
    else if (is(parser, i, "goto"))
        is_inside = kind(parser, i + 1) != '*'; /* labels: see below */
    if (!is_inside && parser->may_not_leave)
        return fail_leave(parser, i);
    return to_semicolon(parser, i);
}

/* ---- expressions and declarations ------------------------------------ */

/* A block in parentheses can be left, too. */
static guint
parse_brackets(struct parser *parser, guint i, struct within within)
{
    guint end = behind(parser, i);

    if (end == HPMVIZ_NO_TOKEN)
        return fail_end(parser, i);
    if (kind(parser, i) == '(' && kind(parser, i + 1) == '{' &&
        parse_block(parser, i + 1, within) == HPMVIZ_NO_TOKEN)
        return HPMVIZ_NO_TOKEN;
    return end;
}

/* The block of NAME(...) { ... }, a loop, as macros are used; or of NAME { ... },
 * unless that is a type or goes on as a value.  HPMVIZ_NO_TOKEN for none. */
static guint
block_of_macro(const struct parser *parser, guint i)
{
    static const char *const types[] = {"struct", "union", "enum", "class",
                                        NULL};
    guint block = i + 1, end;

    if (kind(parser, i) != HPMVIZ_TOKEN_WORD)
        return HPMVIZ_NO_TOKEN;
    if (kind(parser, block) == '(') {
        block = behind(parser, block);
        return block != HPMVIZ_NO_TOKEN && kind(parser, block) == '{'
                   ? block
                   : HPMVIZ_NO_TOKEN;
    }
    if (kind(parser, block) != '{' ||
        hpmviz_ctokens_is_one_of(parser->tokens, i, types))
        return HPMVIZ_NO_TOKEN;
    end = behind(parser, block);
    return end != HPMVIZ_NO_TOKEN &&
                   strchr(";,.([a=", kind(parser, end)) == NULL
               ? block
               : HPMVIZ_NO_TOKEN;
}

static guint
parse_simple(struct parser *parser, guint i, struct within within)
{
    guint start = i, block = block_of_macro(parser, i);

    if (block != HPMVIZ_NO_TOKEN) {
        within.is_loop = TRUE;
        return parse_block(parser, block, within);
    }
    while (i < parser->end && kind(parser, i) != ';') {
        if (strchr("([{", kind(parser, i)) != NULL)
            i = parse_brackets(parser, i, within);
        else if (strchr(")]}", kind(parser, i)) != NULL)
            return fail_end(parser, start);
        else
            i++;
        if (i == HPMVIZ_NO_TOKEN)
            return i;
    }
    return i < parser->end ? i + 1 : fail_end(parser, start);
}

typedef guint (*parse_function)(struct parser *parser, guint i,
                                struct within within);

static parse_function
function_for(const struct parser *parser, guint i)
{
    static const struct {
        const char *word;
        parse_function parse;
    } words[] = {
        {"{", parse_block},           {"if", parse_if},
        {"for", parse_loop},          {"while", parse_loop},
        {"switch", parse_switch},     {"do", parse_do},
        {"try", parse_try},           {"case", parse_case},
        {"default", parse_case},      {"return", parse_way_out},
        {"co_return", parse_way_out}, {"break", parse_way_out},
        {"continue", parse_way_out},  {"goto", parse_way_out},
        {"throw", parse_way_out},
    };

    for (gsize k = 0; k < G_N_ELEMENTS(words); k++) {
        if (is(parser, i, words[k].word))
            return words[k].parse;
    }
    return parse_simple;
}

static gboolean
is_label(const struct parser *parser, guint i)
{
    return kind(parser, i) == HPMVIZ_TOKEN_WORD && kind(parser, i + 1) == ':' &&
           !is(parser, i, "default");
}

/* [[likely]], which may stand before any statement. */
static gboolean
is_attribute(const struct parser *parser, guint i)
{
    return kind(parser, i) == '[' && kind(parser, i + 1) == '[' &&
           behind(parser, i) != HPMVIZ_NO_TOKEN;
}

static guint
parse_statement(struct parser *parser, guint i, struct within within)
{
    static const char *const halves[] = {"else", "catch", NULL};

    while (is_label(parser, i) || is_attribute(parser, i))
        i = is_label(parser, i) ? i + 2 : behind(parser, i);
    if (i >= parser->end)
        return fail_end(parser, i - 1);
    if (hpmviz_ctokens_is_one_of(parser->tokens, i, halves)) {
        char *word = hpmviz_ctokens_text(parser->tokens, i);

        hpmviz_edits_refuse(parser->error,
                            _("'%s' in line %u belongs to a statement above: "
                              "select all of it"),
                            word, line(parser, i));
        g_free(word);
        return HPMVIZ_NO_TOKEN;
    }
    if (parser->depth == DEEPEST) {
        hpmviz_edits_refuse(parser->error,
                            _("line %u is inside more than %d blocks: put the "
                              "calls there by hand"),
                            line(parser, i), DEEPEST);
        return HPMVIZ_NO_TOKEN;
    }
    parser->depth++;
    i = function_for(parser, i)(parser, i, within);
    parser->depth--;
    return i;
}

gboolean
hpmviz_cstatements_check(const struct hpmviz_ctokens *tokens, guint first,
                         guint end, gboolean may_not_leave, GError **error)
{
    struct parser parser = {tokens, end, 0, may_not_leave, error};
    const struct within within = {FALSE, FALSE, FALSE};

    for (guint i = first; i < end;) {
        i = parse_statement(&parser, i, within);
        if (i == HPMVIZ_NO_TOKEN)
            return FALSE;
    }
    return TRUE;
}

/* ---- where a statement ends ------------------------------------------ */

/* With all that is allowed anywhere: only its shape matters. */
static guint
find_behind(const struct hpmviz_ctokens *tokens, guint first, guint end)
{
    const struct within within = {TRUE, TRUE, TRUE};
    g_autoptr(GError) ignored = NULL;
    struct parser parser = {tokens, end, 0, FALSE, &ignored};

    return first < end ? parse_statement(&parser, first, within)
                       : HPMVIZ_NO_TOKEN;
}

guint
hpmviz_cstatements_behind(const struct hpmviz_ctokens *tokens, guint first)
{
    return find_behind(tokens, first, tokens->tokens->len);
}

/* A "while" that no statement of the block begins with: of one without braces
 * only the statements before it tell. */
gboolean
hpmviz_cstatements_is_end_of_do(const struct hpmviz_ctokens *tokens,
                                guint around, guint i)
{
    guint at = around + 1;

    if (!hpmviz_ctokens_is(tokens, i, "while"))
        return FALSE;
    while (at < i)
        at = find_behind(tokens, at, hpmviz_ctokens_nth(tokens, around)->match);
    return at != HPMVIZ_NO_TOKEN && at > i;
}

/* ---- goto ------------------------------------------------------------ */

static gboolean
is_label_at(const struct hpmviz_ctokens *tokens, guint i, const char *name)
{
    char before = hpmviz_ctokens_kind(tokens, i - 1);

    return hpmviz_ctokens_is(tokens, i, name) &&
           hpmviz_ctokens_kind(tokens, i + 1) == ':' && before != '\0' &&
           strchr(";{}:)", before) != NULL;
}

static guint
find_label(const struct hpmviz_ctokens *tokens, guint from, guint to,
           const char *name)
{
    while (from < to && !is_label_at(tokens, from, name))
        from++;
    return from < to ? from : HPMVIZ_NO_TOKEN;
}

static gboolean
check_jump(const struct hpmviz_ctokens *tokens, guint from, guint to,
           guint first, guint end, gboolean may_not_leave, GError **error)
{
    gboolean is_from = from >= first && from < end;
    gboolean is_to = to >= first && to < end;
    guint line = hpmviz_ctokens_nth(tokens, from)->line;

    if (is_from && !is_to && may_not_leave)
        return hpmviz_edits_refuse(error,
                                   _("'goto' in line %u leaves the lines "
                                     "selected, and the section would not "
                                     "stop: select lines without it"),
                                   line);
    if (!is_from && is_to)
        return hpmviz_edits_refuse(
            error,
            _("'goto' in line %u jumps into the lines selected, past the "
              "start: select lines without its label"),
            line);
    return TRUE;
}

/* "goto *p" can reach any label whose address is taken. */
static gboolean
check_addresses(const struct hpmviz_ctokens *tokens, guint body, guint last,
                guint first, guint end, GError **error)
{
    guint jump = body, label = first;

    while (jump < last && (!hpmviz_ctokens_is(tokens, jump, "goto") ||
                           hpmviz_ctokens_kind(tokens, jump + 1) != '*' ||
                           (jump >= first && jump < end)))
        jump++;
    while (label < end &&
           (hpmviz_ctokens_kind(tokens, label) != HPMVIZ_TOKEN_WORD ||
            hpmviz_ctokens_kind(tokens, label + 1) != ':' ||
            strchr(";{}:", hpmviz_ctokens_kind(tokens, label - 1)) == NULL ||
            hpmviz_ctokens_is(tokens, label, "default")))
        label++;
    return jump >= last || label >= end ||
           hpmviz_edits_refuse(
               error,
               _("'goto' in line %u jumps into the lines selected, past the "
                 "start: select lines without its label"),
               hpmviz_ctokens_nth(tokens, jump)->line);
}

gboolean
hpmviz_cstatements_check_labels(const struct hpmviz_ctokens *tokens, guint body,
                                guint first, guint end, gboolean may_not_leave,
                                GError **error)
{
    guint last = hpmviz_ctokens_nth(tokens, body)->match;

    for (guint i = body; i < last; i++) {
        char *name;
        guint to;
        gboolean is_good;

        if (!hpmviz_ctokens_is(tokens, i, "goto") ||
            hpmviz_ctokens_kind(tokens, i + 1) != HPMVIZ_TOKEN_WORD)
            continue;
        name = hpmviz_ctokens_text(tokens, i + 1);
        to = find_label(tokens, body, last, name);
        is_good = check_jump(tokens, i, to, first, end, may_not_leave, error);
        g_free(name);
        if (!is_good)
            return FALSE;
    }
    return check_addresses(tokens, body, last, first, end, error);
}
