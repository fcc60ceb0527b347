/* SPDX-License-Identifier: BSD-3-Clause
 * The words of a definition file. */
#include "metric/language/token.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/string.h"

/* A name may have any of these bytes; isalpha() would depend on the locale. */
static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_name(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

/* May the byte be in a word of an event (after a colon or =)? */
static bool
is_event(char c)
{
    return is_name(c) || c == '-' || c == '.';
}

struct hpm_tokens
hpm_tokens_begin(const char *text, size_t length)
{
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return (struct hpm_tokens){text + mark, text + length, 1, 1, text + mark};
}

static char
peek(const struct hpm_tokens *tokens, size_t ahead)
{
    return (size_t)(tokens->end - tokens->at) > ahead ? tokens->at[ahead]
                                                      : '\0';
}

static void
skip_blanks(struct hpm_tokens *tokens)
{
    while (tokens->at < tokens->end) {
        char c = *tokens->at;

        if (c == '#') {
            size_t left = (size_t)(tokens->end - tokens->at);
            const char *end = memchr(tokens->at, '\n', left);

            tokens->at = end != NULL ? end : tokens->end;
            continue;
        }
        if (c == '\n') {
            tokens->line++;
            tokens->column = 1;
            tokens->counted = tokens->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        tokens->at++;
    }
}

/* Bytes that continue a UTF-8 character do not count. */
static void
count_columns(struct hpm_tokens *tokens, bool is_plain)
{
    if (is_plain) { /* each byte is one character */
        tokens->column += (size_t)(tokens->at - tokens->counted);
        tokens->counted = tokens->at;
    }
    for (; tokens->counted < tokens->at; tokens->counted++)
        tokens->column += ((unsigned char)*tokens->counted & 0xc0) != 0x80;
}

static void
refuse(struct hpm_token *token, const char *wrong)
{
    token->kind = HPM_TOKEN_BAD;
    token->wrong = wrong;
}

/* Reads ":BAR", "::task-clock", ":c=1", any number of them. */
static void
read_event(struct hpm_tokens *tokens, struct hpm_token *token)
{
    while (peek(tokens, 0) == ':') {
        size_t colons = 1;

        while (peek(tokens, colons) == ':')
            colons++;
        tokens->at += colons;
        if (colons > 3 || !is_event(peek(tokens, 0)))
            refuse(token, "lacks a word after its colon");
        while (is_event(peek(tokens, 0)))
            tokens->at++;
        if (peek(tokens, 0) == '=' && is_event(peek(tokens, 1))) {
            tokens->at++;
            while (is_event(peek(tokens, 0)))
                tokens->at++;
        }
    }
}

static void
read_name(struct hpm_tokens *tokens, struct hpm_token *token)
{
    bool has_slash = false;

    token->kind = HPM_TOKEN_NAME;
    if (*tokens->at == '~') { /* reports print "~" before a partial value */
        tokens->at++;
        token->text++;
        if (!is_letter(peek(tokens, 0))) {
            refuse(token, "is not a name");
            return;
        }
    }
    /* a slash inside a name is part of it (HT_I/O_XFER), and so is a second one
     * at its end (cpu_atom/cycles/) */
    while (is_name(peek(tokens, 0)) ||
           (peek(tokens, 0) == '/' && is_name(peek(tokens, 1)))) {
        has_slash |= peek(tokens, 0) == '/';
        tokens->at++;
    }
    tokens->at += has_slash && peek(tokens, 0) == '/';
    read_event(tokens, token);
}

/* strtod expects the locale's decimal point, so write that one. */
static double
to_number(const char *text, size_t length)
{
    char digits[96];
    size_t n = 0;

    for (size_t i = 0; i < length; i++) {
        const char *point = localeconv()->decimal_point;

        if (n + strlen(point) + 1 >= sizeof digits)
            return NAN;
        if (text[i] == '.') {
            strcpy(digits + n, point);
            n += strlen(point);
        } else {
            digits[n++] = text[i];
        }
    }
    digits[n] = '\0';
    return strtod(digits, NULL);
}

static void
read_number(struct hpm_tokens *tokens, struct hpm_token *token)
{
    const char *start = tokens->at;

    token->kind = HPM_TOKEN_NUMBER;
    while (is_digit(peek(tokens, 0)))
        tokens->at++;
    if (peek(tokens, 0) == '.' && is_digit(peek(tokens, 1))) {
        tokens->at++;
        while (is_digit(peek(tokens, 0)))
            tokens->at++;
    }
    if (peek(tokens, 0) == 'e' || peek(tokens, 0) == 'E') {
        size_t sign = peek(tokens, 1) == '+' || peek(tokens, 1) == '-';

        if (is_digit(peek(tokens, 1 + sign))) {
            tokens->at += 1 + sign;
            while (is_digit(peek(tokens, 0)))
                tokens->at++;
        }
    }
    token->number = to_number(start, (size_t)(tokens->at - start));
    if (is_name(peek(tokens, 0)) || peek(tokens, 0) == '.') {
        while (is_event(peek(tokens, 0)))
            tokens->at++;
        refuse(token, "is neither a number nor a name");
    } else if (!isfinite(token->number)) {
        refuse(token, "is too large a number");
    }
}

static bool
is_plain(char c)
{
    return c >= 0x20 && c < 0x7f;
}

static void
read_string(struct hpm_tokens *tokens, struct hpm_token *token)
{
    bool has_strange = false;

    token->kind = HPM_TOKEN_STRING;
    token->text = ++tokens->at;
    while (tokens->at < tokens->end && *tokens->at != '"') {
        char character[5] = {0};
        size_t length;

        if (is_plain(*tokens->at)) {
            tokens->at++;
            continue;
        }
        if (*tokens->at == '\n' || *tokens->at == '\r')
            break;
        has_strange = true;
        for (size_t i = 0; i < 4; i++)
            character[i] = peek(tokens, i);
        length = hpm_string_character(character);
        if (length == 0)
            refuse(token, "holds a byte that is not UTF-8 text");
        tokens->at += length != 0 ? length : 1;
    }
    token->length = (size_t)(tokens->at - token->text);
    count_columns(tokens, !has_strange);
    if (peek(tokens, 0) == '"')
        tokens->at++;
    else
        refuse(token, "begins a text that does not end in this line");
}

static struct hpm_token
begin_token(struct hpm_tokens *tokens)
{
    struct hpm_token token = {0};

    skip_blanks(tokens);
    count_columns(tokens, false);
    token.text = tokens->at;
    token.line = tokens->line;
    token.column = tokens->column;
    return token;
}

struct hpm_token
hpm_tokens_next_code(struct hpm_tokens *tokens)
{
    struct hpm_token token = begin_token(tokens);

    while (is_plain(peek(tokens, 0)) && peek(tokens, 0) != ' ' &&
           peek(tokens, 0) != '#')
        tokens->at++;
    token.length = (size_t)(tokens->at - token.text);
    if (token.length > 0)
        token.kind = HPM_TOKEN_NAME;
    return token.length > 0 ? token : hpm_tokens_next(tokens);
}

struct hpm_token
hpm_tokens_next(struct hpm_tokens *tokens)
{
    struct hpm_token token = begin_token(tokens);
    char c;

    if (tokens->at == tokens->end)
        return token;
    c = *tokens->at;
    if (is_letter(c) || c == '~') {
        read_name(tokens, &token);
    } else if (is_digit(c)) {
        read_number(tokens, &token);
    } else if (c == '"') {
        read_string(tokens, &token);
        return token;
    } else {
        token.kind = HPM_TOKEN_SIGN;
        if (c == '\0' || strchr("=+-*/()<>,|", c) == NULL)
            refuse(&token, "is not a sign of this language");
        /* skip the rest of a character of several bytes */
        do
            tokens->at++;
        while (((unsigned char)peek(tokens, 0) & 0xc0) == 0x80);
    }
    token.length = (size_t)(tokens->at - token.text);
    return token;
}

bool
hpm_token_is(const struct hpm_token *token, const char *word)
{
    if (token->kind != HPM_TOKEN_NAME && token->kind != HPM_TOKEN_SIGN)
        return false;
    return token->text[0] == word[0] && strlen(word) == token->length &&
           memcmp(word, token->text, token->length) == 0;
}
