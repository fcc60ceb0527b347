/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' formulas with known choices made, and other choices in our language:
 * a if x < y else b  becomes  less(x, y) * a + (1 - less(x, y)) * b . */
#include "study/vendor/expression.h"

#include <math.h>

struct folding {
    struct hpm_arena *arena;
    bool has_smt;
    bool failed; /* no memory */
};

typedef struct hpm_expression expression;

static expression *
make(struct folding *folding, enum hpm_expression_kind kind, expression *a,
     expression *b)
{
    expression *made = hpm_arena_new(folding->arena, 1, sizeof *made);

    if (made == NULL) {
        folding->failed = true;
        return NULL;
    }
    *made = (expression){.kind = kind, .a = a, .b = b};
    return made;
}

static expression *
make_number(struct folding *folding, double value)
{
    expression *made = make(folding, HPM_EXPRESSION_NUMBER, NULL, NULL);

    if (made != NULL)
        made->number = value;
    return made;
}

/* ---- constants ------------------------------------------------------- */

static double
apply(enum hpm_expression_kind kind, double a, double b)
{
    switch (kind) {
    case HPM_EXPRESSION_ADD:
        return a + b;
    case HPM_EXPRESSION_SUBTRACT:
        return a - b;
    case HPM_EXPRESSION_MULTIPLY:
        return a * b;
    case HPM_EXPRESSION_DIVIDE:
        return a / b;
    case HPM_EXPRESSION_MIN:
        return a < b ? a : b;
    case HPM_EXPRESSION_MAX:
        return a > b ? a : b;
    case HPM_EXPRESSION_LESS:
        return a < b;
    case HPM_EXPRESSION_NOT_LESS:
        return a >= b;
    case HPM_EXPRESSION_EQUAL:
        return a == b;
    case HPM_EXPRESSION_AND:
        return (double)((long long)a & (long long)b);
    case HPM_EXPRESSION_OR:
        return (double)((long long)a | (long long)b);
    case HPM_EXPRESSION_XOR:
        return (double)((long long)a ^ (long long)b);
    default:
        return NAN;
    }
}

double
hpm_expression_constant(const struct hpm_expression *folded)
{
    double a, b;

    if (folded == NULL)
        return NAN;
    if (folded->kind == HPM_EXPRESSION_NUMBER)
        return folded->number;
    a = hpm_expression_constant(folded->a);
    b = hpm_expression_constant(folded->b);
    if (folded->kind == HPM_EXPRESSION_NEGATE)
        return -a;
    return isnan(a) || isnan(b) ? NAN : apply(folded->kind, a, b);
}

/* ---- truth values --------------------------------------------------- */

static bool
is_truth(const expression *folded)
{
    double value = hpm_expression_constant(folded);

    return folded != NULL && (folded->kind == HPM_EXPRESSION_LESS ||
                              value == 0.0 || value == 1.0 ||
                              (folded->kind == HPM_EXPRESSION_SUBTRACT &&
                               hpm_expression_constant(folded->a) == 1.0 &&
                               is_truth(folded->b)) ||
                              ((folded->kind == HPM_EXPRESSION_MULTIPLY ||
                                folded->kind == HPM_EXPRESSION_MAX) &&
                               is_truth(folded->a) && is_truth(folded->b)));
}

static expression *
negation(struct folding *folding, expression *truth)
{
    return make(folding, HPM_EXPRESSION_SUBTRACT, make_number(folding, 1.0),
                truth);
}

/* A truth value as 0 or 1 in our language. */
static expression *
lower_truth(struct folding *folding, enum hpm_expression_kind kind,
            expression *a, expression *b)
{
    bool are_truths = is_truth(a) && is_truth(b);
    expression *less = NULL;

    if (kind == HPM_EXPRESSION_AND && are_truths)
        return make(folding, HPM_EXPRESSION_MULTIPLY, a, b);
    if (kind == HPM_EXPRESSION_OR && are_truths)
        return make(folding, HPM_EXPRESSION_MAX, a, b);
    if (kind == HPM_EXPRESSION_NOT_LESS || kind == HPM_EXPRESSION_EQUAL)
        less = negation(folding, make(folding, HPM_EXPRESSION_LESS, a, b));
    if (kind == HPM_EXPRESSION_EQUAL)
        less =
            make(folding, HPM_EXPRESSION_MULTIPLY, less,
                 negation(folding, make(folding, HPM_EXPRESSION_LESS, b, a)));
    return less != NULL ? less : make(folding, kind, a, b);
}

/* ---- whole formulas ------------------------------------------------- */

static expression *fold(struct folding *folding, const expression *from);

static expression *
fold_choice(struct folding *folding, const expression *from)
{
    expression *truth = fold(folding, from->a), *a, *b;
    double value = hpm_expression_constant(truth);

    if (!isnan(value))
        return fold(folding, value != 0.0 ? from->b : from->c);
    a = fold(folding, from->b);
    b = fold(folding, from->c);
    if (truth == NULL || a == NULL || b == NULL || !is_truth(truth))
        return make(folding, HPM_EXPRESSION_IF, truth, a);
    if (hpm_expression_constant(b) == 0.0)
        return make(folding, HPM_EXPRESSION_MULTIPLY, truth, a);
    return make(
        folding, HPM_EXPRESSION_ADD,
        make(folding, HPM_EXPRESSION_MULTIPLY, truth, a),
        make(folding, HPM_EXPRESSION_MULTIPLY, negation(folding, truth), b));
}

static expression *
copy(struct folding *folding, const expression *from)
{
    expression *made = make(folding, from->kind, fold(folding, from->a),
                            fold(folding, from->b));

    if (made != NULL) {
        made->number = from->number;
        made->name = from->name;
        made->argument = from->argument;
    }
    return made;
}

static bool
is_truth_kind(enum hpm_expression_kind kind)
{
    return kind >= HPM_EXPRESSION_LESS && kind <= HPM_EXPRESSION_XOR;
}

static expression *
fold(struct folding *folding, const expression *from)
{
    expression *made;
    double value;

    if (from == NULL)
        return NULL;
    if (from->kind == HPM_EXPRESSION_SMT)
        return make_number(folding, folding->has_smt);
    if (from->kind == HPM_EXPRESSION_IF)
        return fold_choice(folding, from);
    made = copy(folding, from);
    if (made == NULL)
        return NULL;
    if (from->kind == HPM_EXPRESSION_NOT) {
        value = hpm_expression_constant(made->a);
        if (!isnan(value))
            return make_number(folding, value == 0.0);
        return is_truth(made->a) ? negation(folding, made->a) : made;
    }
    if (!is_truth_kind(from->kind))
        return made;
    value = hpm_expression_constant(made);
    if (!isnan(value))
        return make_number(folding, value);
    return lower_truth(folding, from->kind, made->a, made->b);
}

struct hpm_expression *
hpm_expression_fold(struct hpm_arena *arena, const struct hpm_expression *from,
                    bool has_smt)
{
    struct folding folding = {arena, has_smt, false};
    expression *made = fold(&folding, from);

    return folding.failed ? NULL : made;
}
