/* SPDX-License-Identifier: BSD-3-Clause
 * A definition file being read: what the files that read its parts share.
 * parser.c has the words and the complaints, expression.c the formulas,
 * attributes.c the attributes of a definition, parse.c the statements. */
#ifndef HPM_METRIC_LANGUAGE_PARSER_H
#define HPM_METRIC_LANGUAGE_PARSER_H

#include "metric/language/spec.h"
#include "metric/language/token.h"

struct hpm_parser {
    struct hpm_spec *spec;
    struct hpm_tokens tokens;
    struct hpm_token token; /* the next word */
    int last_line;          /* of the last word that was read */
    uint32_t file;
    unsigned layer;
    size_t arch;
    int depth;      /* number of open brackets and minus signs */
    bool is_broken; /* the statement has a fault */
    bool has_no_memory;
    hpm_spec_include *include;
    void *context;
};

/* ---- the next word --------------------------------------------------- */

/* Is the next word this sign or name? */
bool hpm_parser_is_next(const struct hpm_parser *parser, const char *word);

/* Does the next word begin a statement, or an attribute?  Is it a fact? */
bool hpm_parser_is_statement(const struct hpm_parser *parser);
bool hpm_parser_is_attribute(const struct hpm_parser *parser);
bool hpm_parser_is_fact(const struct hpm_parser *parser);

/* Is a token one of the words of the language?  Most names are in capitals, the
 * words of the language are not. */
bool hpm_parser_is_word(const struct hpm_token *token);

/* The statement's first word that a text may be a misspelling of, or NULL. */
const char *hpm_parser_nearest_statement(const char *text);

struct hpm_position hpm_parser_place(const struct hpm_parser *parser,
                                     const struct hpm_token *token);

/* ---- complaints ------------------------------------------------------ */

enum { HPM_QUOTED = 60 };

/* Write a token in printable characters; returns `quoted`. */
const char *hpm_parser_quote(char quoted[HPM_QUOTED],
                             const struct hpm_token *token);

/* The functions of this group return false and mark the statement as broken.
 * Complain about the next word. */
bool hpm_parser_complain(struct hpm_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Complain that the next word is not what was expected. */
bool hpm_parser_expect(struct hpm_parser *parser, const char *expected);

bool hpm_parser_no_memory(struct hpm_parser *parser);

/* ---- reading on ------------------------------------------------------ */

void hpm_parser_advance(struct hpm_parser *parser);

/* The word after the next one, which is not read. */
struct hpm_token hpm_parser_peek(const struct hpm_parser *parser);

/* Go to the beginning of the next statement. */
void hpm_parser_skip_statement(struct hpm_parser *parser);

/* The functions below read one thing that must be there.  They return false
 * after a complaint, which says `expected`. */

bool hpm_parser_read_sign(struct hpm_parser *parser, const char *sign,
                          const char *expected);

/* A name; `follows` says what may come after it, and is NULL if another name
 * may. */
bool hpm_parser_read_name(struct hpm_parser *parser, const char *expected,
                          const char *follows, uint32_t *ret_name);

/* Names, with commas between them or without, as terms of the spec. */
bool hpm_parser_read_list(struct hpm_parser *parser, const char *expected,
                          struct hpm_range *ret_terms);

/* Several texts in a row become one. */
bool hpm_parser_read_text(struct hpm_parser *parser, const char *expected,
                          uint32_t *ret_text);

bool hpm_parser_read_formula(struct hpm_parser *parser,
                             struct hpm_range *ret_ops);

/* A guard, if there is one. */
bool hpm_parser_read_guard(struct hpm_parser *parser,
                           struct hpm_guard *ret_guard);

/* All attributes that follow. */
bool hpm_parser_read_attributes(struct hpm_parser *parser,
                                struct hpm_attributes *attributes);

/* Add to the terms of the spec. */
bool hpm_parser_add_term(struct hpm_parser *parser, uint32_t name,
                         struct hpm_guard guard, struct hpm_position place);

/* Keep a text as a name of the spec. */
bool hpm_parser_keep_name(struct hpm_parser *parser, const char *text,
                          size_t length, uint32_t *ret_name);

#endif
