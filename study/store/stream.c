/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and texts as a row of bytes. */
#include "study/store/stream.h"

#include <limits.h>
#include <string.h>

void
hpm_stream_begin_writing(struct hpm_stream *stream, struct hpm_names *names)
{
    *stream = (struct hpm_stream){.names = names};
}

void
hpm_stream_begin_reading(struct hpm_stream *stream, const void *bytes,
                         size_t length, struct hpm_names *names)
{
    *stream = (struct hpm_stream){.is_reading = true,
                                  .at = bytes,
                                  .end = (const unsigned char *)bytes + length,
                                  .names = names};
}

/* ---- bytes and integers ------------------------------------------------ */

static void
write_bytes(struct hpm_stream *stream, const void *bytes, size_t length)
{
    hpm_string_add_bytes(&stream->bytes, bytes, length);
    stream->failed = stream->failed || stream->bytes.failed;
}

/* The next `length` bytes; NULL where there are not so many. */
static const unsigned char *
read_bytes(struct hpm_stream *stream, uint64_t length)
{
    const unsigned char *bytes = stream->at;

    if (stream->failed || length > (uint64_t)(stream->end - stream->at)) {
        stream->failed = true;
        return NULL;
    }
    stream->at += length;
    return bytes;
}

void
hpm_stream_byte(struct hpm_stream *stream, unsigned char *value)
{
    const unsigned char *byte;

    if (!stream->is_reading) {
        write_bytes(stream, value, 1);
        return;
    }
    byte = read_bytes(stream, 1);
    *value = byte != NULL ? *byte : 0;
}

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
static void
write_count(struct hpm_stream *stream, uint64_t value)
{
    unsigned char bytes[10];
    size_t n = 0;

    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (unsigned char)(value | 0x80);
    bytes[n++] = (unsigned char)value;
    write_bytes(stream, bytes, n);
}

static uint64_t
read_count(struct hpm_stream *stream)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        const unsigned char *byte = read_bytes(stream, 1);

        if (byte == NULL)
            return 0;
        value |= (uint64_t)(*byte & 0x7f) << shift;
        if (*byte < 0x80)
            return value;
    }
    stream->failed = true;
    return 0;
}

void
hpm_stream_count(struct hpm_stream *stream, uint64_t *value)
{
    if (stream->is_reading)
        *value = read_count(stream);
    else
        write_count(stream, *value);
}

/* 0, -1, 1, -2 ... become 0, 1, 2, 3 ... */
void
hpm_stream_int(struct hpm_stream *stream, int *value)
{
    int64_t wide = *value;
    uint64_t folded =
        wide < 0 ? 2 * (uint64_t)(-1 - wide) + 1 : 2 * (uint64_t)wide;

    hpm_stream_count(stream, &folded);
    if (!stream->is_reading)
        return;
    if (folded / 2 > INT_MAX)
        stream->failed = true;
    if (stream->failed)
        folded = 0;
    *value = folded % 2 == 0 ? (int)(folded / 2) : -1 - (int)(folded / 2);
}

void
hpm_stream_word(struct hpm_stream *stream, int *word, int n)
{
    hpm_stream_int(stream, word);
    if (*word >= 0 && *word < n)
        return;
    stream->failed = true;
    *word = 0;
}

void
hpm_stream_bool(struct hpm_stream *stream, bool *value)
{
    unsigned char byte = *value;

    hpm_stream_byte(stream, &byte);
    stream->failed = stream->failed || byte > 1;
    *value = byte == 1;
}

void
hpm_stream_index(struct hpm_stream *stream, uint32_t *index, size_t n)
{
    uint64_t value = *index == UINT32_MAX ? 0 : (uint64_t)*index + 1;

    hpm_stream_count(stream, &value);
    if (value > n)
        stream->failed = true;
    *index = stream->failed || value == 0 ? UINT32_MAX : (uint32_t)(value - 1);
}

void
hpm_stream_length(struct hpm_stream *stream, size_t *length)
{
    uint64_t value = *length;

    hpm_stream_count(stream, &value);
    if (stream->is_reading && value > (uint64_t)(stream->end - stream->at))
        stream->failed = true;
    *length = stream->failed ? 0 : (size_t)value;
}

/* ---- numbers ----------------------------------------------------------- */

/* The bits of a double fill their eight bytes; a count is mostly short. */
void
hpm_stream_amount(struct hpm_stream *stream, enum hpm_number_kind kind,
                  uint64_t *amount)
{
    unsigned char bytes[8];
    const unsigned char *there;

    if (kind != HPM_NUMBER_REAL) {
        hpm_stream_count(stream, amount);
        return;
    }
    if (!stream->is_reading) {
        for (unsigned i = 0; i < 8; i++)
            bytes[i] = (unsigned char)(*amount >> 8 * i);
        write_bytes(stream, bytes, sizeof bytes);
        return;
    }
    there = read_bytes(stream, sizeof bytes);
    *amount = 0;
    for (unsigned i = 0; there != NULL && i < 8; i++)
        *amount |= (uint64_t)there[i] << 8 * i;
}

void
hpm_stream_number(struct hpm_stream *stream, struct hpm_number *number)
{
    unsigned char kind = (unsigned char)number->kind;

    hpm_stream_byte(stream, &kind);
    if (kind > HPM_NUMBER_REAL)
        stream->failed = true;
    if (stream->is_reading)
        *number = (struct hpm_number){0};
    if (stream->failed || kind == HPM_NUMBER_NONE)
        return;
    number->kind = (enum hpm_number_kind)kind;
    hpm_stream_amount(stream, number->kind, &number->amount);
}

/* ---- texts ------------------------------------------------------------- */

static void
write_names(struct hpm_stream *stream)
{
    write_count(stream, stream->names->n_texts);
    for (size_t i = 0; i < stream->names->n_texts; i++) {
        const char *text = stream->names->texts[i];
        size_t length = strlen(text);

        write_count(stream, length);
        write_bytes(stream, text, length);
    }
}

/* Each text gets the number that it had: so no text may be there already. */
static void
read_names(struct hpm_stream *stream)
{
    size_t n = 0;

    hpm_stream_length(stream, &n);
    if (n > UINT32_MAX - 1 || !hpm_names_reserve(stream->names, n))
        stream->failed = true;
    for (size_t i = 0; i < n && !stream->failed; i++) {
        uint64_t length = read_count(stream);
        const unsigned char *bytes = read_bytes(stream, length);

        if (bytes == NULL || memchr(bytes, 0, length) != NULL ||
            hpm_names_add(stream->names, (const char *)bytes, length) != i)
            stream->failed = true;
    }
}

void
hpm_stream_names(struct hpm_stream *stream)
{
    if (stream->is_reading)
        read_names(stream);
    else
        write_names(stream);
}

void
hpm_stream_text(struct hpm_stream *stream, const char **text)
{
    uint32_t name = UINT32_MAX;

    if (!stream->is_reading && *text != NULL) {
        name = hpm_names_find(stream->names, *text);
        if (name == HPM_NO_NAME)
            stream->failed = true;
    }
    hpm_stream_index(stream, &name, stream->names->n_texts);
    if (stream->is_reading)
        *text = hpm_names_text(stream->names, name);
}
