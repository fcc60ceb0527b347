/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays in a zip archive. */
#include "study/points/npz.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "host/memory.h"

enum { STORED = 0, DEFLATED = 8 };

/* ---- bytes -------------------------------------------------------------- */

/* Lowest byte first, on every machine. */
static void
add_number(struct hpm_string *bytes, uint64_t value, int n_bytes)
{
    for (int i = 0; i < n_bytes; i++)
        hpm_string_add_char(bytes, (char)(value >> 8 * i & 0xff));
}

static void
add_zeros(struct hpm_string *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hpm_string_add_char(bytes, '\0');
}

/* ---- one array ------------------------------------------------------ */

/* The header of an array.  It is padded so that the numbers begin at a multiple
 * of 64; its length is in its own two bytes. */
static void
add_npy_header(struct hpm_string *array, const char *type, size_t n)
{
    struct hpm_string words = {0};
    size_t length;

    hpm_string_add_format(
        &words, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }",
        type, n);
    length = (10 + words.length + 1 + 63) / 64 * 64 - 10;
    while (words.length + 1 < length && !words.failed)
        hpm_string_add_char(&words, ' ');
    hpm_string_add_bytes(array, "\x93NUMPY\x01\x00", 8);
    add_number(array, length, 2);
    hpm_string_add_string(array, &words);
    hpm_string_add_char(array, '\n');
}

/* Compress without zlib's header and trailer: a zip archive has its own. */
static void
pack(struct hpm_string *packed, const struct hpm_string *array)
{
    enum { NO_HEADER = -15, USUAL_MEMORY = 8 };
    z_stream stream = {0};
    size_t room = compressBound(array->length) + 64;
    Bytef *bytes = hpm_memory_take(room);

    if (bytes == NULL || array->length > UINT32_MAX ||
        deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, NO_HEADER, USUAL_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        packed->failed = true;
        hpm_memory_free(bytes);
        return;
    }
    stream.next_in = (Bytef *)array->text;
    stream.avail_in = (uInt)array->length;
    stream.next_out = bytes;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) == Z_STREAM_END)
        hpm_string_add_bytes(packed, (const char *)bytes, stream.total_out);
    else
        packed->failed = true;
    deflateEnd(&stream);
    hpm_memory_free(bytes);
}

/* ---- one member of the archive -------------------------------------- */

/* Fields that are the same before a member and in the directory. */
static void
add_entry(struct hpm_string *bytes, const char *name, int method, uint32_t sum,
          size_t n_packed, size_t n_bytes)
{
    enum { VERSION = 20, NAMES_ARE_UTF8 = 1 << 11, FIRST_DAY_OF_1980 = 0x21 };

    add_number(bytes, VERSION, 2);
    add_number(bytes, NAMES_ARE_UTF8, 2);
    add_number(bytes, (uint64_t)method, 2);
    add_number(bytes, 0, 2);
    add_number(bytes, FIRST_DAY_OF_1980, 2);
    add_number(bytes, sum, 4);
    add_number(bytes, n_packed, 4);
    add_number(bytes, n_bytes, 4);
    add_number(bytes, strlen(name) + strlen(".npy"), 2);
    add_number(bytes, 0, 2);
}

static void
add_member(struct hpm_npz *npz, const char *name,
           const struct hpm_string *array, int method)
{
    struct hpm_string packed = {0};
    const struct hpm_string *content = array;
    size_t at = npz->bytes->length - npz->begin;
    uint32_t sum =
        (uint32_t)crc32_z(0, (const Bytef *)array->text, array->length);

    if (method == DEFLATED) {
        pack(&packed, array);
        content = &packed;
    }
    npz->is_too_large |=
        at + array->length + content->length > UINT32_MAX - (1u << 24);
    if (!npz->is_too_large) {
        hpm_string_add_bytes(npz->bytes, "PK\x03\x04", 4);
        add_entry(npz->bytes, name, method, sum, content->length,
                  array->length);
        hpm_string_add(npz->bytes, name);
        hpm_string_add(npz->bytes, ".npy");
        hpm_string_add_bytes(npz->bytes, content->text, content->length);
        hpm_string_add_bytes(&npz->directory, "PK\x01\x02\x14\x00", 6);
        add_entry(&npz->directory, name, method, sum, content->length,
                  array->length);
        add_zeros(&npz->directory, 10); /* comment, disk, attributes */
        add_number(&npz->directory, at, 4);
        hpm_string_add(&npz->directory, name);
        hpm_string_add(&npz->directory, ".npy");
        npz->n_arrays++;
    }
    npz->bytes->failed |= array->failed || content->failed;
    hpm_string_free(&packed);
}

/* ---- arrays --------------------------------------------------------- */

void
hpm_npz_add_reals(struct hpm_npz *npz, const char *name, const double *values,
                  size_t n)
{
    struct hpm_string array = {0};

    add_npy_header(&array, "<f8", n);
    hpm_string_reserve(&array, array.length + 8 * n);
    for (size_t i = 0; i < n && !array.failed; i++) {
        uint64_t bits;

        memcpy(&bits, &values[i], sizeof bits);
        add_number(&array, bits, 8);
    }
    add_member(npz, name, &array, STORED);
    hpm_string_free(&array);
}

void
hpm_npz_add_integers(struct hpm_npz *npz, const char *name,
                     const int32_t *values, size_t n)
{
    struct hpm_string array = {0};

    add_npy_header(&array, "<i4", n);
    for (size_t i = 0; i < n && !array.failed; i++)
        add_number(&array, (uint32_t)values[i], 4);
    add_member(npz, name, &array, STORED);
    hpm_string_free(&array);
}

/* A character of UTF-8, as recognized by hpm_string_character; any other byte
 * is taken as a character. */
static uint32_t
character_at(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t character = bytes[0];

    if (length < 2)
        return character;
    character &= 0xffu >> (length + 1);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (bytes[i] & 0x3fu);
    return character;
}

/* The characters of a text, padded with zeros up to `width`; returns their
 * number. */
static size_t
add_characters(struct hpm_string *array, const char *text, size_t width)
{
    size_t n = 0;

    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (array != NULL)
            add_number(array, character_at(text, length), 4);
        text += length > 0 ? length : 1;
        n++;
    }
    if (array != NULL)
        add_zeros(array, 4 * (width - n));
    return n;
}

void
hpm_npz_add_texts(struct hpm_npz *npz, const char *name, size_t n,
                  void (*text)(const void *owner, size_t i,
                               struct hpm_string *string),
                  const void *owner)
{
    struct hpm_string array = {0}, one = {0};
    size_t width = 1;
    char type[32];

    for (int is_second = 0; is_second < 2; is_second++) {
        for (size_t i = 0; i < n && !array.failed; i++) {
            size_t length;

            hpm_string_clear(&one);
            text(owner, i, &one);
            length = add_characters(is_second ? &array : NULL,
                                    hpm_string_text(&one), width);
            width = length > width ? length : width;
        }
        if (is_second == 0) {
            snprintf(type, sizeof type, "<U%zu", width);
            add_npy_header(&array, type, n);
        }
    }
    array.failed |= one.failed;
    add_member(npz, name, &array, DEFLATED);
    hpm_string_free(&one);
    hpm_string_free(&array);
}

bool
hpm_npz_end(struct hpm_npz *npz, struct hpm_error *err)
{
    size_t at = npz->bytes->length - npz->begin;
    size_t length = npz->directory.length;
    bool has_failed = npz->directory.failed;

    hpm_string_add_bytes(npz->bytes, npz->directory.text, length);
    hpm_string_free(&npz->directory);
    hpm_string_add_bytes(npz->bytes, "PK\x05\x06\0\0\0\0", 8);
    add_number(npz->bytes, npz->n_arrays, 2);
    add_number(npz->bytes, npz->n_arrays, 2);
    add_number(npz->bytes, length, 4);
    add_number(npz->bytes, at, 4);
    add_number(npz->bytes, 0, 2);
    if (npz->is_too_large || npz->n_arrays > UINT16_MAX - 1)
        return hpm_error_set(err, "these points take more than the 4 GB that a "
                                  ".npz file holds; choose with 'hpm points "
                                  "--section', or write CSV");
    return (!npz->bytes->failed && !has_failed) || hpm_error_no_memory(err);
}
