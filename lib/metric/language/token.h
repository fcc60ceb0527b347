/* SPDX-License-Identifier: BSD-3-Clause
 * The words of a definition file. */
#ifndef HPM_METRIC_LANGUAGE_TOKEN_H
#define HPM_METRIC_LANGUAGE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum hpm_token_kind {
    HPM_TOKEN_END,
    HPM_TOKEN_NAME,   /* CYCLES, HT_I/O_XFER, sw::task-clock, FOO:BAR:c=1 */
    HPM_TOKEN_NUMBER, /* 14.5, 1e6 */
    HPM_TOKEN_STRING, /* "text"; the token is without the quotes */
    HPM_TOKEN_SIGN,   /* one of = + - * / ( ) < > , | */
    HPM_TOKEN_BAD     /* see `wrong` */
};

/* One word.  `text` points into the file and does not end in NUL. */
struct hpm_token {
    enum hpm_token_kind kind;
    const char *text;
    size_t length;
    double number;
    int line;          /* from 1 */
    int column;        /* from 1, in characters */
    const char *wrong; /* HPM_TOKEN_BAD: what is wrong with the text */
};

/* The place in the file that is read next. */
struct hpm_tokens {
    const char *at;
    const char *end;
    int line;
    int column;
    const char *counted; /* `column` is the column of this byte */
};

/* Begin at the first byte of a file. */
struct hpm_tokens hpm_tokens_begin(const char *text, size_t length);

/* The next word; HPM_TOKEN_END after the last, any number of times. */
struct hpm_token hpm_tokens_next(struct hpm_tokens *tokens);

/* The next word up to a blank, of any characters, as a name: the code of an
 * event. */
struct hpm_token hpm_tokens_next_code(struct hpm_tokens *tokens);

/* Is the token the sign or name `word`? */
bool hpm_token_is(const struct hpm_token *token, const char *word);

#endif
