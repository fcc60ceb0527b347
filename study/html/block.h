/* SPDX-License-Identifier: BSD-3-Clause
 * A table of numbers embedded in a page: columns of bytes, packed by zlib, in
 * base64.
 *
 *     4 bytes        length of what follows, lowest byte first
 *     JSON           {"n": rows, "columns": [["value", "c"], ...],
 *                     "texts": [...]}
 *     column ...     by its letter:
 *         b  w  d    whole numbers of 1, 4 and 6 bytes; all bits set: none
 *         c  s       whole numbers, and nanoseconds, of 8 bytes with a sign;
 *                    the smallest possible one: none
 *         f          doubles; not a number: none
 *
 * A column has first the lowest byte of all numbers, then the next byte of all,
 * and so on: bytes that are equal in most numbers are then together and take
 * little space.  A column without any number is left out.
 */
#ifndef HPM_STUDY_HTML_BLOCK_H
#define HPM_STUDY_HTML_BLOCK_H

#include "base/string.h"
#include "study/store/number.h"

/* Start from {.n_rows = ...}; end with hpm_block_add or hpm_block_clear. */
struct hpm_block {
    size_t n_rows;
    struct hpm_string names; /* of the columns, as JSON */
    struct hpm_string texts; /* texts that columns refer to, as JSON */
    size_t n_texts;
    struct hpm_string bytes;
};

/* Add a column: n_rows numbers, `stride` apart. */
void hpm_block_add_column(struct hpm_block *block, const char *name,
                          const struct hpm_number *numbers, size_t stride);

/* Add a text, unless it equals the last one; returns its number in "texts". */
struct hpm_number hpm_block_add_text(struct hpm_block *block, const char *text);

/* Append the block to a page, and clear it. */
void hpm_block_add(struct hpm_string *page, struct hpm_block *block);
void hpm_block_clear(struct hpm_block *block);

/* Append other bytes packed in the same way: zlib's format, in base64. */
void hpm_block_add_packed(struct hpm_string *page, const void *bytes,
                          size_t length);

#endif
