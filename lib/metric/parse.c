/* SPDX-License-Identifier: BSD-3-Clause
 * Reading definition files: text to statements. */
#include "metric/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "metric/token.h"

struct parser {
    struct hpm_spec *spec;
    struct hpm_tokens tokens;
    struct hpm_token token; /* the one to be read */
    int last_line;          /* of the word read last */
    uint32_t file;
    unsigned layer;
    size_t arch;
    int depth;      /* of open brackets and minus signs */
    bool is_broken; /* the statement has a fault */
    bool has_no_memory;
    hpm_spec_include *include;
    void *context;
};

/* ---- words of the language ------------------------------------------- */

static const char *const statement_words[] = {
    "arch",  "include", "compose", "measure", "compute", "ratio",
    "const", "set",     "tune",    "remove",  NULL};

static const char *const attribute_words[] = {
    "as",  "label", "unit", "info",  "source", "sample", "under", "scale",
    "bad", "good",  "sbad", "sgood", "dbad",   "dgood",  "if",    NULL};

static const char *const fact_words[] = {"L2", "L3",   "SMT", "FMA",
                                         "VM", "NUMA", NULL};

static bool
is_one_of(const struct hpm_token *token, const char *const *words)
{
    if (token->kind != HPM_TOKEN_NAME)
        return false;
    for (; *words != NULL; words++) {
        if (hpm_token_is(token, *words))
            return true;
    }
    return false;
}

/* Most names are in capitals, the words of the language are not. */
static bool
is_word(const struct hpm_token *token)
{
    if (token->kind != HPM_TOKEN_NAME || token->text[0] <= 'Z')
        return false;
    return is_one_of(token, statement_words) ||
           is_one_of(token, attribute_words);
}

/* The word of the language a text may have been meant to be, or NULL. */
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

enum { QUOTED = 60 };

/* A word as it can be printed. */
static const char *
quote(char quoted[QUOTED], const struct hpm_token *token)
{
    size_t n = 0;

    for (size_t i = 0; i < token->length && n + 8 < QUOTED; i++) {
        unsigned char c = (unsigned char)token->text[i];

        if (c >= 0x20 && c < 0x7f)
            quoted[n++] = (char)c;
        else
            n += (size_t)snprintf(quoted + n, 5, "\\x%02X", c);
    }
    if (n + 8 >= QUOTED)
        n += (size_t)snprintf(quoted + n, 4, "...");
    quoted[n] = '\0';
    return quoted;
}

static struct hpm_position
place_of(const struct parser *parser, const struct hpm_token *token)
{
    return (struct hpm_position){parser->file, token->line, token->column};
}

static bool complain(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* About the word to be read; returns false. */
static bool
complain(struct parser *parser, const char *format, ...)
{
    char sentence[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_spec_complain(parser->spec, place_of(parser, &parser->token), "%s",
                      sentence);
    parser->is_broken = true;
    return false;
}

static bool
expect(struct parser *parser, const char *expected)
{
    char word[QUOTED];

    switch (parser->token.kind) {
    case HPM_TOKEN_BAD:
        return complain(parser, "'%s' %s; expected %s",
                        quote(word, &parser->token), parser->token.wrong,
                        expected);
    case HPM_TOKEN_END:
        return complain(parser, "the file ends; expected %s", expected);
    case HPM_TOKEN_STRING:
        return complain(parser, "the text \"%s\" is out of place; expected %s",
                        quote(word, &parser->token), expected);
    default:
        return complain(parser, "'%s' is out of place; expected %s",
                        quote(word, &parser->token), expected);
    }
}

static bool
no_memory(struct parser *parser)
{
    parser->has_no_memory = true;
    parser->is_broken = true;
    return false;
}

/* ---- reading on ------------------------------------------------------ */

static void
advance(struct parser *parser)
{
    parser->last_line = parser->token.line;
    parser->token = hpm_tokens_next(&parser->tokens);
}

static struct hpm_token
peek(const struct parser *parser)
{
    struct hpm_tokens tokens = parser->tokens;

    return hpm_tokens_next(&tokens);
}

static bool
is_next(const struct parser *parser, const char *word)
{
    return hpm_token_is(&parser->token, word);
}

static bool
is_statement(const struct parser *parser)
{
    return is_word(&parser->token) &&
           is_one_of(&parser->token, statement_words);
}

/* To the beginning of the next statement. */
static void
skip_statement(struct parser *parser)
{
    while (parser->token.kind != HPM_TOKEN_END && !is_statement(parser))
        advance(parser);
}

static bool
read_sign(struct parser *parser, const char *sign, const char *expected)
{
    if (!is_next(parser, sign))
        return expect(parser, expected);
    advance(parser);
    return true;
}

static bool
keep_name(struct parser *parser, const char *text, size_t length,
          uint32_t *ret_name)
{
    *ret_name = hpm_names_add(&parser->spec->names, text, length);
    return *ret_name != HPM_NO_NAME || no_memory(parser);
}

/* A name follows a name: a word of the language with a slip, a forgotten
 * operator, or one name with blanks in it, which is read on as one. */
static bool
read_blank(struct parser *parser, const struct hpm_token *name,
           const char *expected)
{
    struct hpm_token after = peek(parser);
    struct hpm_token first = *name;
    struct hpm_string whole = {0};
    char word[QUOTED], before[QUOTED];
    bool is_good;
    bool is_attribute = after.kind == HPM_TOKEN_STRING ||
                        hpm_token_is(&after, "<") || hpm_token_is(&after, ">");
    bool is_new_line = parser->token.line != parser->last_line;
    const char *meant =
        nearest_word(quote(word, &parser->token),
                     is_attribute ? attribute_words : statement_words);

    if ((is_attribute || is_new_line) && meant != NULL)
        return complain(parser, "'%s' is unknown; did you mean '%s'?", word,
                        meant);
    if (is_attribute || is_new_line)
        return complain(parser,
                        "'%s' follows '%s'; expected %s, an attribute "
                        "or a statement between them",
                        word, quote(before, &first), expected);
    hpm_string_add_bytes(&whole, first.text, first.length);
    while (parser->token.kind == HPM_TOKEN_NAME && !is_word(&parser->token) &&
           parser->token.line == parser->last_line) {
        hpm_string_add_char(&whole, '_');
        hpm_string_add_bytes(&whole, parser->token.text, parser->token.length);
        advance(parser);
    }
    parser->is_broken = true;
    hpm_spec_complain(parser->spec, place_of(parser, &first),
                      "'%s' follows '%s'; expected %s between them; did you "
                      "mean '%.200s'?",
                      word, quote(before, &first), expected,
                      hpm_string_text(&whole));
    is_good = !whole.failed;
    hpm_string_free(&whole);
    return is_good || no_memory(parser);
}

/* A name; `expected` is what it is, `follows` what may come after it, NULL
 * where another name may. */
static bool
read_name(struct parser *parser, const char *expected, const char *follows,
          uint32_t *ret_name)
{
    struct hpm_token name = parser->token;

    if (name.kind != HPM_TOKEN_NAME || is_word(&name))
        return expect(parser, expected);
    if (!keep_name(parser, name.text, name.length, ret_name))
        return false;
    advance(parser);
    if (follows == NULL || parser->token.kind != HPM_TOKEN_NAME ||
        is_word(&parser->token))
        return true;
    return read_blank(parser, &name, follows);
}

/* Texts one after the other are one. */
static bool
read_text(struct parser *parser, const char *expected, uint32_t *ret_text)
{
    struct hpm_string whole = {0};
    bool is_good;

    if (parser->token.kind != HPM_TOKEN_STRING)
        return expect(parser, expected);
    for (; parser->token.kind == HPM_TOKEN_STRING; advance(parser))
        hpm_string_add_bytes(&whole, parser->token.text, parser->token.length);
    is_good = !whole.failed && keep_name(parser, hpm_string_text(&whole),
                                         whole.length, ret_text);
    hpm_string_free(&whole);
    return is_good || no_memory(parser);
}

/* ---- formulas -------------------------------------------------------- */

static bool
add_op(struct parser *parser, enum hpm_op_kind kind, uint32_t name,
       double number, const struct hpm_token *token)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->ops, &spec->ops_capacity, spec->n_ops + 1,
                         sizeof *spec->ops))
        return no_memory(parser);
    spec->ops[spec->n_ops++] =
        (struct hpm_op){kind, name, number, place_of(parser, token)};
    return true;
}

static bool read_sum(struct parser *parser);

static bool
go_deeper(struct parser *parser)
{
    if (++parser->depth <= HPM_MAX_NESTING)
        return true;
    return complain(parser, "brackets and signs nest more than %d deep",
                    HPM_MAX_NESTING);
}

/* "(" sum [ "," sum ] ")" */
static bool
read_bracket(struct parser *parser, bool is_pair)
{
    if (!go_deeper(parser) || !read_sign(parser, "(", "'('") ||
        !read_sum(parser))
        return false;
    if (is_pair && (!read_sign(parser, ",", "',' and a second operand") ||
                    !read_sum(parser)))
        return false;
    parser->depth--;
    return read_sign(parser, ")", "an operator or ')'");
}

static bool
read_total(struct parser *parser)
{
    struct hpm_token token = parser->token;
    uint32_t name;

    advance(parser);
    return read_sign(parser, "(", "'(' and a name") &&
           read_name(parser, "a name", "')'", &name) &&
           read_sign(parser, ")", "')'") &&
           add_op(parser, HPM_OP_TOTAL, name, 0.0, &token);
}

static bool
read_factor(struct parser *parser)
{
    struct hpm_token token = parser->token;
    struct hpm_token after;
    bool is_call;
    uint32_t name;

    if (token.kind == HPM_TOKEN_NUMBER) {
        advance(parser);
        return add_op(parser, HPM_OP_NUMBER, HPM_NO_NAME, token.number, &token);
    }
    if (is_next(parser, "("))
        return read_bracket(parser, false);
    if (is_next(parser, "-")) {
        if (!go_deeper(parser))
            return false;
        advance(parser);
        if (!read_factor(parser))
            return false;
        parser->depth--;
        return add_op(parser, HPM_OP_NEGATE, HPM_NO_NAME, 0.0, &token);
    }
    after = peek(parser);
    is_call = token.kind == HPM_TOKEN_NAME && hpm_token_is(&after, "(");
    if (is_call && is_next(parser, "total"))
        return read_total(parser);
    if (is_call) {
        bool is_min = is_next(parser, "min");

        if (!is_min && !is_next(parser, "max"))
            return expect(parser, "min, max or total before a bracket");
        advance(parser);
        return read_bracket(parser, true) &&
               add_op(parser, is_min ? HPM_OP_MIN : HPM_OP_MAX, HPM_NO_NAME,
                      0.0, &token);
    }
    return read_name(parser, "a number, a name or '('", "an operator", &name) &&
           add_op(parser, HPM_OP_NAME, name, 0.0, &token);
}

static bool
read_product(struct parser *parser)
{
    if (!read_factor(parser))
        return false;
    while (is_next(parser, "*") || is_next(parser, "/")) {
        struct hpm_token sign = parser->token;
        bool is_product = is_next(parser, "*");

        advance(parser);
        if (!read_factor(parser) ||
            !add_op(parser, is_product ? HPM_OP_MULTIPLY : HPM_OP_DIVIDE,
                    HPM_NO_NAME, 0.0, &sign))
            return false;
    }
    return true;
}

static bool
read_sum(struct parser *parser)
{
    if (!read_product(parser))
        return false;
    while (is_next(parser, "+") || is_next(parser, "-")) {
        struct hpm_token sign = parser->token;
        bool is_sum = is_next(parser, "+");

        advance(parser);
        if (!read_product(parser) ||
            !add_op(parser, is_sum ? HPM_OP_ADD : HPM_OP_SUBTRACT, HPM_NO_NAME,
                    0.0, &sign))
            return false;
    }
    return true;
}

/* How many operands wait at most while it is evaluated. */
static size_t
count_operands(const struct parser *parser, size_t first)
{
    size_t n = 0, most = 0;

    for (size_t i = first; i < parser->spec->n_ops; i++) {
        enum hpm_op_kind kind = parser->spec->ops[i].kind;

        if (kind <= HPM_OP_TOTAL)
            n++;
        else if (kind != HPM_OP_NEGATE)
            n--;
        if (n > most)
            most = n;
    }
    return most;
}

static bool
read_formula(struct parser *parser, struct hpm_range *ret_ops)
{
    ret_ops->first = parser->spec->n_ops;
    parser->depth = 0;
    if (!read_sum(parser))
        return false;
    ret_ops->count = parser->spec->n_ops - ret_ops->first;
    if (count_operands(parser, ret_ops->first) > HPM_MAX_OPERANDS)
        return complain(parser,
                        "the formula before this needs more than %d "
                        "operands at once; define parts of it",
                        HPM_MAX_OPERANDS);
    return true;
}

/* ---- guards and attributes ------------------------------------------- */

/* Facts are in capitals, PMUs, of which there are many, in small letters. */
static bool
read_guard(struct parser *parser, struct hpm_guard *ret_guard)
{
    char word[QUOTED];

    ret_guard->fact = HPM_NO_NAME;
    if (!is_next(parser, "if"))
        return true;
    advance(parser);
    ret_guard->is_negated = is_next(parser, "no");
    if (ret_guard->is_negated)
        advance(parser);
    if (parser->token.kind == HPM_TOKEN_NAME &&
        !is_one_of(&parser->token, fact_words) &&
        parser->token.text[0] >= 'A' && parser->token.text[0] <= 'Z')
        return complain(parser,
                        "'%s' is no fact; expected L2, L3, SMT, FMA, "
                        "VM, NUMA or the name of a PMU",
                        quote(word, &parser->token));
    return read_name(parser, "L2, L3, SMT, FMA, VM, NUMA or the name of a PMU",
                     "'|', an attribute or a statement", &ret_guard->fact);
}

static bool
read_limit(struct parser *parser, struct hpm_limit_formula *ret_limit)
{
    struct hpm_limit_formula limit = {
        .is_given = true, .place = place_of(parser, &parser->token)};

    advance(parser);
    limit.is_above = is_next(parser, ">");
    if (!limit.is_above && !is_next(parser, "<"))
        return expect(parser, "'<' or '>'");
    advance(parser);
    if (!read_formula(parser, &limit.ops))
        return false;
    *ret_limit = limit;
    return true;
}

/* bad and good are for both precisions. */
static bool
read_limits(struct parser *parser, struct hpm_attributes *attributes)
{
    const char *word = parser->token.text;
    size_t length = parser->token.length;
    bool is_bad = memcmp(word + length - 3, "bad", 3) == 0;
    bool is_single = word[0] == 's';
    bool is_double = word[0] == 'd';
    struct hpm_limit_formula *limits =
        is_bad ? attributes->bad : attributes->good;
    struct hpm_limit_formula limit = {0};

    if (!read_limit(parser, &limit))
        return false;
    if (!is_double)
        limits[HPM_PRECISION_SINGLE] = limit;
    if (!is_single)
        limits[HPM_PRECISION_DOUBLE] = limit;
    return true;
}

static const struct {
    const char *word;
    enum hpm_text_kind kind;
} text_words[] = {
    {"as", HPM_TEXT_AS},         {"label", HPM_TEXT_LABEL},
    {"unit", HPM_TEXT_UNIT},     {"info", HPM_TEXT_INFO},
    {"source", HPM_TEXT_SOURCE},
};

static bool
read_attribute(struct parser *parser, struct hpm_attributes *attributes)
{
    char expected[32];

    for (size_t i = 0; i < sizeof text_words / sizeof text_words[0]; i++) {
        if (!is_next(parser, text_words[i].word))
            continue;
        snprintf(expected, sizeof expected, "a text after %s",
                 text_words[i].word);
        advance(parser);
        return read_text(parser, expected,
                         &attributes->texts[text_words[i].kind]);
    }
    if (is_next(parser, "sample")) {
        advance(parser);
        return read_name(parser, "an event", "an attribute or a statement",
                         &attributes->texts[HPM_TEXT_SAMPLE]);
    }
    if (is_next(parser, "under")) {
        advance(parser);
        return read_name(parser, "a metric", "an attribute or a statement",
                         &attributes->texts[HPM_TEXT_UNDER]);
    }
    if (is_next(parser, "scale")) {
        advance(parser);
        return read_formula(parser, &attributes->scale);
    }
    if (is_next(parser, "if"))
        return complain(parser, "'if' comes too late; expected it before the "
                                "attributes");
    return read_limits(parser, attributes);
}

static bool
read_attributes(struct parser *parser, struct hpm_attributes *attributes)
{
    while (is_word(&parser->token) &&
           is_one_of(&parser->token, attribute_words)) {
        if (!read_attribute(parser, attributes))
            return false;
    }
    return true;
}

/* ---- statements ------------------------------------------------------ */

static bool
add_term(struct parser *parser, uint32_t name, struct hpm_guard guard,
         struct hpm_position place)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->terms, &spec->terms_capacity, spec->n_terms + 1,
                         sizeof *spec->terms))
        return no_memory(parser);
    spec->terms[spec->n_terms++] = (struct hpm_term){name, guard, place};
    return true;
}

/* Names with `sign` between them; each may have a guard if `has_guards`. */
static bool
read_terms(struct parser *parser, const char *sign, bool has_guards,
           const char *follows, struct hpm_range *ret_terms)
{
    struct hpm_guard guard = {.fact = HPM_NO_NAME};

    ret_terms->first = parser->spec->n_terms;
    for (;;) {
        struct hpm_position place = place_of(parser, &parser->token);
        uint32_t name;

        if (!read_name(parser, "a name", follows, &name) ||
            (has_guards && !read_guard(parser, &guard)) ||
            !add_term(parser, name, guard, place))
            return false;
        if (!is_next(parser, sign))
            break;
        advance(parser);
    }
    ret_terms->count = parser->spec->n_terms - ret_terms->first;
    return true;
}

static bool
read_composition(struct parser *parser, struct hpm_statement *statement)
{
    char word[QUOTED];

    if (!read_terms(parser, "+", false, "'+'", &statement->terms))
        return false;
    if (is_next(parser, "-") || is_next(parser, "*") || is_next(parser, "/"))
        return complain(parser,
                        "'%s' in a composition, which only adds; "
                        "write 'compute' for such a formula",
                        quote(word, &parser->token));
    return read_guard(parser, &statement->guard);
}

static bool
read_measure(struct parser *parser, struct hpm_statement *statement)
{
    char word[QUOTED];

    if (!read_terms(parser, "|", true, "'|'", &statement->terms))
        return false;
    if (is_next(parser, "+") || is_next(parser, "-") || is_next(parser, "*") ||
        is_next(parser, "/"))
        return complain(parser,
                        "'%s' after 'measure', which takes one "
                        "counter; write 'compute' for a formula",
                        quote(word, &parser->token));
    return true;
}

/* set NAME = name [","] name ... */
static bool
read_set(struct parser *parser, struct hpm_statement *statement)
{
    struct hpm_guard guard = {.fact = HPM_NO_NAME};

    statement->terms.first = parser->spec->n_terms;
    do {
        struct hpm_position place = place_of(parser, &parser->token);
        uint32_t name;

        if (!read_name(parser, "an event or a metric", NULL, &name) ||
            !add_term(parser, name, guard, place))
            return false;
        if (is_next(parser, ","))
            advance(parser);
        else if (parser->token.kind != HPM_TOKEN_NAME ||
                 is_word(&parser->token))
            break;
    } while (!parser->is_broken);
    statement->terms.count = parser->spec->n_terms - statement->terms.first;
    return true;
}

static bool
read_body(struct parser *parser, struct hpm_statement *statement)
{
    switch (statement->kind) {
    case HPM_STATEMENT_MEASURE:
        return read_measure(parser, statement);
    case HPM_STATEMENT_COMPOSE:
        return read_composition(parser, statement);
    case HPM_STATEMENT_COMPUTE:
    case HPM_STATEMENT_RATIO:
    case HPM_STATEMENT_CONST:
        return read_formula(parser, &statement->ops) &&
               read_guard(parser, &statement->guard);
    case HPM_STATEMENT_SET:
        return read_set(parser, statement);
    case HPM_STATEMENT_TUNE:
    case HPM_STATEMENT_REMOVE:
        break;
    }
    return true;
}

static bool
read_definition(struct parser *parser, struct hpm_statement *statement)
{
    bool has_body = statement->kind != HPM_STATEMENT_TUNE &&
                    statement->kind != HPM_STATEMENT_REMOVE;

    if (!read_name(parser, "a name",
                   has_body ? "'='" : "an attribute or a statement",
                   &statement->name))
        return false;
    if (strchr(hpm_spec_text(parser->spec, statement->name), ':') != NULL)
        return complain(parser,
                        "'%s' is the name of an event; expected one "
                        "without a colon before",
                        hpm_spec_text(parser->spec, statement->name));
    if (has_body && (!read_sign(parser, "=", "'=' after the name") ||
                     !read_body(parser, statement)))
        return false;
    if (statement->kind == HPM_STATEMENT_REMOVE)
        return true;
    return read_attributes(parser, &statement->attributes);
}

static bool
add_statement(struct parser *parser, const struct hpm_statement *statement)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->statements, &spec->statements_capacity,
                         spec->n_statements + 1, sizeof *spec->statements))
        return no_memory(parser);
    spec->statements[spec->n_statements++] = *statement;
    return true;
}

static void
read_statement(struct parser *parser, enum hpm_statement_kind kind)
{
    struct hpm_statement statement = {
        .kind = kind,
        .place = place_of(parser, &parser->token),
        .arch = parser->arch,
        .layer = parser->layer,
        .guard = {.fact = HPM_NO_NAME},
    };

    for (int i = 0; i < HPM_N_TEXTS; i++)
        statement.attributes.texts[i] = HPM_NO_NAME;
    advance(parser);
    if (!read_definition(parser, &statement))
        return;
    if (parser->token.kind != HPM_TOKEN_END && !is_statement(parser))
        expect(parser, "an operator, an attribute or a statement");
    else if (!parser->is_broken)
        add_statement(parser, &statement);
}

static bool
add_pmu(struct parser *parser, uint32_t name)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->pmus, &spec->pmus_capacity, spec->n_pmus + 1,
                         sizeof *spec->pmus))
        return no_memory(parser);
    spec->pmus[spec->n_pmus++] = name;
    return true;
}

/* arch any, or arch PMU PMU ... "title" */
static void
read_arch(struct parser *parser)
{
    struct hpm_spec *spec = parser->spec;
    struct hpm_arch arch = {.pmus.first = spec->n_pmus, .title = HPM_NO_NAME};

    advance(parser);
    if (is_next(parser, "any")) {
        advance(parser);
    } else {
        do {
            uint32_t name;

            if (!read_name(parser, "'any' or the name of a PMU", NULL, &name) ||
                !add_pmu(parser, name))
                return;
        } while (parser->token.kind == HPM_TOKEN_NAME &&
                 !is_word(&parser->token));
    }
    arch.pmus.count = spec->n_pmus - arch.pmus.first;
    if (parser->token.kind == HPM_TOKEN_STRING &&
        !read_text(parser, "a title", &arch.title))
        return;
    if (!hpm_memory_grow(&spec->arches, &spec->arches_capacity,
                         spec->n_arches + 1, sizeof *spec->arches)) {
        no_memory(parser);
        return;
    }
    spec->arches[spec->n_arches] = arch;
    parser->arch = arch.pmus.count > 0 ? spec->n_arches++ : 0;
}

static void
read_include(struct parser *parser)
{
    struct hpm_position place;
    struct hpm_error why;
    uint32_t name;

    advance(parser);
    place = place_of(parser, &parser->token);
    if (!read_text(parser, "a file's name in quotes", &name) ||
        parser->include == NULL)
        return;
    if (!parser->include(parser->spec, hpm_spec_text(parser->spec, name),
                         parser->context, &why))
        hpm_spec_complain(parser->spec, place, "%s", why.text);
}

static void
read_any(struct parser *parser)
{
    static const struct {
        const char *word;
        enum hpm_statement_kind kind;
    } definitions[] = {
        {"measure", HPM_STATEMENT_MEASURE}, {"compute", HPM_STATEMENT_COMPUTE},
        {"compose", HPM_STATEMENT_COMPOSE}, {"ratio", HPM_STATEMENT_RATIO},
        {"const", HPM_STATEMENT_CONST},     {"set", HPM_STATEMENT_SET},
        {"tune", HPM_STATEMENT_TUNE},       {"remove", HPM_STATEMENT_REMOVE},
    };
    char word[QUOTED];
    const char *meant;

    parser->is_broken = false;
    for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) {
        if (is_next(parser, definitions[i].word)) {
            read_statement(parser, definitions[i].kind);
            return;
        }
    }
    if (is_next(parser, "arch")) {
        read_arch(parser);
        return;
    }
    if (is_next(parser, "include")) {
        read_include(parser);
        return;
    }
    meant = nearest_word(quote(word, &parser->token), statement_words);
    if (parser->token.kind == HPM_TOKEN_NAME && meant != NULL)
        complain(parser, "'%s' begins no statement; did you mean '%s'?", word,
                 meant);
    else
        expect(parser, "compose, measure, compute, ratio, const, set, arch, "
                       "include, tune or remove");
}

bool
hpm_spec_read(struct hpm_spec *spec, const char *file, const char *text,
              size_t length, unsigned layer, hpm_spec_include *include,
              void *context, struct hpm_error *err)
{
    struct parser parser = {
        .spec = spec,
        .tokens = hpm_tokens_begin(text, length),
        .layer = layer,
        .include = include,
        .context = context,
    };

    if (!keep_name(&parser, file, strlen(file), &parser.file))
        return hpm_error_no_memory(err);
    advance(&parser);
    while (parser.token.kind != HPM_TOKEN_END && !parser.has_no_memory) {
        read_any(&parser);
        if (parser.is_broken)
            skip_statement(&parser);
    }
    if (parser.has_no_memory || spec->complaints.failed)
        return hpm_error_no_memory(err);
    return true;
}
