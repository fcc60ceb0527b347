/* SPDX-License-Identifier: BSD-3-Clause
 * A column of numbers. */
#include "model/series.h"

bool
hpm_series_reserve(struct hpm_series *series, struct hpm_arena *arena,
                   size_t row)
{
    size_t i = row / HPM_SERIES_ROWS;

    if (!hpm_arena_grow(arena, &series->blocks, &series->n_blocks, i + 1,
                        sizeof(struct hpm_series_block *)))
        return false;
    if (series->blocks[i] == NULL)
        series->blocks[i] =
            hpm_arena_new(arena, 1, sizeof(struct hpm_series_block));
    return series->blocks[i] != NULL;
}
