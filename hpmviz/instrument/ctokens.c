/* SPDX-License-Identifier: BSD-3-Clause
 * The words and signs of a text in C or C++. */
#include "hpmviz/instrument/ctokens.h"

#include <string.h>

static gboolean
is_word_byte(char byte)
{
    return g_ascii_isalnum(byte) || byte == '_' || byte == '$' ||
           (byte & 0x80) != 0;
}

static struct hpmviz_token
token_at(const char *code, gsize at)
{
    struct hpmviz_token token = {
        .kind = code[at], .at = at, .n_bytes = 1, .match = HPMVIZ_NO_TOKEN};

    if (is_word_byte(code[at])) {
        token.kind = HPMVIZ_TOKEN_WORD;
        while (is_word_byte(code[at + token.n_bytes]))
            token.n_bytes++;
    } else if (code[at] == '"' || code[at] == '\'') {
        gsize n = strcspn(code + at + 1, code[at] == '"' ? "\"" : "'\n");

        token.kind = HPMVIZ_TOKEN_STRING;
        if (code[at + 1 + n] == code[at])
            token.n_bytes = n + 2;
    } else if (strncmp(code + at, "::", 2) == 0) {
        token.kind = HPMVIZ_TOKEN_SCOPE;
        token.n_bytes = 2;
    } else if (strncmp(code + at, "->", 2) == 0) {
        token.kind = HPMVIZ_TOKEN_ARROW;
        token.n_bytes = 2;
    }
    return token;
}

/* ---- brackets -------------------------------------------------------- */

static char
closer_of(char kind)
{
    return kind == '(' ? ')' : kind == '[' ? ']' : kind == '{' ? '}' : '\0';
}

static struct hpmviz_token *
edit_nth(struct hpmviz_ctokens *tokens, guint i)
{
    return &g_array_index(tokens->tokens, struct hpmviz_token, i);
}

static void
match_closer(struct hpmviz_ctokens *tokens, GArray *open, guint i)
{
    guint opener;

    if (open->len == 0)
        return;
    opener = g_array_index(open, guint, open->len - 1);
    if (closer_of(edit_nth(tokens, opener)->kind) != edit_nth(tokens, i)->kind)
        return;
    edit_nth(tokens, opener)->match = i;
    edit_nth(tokens, i)->match = opener;
    g_array_set_size(open, open->len - 1);
}

static void
match_all(struct hpmviz_ctokens *tokens)
{
    GArray *open = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < tokens->tokens->len; i++) {
        char kind = edit_nth(tokens, i)->kind;

        if (closer_of(kind) != '\0')
            g_array_append_val(open, i);
        else if (kind == ')' || kind == ']' || kind == '}')
            match_closer(tokens, open, i);
    }
    g_array_unref(open);
}

void
hpmviz_ctokens_init(struct hpmviz_ctokens *tokens,
                    const struct hpmviz_ccode *code)
{
    *tokens = (struct hpmviz_ctokens){
        .code = code,
        .tokens = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_token)),
    };
    for (gsize at = 0; at < code->lines.n_bytes;) {
        struct hpmviz_token token;

        if (g_ascii_isspace(code->code[at]) || code->code[at] == '\\') {
            at++;
            continue;
        }
        token = token_at(code->code, at);
        token.line = hpmviz_textlines_of(&code->lines, at);
        g_array_append_val(tokens->tokens, token);
        at += token.n_bytes;
    }
    match_all(tokens);
}

void
hpmviz_ctokens_clear(struct hpmviz_ctokens *tokens)
{
    g_clear_pointer(&tokens->tokens, g_array_unref);
}

/* ---- asking ---------------------------------------------------------- */

const struct hpmviz_token *
hpmviz_ctokens_nth(const struct hpmviz_ctokens *tokens, guint i)
{
    static const struct hpmviz_token none = {.match = HPMVIZ_NO_TOKEN};

    return i < tokens->tokens->len
               ? &g_array_index(tokens->tokens, struct hpmviz_token, i)
               : &none;
}

char
hpmviz_ctokens_kind(const struct hpmviz_ctokens *tokens, guint i)
{
    return hpmviz_ctokens_nth(tokens, i)->kind;
}

gboolean
hpmviz_ctokens_is(const struct hpmviz_ctokens *tokens, guint i,
                  const char *word)
{
    const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, i);

    return token->kind != '\0' && token->n_bytes == strlen(word) &&
           memcmp(tokens->code->code + token->at, word, token->n_bytes) == 0;
}

gboolean
hpmviz_ctokens_is_one_of(const struct hpmviz_ctokens *tokens, guint i,
                         const char *const *words)
{
    for (; *words != NULL; words++) {
        if (hpmviz_ctokens_is(tokens, i, *words))
            return TRUE;
    }
    return FALSE;
}

char *
hpmviz_ctokens_text(const struct hpmviz_ctokens *tokens, guint i)
{
    const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, i);

    return g_strndup(tokens->code->lines.text + token->at, token->n_bytes);
}

guint
hpmviz_ctokens_from_line(const struct hpmviz_ctokens *tokens, guint line)
{
    guint i = 0;

    while (i < tokens->tokens->len &&
           hpmviz_ctokens_nth(tokens, i)->line < line)
        i++;
    return i;
}

guint
hpmviz_ctokens_around(const struct hpmviz_ctokens *tokens, guint i)
{
    while (i > 0) {
        const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, --i);

        if (strchr("([{", token->kind) != NULL && token->kind != '\0')
            return i;
        if (strchr(")]}", token->kind) != NULL && token->kind != '\0' &&
            token->match != HPMVIZ_NO_TOKEN)
            i = token->match;
    }
    return HPMVIZ_NO_TOKEN;
}
