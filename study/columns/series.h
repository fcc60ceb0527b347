/* SPDX-License-Identifier: BSD-3-Clause
 * A column of numbers, one per row; mostly nearly all rows have a number, or
 * none has.
 *
 *     blocks -> n
 *               of[0] -> amounts[32] tags[32]     rows 0 to 31
 *               of[1] -> NULL                     none of rows 32 to 63 has one
 *
 * Nine bytes a number.  A tag holds the number's kind in its low three bits;
 * the others are the caller's.
 */
#ifndef HPM_STUDY_COLUMNS_SERIES_H
#define HPM_STUDY_COLUMNS_SERIES_H

#include <string.h>

#include "host/arena.h"
#include "study/store/number.h"

enum { HPM_SERIES_ROWS = 32, HPM_SERIES_KIND = 7 };

struct hpm_series_block {
    uint64_t amounts[HPM_SERIES_ROWS];
    unsigned char tags[HPM_SERIES_ROWS];
};

struct hpm_series_blocks {
    size_t n;
    struct hpm_series_block *of[];
};

/* Start from {0}; memory belongs to the arena.  Most series of a column are
 * empty, so an empty series is one pointer. */
struct hpm_series {
    struct hpm_series_blocks *blocks;
};

/* Rows from this one on have no number. */
static inline size_t
hpm_series_end(const struct hpm_series *series)
{
    return series->blocks == NULL ? 0 : series->blocks->n * HPM_SERIES_ROWS;
}

/* The block of a row; NULL where there is no number. */
static inline struct hpm_series_block *
hpm_series_block(const struct hpm_series *series, size_t row)
{
    return row < hpm_series_end(series)
               ? series->blocks->of[row / HPM_SERIES_ROWS]
               : NULL;
}

/* The block of a row, added where there is none; NULL when there is no
 * memory. */
struct hpm_series_block *hpm_series_add_block(struct hpm_series *series,
                                              struct hpm_arena *arena,
                                              size_t row);

static inline unsigned char
hpm_series_tag(const struct hpm_series *series, size_t row)
{
    const struct hpm_series_block *block = hpm_series_block(series, row);

    return block != NULL ? block->tags[row % HPM_SERIES_ROWS] : 0;
}

static inline struct hpm_number
hpm_series_get(const struct hpm_series *series, size_t row)
{
    const struct hpm_series_block *block = hpm_series_block(series, row);
    struct hpm_number number = {0};

    if (block == NULL)
        return number;
    row %= HPM_SERIES_ROWS;
    number.amount = block->amounts[row];
    number.kind = (enum hpm_number_kind)(block->tags[row] & HPM_SERIES_KIND);
    return number;
}

/* Set the number of a row; false when there is no memory.  The row's tag
 * becomes the kind of the number together with `bits`. */
static inline bool
hpm_series_set(struct hpm_series *series, struct hpm_arena *arena, size_t row,
               struct hpm_number number, unsigned char bits)
{
    struct hpm_series_block *block = hpm_series_block(series, row);

    if (block == NULL)
        block = hpm_series_add_block(series, arena, row);
    if (block == NULL)
        return false;
    row %= HPM_SERIES_ROWS;
    block->amounts[row] = number.amount;
    block->tags[row] = (unsigned char)(number.kind | bits);
    return true;
}

#endif
