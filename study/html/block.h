/* SPDX-License-Identifier: BSD-3-Clause
 * A table of numbers as a page carries it: columns of bytes, packed by zlib,
 * in base64.
 *
 *     4 bytes        length of what follows, the least byte first
 *     JSON           {"n": rows, "columns": [["value", "c"], ...],
 *                     "texts": [...]}
 *     column ...     as the letter says:
 *         b  w  d    whole numbers of 1, 4 and 6 bytes; all bits set: none
 *         c  s       whole numbers, and nanoseconds, of 8 bytes with a sign;
 *                    the least one there is: none
 *         f          doubles; not a number: none
 *
 * Of a column first the least byte of all numbers, then the next of all, for
 * what is the same in most numbers then stands together and takes no room.  A
 * column without any number is left out.
 */
#ifndef HPM_STUDY_HTML_BLOCK_H
#define HPM_STUDY_HTML_BLOCK_H

#include "base/string.h"
#include "study/store/number.h"

/* Start from {.n_rows = ...}; end with hpm_block_add or hpm_block_clear. */
struct hpm_block {
    size_t n_rows;
    struct hpm_string names; /* of the columns, as JSON */
    struct hpm_string texts; /* the same of what columns refer to */
    size_t n_texts;
    struct hpm_string bytes;
};

/* Add a column: n_rows numbers, `stride` apart. */
void hpm_block_add_column(struct hpm_block *block, const char *name,
                          const struct hpm_number *numbers, size_t stride);

/* Keep a text once if it is the one before; its number in "texts". */
struct hpm_number hpm_block_add_text(struct hpm_block *block, const char *text);

/* Append the block to a page, and clear it. */
void hpm_block_add(struct hpm_string *page, struct hpm_block *block);
void hpm_block_clear(struct hpm_block *block);

/* Pack other bytes likewise: zlib's format, in base64. */
void hpm_block_add_packed(struct hpm_string *page, const void *bytes,
                          size_t length);

#endif
