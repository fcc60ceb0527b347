/* SPDX-License-Identifier: BSD-3-Clause
 * Reading vendors' formulas. */
#include "study/vendor/expression.h"

#include <stdlib.h>
#include <string.h>

#include "study/vendor/notation.h"

enum { MOST_DEPTH = 200 };

struct reader {
    struct hpm_arena *arena;
    const char *next;
    int depth;
    struct hpm_error *err;
};

typedef struct hpm_expression *read_level(struct reader *reader);

static read_level read_choice, read_truth;

/* ---- signs ----------------------------------------------------------- */

static void
skip_blanks(struct reader *reader)
{
    reader->next += strspn(reader->next, " \t\r\n");
}

/* Pass over a sign if it is next; "> =" is ">=". */
static bool
take_sign(struct reader *reader, const char *sign)
{
    const char *at;

    skip_blanks(reader);
    at = reader->next;
    for (; *sign != '\0'; sign++) {
        at += strspn(at, " ");
        if (*at++ != *sign)
            return false;
    }
    reader->next = at;
    return true;
}

static bool
take_word(struct reader *reader, const char *word)
{
    size_t length = strlen(word);

    skip_blanks(reader);
    if (strncmp(reader->next, word, length) != 0 ||
        hpm_notation_is_letter(reader->next[length]))
        return false;
    reader->next += length;
    return true;
}

static struct hpm_expression *
fail(struct reader *reader, const char *expected)
{
    if (*reader->next == '\0')
        hpm_error_set(reader->err, "its formula ends where %s is expected",
                      expected);
    else
        hpm_error_set(reader->err,
                      "its formula has '%.20s' where %s is expected",
                      reader->next, expected);
    return NULL;
}

static struct hpm_expression *
make(struct reader *reader, enum hpm_expression_kind kind,
     struct hpm_expression *a, struct hpm_expression *b)
{
    struct hpm_expression *made = NULL;

    if (a != NULL)
        made = hpm_arena_new(reader->arena, 1, sizeof *made);
    if (a != NULL && made == NULL)
        hpm_error_no_memory(reader->err);
    if (made != NULL)
        *made = (struct hpm_expression){.kind = kind, .a = a, .b = b};
    return made;
}

static struct hpm_expression *
make_leaf(struct reader *reader, enum hpm_expression_kind kind)
{
    struct hpm_expression *made = hpm_arena_new(reader->arena, 1, sizeof *made);

    if (made == NULL)
        hpm_error_no_memory(reader->err);
    else
        made->kind = kind;
    return made;
}

/* ---- leaves ---------------------------------------------------------- */

/* Length of the name that begins here; text between two @ belongs to the
 * name. */
static size_t
name_length(const char *text)
{
    size_t n = 0;
    bool is_inside = false;

    for (;; n++) {
        if (text[n] == '\\' && text[n + 1] != '\0')
            n++;
        else if (text[n] == '@')
            is_inside = !is_inside;
        else if (text[n] == '\0' ||
                 (!is_inside && !hpm_notation_is_letter(text[n])))
            return n;
    }
}

static struct hpm_expression *
read_name(struct reader *reader)
{
    size_t length = name_length(reader->next);
    struct hpm_expression *made = make_leaf(reader, HPM_EXPRESSION_NAME);
    char *name = hpm_arena_new(reader->arena, length + 1, 1);
    size_t n = 0;

    if (made == NULL || name == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (reader->next[i] != '\\')
            name[n++] = reader->next[i];
    }
    reader->next += length;
    made->name = name;
    if (strcmp(name, "#NA") == 0 || strcmp(name, "#nan") == 0)
        made->kind = HPM_EXPRESSION_NOTHING;
    return made;
}

static struct hpm_expression *
read_number(struct reader *reader)
{
    struct hpm_expression *made = make_leaf(reader, HPM_EXPRESSION_NUMBER);
    size_t length =
        hpm_notation_number(reader->next, made != NULL ? &made->number : NULL);

    if (made == NULL)
        return NULL;
    reader->next += length;
    return made;
}

/* "(" name ")" of a function of a name. */
static struct hpm_expression *
read_question(struct reader *reader, struct hpm_expression *function)
{
    size_t length;
    char *argument;

    skip_blanks(reader);
    length = strcspn(reader->next, ")");
    argument = hpm_arena_new(reader->arena, length + 1, 1);
    if (argument == NULL)
        return NULL;
    memcpy(argument, reader->next, length);
    reader->next += length;
    function->kind = HPM_EXPRESSION_CALL;
    function->argument = argument;
    return take_sign(reader, ")") ? function : fail(reader, "')'");
}

static struct hpm_expression *
read_function(struct reader *reader, struct hpm_expression *function)
{
    static const struct {
        const char *name;
        enum hpm_expression_kind kind;
    } functions[] = {{"min", HPM_EXPRESSION_MIN},
                     {"max", HPM_EXPRESSION_MAX},
                     {"d_ratio", HPM_EXPRESSION_DIVIDE}};
    struct hpm_expression *a, *b;

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(function->name, functions[i].name) != 0)
            continue;
        a = read_choice(reader);
        if (a != NULL && !take_sign(reader, ","))
            return fail(reader, "','");
        b = a != NULL ? read_choice(reader) : NULL;
        if (b == NULL)
            return NULL;
        if (!take_sign(reader, ")"))
            return fail(reader, "')'");
        return make(reader, functions[i].kind, a, b);
    }
    return read_question(reader, function);
}

/* ---- operators ------------------------------------------------------- */

static struct hpm_expression *
read_leaf(struct reader *reader)
{
    struct hpm_expression *made;

    skip_blanks(reader);
    if (take_sign(reader, "(")) {
        made = read_choice(reader);
        if (made != NULL && !take_sign(reader, ")"))
            return fail(reader, "an operator or ')'");
        return made;
    }
    if (hpm_notation_number(reader->next, NULL) > 0)
        return read_number(reader);
    if (!hpm_notation_is_letter(*reader->next) && *reader->next != '\\')
        return fail(reader, "a number, a name or '('");
    made = read_name(reader);
    if (made != NULL && take_sign(reader, "("))
        return read_function(reader, made);
    return made;
}

static struct hpm_expression *
read_factor(struct reader *reader)
{
    struct hpm_expression *made = NULL;

    if (++reader->depth > MOST_DEPTH) {
        hpm_error_set(reader->err, "its formula nests more than %d deep",
                      MOST_DEPTH);
        return NULL;
    }
    if (take_sign(reader, "-"))
        made = make(reader, HPM_EXPRESSION_NEGATE, read_factor(reader), NULL);
    else if (take_sign(reader, "!"))
        made = make(reader, HPM_EXPRESSION_NOT, read_factor(reader), NULL);
    else
        made = read_leaf(reader);
    reader->depth--;
    return made;
}

/* Operators of the same precedence, applied from the left. */
struct operators {
    read_level *inner;
    struct {
        const char *sign;
        enum hpm_expression_kind kind;
        bool is_turned; /* a > b is read as b < a */
    } of[6];
};

static struct hpm_expression *
read_operators(struct reader *reader, const struct operators *operators)
{
    struct hpm_expression *a = operators->inner(reader), *b;
    size_t i = 0;

    while (a != NULL && i < 6 && operators->of[i].sign != NULL) {
        if (!take_sign(reader, operators->of[i].sign)) {
            i++;
            continue;
        }
        b = operators->inner(reader);
        if (b == NULL)
            return NULL;
        a = operators->of[i].is_turned
                ? make(reader, operators->of[i].kind, b, a)
                : make(reader, operators->of[i].kind, a, b);
        i = 0;
    }
    return a;
}

#define LEVEL(name, inner_, ...)                                               \
    static struct hpm_expression *name(struct reader *reader)                  \
    {                                                                          \
        static const struct operators operators = {inner_, {__VA_ARGS__}};     \
                                                                               \
        return read_operators(reader, &operators);                             \
    }

LEVEL(read_product, read_factor, {"*", HPM_EXPRESSION_MULTIPLY, false},
      {"/", HPM_EXPRESSION_DIVIDE, false}, {"%", HPM_EXPRESSION_REST, false})
LEVEL(read_sum, read_product, {"+", HPM_EXPRESSION_ADD, false},
      {"-", HPM_EXPRESSION_SUBTRACT, false})
LEVEL(read_comparison, read_sum, {">=", HPM_EXPRESSION_NOT_LESS, false},
      {"<=", HPM_EXPRESSION_NOT_LESS, true},
      {"==", HPM_EXPRESSION_EQUAL, false}, {"<", HPM_EXPRESSION_LESS, false},
      {">", HPM_EXPRESSION_LESS, true})
LEVEL(read_and, read_comparison, {"&&", HPM_EXPRESSION_AND, false},
      {"&", HPM_EXPRESSION_AND, false})
LEVEL(read_xor, read_and, {"^", HPM_EXPRESSION_XOR, false})
LEVEL(read_truth, read_xor, {"||", HPM_EXPRESSION_OR, false},
      {"|", HPM_EXPRESSION_OR, false})

static struct hpm_expression *
read_choice(struct reader *reader)
{
    struct hpm_expression *value, *truth, *other, *made;

    if (++reader->depth > MOST_DEPTH) {
        hpm_error_set(reader->err, "its formula nests more than %d deep",
                      MOST_DEPTH);
        return NULL;
    }
    value = read_truth(reader);
    if (value == NULL || !take_word(reader, "if")) {
        reader->depth--;
        return value;
    }
    truth = read_truth(reader);
    if (truth != NULL && !take_word(reader, "else"))
        return fail(reader, "'else'");
    other = truth != NULL ? read_choice(reader) : NULL;
    reader->depth--;
    made = other != NULL ? make(reader, HPM_EXPRESSION_IF, truth, value) : NULL;
    if (made != NULL)
        made->c = other;
    return made;
}

struct hpm_expression *
hpm_expression_read(struct hpm_arena *arena, const char *text,
                    struct hpm_error *err)
{
    struct reader reader = {.arena = arena, .next = text, .err = err};
    struct hpm_expression *made;

    hpm_error_no_memory(err); /* unless a better reason is found */
    made = read_choice(&reader);
    skip_blanks(&reader);
    if (made != NULL && *reader.next != '\0')
        return fail(&reader, "an operator");
    return made;
}

/* ---- names ----------------------------------------------------------- */

bool
hpm_expression_walk(struct hpm_expression *expression,
                    hpm_expression_resolve *resolve, void *context,
                    struct hpm_error *err)
{
    if (expression == NULL)
        return true;
    if (expression->kind == HPM_EXPRESSION_NAME ||
        expression->kind == HPM_EXPRESSION_CALL)
        return resolve(expression, context, err);
    return hpm_expression_walk(expression->a, resolve, context, err) &&
           hpm_expression_walk(expression->b, resolve, context, err) &&
           hpm_expression_walk(expression->c, resolve, context, err);
}

bool
hpm_expression_has_smt(const struct hpm_expression *expression)
{
    return expression != NULL && (expression->kind == HPM_EXPRESSION_SMT ||
                                  hpm_expression_has_smt(expression->a) ||
                                  hpm_expression_has_smt(expression->b) ||
                                  hpm_expression_has_smt(expression->c));
}
