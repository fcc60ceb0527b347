/* SPDX-License-Identifier: BSD-3-Clause
 * Reading definition files: text to statements. */
#include "metric/language/parser.h"

#include <string.h>

#include "host/memory.h"

/* Read names with `sign` between them; each may have a guard if
 * `has_guards`. */
static bool
read_terms(struct hpm_parser *parser, const char *sign, bool has_guards,
           const char *follows, struct hpm_range *ret_terms)
{
    struct hpm_guard guard = {.fact = HPM_NO_NAME};

    ret_terms->first = parser->spec->n_terms;
    for (;;) {
        struct hpm_position place = hpm_parser_place(parser, &parser->token);
        uint32_t name;

        if (!hpm_parser_read_name(parser, "a name", follows, &name) ||
            (has_guards && !hpm_parser_read_guard(parser, &guard)) ||
            !hpm_parser_add_term(parser, name, guard, place))
            return false;
        if (!hpm_parser_is_next(parser, sign))
            break;
        hpm_parser_advance(parser);
    }
    ret_terms->count = parser->spec->n_terms - ret_terms->first;
    return true;
}

static bool
read_composition(struct hpm_parser *parser, struct hpm_statement *statement)
{
    char word[HPM_QUOTED];

    if (!read_terms(parser, "+", false, "'+'", &statement->terms))
        return false;
    if (hpm_parser_is_next(parser, "-") || hpm_parser_is_next(parser, "*") ||
        hpm_parser_is_next(parser, "/"))
        return hpm_parser_complain(parser,
                                   "'%s' in a composition, which only adds; "
                                   "write 'compute' for such a formula",
                                   hpm_parser_quote(word, &parser->token));
    return hpm_parser_read_guard(parser, &statement->guard);
}

static bool
read_measure(struct hpm_parser *parser, struct hpm_statement *statement)
{
    char word[HPM_QUOTED];

    if (!read_terms(parser, "|", true, "'|'", &statement->terms))
        return false;
    if (hpm_parser_is_next(parser, "+") || hpm_parser_is_next(parser, "-") ||
        hpm_parser_is_next(parser, "*") || hpm_parser_is_next(parser, "/"))
        return hpm_parser_complain(parser,
                                   "'%s' after 'measure', which takes one "
                                   "counter; write 'compute' for a formula",
                                   hpm_parser_quote(word, &parser->token));
    return true;
}

/* ---- codes of events -------------------------------------------------- */

static size_t
count_letters(const char *text, const char *end, const char *others)
{
    const char *c = text;

    while (c < end && *c != '\0' &&
           ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
            (*c >= '0' && *c <= '9') || strchr(others, *c) != NULL))
        c++;
    return (size_t)(c - text);
}

/* pmu/field=value,field,.../ or r1a8.  Which fields exist is known only on a
 * machine with that PMU. */
static bool
is_code(const struct hpm_token *token)
{
    const char *text = token->text, *end = text + token->length;
    size_t n = count_letters(text, end, "_-.");

    if (n == token->length)
        return text[0] == 'r' && n > 1 &&
               strspn(text + 1, "0123456789abcdefABCDEF") >= n - 1;
    if (n == 0 || text[n] != '/' || end[-1] != '/')
        return false;
    for (text += n + 1; text < end; text += n + 1) {
        n = count_letters(text, end, "_-.");
        if (n > 0 && text[n] == '=')
            n += 1 + count_letters(text + n + 1, end, "");
        if (n == 0 || text[n - 1] == '=' || (text[n] != ',' && text[n] != '/'))
            return false;
    }
    return true;
}

static bool
read_code(struct hpm_parser *parser, struct hpm_statement *statement)
{
    char word[HPM_QUOTED];

    if (parser->token.kind == HPM_TOKEN_NAME && !is_code(&parser->token))
        return hpm_parser_complain(parser,
                                   "'%s' is no code of an event; expected "
                                   "PMU/field=value,.../ without blanks, or r "
                                   "and a hexadecimal number",
                                   hpm_parser_quote(word, &parser->token));
    if (parser->token.kind != HPM_TOKEN_NAME)
        return hpm_parser_expect(parser, "the code of an event, such as "
                                         "cpu/event=0xa4,umask=0x2/");
    if (!hpm_parser_keep_name(parser, parser->token.text, parser->token.length,
                              &statement->attributes.texts[HPM_TEXT_CODE]))
        return false;
    hpm_parser_advance(parser);
    return true;
}

/* Is there text, besides blanks, before, between and after the commas? */
static bool
are_identities(const char *text)
{
    for (;; text++) {
        text += strspn(text, " ");
        if (*text == '\0' || *text == ',')
            return false;
        text = strchr(text, ',');
        if (text == NULL)
            return true;
    }
}

static bool
read_identities(struct hpm_parser *parser, struct hpm_statement *statement)
{
    static const char expected[] =
        "the identity of a processor, such as \"GenuineIntel-6-CF\"";
    uint32_t *text = &statement->attributes.texts[HPM_TEXT_CODE];
    struct hpm_position place = hpm_parser_place(parser, &parser->token);

    if (!hpm_parser_read_text(parser, expected, text))
        return false;
    if (!are_identities(hpm_spec_text(parser->spec, *text))) {
        hpm_spec_complain(parser->spec, place,
                          "an identity in \"%s\" is empty; expected %s, which "
                          "hpm doctor prints, with commas between several",
                          hpm_spec_text(parser->spec, *text), expected);
        return false;
    }
    return true;
}

/* ---- definitions ------------------------------------------------------ */

static bool
read_body(struct hpm_parser *parser, struct hpm_statement *statement)
{
    switch (statement->kind) {
    case HPM_STATEMENT_MEASURE:
        return read_measure(parser, statement);
    case HPM_STATEMENT_COMPOSE:
        return read_composition(parser, statement);
    case HPM_STATEMENT_COMPUTE:
    case HPM_STATEMENT_RATIO:
    case HPM_STATEMENT_CONST:
        return hpm_parser_read_formula(parser, &statement->ops) &&
               hpm_parser_read_guard(parser, &statement->guard);
    case HPM_STATEMENT_SET:
        return hpm_parser_read_list(parser, "an event or a metric",
                                    &statement->terms);
    case HPM_STATEMENT_EVENT:
        return read_code(parser, statement);
    case HPM_STATEMENT_PROCESSOR:
        return read_identities(parser, statement);
    case HPM_STATEMENT_TUNE:
    case HPM_STATEMENT_REMOVE:
        break;
    }
    return true;
}

/* Read the '=' between name and body.  Then the words of an event's code
 * follow, which are not words of the language. */
static bool
read_equals(struct hpm_parser *parser, enum hpm_statement_kind kind)
{
    if (kind != HPM_STATEMENT_EVENT || !hpm_parser_is_next(parser, "="))
        return hpm_parser_read_sign(parser, "=", "'=' after the name");
    parser->last_line = parser->token.line;
    parser->token = hpm_tokens_next_code(&parser->tokens);
    return true;
}

/* Events and processors are not judged: they allow few attributes. */
static bool
check_attributes(struct hpm_parser *parser, struct hpm_statement *statement)
{
    const struct hpm_attributes *attributes = &statement->attributes;
    bool has_others = attributes->is_of_run || attributes->scale.count > 0 ||
                      attributes->least.count > 0 ||
                      attributes->evidence.count > 0 ||
                      attributes->unless.count > 0;

    for (int i = 0; i < 2; i++)
        has_others |=
            attributes->bad[i].is_given || attributes->good[i].is_given;
    for (int i = 0; i < HPM_N_TEXTS; i++)
        has_others |= attributes->texts[i] != HPM_NO_NAME &&
                      i != HPM_TEXT_LABEL && i != HPM_TEXT_UNIT &&
                      i != HPM_TEXT_INFO && i != HPM_TEXT_SOURCE &&
                      i != HPM_TEXT_CODE;
    if (has_others)
        hpm_spec_complain(parser->spec, statement->place,
                          "expected only label, unit, info and source of '%s', "
                          "which is no metric",
                          hpm_spec_text(parser->spec, statement->name));
    return !has_others;
}

static bool
read_definition(struct hpm_parser *parser, struct hpm_statement *statement)
{
    bool has_body = statement->kind != HPM_STATEMENT_TUNE &&
                    statement->kind != HPM_STATEMENT_REMOVE;

    if (!hpm_parser_read_name(parser, "a name",
                              has_body ? "'='" : "an attribute or a statement",
                              &statement->name))
        return false;
    if (statement->kind != HPM_STATEMENT_EVENT &&
        strchr(hpm_spec_text(parser->spec, statement->name), ':') != NULL)
        return hpm_parser_complain(
            parser,
            "'%s' is the name of an event; expected one "
            "without a colon before",
            hpm_spec_text(parser->spec, statement->name));
    if (has_body && (!read_equals(parser, statement->kind) ||
                     !read_body(parser, statement)))
        return false;
    if (statement->kind == HPM_STATEMENT_REMOVE)
        return true;
    return hpm_parser_read_attributes(parser, &statement->attributes) &&
           (statement->kind < HPM_STATEMENT_EVENT ||
            check_attributes(parser, statement));
}

static bool
add_statement(struct hpm_parser *parser, const struct hpm_statement *statement)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->statements, &spec->statements_capacity,
                         spec->n_statements + 1, sizeof *spec->statements))
        return hpm_parser_no_memory(parser);
    spec->statements[spec->n_statements] = *statement;
    hpm_spec_end_statement(spec);
    return true;
}

static void
read_statement(struct hpm_parser *parser, enum hpm_statement_kind kind)
{
    struct hpm_statement statement = {
        .kind = kind,
        .place = hpm_parser_place(parser, &parser->token),
        .arch = parser->arch,
        .layer = parser->layer,
        .guard = {.fact = HPM_NO_NAME},
    };

    for (int i = 0; i < HPM_N_TEXTS; i++)
        statement.attributes.texts[i] = HPM_NO_NAME;
    hpm_parser_advance(parser);
    if (!read_definition(parser, &statement))
        return;
    if (parser->token.kind != HPM_TOKEN_END && !hpm_parser_is_statement(parser))
        hpm_parser_expect(parser, "an operator, an attribute or a statement");
    else if (!parser->is_broken)
        add_statement(parser, &statement);
}

static bool
add_pmu(struct hpm_parser *parser, uint32_t name, struct hpm_position place)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->pmus, &spec->pmus_capacity, spec->n_pmus + 1,
                         sizeof *spec->pmus) ||
        !hpm_memory_grow(&spec->pmu_places, &spec->places_capacity,
                         spec->n_pmus + 1, sizeof *spec->pmu_places))
        return hpm_parser_no_memory(parser);
    spec->pmu_places[spec->n_pmus] = place;
    spec->pmus[spec->n_pmus++] = name;
    return true;
}

/* arch any, or arch PMU PMU ... "title" */
static void
read_arch(struct hpm_parser *parser)
{
    struct hpm_spec *spec = parser->spec;
    struct hpm_arch arch = {.pmus.first = spec->n_pmus, .title = HPM_NO_NAME};

    hpm_parser_advance(parser);
    if (hpm_parser_is_next(parser, "any")) {
        hpm_parser_advance(parser);
    } else {
        do {
            struct hpm_position place =
                hpm_parser_place(parser, &parser->token);
            uint32_t name;

            if (!hpm_parser_read_name(parser, "'any' or the name of a PMU",
                                      NULL, &name) ||
                !add_pmu(parser, name, place))
                return;
        } while (parser->token.kind == HPM_TOKEN_NAME &&
                 !hpm_parser_is_word(&parser->token));
    }
    arch.pmus.count = spec->n_pmus - arch.pmus.first;
    if (parser->token.kind == HPM_TOKEN_STRING &&
        !hpm_parser_read_text(parser, "a title", &arch.title))
        return;
    if (!hpm_memory_grow(&spec->arches, &spec->arches_capacity,
                         spec->n_arches + 1, sizeof *spec->arches)) {
        hpm_parser_no_memory(parser);
        return;
    }
    spec->arches[spec->n_arches] = arch;
    parser->arch = arch.pmus.count > 0 ? spec->n_arches++ : 0;
}

static void
read_include(struct hpm_parser *parser)
{
    struct hpm_position place;
    struct hpm_error why;
    uint32_t name;

    hpm_parser_advance(parser);
    place = hpm_parser_place(parser, &parser->token);
    if (!hpm_parser_read_text(parser, "a file's name in quotes", &name) ||
        parser->include == NULL)
        return;
    if (!parser->include(parser->spec, hpm_spec_text(parser->spec, name),
                         parser->context, &why))
        hpm_spec_complain(parser->spec, place, "%s", why.text);
}

static void
read_any(struct hpm_parser *parser)
{
    static const struct {
        const char *word;
        enum hpm_statement_kind kind;
    } definitions[] = {
        {"measure", HPM_STATEMENT_MEASURE},
        {"compute", HPM_STATEMENT_COMPUTE},
        {"compose", HPM_STATEMENT_COMPOSE},
        {"ratio", HPM_STATEMENT_RATIO},
        {"const", HPM_STATEMENT_CONST},
        {"set", HPM_STATEMENT_SET},
        {"tune", HPM_STATEMENT_TUNE},
        {"remove", HPM_STATEMENT_REMOVE},
        {"event", HPM_STATEMENT_EVENT},
        {"processor", HPM_STATEMENT_PROCESSOR},
    };
    char word[HPM_QUOTED];
    const char *meant;

    parser->is_broken = false;
    for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) {
        if (hpm_parser_is_next(parser, definitions[i].word)) {
            read_statement(parser, definitions[i].kind);
            return;
        }
    }
    if (hpm_parser_is_next(parser, "arch")) {
        read_arch(parser);
        return;
    }
    if (hpm_parser_is_next(parser, "include")) {
        read_include(parser);
        return;
    }
    meant =
        hpm_parser_nearest_statement(hpm_parser_quote(word, &parser->token));
    if (parser->token.kind == HPM_TOKEN_NAME && meant != NULL)
        hpm_parser_complain(parser,
                            "'%s' begins no statement; did you mean '%s'?",
                            word, meant);
    else
        hpm_parser_expect(parser,
                          "compose, measure, compute, ratio, const, set, "
                          "event, arch, processor, include, tune or remove");
}

bool
hpm_spec_read(struct hpm_spec *spec, const char *file, const char *text,
              size_t length, unsigned layer, hpm_spec_include *include,
              void *context, struct hpm_error *err)
{
    struct hpm_parser parser = {
        .spec = spec,
        .tokens = hpm_tokens_begin(text, length),
        .layer = layer,
        .include = include,
        .context = context,
    };

    if (!hpm_parser_keep_name(&parser, file, strlen(file), &parser.file))
        return hpm_error_no_memory(err);
    hpm_parser_advance(&parser);
    while (parser.token.kind != HPM_TOKEN_END && !parser.has_no_memory) {
        read_any(&parser);
        if (parser.is_broken)
            hpm_parser_skip_statement(&parser);
    }
    if (parser.has_no_memory || spec->complaints.failed)
        return hpm_error_no_memory(err);
    return true;
}
