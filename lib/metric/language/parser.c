/* SPDX-License-Identifier: BSD-3-Clause
 * A definition file being read: its words in order, and complaints about
 * them. */
#include "metric/language/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"

/* ---- words of the language ------------------------------------------- */

static const char *const statement_words[] = {
    "arch", "include", "compose", "measure", "compute",   "ratio", "const",
    "set",  "tune",    "remove",  "event",   "processor", NULL};

static const char *const attribute_words[] = {
    "as",    "label",    "unit",     "info",     "source", "sample",
    "under", "scale",    "range",    "rises",    "falls",  "why",
    "says",  "evidence", "next",     "try",      "like",   "unless",
    "of",    "bad",      "good",     "sbad",     "sgood",  "dbad",
    "dgood", "if",       "timebase", "explains", NULL};

static const char *const fact_words[] = {"L2", "L3",   "SMT", "FMA",
                                         "VM", "NUMA", NULL};

static bool
is_one_of(const struct hpm_token *token, const char *const *words)
{
    if (token->kind != HPM_TOKEN_NAME)
        return false;
    for (; *words != NULL; words++) {
        if (token->text[0] == (*words)[0] && hpm_token_is(token, *words))
            return true;
    }
    return false;
}

bool
hpm_parser_is_word(const struct hpm_token *token)
{
    if (token->kind != HPM_TOKEN_NAME || token->text[0] <= 'Z')
        return false;
    return is_one_of(token, statement_words) ||
           is_one_of(token, attribute_words);
}

/* The word of the language that the text may be a misspelling of, or NULL. */
static const char *
nearest_word(const char *text, const char *const *words)
{
    const char *nearest = NULL;
    unsigned edits = 3;

    if (strlen(text) < 3)
        return NULL;
    for (; *words != NULL; words++) {
        unsigned n = hpm_string_distance(text, *words, edits);

        if (n < edits && n < strlen(*words) / 2) {
            edits = n;
            nearest = *words;
        }
    }
    return nearest;
}

/* ---- complaints ------------------------------------------------------ */

const char *
hpm_parser_quote(char quoted[HPM_QUOTED], const struct hpm_token *token)
{
    size_t n = 0;

    for (size_t i = 0; i < token->length && n + 8 < HPM_QUOTED; i++) {
        unsigned char c = (unsigned char)token->text[i];

        if (c >= 0x20 && c < 0x7f)
            quoted[n++] = (char)c;
        else
            n += (size_t)snprintf(quoted + n, 5, "\\x%02X", c);
    }
    if (n + 8 >= HPM_QUOTED)
        n += (size_t)snprintf(quoted + n, 4, "...");
    quoted[n] = '\0';
    return quoted;
}

struct hpm_position
hpm_parser_place(const struct hpm_parser *parser, const struct hpm_token *token)
{
    return (struct hpm_position){parser->file, token->line, token->column};
}

bool
hpm_parser_complain(struct hpm_parser *parser, const char *format, ...)
{
    char sentence[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_spec_complain(parser->spec, hpm_parser_place(parser, &parser->token),
                      "%s", sentence);
    parser->is_broken = true;
    return false;
}

bool
hpm_parser_expect(struct hpm_parser *parser, const char *expected)
{
    char word[HPM_QUOTED];

    switch (parser->token.kind) {
    case HPM_TOKEN_BAD:
        return hpm_parser_complain(parser, "'%s' %s; expected %s",
                                   hpm_parser_quote(word, &parser->token),
                                   parser->token.wrong, expected);
    case HPM_TOKEN_END:
        return hpm_parser_complain(parser, "the file ends; expected %s",
                                   expected);
    case HPM_TOKEN_STRING:
        return hpm_parser_complain(
            parser, "the text \"%s\" is out of place; expected %s",
            hpm_parser_quote(word, &parser->token), expected);
    default:
        return hpm_parser_complain(parser, "'%s' is out of place; expected %s",
                                   hpm_parser_quote(word, &parser->token),
                                   expected);
    }
}

bool
hpm_parser_no_memory(struct hpm_parser *parser)
{
    parser->has_no_memory = true;
    parser->is_broken = true;
    return false;
}

/* ---- reading on ------------------------------------------------------ */

void
hpm_parser_advance(struct hpm_parser *parser)
{
    parser->last_line = parser->token.line;
    parser->token = hpm_tokens_next(&parser->tokens);
}

struct hpm_token
hpm_parser_peek(const struct hpm_parser *parser)
{
    struct hpm_tokens tokens = parser->tokens;

    return hpm_tokens_next(&tokens);
}

bool
hpm_parser_is_next(const struct hpm_parser *parser, const char *word)
{
    return hpm_token_is(&parser->token, word);
}

bool
hpm_parser_is_statement(const struct hpm_parser *parser)
{
    return hpm_parser_is_word(&parser->token) &&
           is_one_of(&parser->token, statement_words);
}

bool
hpm_parser_is_attribute(const struct hpm_parser *parser)
{
    return hpm_parser_is_word(&parser->token) &&
           is_one_of(&parser->token, attribute_words);
}

bool
hpm_parser_is_fact(const struct hpm_parser *parser)
{
    return is_one_of(&parser->token, fact_words);
}

const char *
hpm_parser_nearest_statement(const char *text)
{
    return nearest_word(text, statement_words);
}

void
hpm_parser_skip_statement(struct hpm_parser *parser)
{
    while (parser->token.kind != HPM_TOKEN_END &&
           !hpm_parser_is_statement(parser))
        hpm_parser_advance(parser);
}

bool
hpm_parser_read_sign(struct hpm_parser *parser, const char *sign,
                     const char *expected)
{
    if (!hpm_parser_is_next(parser, sign))
        return hpm_parser_expect(parser, expected);
    hpm_parser_advance(parser);
    return true;
}

bool
hpm_parser_keep_name(struct hpm_parser *parser, const char *text, size_t length,
                     uint32_t *ret_name)
{
    *ret_name = hpm_names_add(&parser->spec->names, text, length);
    return *ret_name != HPM_NO_NAME || hpm_parser_no_memory(parser);
}

/* A name follows a name: complain of a misspelled word of the language, a
 * forgotten operator, or blanks in a name, which is then read as one name. */
static bool
read_blank(struct hpm_parser *parser, const struct hpm_token *name,
           const char *expected)
{
    struct hpm_token after = hpm_parser_peek(parser);
    struct hpm_token first = *name;
    struct hpm_string whole = {0};
    char word[HPM_QUOTED], before[HPM_QUOTED];
    bool is_good;
    bool is_attribute = after.kind == HPM_TOKEN_STRING ||
                        hpm_token_is(&after, "<") || hpm_token_is(&after, ">");
    bool is_new_line = parser->token.line != parser->last_line;
    const char *meant =
        nearest_word(hpm_parser_quote(word, &parser->token),
                     is_attribute ? attribute_words : statement_words);

    if ((is_attribute || is_new_line) && meant != NULL)
        return hpm_parser_complain(
            parser, "'%s' is unknown; did you mean '%s'?", word, meant);
    if (is_attribute || is_new_line)
        return hpm_parser_complain(
            parser,
            "'%s' follows '%s'; expected %s, an attribute "
            "or a statement between them",
            word, hpm_parser_quote(before, &first), expected);
    hpm_string_add_bytes(&whole, first.text, first.length);
    while (parser->token.kind == HPM_TOKEN_NAME &&
           !hpm_parser_is_word(&parser->token) &&
           parser->token.line == parser->last_line) {
        hpm_string_add_char(&whole, '_');
        hpm_string_add_bytes(&whole, parser->token.text, parser->token.length);
        hpm_parser_advance(parser);
    }
    parser->is_broken = true;
    hpm_spec_complain(parser->spec, hpm_parser_place(parser, &first),
                      "'%s' follows '%s'; expected %s between them; did you "
                      "mean '%.200s'?",
                      word, hpm_parser_quote(before, &first), expected,
                      hpm_string_text(&whole));
    is_good = !whole.failed;
    hpm_string_free(&whole);
    return is_good || hpm_parser_no_memory(parser);
}

bool
hpm_parser_read_name(struct hpm_parser *parser, const char *expected,
                     const char *follows, uint32_t *ret_name)
{
    struct hpm_token name = parser->token;

    if (name.kind != HPM_TOKEN_NAME || hpm_parser_is_word(&name))
        return hpm_parser_expect(parser, expected);
    if (!hpm_parser_keep_name(parser, name.text, name.length, ret_name))
        return false;
    hpm_parser_advance(parser);
    if (follows == NULL || parser->token.kind != HPM_TOKEN_NAME ||
        hpm_parser_is_word(&parser->token))
        return true;
    return read_blank(parser, &name, follows);
}

bool
hpm_parser_add_term(struct hpm_parser *parser, uint32_t name,
                    struct hpm_guard guard, struct hpm_position place)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->terms, &spec->terms_capacity, spec->n_terms + 1,
                         sizeof *spec->terms))
        return hpm_parser_no_memory(parser);
    spec->terms[spec->n_terms++] = (struct hpm_term){name, guard, place};
    return true;
}

bool
hpm_parser_read_list(struct hpm_parser *parser, const char *expected,
                     struct hpm_range *ret_terms)
{
    struct hpm_guard guard = {.fact = HPM_NO_NAME};

    ret_terms->first = parser->spec->n_terms;
    do {
        struct hpm_position place = hpm_parser_place(parser, &parser->token);
        uint32_t name;

        if (!hpm_parser_read_name(parser, expected, NULL, &name) ||
            !hpm_parser_add_term(parser, name, guard, place))
            return false;
        if (hpm_parser_is_next(parser, ","))
            hpm_parser_advance(parser);
        else if (parser->token.kind != HPM_TOKEN_NAME ||
                 hpm_parser_is_word(&parser->token))
            break;
    } while (!parser->is_broken);
    ret_terms->count = parser->spec->n_terms - ret_terms->first;
    return true;
}

bool
hpm_parser_read_text(struct hpm_parser *parser, const char *expected,
                     uint32_t *ret_text)
{
    struct hpm_string whole = {0};
    bool is_good;

    if (parser->token.kind != HPM_TOKEN_STRING)
        return hpm_parser_expect(parser, expected);
    for (; parser->token.kind == HPM_TOKEN_STRING; hpm_parser_advance(parser))
        hpm_string_add_bytes(&whole, parser->token.text, parser->token.length);
    is_good =
        !whole.failed && hpm_parser_keep_name(parser, hpm_string_text(&whole),
                                              whole.length, ret_text);
    hpm_string_free(&whole);
    return is_good || hpm_parser_no_memory(parser);
}