/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of several studies in one. */
#include "study/columns/jointhits.h"

#include "study/columns/hits.h"

/* Of the i-th study. */
static bool
add_study(struct hpm_align *align, size_t i)
{
    struct hpm_study *result = align->result;
    const struct hpm_study *study = align->studies[i];
    struct hpm_hits_move move;

    if (!hpm_hits_begin_move(&move, &align->arena, result, study))
        return false;
    for (size_t j = 0; j < result->n_tasks; j++) {
        uint32_t task = align->tasks[j * align->n + i];

        if (task != HPM_NO_INDEX &&
            !hpm_hits_join_task(&move, &study->tasks[task], &result->tasks[j]))
            return false;
    }
    for (uint32_t j = 0; study->n_hits > 0 && j < result->n_rows; j++) {
        uint32_t row = align->rows[(size_t)j * align->n + i];

        if (row != HPM_NO_INDEX && !hpm_hits_move_row(&move, row, j))
            return false;
    }
    return true;
}

bool
hpm_jointhits_add(struct hpm_align *align)
{
    for (size_t i = 0; i < align->n; i++) {
        if (!add_study(align, i))
            return false;
    }
    hpm_hits_settle(align->result);
    return true;
}
