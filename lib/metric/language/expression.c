/* SPDX-License-Identifier: BSD-3-Clause
 * Reading formulas: text to operands and operators in the order of
 * evaluation. */
#include "metric/language/parser.h"

#include <string.h>

#include "host/memory.h"

static bool
add_op(struct hpm_parser *parser, enum hpm_op_kind kind, uint32_t name,
       double number, const struct hpm_token *token)
{
    struct hpm_spec *spec = parser->spec;

    if (!hpm_memory_grow(&spec->ops, &spec->ops_capacity, spec->n_ops + 1,
                         sizeof *spec->ops))
        return hpm_parser_no_memory(parser);
    spec->ops[spec->n_ops++] =
        (struct hpm_op){kind, name, number, hpm_parser_place(parser, token)};
    return true;
}

static bool read_sum(struct hpm_parser *parser);

static bool
go_deeper(struct hpm_parser *parser)
{
    if (++parser->depth <= HPM_MAX_NESTING)
        return true;
    return hpm_parser_complain(
        parser, "brackets and signs nest more than %d deep", HPM_MAX_NESTING);
}

/* "(" sum [ "," sum ] ")" */
static bool
read_bracket(struct hpm_parser *parser, bool is_pair)
{
    if (!go_deeper(parser) || !hpm_parser_read_sign(parser, "(", "'('") ||
        !read_sum(parser))
        return false;
    if (is_pair &&
        (!hpm_parser_read_sign(parser, ",", "',' and a second operand") ||
         !read_sum(parser)))
        return false;
    parser->depth--;
    return hpm_parser_read_sign(parser, ")", "an operator or ')'");
}

static bool
read_total(struct hpm_parser *parser)
{
    struct hpm_token token = parser->token;
    uint32_t name;

    hpm_parser_advance(parser);
    return hpm_parser_read_sign(parser, "(", "'(' and a name") &&
           hpm_parser_read_name(parser, "a name", "')'", &name) &&
           hpm_parser_read_sign(parser, ")", "')'") &&
           add_op(parser, HPM_OP_TOTAL, name, 0.0, &token);
}

/* Keeps the digits of longer whole numbers: a double is exact only up to
 * fifteen digits. */
static bool
read_number(struct hpm_parser *parser)
{
    struct hpm_token token = parser->token;
    uint32_t digits = HPM_NO_NAME;

    hpm_parser_advance(parser);
    if (token.length > 15 && memchr(token.text, '.', token.length) == NULL &&
        memchr(token.text, 'e', token.length) == NULL &&
        memchr(token.text, 'E', token.length) == NULL &&
        !hpm_parser_keep_name(parser, token.text, token.length, &digits))
        return false;
    return add_op(parser, HPM_OP_NUMBER, digits, token.number, &token);
}

/* Read a function of two operands. */
static bool
read_function(struct hpm_parser *parser)
{
    static const struct {
        const char *name;
        enum hpm_op_kind kind;
    } functions[] = {
        {"min", HPM_OP_MIN}, {"max", HPM_OP_MAX}, {"less", HPM_OP_LESS}};
    struct hpm_token token = parser->token;

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (!hpm_parser_is_next(parser, functions[i].name))
            continue;
        hpm_parser_advance(parser);
        return read_bracket(parser, true) &&
               add_op(parser, functions[i].kind, HPM_NO_NAME, 0.0, &token);
    }
    return hpm_parser_expect(parser,
                             "min, max, less or total before a bracket");
}

static bool
read_factor(struct hpm_parser *parser)
{
    struct hpm_token token = parser->token;
    struct hpm_token after;
    bool is_call;
    uint32_t name;

    if (token.kind == HPM_TOKEN_NUMBER)
        return read_number(parser);
    if (hpm_parser_is_next(parser, "("))
        return read_bracket(parser, false);
    if (hpm_parser_is_next(parser, "-")) {
        if (!go_deeper(parser))
            return false;
        hpm_parser_advance(parser);
        if (!read_factor(parser))
            return false;
        parser->depth--;
        return add_op(parser, HPM_OP_NEGATE, HPM_NO_NAME, 0.0, &token);
    }
    after = hpm_parser_peek(parser);
    is_call = token.kind == HPM_TOKEN_NAME && hpm_token_is(&after, "(");
    if (is_call && hpm_parser_is_next(parser, "total"))
        return read_total(parser);
    if (is_call)
        return read_function(parser);
    return hpm_parser_read_name(parser, "a number, a name or '('",
                                "an operator", &name) &&
           add_op(parser, HPM_OP_NAME, name, 0.0, &token);
}

static bool
read_product(struct hpm_parser *parser)
{
    if (!read_factor(parser))
        return false;
    while (hpm_parser_is_next(parser, "*") || hpm_parser_is_next(parser, "/")) {
        struct hpm_token sign = parser->token;
        bool is_product = hpm_parser_is_next(parser, "*");

        hpm_parser_advance(parser);
        if (!read_factor(parser) ||
            !add_op(parser, is_product ? HPM_OP_MULTIPLY : HPM_OP_DIVIDE,
                    HPM_NO_NAME, 0.0, &sign))
            return false;
    }
    return true;
}

static bool
read_sum(struct hpm_parser *parser)
{
    if (!read_product(parser))
        return false;
    while (hpm_parser_is_next(parser, "+") || hpm_parser_is_next(parser, "-")) {
        struct hpm_token sign = parser->token;
        bool is_sum = hpm_parser_is_next(parser, "+");

        hpm_parser_advance(parser);
        if (!read_product(parser) ||
            !add_op(parser, is_sum ? HPM_OP_ADD : HPM_OP_SUBTRACT, HPM_NO_NAME,
                    0.0, &sign))
            return false;
    }
    return true;
}

/* The largest number of operands on the stack during the evaluation. */
static size_t
count_operands(const struct hpm_parser *parser, size_t first)
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

bool
hpm_parser_read_formula(struct hpm_parser *parser, struct hpm_range *ret_ops)
{
    ret_ops->first = parser->spec->n_ops;
    parser->depth = 0;
    if (!read_sum(parser))
        return false;
    ret_ops->count = parser->spec->n_ops - ret_ops->first;
    if (count_operands(parser, ret_ops->first) > HPM_MAX_OPERANDS)
        return hpm_parser_complain(parser,
                                   "the formula before this needs more than %d "
                                   "operands at once; define parts of it",
                                   HPM_MAX_OPERANDS);
    return true;
}
