/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of metrics as they were written: the statements of all
 * definition files read, for all machines.  hpm-metrics(5) is the language.
 *
 *     spec
 *       names[]        every name and text, once
 *       statements[]   in the order read
 *         terms[]        of measure, compose and set: names, each with a
 *                        guard; and the evidence of hints
 *         ops[]          of compute, ratio and const, and of limits, scales
 *                        and ranges: a formula
 *       complaints     what was wrong, a line each
 *
 * metric/metrics.h has their meaning on one machine.
 */
#ifndef HPM_METRIC_LANGUAGE_SPEC_H
#define HPM_METRIC_LANGUAGE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/names.h"
#include "base/string.h"
#include "metric/language/threshold.h"

enum hpm_statement_kind {
    HPM_STATEMENT_MEASURE, /* the first usable one of some counters */
    HPM_STATEMENT_COMPUTE, /* a formula that is a count */
    HPM_STATEMENT_COMPOSE, /* the sum of its parts, shown as a tree */
    HPM_STATEMENT_RATIO,   /* a formula that is not a count */
    HPM_STATEMENT_CONST,
    HPM_STATEMENT_SET,
    HPM_STATEMENT_TUNE,
    HPM_STATEMENT_REMOVE,
    HPM_STATEMENT_EVENT,    /* the code of an event */
    HPM_STATEMENT_PROCESSOR /* which processors have the PMU of a name */
};

/* A place in a file; `file` is a name. */
struct hpm_position {
    uint32_t file;
    int line;
    int column;
};

/* "if L3", "if no L3"; fact is a name, HPM_NO_NAME for no guard. */
struct hpm_guard {
    uint32_t fact;
    bool is_negated;
};

/* Some consecutive elements of an array of the spec. */
struct hpm_range {
    size_t first;
    size_t count;
};

struct hpm_term {
    uint32_t name;
    struct hpm_guard guard;
    struct hpm_position place;
};

/* A formula is a row of these, operands before their operator, so that it is
 * evaluated without recursion:  A - 2 * B  is  A 2 B * - . */
enum hpm_op_kind {
    HPM_OP_NUMBER,
    HPM_OP_NAME,
    HPM_OP_TOTAL, /* total(name): the value of the whole program */
    HPM_OP_NEGATE,
    HPM_OP_ADD,
    HPM_OP_SUBTRACT,
    HPM_OP_MULTIPLY,
    HPM_OP_DIVIDE,
    HPM_OP_MIN,
    HPM_OP_MAX,
    HPM_OP_LESS /* 1 if the first is less than the second, else 0 */
};

struct hpm_op {
    enum hpm_op_kind kind;
    uint32_t name; /* a number's digits, if a double has fewer */
    double number;
    struct hpm_position place;
};

/* Limits of formulas: brackets nest at most so deep, and at most so many
 * operands are on the stack at once (a + b * (c + d) needs four), because a
 * formula is evaluated on the stack of a measured program. */
enum { HPM_MAX_NESTING = 64, HPM_MAX_OPERANDS = 32 };

/* The texts (and some names) that describe a metric, HPM_NO_NAME if not given.
 */
enum hpm_text_kind {
    HPM_TEXT_AS,
    HPM_TEXT_LABEL,
    HPM_TEXT_UNIT,
    HPM_TEXT_INFO,
    HPM_TEXT_SOURCE,
    HPM_TEXT_SAMPLE, /* an event */
    HPM_TEXT_UNDER,  /* a metric */
    HPM_TEXT_RISES,  /* what grows with it (falls: shrinks): one sentence */
    HPM_TEXT_FALLS,
    HPM_TEXT_WHY,      /* the hint: why it matters, one sentence */
    HPM_TEXT_SAYS,     /* the same with numbers: "{task} {thread} {NAME} ..." */
    HPM_TEXT_NEXT,     /* the hint: a set, metric or event to measure next */
    HPM_TEXT_TRY,      /* what usually helps, one sentence */
    HPM_TEXT_LIKE,     /* the metric that has the same hint */
    HPM_TEXT_TIMEBASE, /* the metric that gives the time it is a part of */
    HPM_TEXT_EXPLAINS, /* the metric that gives the part of it, in percent, that
                        * the hint explains */
    HPM_TEXT_CODE,     /* an event's code: "cpu/event=0xa4/"; a processor's
                        * globs of its identity */
    HPM_N_TEXTS
};

/* "bad < 1.0", as written. */
struct hpm_limit_formula {
    bool is_given;
    bool is_above; /* "bad > x", "good > x"; else "<" */
    struct hpm_range ops;
    struct hpm_position place;
};

struct hpm_attributes {
    uint32_t texts[HPM_N_TEXTS];
    struct hpm_range scale;          /* ops; count 0 if not given */
    struct hpm_range least, most;    /* the metric's range, likewise */
    struct hpm_range evidence;       /* terms: metrics that the hint shows */
    struct hpm_range unless;         /* terms: metrics whose hints replace this
                                      * one */
    struct hpm_limit_formula bad[2]; /* per precision */
    struct hpm_limit_formula good[2];
    bool is_of_run; /* the limits are for the whole run */
};

/* "arch skx clx": the PMUs that the statements after it are for. */
struct hpm_arch {
    struct hpm_range pmus; /* of spec->pmus; count 0 for any */
    uint32_t title;
};

struct hpm_statement {
    enum hpm_statement_kind kind;
    uint32_t name;
    struct hpm_position place;
    size_t arch;    /* index */
    unsigned layer; /* 0 for definitions that programs carry; models, then user
                     * files count up, later ones are higher */
    struct hpm_guard guard;
    struct hpm_range terms;
    struct hpm_range ops;
    struct hpm_attributes attributes;
    size_t event_before; /* an event's: 1 + the index of the event before it; 0:
                          * none */
};

struct hpm_spec {
    struct hpm_names names;

    struct hpm_statement *statements;
    size_t n_statements;
    size_t statements_capacity;
    size_t last_event; /* 1 + the index of the last event; 0: none.  Events are
                        * few, and searched by name */

    struct hpm_term *terms;
    size_t n_terms;
    size_t terms_capacity;

    struct hpm_op *ops;
    size_t n_ops;
    size_t ops_capacity;

    struct hpm_arch *arches; /* the first is "any" */
    size_t n_arches;
    size_t arches_capacity;

    uint32_t *pmus;
    size_t n_pmus;
    size_t pmus_capacity;
    struct hpm_position *pmu_places; /* only of PMUs read as text */
    size_t places_capacity;

    struct hpm_string complaints; /* "FILE:LINE:COLUMN: ...\n" each */
    size_t n_complaints;
    unsigned n_model_layers; /* layers up to this one are shipped, too */
    bool is_for_one;   /* files for other PMUs were skipped: a name not found
                        * may be defined there */
    bool has_replaced; /* a user's file replaced a shipped one: others may lack
                        * definitions they use, without being at fault */
};

/* Further complaints are counted, but not kept. */
enum { HPM_MAX_COMPLAINTS = 100 };

struct hpm_spec *hpm_spec_new(void);

void hpm_spec_free(struct hpm_spec *spec);

/* The function that "include" calls: find the file and read it into the spec
 * (hpm_spec_read), once.  False, with the reason, if the file is missing or
 * cannot be read. */
typedef bool hpm_spec_include(struct hpm_spec *spec, const char *name,
                              void *context, struct hpm_error *err);

/* Read the statements of one file.  Each fault is added to the complaints with
 * file, line, column, word and what was expected; then reading goes on with the
 * next statement, and all statements without faults are kept.  If `include` is
 * NULL, nothing can be included.  False when memory runs out. */
bool hpm_spec_read(struct hpm_spec *spec, const char *file, const char *text,
                   size_t length, unsigned layer, hpm_spec_include *include,
                   void *context, struct hpm_error *err);

/* Add a complaint; `format` follows "FILE:LINE:COLUMN: ". */
void hpm_spec_complain(struct hpm_spec *spec, struct hpm_position place,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The rank of a statement.  Of two with one name, the one with the higher rank
 * wins: a later user file's over an earlier one's, then one for certain PMUs
 * over one for any. */
unsigned hpm_spec_rank(const struct hpm_statement *statement);

/* Count one more statement, which the caller has written behind the counted
 * ones. */
void hpm_spec_end_statement(struct hpm_spec *spec);

/* The statement with the code of an event on a PMU (NULL: not known); of
 * several the most special one, of these the last; NULL if there is none.
 * Small and capital letters count as equal, and so do dot and colon. */
const struct hpm_statement *hpm_spec_find_event(const struct hpm_spec *spec,
                                                const char *pmu,
                                                const char *name);

/* The PMU of a processor, by its identity (source/machine/cpuinfo.h): the last
 * one whose globs match the whole identity, or the part before one of its
 * hyphens, or whose name it is; or NULL. */
const char *hpm_spec_find_processor(const struct hpm_spec *spec,
                                    const char *identity);

/* Is an arch for this PMU, or for any? */
bool hpm_spec_is_here(const struct hpm_spec *spec, size_t arch,
                      const char *pmu);

/* The text of a name; NULL for HPM_NO_NAME. */
const char *hpm_spec_text(const struct hpm_spec *spec, uint32_t name);

#endif
