/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' formulas, folded, written in our language. */
#include <math.h>

#include "metric/language/spec.h"
#include "study/vendor/expression.h"

enum { BINDS_SUM, BINDS_PRODUCT, BINDS_SIGN, BINDS_ALL };

static const struct {
    const char *sign; /* or the name of a function of two arguments */
    int binds;
} operators[] = {
    [HPM_EXPRESSION_ADD] = {" + ", BINDS_SUM},
    [HPM_EXPRESSION_SUBTRACT] = {" - ", BINDS_SUM},
    [HPM_EXPRESSION_MULTIPLY] = {" * ", BINDS_PRODUCT},
    [HPM_EXPRESSION_DIVIDE] = {" / ", BINDS_PRODUCT},
    [HPM_EXPRESSION_MIN] = {"min(", BINDS_ALL},
    [HPM_EXPRESSION_MAX] = {"max(", BINDS_ALL},
    [HPM_EXPRESSION_LESS] = {"less(", BINDS_ALL},
    [HPM_EXPRESSION_IF] = {NULL, BINDS_ALL},
};

static bool print(const struct hpm_expression *expression, int least, int depth,
                  struct hpm_string *text, struct hpm_error *err);

static bool
refuse(const struct hpm_expression *expression, struct hpm_error *err)
{
    switch (expression->kind) {
    case HPM_EXPRESSION_NOTHING:
        return hpm_error_set(err, "the vendor says that it has no value here");
    case HPM_EXPRESSION_REST:
        return hpm_error_set(err,
                             "our formulas have no rest of a division (%%)");
    case HPM_EXPRESSION_IF:
        return hpm_error_set(err, "it chooses by what is no comparison");
    default:
        return hpm_error_set(err, "it calculates with bits, which our formulas "
                                  "cannot");
    }
}

static bool
print_pair(const struct hpm_expression *expression, int depth,
           struct hpm_string *text, struct hpm_error *err)
{
    enum hpm_expression_kind kind = expression->kind;
    int binds = operators[kind].binds;
    bool is_plain =
        kind == HPM_EXPRESSION_ADD || kind == HPM_EXPRESSION_MULTIPLY;

    if (binds == BINDS_ALL) {
        hpm_string_add(text, operators[kind].sign);
        if (!print(expression->a, BINDS_SUM, depth + 1, text, err))
            return false;
        hpm_string_add(text, ", ");
        if (!print(expression->b, BINDS_SUM, depth + 1, text, err))
            return false;
        hpm_string_add_char(text, ')');
        return true;
    }
    if (!print(expression->a, binds, depth, text, err))
        return false;
    hpm_string_add(text, operators[kind].sign);
    return print(expression->b, binds + !is_plain, depth, text, err);
}

static bool
print(const struct hpm_expression *expression, int least, int depth,
      struct hpm_string *text, struct hpm_error *err)
{
    enum hpm_expression_kind kind = expression->kind;
    bool has_brackets;

    if (depth > HPM_MAX_NESTING)
        return hpm_error_set(err, "its formula nests more than %d deep",
                             HPM_MAX_NESTING);
    if (kind == HPM_EXPRESSION_NUMBER && expression->name == NULL) {
        if (!isfinite(expression->number))
            return hpm_error_set(err, "it has a number that is none");
        hpm_string_add_real(text, expression->number);
        return true;
    }
    if (kind == HPM_EXPRESSION_OURS || kind == HPM_EXPRESSION_NUMBER) {
        hpm_string_add(text, expression->name);
        return true;
    }
    if (kind == HPM_EXPRESSION_NEGATE) {
        hpm_string_add_char(text, '-');
        return print(expression->a, BINDS_SIGN, depth + 1, text, err);
    }
    if (kind >= sizeof operators / sizeof operators[0] ||
        operators[kind].sign == NULL)
        return refuse(expression, err);
    has_brackets = operators[kind].binds < least;
    hpm_string_add(text, has_brackets ? "(" : "");
    if (!print_pair(expression, depth + has_brackets, text, err))
        return false;
    hpm_string_add(text, has_brackets ? ")" : "");
    return true;
}

/* The largest number of operands that are stored at once while our formula is
 * evaluated. */
static int
count_waiting(const struct hpm_expression *expression)
{
    int a, b;

    if (expression == NULL)
        return 0;
    a = count_waiting(expression->a);
    b = count_waiting(expression->b);
    if (a == 0)
        return 1;
    return b >= a ? b + 1 : a;
}

bool
hpm_expression_print(const struct hpm_expression *expression,
                     struct hpm_string *text, struct hpm_error *err)
{
    if (count_waiting(expression) > HPM_MAX_OPERANDS)
        return hpm_error_set(err,
                             "its formula needs more than %d operands at "
                             "once",
                             HPM_MAX_OPERANDS);
    return print(expression, BINDS_SUM, 0, text, err);
}
