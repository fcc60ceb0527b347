/* SPDX-License-Identifier: BSD-3-Clause
 * A column of numbers. */
#include "study/columns/series.h"

struct hpm_series_block *
hpm_series_add_block(struct hpm_series *series, struct hpm_arena *arena,
                     size_t row)
{
    size_t i = row / HPM_SERIES_ROWS;

    if (!hpm_arena_grow(arena, &series->blocks, &series->n_blocks, i + 1,
                        sizeof(struct hpm_series_block *)))
        return NULL;
    if (series->blocks[i] == NULL)
        series->blocks[i] =
            hpm_arena_new(arena, 1, sizeof(struct hpm_series_block));
    return series->blocks[i];
}
