/* SPDX-License-Identifier: BSD-3-Clause
 * The words and signs of a text in C or C++, and which brackets belong
 * together. */
#ifndef HPMVIZ_INSTRUMENT_CTOKENS_H
#define HPMVIZ_INSTRUMENT_CTOKENS_H

#include "hpmviz/instrument/ccode.h"

enum { HPMVIZ_NO_TOKEN = G_MAXUINT };

/* Kinds of tokens that are more than one sign: a sign is a kind by itself. */
enum {
    HPMVIZ_TOKEN_WORD = 'w', /* also a number */
    HPMVIZ_TOKEN_STRING = '"',
    HPMVIZ_TOKEN_SCOPE = 's', /* "::" */
    HPMVIZ_TOKEN_ARROW = 'a', /* "->" */
};

struct hpmviz_token {
    char kind;
    gsize at, n_bytes;
    guint line;
    guint match; /* of a bracket: its other one, or HPMVIZ_NO_TOKEN */
};

struct hpmviz_ctokens {
    const struct hpmviz_ccode *code; /* borrowed */
    GArray *tokens;
};

void hpmviz_ctokens_init(struct hpmviz_ctokens *tokens,
                         const struct hpmviz_ccode *code);
void hpmviz_ctokens_clear(struct hpmviz_ctokens *tokens);

/* Beyond either end there is a token of kind 0. */
const struct hpmviz_token *
hpmviz_ctokens_nth(const struct hpmviz_ctokens *tokens, guint i);
char hpmviz_ctokens_kind(const struct hpmviz_ctokens *tokens, guint i);
gboolean hpmviz_ctokens_is(const struct hpmviz_ctokens *tokens, guint i,
                           const char *word);

/* Is the token one of these words?  Ended by NULL. */
gboolean hpmviz_ctokens_is_one_of(const struct hpmviz_ctokens *tokens, guint i,
                                  const char *const *words);
char *hpmviz_ctokens_text(const struct hpmviz_ctokens *tokens, guint i);

/* The first token of this line or a later one; the number of tokens for none. */
guint hpmviz_ctokens_from_line(const struct hpmviz_ctokens *tokens, guint line);

/* The opening bracket around a token, or HPMVIZ_NO_TOKEN. */
guint hpmviz_ctokens_around(const struct hpmviz_ctokens *tokens, guint i);

#endif
