/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of several studies in one. */
#include "study/columns/jointhits.h"

#include "study/columns/hits.h"

/* Add the samples of study i. */
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

/* Of the studies that have the task, some may have sampled it and others not:
 * say so. */
static bool
tell_without(struct hpm_align *align, size_t task)
{
    struct hpm_string words = {0};
    size_t n = 0, n_sampled = 0;
    const char *kept;

    for (size_t i = 0; i < align->n; i++) {
        uint32_t there = align->tasks[task * align->n + i];

        if (there == HPM_NO_INDEX)
            continue;
        n++;
        n_sampled += align->studies[i]->tasks[there].n_sampled > 0;
    }
    if (n_sampled == 0 || n_sampled == n)
        return true;
    hpm_string_add_format(&words,
                          "samples are of %zu of %zu results; the others were "
                          "not sampled",
                          n_sampled, n);
    kept = hpm_study_keep(align->result, &words);
    return kept != NULL &&
           hpm_study_add_problem(align->result, (uint32_t)task, kept);
}

bool
hpm_jointhits_add(struct hpm_align *align)
{
    for (size_t i = 0; i < align->n; i++) {
        if (!add_study(align, i))
            return false;
    }
    for (size_t j = 0; j < align->result->n_tasks; j++) {
        if (!tell_without(align, j))
            return false;
    }
    hpm_hits_settle(align->result);
    return true;
}
