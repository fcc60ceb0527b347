/* SPDX-License-Identifier: BSD-3-Clause
 * Reading guards and attributes: on which machines a definition holds, and what
 * describes it. */
#include "metric/language/parser.h"

#include <stdio.h>
#include <string.h>

/* ---- guards and limits ----------------------------------------------- */

/* Facts are in capitals; PMUs, of which there are many, are in small
 * letters. */
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

/* The words bad and good set the limits of both precisions. */
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

/* ---- texts and names ------------------------------------------------- */

/* Reports combine the text with other words, and add the full stop. */
static bool
is_one_sentence(const char *text)
{
    while ((text = strpbrk(text, ".?!")) != NULL) {
        text++;
        if (*text == ' ' || *text == '\0')
            return false;
    }
    return true;
}

static const struct text_word {
    const char *word;
    enum hpm_text_kind kind;
    bool is_sentence;
} text_words[] = {
    {"as", HPM_TEXT_AS, false},         {"label", HPM_TEXT_LABEL, false},
    {"unit", HPM_TEXT_UNIT, false},     {"info", HPM_TEXT_INFO, false},
    {"source", HPM_TEXT_SOURCE, false}, {"rises", HPM_TEXT_RISES, true},
    {"falls", HPM_TEXT_FALLS, true},    {"why", HPM_TEXT_WHY, true},
    {"try", HPM_TEXT_TRY, true},        {"says", HPM_TEXT_SAYS, true},
};

static bool
read_text(struct hpm_parser *parser, const struct text_word *word,
          struct hpm_attributes *attributes)
{
    struct hpm_token begin;
    uint32_t *text = &attributes->texts[word->kind];
    char expected[32];

    snprintf(expected, sizeof expected, "a text after %s", word->word);
    hpm_parser_advance(parser);
    begin = parser->token;
    if (!hpm_parser_read_text(parser, expected, text))
        return false;
    if (!word->is_sentence ||
        is_one_sentence(hpm_spec_text(parser->spec, *text)))
        return true;
    parser->is_broken = true;
    hpm_spec_complain(parser->spec, hpm_parser_place(parser, &begin),
                      "the text after %s has a full stop; expected one "
                      "sentence without it",
                      word->word);
    return false;
}

static const struct name_word {
    const char *word;
    const char *expected;
    enum hpm_text_kind kind;
} name_words[] = {
    {"sample", "an event", HPM_TEXT_SAMPLE},
    {"under", "a metric", HPM_TEXT_UNDER},
    {"next", "a set, a metric or an event", HPM_TEXT_NEXT},
    {"like", "a metric", HPM_TEXT_LIKE},
    {"timebase", "a metric", HPM_TEXT_TIMEBASE},
    {"explains", "a metric", HPM_TEXT_EXPLAINS},
};

static bool
read_name(struct hpm_parser *parser, const struct name_word *word,
          struct hpm_attributes *attributes)
{
    hpm_parser_advance(parser);
    return hpm_parser_read_name(parser, word->expected,
                                "an attribute or a statement",
                                &attributes->texts[word->kind]);
}

/* ---- any attribute --------------------------------------------------- */

/* range LEAST [ "," MOST ] */
static bool
read_range(struct hpm_parser *parser, struct hpm_attributes *attributes)
{
    attributes->most.count = 0;
    if (!hpm_parser_read_formula(parser, &attributes->least))
        return false;
    if (!hpm_parser_is_next(parser, ","))
        return true;
    hpm_parser_advance(parser);
    return hpm_parser_read_formula(parser, &attributes->most);
}

/* of run */
static bool
read_of_run(struct hpm_parser *parser, struct hpm_attributes *attributes)
{
    hpm_parser_advance(parser);
    if (!hpm_parser_is_next(parser, "run"))
        return hpm_parser_expect(parser, "'run' after of");
    hpm_parser_advance(parser);
    attributes->is_of_run = true;
    return true;
}

static bool
read_attribute(struct hpm_parser *parser, struct hpm_attributes *attributes)
{
    for (size_t i = 0; i < sizeof text_words / sizeof text_words[0]; i++) {
        if (hpm_parser_is_next(parser, text_words[i].word))
            return read_text(parser, &text_words[i], attributes);
    }
    for (size_t i = 0; i < sizeof name_words / sizeof name_words[0]; i++) {
        if (hpm_parser_is_next(parser, name_words[i].word))
            return read_name(parser, &name_words[i], attributes);
    }
    if (hpm_parser_is_next(parser, "scale")) {
        hpm_parser_advance(parser);
        return hpm_parser_read_formula(parser, &attributes->scale);
    }
    if (hpm_parser_is_next(parser, "range")) {
        hpm_parser_advance(parser);
        return read_range(parser, attributes);
    }
    if (hpm_parser_is_next(parser, "evidence")) {
        hpm_parser_advance(parser);
        return hpm_parser_read_list(parser, "a metric", &attributes->evidence);
    }
    if (hpm_parser_is_next(parser, "unless")) {
        hpm_parser_advance(parser);
        return hpm_parser_read_list(parser, "a metric", &attributes->unless);
    }
    if (hpm_parser_is_next(parser, "of"))
        return read_of_run(parser, attributes);
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
