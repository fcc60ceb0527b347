/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' formulas: one language for those of Intel's metric files, of the
 * kernel's pmu-events and of Arm's telemetry.
 *
 *     choice  = truth [ "if" truth "else" choice ]
 *     truth   = | ^ & < > <= >= == over sums, in order of precedence, | lowest
 *     sum, product as usual, with % for the remainder of a division
 *     factor  = number | name | "#" word
 *             | function "(" choice { "," choice } ")"
 *             | "(" choice ")" | "-" factor | "!" factor
 *
 * A name may contain dots, colons and "@...@"; a backslash makes the next
 * character part of the name. */
#ifndef HPM_STUDY_VENDOR_EXPRESSION_H
#define HPM_STUDY_VENDOR_EXPRESSION_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"
#include "host/arena.h"

enum hpm_expression_kind {
    HPM_EXPRESSION_NUMBER,
    HPM_EXPRESSION_NAME,    /* in the vendor's words */
    HPM_EXPRESSION_OURS,    /* a name of our language */
    HPM_EXPRESSION_SMT,     /* 1 if cores run several threads, else 0 */
    HPM_EXPRESSION_NOTHING, /* the vendor's "no value" */
    HPM_EXPRESSION_CALL,    /* a function of a name: strcmp_cpuid_str(x) */
    HPM_EXPRESSION_NEGATE,
    HPM_EXPRESSION_NOT,
    HPM_EXPRESSION_ADD,
    HPM_EXPRESSION_SUBTRACT,
    HPM_EXPRESSION_MULTIPLY,
    HPM_EXPRESSION_DIVIDE,
    HPM_EXPRESSION_REST,
    HPM_EXPRESSION_MIN,
    HPM_EXPRESSION_MAX,
    HPM_EXPRESSION_LESS, /* a > b is read as b < a */
    HPM_EXPRESSION_NOT_LESS,
    HPM_EXPRESSION_EQUAL,
    HPM_EXPRESSION_AND,
    HPM_EXPRESSION_OR,
    HPM_EXPRESSION_XOR,
    HPM_EXPRESSION_IF /* a if b else c */
};

struct hpm_expression {
    enum hpm_expression_kind kind;
    double number;
    const char *name;     /* of a call: the function; of a number: NULL, or the
                           * name of our constant */
    const char *argument; /* of a call */
    struct hpm_expression *a, *b, *c;
};

/* Read a formula, into the arena.  NULL, with the reason, if it is not a
 * formula or there is no memory. */
struct hpm_expression *hpm_expression_read(struct hpm_arena *arena,
                                           const char *text,
                                           struct hpm_error *err);

/* Replace a vendor's name, or call, by its meaning.  False, with the reason, if
 * it has no meaning here. */
typedef bool hpm_expression_resolve(struct hpm_expression *expression,
                                    void *context, struct hpm_error *err);

/* Resolve all names and calls of an expression. */
bool hpm_expression_walk(struct hpm_expression *expression,
                         hpm_expression_resolve *resolve, void *context,
                         struct hpm_error *err);

/* Does the formula depend on whether cores run several threads? */
bool hpm_expression_has_smt(const struct hpm_expression *expression);

/* A copy for machines where cores do, or do not, run several threads: choices
 * with a known condition are made.  NULL when there is no memory. */
struct hpm_expression *
hpm_expression_fold(struct hpm_arena *arena,
                    const struct hpm_expression *expression, bool has_smt);

/* The value of a folded formula without names; NAN if it has names. */
double hpm_expression_constant(const struct hpm_expression *folded);

/* Append the formula in our language.  False, with the reason, if our language
 * cannot express it. */
bool hpm_expression_print(const struct hpm_expression *expression,
                          struct hpm_string *text, struct hpm_error *err);

#endif
