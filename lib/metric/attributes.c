/* SPDX-License-Identifier: BSD-3-Clause
 * Reading guards and attributes: on which machines a definition holds, and what
 * describes it. */
#include "metric/parser.h"

#include <stdio.h>
#include <string.h>

/* Facts are in capitals, PMUs, of which there are many, in small letters. */
bool
hpm_parser_read_guard(struct hpm_parser *parser, struct hpm_guard *ret_guard)
{
    char word[HPM_QUOTED];

    ret_guard->fact = HPM_NO_NAME;
    if (!hpm_parser_is_next(parser, "if"))
        return true;
    hpm_parser_advance(parser);
    ret_guard->is_negated = hpm_parser_is_next(parser, "no");
    if (ret_guard->is_negated)
        hpm_parser_advance(parser);
    if (parser->token.kind == HPM_TOKEN_NAME && !hpm_parser_is_fact(parser) &&
        parser->token.text[0] >= 'A' && parser->token.text[0] <= 'Z')
        return hpm_parser_complain(
            parser,
            "'%s' is no fact; expected L2, L3, SMT, FMA, "
            "VM, NUMA or the name of a PMU",
            hpm_parser_quote(word, &parser->token));
    return hpm_parser_read_name(
        parser, "L2, L3, SMT, FMA, VM, NUMA or the name of a PMU",
        "'|', an attribute or a statement", &ret_guard->fact);
}

static bool
read_limit(struct hpm_parser *parser, struct hpm_limit_formula *ret_limit)
{
    struct hpm_limit_formula limit = {
        .is_given = true, .place = hpm_parser_place(parser, &parser->token)};

    hpm_parser_advance(parser);
    limit.is_above = hpm_parser_is_next(parser, ">");
    if (!limit.is_above && !hpm_parser_is_next(parser, "<"))
        return hpm_parser_expect(parser, "'<' or '>'");
    hpm_parser_advance(parser);
    if (!hpm_parser_read_formula(parser, &limit.ops))
        return false;
    *ret_limit = limit;
    return true;
}

/* bad and good are for both precisions. */
static bool
read_limits(struct hpm_parser *parser, struct hpm_attributes *attributes)
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
read_attribute(struct hpm_parser *parser, struct hpm_attributes *attributes)
{
    char expected[32];

    for (size_t i = 0; i < sizeof text_words / sizeof text_words[0]; i++) {
        if (!hpm_parser_is_next(parser, text_words[i].word))
            continue;
        snprintf(expected, sizeof expected, "a text after %s",
                 text_words[i].word);
        hpm_parser_advance(parser);
        return hpm_parser_read_text(parser, expected,
                                    &attributes->texts[text_words[i].kind]);
    }
    if (hpm_parser_is_next(parser, "sample")) {
        hpm_parser_advance(parser);
        return hpm_parser_read_name(parser, "an event",
                                    "an attribute or a statement",
                                    &attributes->texts[HPM_TEXT_SAMPLE]);
    }
    if (hpm_parser_is_next(parser, "under")) {
        hpm_parser_advance(parser);
        return hpm_parser_read_name(parser, "a metric",
                                    "an attribute or a statement",
                                    &attributes->texts[HPM_TEXT_UNDER]);
    }
    if (hpm_parser_is_next(parser, "scale")) {
        hpm_parser_advance(parser);
        return hpm_parser_read_formula(parser, &attributes->scale);
    }
    if (hpm_parser_is_next(parser, "if"))
        return hpm_parser_complain(
            parser, "'if' comes too late; expected it before the "
                    "attributes");
    return read_limits(parser, attributes);
}

bool
hpm_parser_read_attributes(struct hpm_parser *parser,
                           struct hpm_attributes *attributes)
{
    while (hpm_parser_is_attribute(parser)) {
        if (!read_attribute(parser, attributes))
            return false;
    }
    return true;
}
