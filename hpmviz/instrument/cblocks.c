/* SPDX-License-Identifier: BSD-3-Clause
 * What a brace of C or C++ opens. */
#include "hpmviz/instrument/cblocks.h"

#include <string.h>

guint
hpmviz_cblocks_head(const struct hpmviz_ctokens *tokens, guint open)
{
    guint i = open;

    while (i > 0) {
        const struct hpmviz_token *before = hpmviz_ctokens_nth(tokens, i - 1);

        if (strchr(";{}([", before->kind) != NULL)
            break;
        i = before->kind == ')' || before->kind == ']' ? before->match : i - 1;
        if (i == HPMVIZ_NO_TOKEN)
            return open;
    }
    return i;
}

/* The token before the parentheses that end at this one. */
static guint
before_parentheses(const struct hpmviz_ctokens *tokens, guint i)
{
    guint match = hpmviz_ctokens_nth(tokens, i)->match;

    return match != HPMVIZ_NO_TOKEN && match > 0 ? match - 1 : HPMVIZ_NO_TOKEN;
}

static gboolean
is_attribute(const struct hpmviz_ctokens *tokens, guint i)
{
    static const char *const attributes[] = {"__attribute__", "__attribute",
                                             "alignas",       "_Alignas",
                                             "__declspec",    NULL};

    return i != HPMVIZ_NO_TOKEN &&
           hpmviz_ctokens_is_one_of(tokens, i, attributes);
}

/* Has the head a list of parameters?  Attributes have parentheses, too. */
static gboolean
has_parameters(const struct hpmviz_ctokens *tokens, guint head, guint open)
{
    for (guint i = head; i < open; i++) {
        if (hpmviz_ctokens_kind(tokens, i) == '(' && i > head &&
            hpmviz_ctokens_kind(tokens, i - 1) == HPMVIZ_TOKEN_WORD &&
            !is_attribute(tokens, i - 1))
            return TRUE;
    }
    return FALSE;
}

static gboolean
has_word(const struct hpmviz_ctokens *tokens, guint head, guint open,
         const char *const *words)
{
    for (guint i = head; i < open; i++) {
        if (hpmviz_ctokens_is_one_of(tokens, i, words))
            return TRUE;
    }
    return FALSE;
}

static gboolean
is_after_statement(const struct hpmviz_ctokens *tokens, guint open)
{
    static const char *const words[] = {"else", "do", "try", NULL};
    char before = hpmviz_ctokens_kind(tokens, open - 1);

    return hpmviz_ctokens_is_one_of(tokens, open - 1, words) ||
           (before != '\0' && strchr(";}:", before) != NULL);
}

static gboolean
is_within_code(const struct hpmviz_ctokens *tokens, guint open)
{
    guint around = hpmviz_ctokens_around(tokens, open);

    return around != HPMVIZ_NO_TOKEN &&
           hpmviz_ctokens_kind(tokens, around) == '{' &&
           hpmviz_cblocks_kind(tokens, around) == HPMVIZ_BLOCK_CODE;
}

/* Between ")" and "{" a function may have words: const, noexcept, -> type. */
static gboolean
is_function(const struct hpmviz_ctokens *tokens, guint head, guint open)
{
    guint before = open - 1;

    if (hpmviz_ctokens_kind(tokens, before) == ')' &&
        !is_attribute(tokens, before_parentheses(tokens, before)))
        return TRUE;
    return has_parameters(tokens, head, open);
}

enum hpmviz_cblock
hpmviz_cblocks_kind(const struct hpmviz_ctokens *tokens, guint open)
{
    static const char *const types[] = {"struct", "class", "union", "enum",
                                        NULL};
    static const char *const spaces[] = {"namespace", NULL};
    static const char *const values[] = {"=", "return", ",", NULL};
    guint head;
    char before;

    while (hpmviz_ctokens_is(tokens, open - 1, "{")) /* as the one around */
        open--;
    head = hpmviz_cblocks_head(tokens, open);
    before = hpmviz_ctokens_kind(tokens, open - 1);
    if (before == ')' && is_function(tokens, head, open))
        return HPMVIZ_BLOCK_CODE;
    if (open > 0 && is_after_statement(tokens, open))
        return HPMVIZ_BLOCK_CODE;
    if (hpmviz_ctokens_is(tokens, open - 1, "(")) /* ({ ... }) */
        return HPMVIZ_BLOCK_CODE;
    if (has_word(tokens, head, open, spaces) ||
        (before == HPMVIZ_TOKEN_STRING &&
         hpmviz_ctokens_is(tokens, head, "extern")))
        return HPMVIZ_BLOCK_SPACE;
    if (before == ']')
        return hpmviz_ctokens_is(tokens, open - 1, "]") &&
                       is_within_code(tokens, open)
                   ? HPMVIZ_BLOCK_CODE /* a lambda without parameters */
                   : HPMVIZ_BLOCK_VALUES;
    if (open == 0 || hpmviz_ctokens_is_one_of(tokens, open - 1, values))
        return HPMVIZ_BLOCK_VALUES;
    if (is_function(tokens, head, open))
        return HPMVIZ_BLOCK_CODE;
    if (has_word(tokens, head, open, types))
        return HPMVIZ_BLOCK_TYPE;
    return head == open - 1 && is_within_code(tokens, open)
               ? HPMVIZ_BLOCK_CODE /* a macro that is a loop */
               : HPMVIZ_BLOCK_VALUES;
}

gboolean
hpmviz_cblocks_is_switch(const struct hpmviz_ctokens *tokens, guint open)
{
    guint before = hpmviz_ctokens_kind(tokens, open - 1) == ')'
                       ? before_parentheses(tokens, open - 1)
                       : HPMVIZ_NO_TOKEN;

    return before != HPMVIZ_NO_TOKEN &&
           hpmviz_ctokens_is(tokens, before, "switch");
}

guint
hpmviz_cblocks_body(const struct hpmviz_ctokens *tokens, guint open)
{
    for (;;) {
        guint around = hpmviz_ctokens_around(tokens, open);

        if (around == HPMVIZ_NO_TOKEN ||
            hpmviz_ctokens_kind(tokens, around) != '{' ||
            hpmviz_cblocks_kind(tokens, around) != HPMVIZ_BLOCK_CODE)
            return open;
        open = around;
    }
}
