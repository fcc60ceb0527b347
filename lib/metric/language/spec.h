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
 * What they mean on one machine is metric/metrics.h.
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
    HPM_STATEMENT_MEASURE, /* the first usable of some counters */
    HPM_STATEMENT_COMPUTE, /* a formula that is a count */
    HPM_STATEMENT_COMPOSE, /* the sum of its parts, and a tree */
    HPM_STATEMENT_RATIO,   /* a formula that is not a count */
    HPM_STATEMENT_CONST,
    HPM_STATEMENT_SET,
    HPM_STATEMENT_TUNE,
    HPM_STATEMENT_REMOVE,
    HPM_STATEMENT_EVENT,    /* the code of an event */
    HPM_STATEMENT_PROCESSOR /* which processors have the PMU of a name */
};

/* Where in which file; file is a name. */
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

/* Some elements of an array of the spec. */
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
    HPM_OP_TOTAL, /* total(name): of the whole program */
    HPM_OP_NEGATE,
    HPM_OP_ADD,
    HPM_OP_SUBTRACT,
    HPM_OP_MULTIPLY,
    HPM_OP_DIVIDE,
    HPM_OP_MIN,
    HPM_OP_MAX,
    HPM_OP_LESS /* 1 where the first is less, else 0 */
};

struct hpm_op {
    enum hpm_op_kind kind;
    uint32_t name; /* of a number with more digits than a double has: these */
    double number;
    struct hpm_position place;
};

/* Formulas nest at most that deep and need at most so many operands at once
 * (a + b * (c + d) needs four): it ends on the stack of a measured program. */
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
    HPM_TEXT_RISES,  /* with what its value rises, and falls: one sentence */
    HPM_TEXT_FALLS,
    HPM_TEXT_WHY,      /* of the hint: why it matters, one sentence */
    HPM_TEXT_NEXT,     /* what to measure next: a set, a metric or an event */
    HPM_TEXT_TRY,      /* what usually helps, one sentence */
    HPM_TEXT_LIKE,     /* the metric that has the same hint */
    HPM_TEXT_TIMEBASE, /* the metric that is the time it is a part of */
    HPM_TEXT_EXPLAINS, /* the metric that is the part of it, in percent, that
                        * the hint explains */
    HPM_TEXT_CODE,     /* of an event: "cpu/event=0xa4/"; of a processor: globs
                        * of its identity */
    HPM_N_TEXTS
};

/* "bad < 1.0", as written. */
struct hpm_limit_formula {
    bool is_given;
    bool is_above; /* bad > x, good > x */
    struct hpm_range ops;
    struct hpm_position place;
};

struct hpm_attributes {
    uint32_t texts[HPM_N_TEXTS];
    struct hpm_range scale;          /* ops; count 0 when not given */
    struct hpm_range least, most;    /* the same, of its range */
    struct hpm_range evidence;       /* terms: metrics that its hint shows */
    struct hpm_range unless;         /* terms: metrics whose hints replace it */
    struct hpm_limit_formula bad[2]; /* per precision */
    struct hpm_limit_formula good[2];
    bool is_of_run; /* its limits are those of the whole run */
};

/* "arch skx clx": for which PMUs statements are. */
struct hpm_arch {
    struct hpm_range pmus; /* of spec->pmus; count 0 for any */
    uint32_t title;
};

struct hpm_statement {
    enum hpm_statement_kind kind;
    uint32_t name;
    struct hpm_position place;
    size_t arch;    /* index */
    unsigned layer; /* 0 for shipped definitions; of user files the later
                     * one has the higher */
    struct hpm_guard guard;
    struct hpm_range terms;
    struct hpm_range ops;
    struct hpm_attributes attributes;
    size_t event_before; /* of an event: 1 + the index of the one before it; 0
                          * for none */
};

struct hpm_spec {
    struct hpm_names names;

    struct hpm_statement *statements;
    size_t n_statements;
    size_t statements_capacity;
    size_t last_event; /* 1 + the index of the last statement that is one; 0
                        * for none: events are few, and looked up by name */

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
    struct hpm_position *pmu_places; /* of those read as text */
    size_t places_capacity;

    struct hpm_string complaints; /* "FILE:LINE:COLUMN: ...\n" each */
    size_t n_complaints;
    bool is_for_one;   /* files for other PMUs have been passed over: a name
                      * that is not here may be defined there */
    bool has_replaced; /* a shipped file: what others of them build upon may
                        * not be there, which is no fault of theirs */
};

/* Complaints beyond these are counted, not kept. */
enum { HPM_MAX_COMPLAINTS = 100 };

struct hpm_spec *hpm_spec_new(void);

void hpm_spec_free(struct hpm_spec *spec);

/* How "include" finds a file: read it into the spec (hpm_spec_read), once.
 * False, with the reason, when there is none or it cannot be read. */
typedef bool hpm_spec_include(struct hpm_spec *spec, const char *name,
                              void *context, struct hpm_error *err);

/* Read the statements of one file.  What is wrong goes to the complaints, each
 * with file, line, column, word and what was expected; reading goes on with
 * the next statement, and all statements without fault are kept.  `include`
 * may be NULL: then there is nothing to include.  False when memory runs
 * out. */
bool hpm_spec_read(struct hpm_spec *spec, const char *file, const char *text,
                   size_t length, unsigned layer, hpm_spec_include *include,
                   void *context, struct hpm_error *err);

/* Add a complaint; `format` follows "FILE:LINE:COLUMN: ". */
void hpm_spec_complain(struct hpm_spec *spec, struct hpm_position place,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Which of two statements of one name counts more: that of the later user
 * file, then that for some PMU before that for any. */
unsigned hpm_spec_rank(const struct hpm_statement *statement);

/* One more statement is there, behind those that are counted: count it. */
void hpm_spec_end_statement(struct hpm_spec *spec);

/* What gives the code of an event on a PMU (NULL: not known): of several the
 * most special, and then the last; or NULL.  Case is nothing to events, and a dot
 * is a colon. */
const struct hpm_statement *hpm_spec_find_event(const struct hpm_spec *spec,
                                                const char *pmu,
                                                const char *name);

/* The PMU of a processor, by its identity (source/machine/cpuinfo.h): the last
 * whose globs match all of it, or what is before one of its hyphens; or NULL. */
const char *hpm_spec_find_processor(const struct hpm_spec *spec,
                                    const char *identity);

/* Is an arch this PMU's, or any? */
bool hpm_spec_is_here(const struct hpm_spec *spec, size_t arch,
                      const char *pmu);

/* The text of a name; NULL for HPM_NO_NAME. */
const char *hpm_spec_text(const struct hpm_spec *spec, uint32_t name);

#endif
