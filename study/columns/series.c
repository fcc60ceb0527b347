/* SPDX-License-Identifier: BSD-3-Clause
 * A column of numbers. */
#include "study/columns/series.h"

/* Make room for the block of a row; the room at least doubles when it grows. */
static bool
reach(struct hpm_series *series, struct hpm_arena *arena, size_t row)
{
    size_t end = hpm_series_end(series), wanted = row + 1;
    struct hpm_series_blocks *grown;

    if (row < end)
        return true;
    if (wanted < 2 * end)
        wanted = 2 * end;
    if (wanted < 8 * HPM_SERIES_ROWS)
        wanted = 8 * HPM_SERIES_ROWS;
    wanted = (wanted + HPM_SERIES_ROWS - 1) / HPM_SERIES_ROWS;
    grown = hpm_arena_new(
        arena, 1, sizeof *grown + wanted * sizeof(struct hpm_series_block *));
    if (grown == NULL)
        return false;
    grown->n = wanted;
    if (series->blocks != NULL)
        memcpy(grown->of, series->blocks->of,
               series->blocks->n * sizeof *grown->of);
    series->blocks = grown;
    return true;
}

struct hpm_series_block *
hpm_series_add_block(struct hpm_series *series, struct hpm_arena *arena,
                     size_t row)
{
    struct hpm_series_block **block;

    if (!reach(series, arena, row))
        return NULL;
    block = &series->blocks->of[row / HPM_SERIES_ROWS];
    if (*block == NULL)
        *block = hpm_arena_new(arena, 1, sizeof **block);
    return *block;
}
