/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and texts as a row of bytes, in both directions: a function that
 * describes a thing once, writes it and reads it.
 *
 * The bytes are the same on every machine.  Small integers take one byte, each
 * text is written once. */
#ifndef HPM_STUDY_STORE_STREAM_H
#define HPM_STUDY_STORE_STREAM_H

#include "base/names.h"
#include "base/string.h"
#include "study/store/number.h"

struct hpm_stream {
    bool is_reading;
    bool failed;              /* what follows has no meaning */
    struct hpm_string bytes;  /* what was written */
    const unsigned char *at;  /* what is still to be read, */
    const unsigned char *end; /* up to here */
    struct hpm_names *names;  /* the texts */
};

/* Begin to write, or to read `length` bytes, which must stay.  Texts are those
 * of `names`: hpm_stream_names comes first. */
void hpm_stream_begin_writing(struct hpm_stream *stream,
                              struct hpm_names *names);
void hpm_stream_begin_reading(struct hpm_stream *stream, const void *bytes,
                              size_t length, struct hpm_names *names);

/* Each of these writes the value, or sets it to what was read.  After a failure
 * (memory ran out; the bytes end too early or mean nothing) nothing more is
 * read, and values become 0. */
void hpm_stream_names(struct hpm_stream *stream);
void hpm_stream_byte(struct hpm_stream *stream, unsigned char *value);
void hpm_stream_count(struct hpm_stream *stream, uint64_t *value);
void hpm_stream_int(struct hpm_stream *stream, int *value);
void hpm_stream_bool(struct hpm_stream *stream, bool *value);
void hpm_stream_number(struct hpm_stream *stream, struct hpm_number *number);

/* The number of a word, from 0 on, below `n`. */
void hpm_stream_word(struct hpm_stream *stream, int *word, int n);

/* The amount of a number whose kind is known. */
void hpm_stream_amount(struct hpm_stream *stream, enum hpm_number_kind kind,
                       uint64_t *amount);

/* A text that is one of the names; NULL stays NULL. */
void hpm_stream_text(struct hpm_stream *stream, const char **text);

/* An index below `n`, or UINT32_MAX for none. */
void hpm_stream_index(struct hpm_stream *stream, uint32_t *index, size_t n);

/* The length of a list whose elements take at least a byte each, so that no
 * wrong length asks for more memory than there are bytes. */
void hpm_stream_length(struct hpm_stream *stream, size_t *length);

#endif
