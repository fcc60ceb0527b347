/* SPDX-License-Identifier: BSD-3-Clause
 * The spreads of a summary. */
#include "study/columns/spreads.h"

bool
hpm_spreads_add(struct hpm_study *study, const struct hpm_study_spread *spread)
{
    if (!hpm_arena_grow(&study->arena, &study->spreads,
                        &study->spreads_capacity, study->n_spreads + 1,
                        sizeof *study->spreads))
        return false;
    study->spreads[study->n_spreads++] = *spread;
    return true;
}

bool
hpm_spreads_own(struct hpm_study *study, struct hpm_study_spread *spread)
{
    return hpm_study_own(study, &spread->low.host) &&
           hpm_study_own(study, &spread->high.host) &&
           hpm_study_own(study, &spread->bins) &&
           hpm_study_own(study, &spread->sum) &&
           hpm_study_own(study, &spread->squares) &&
           hpm_study_own(study, &spread->rest) &&
           hpm_study_own(study, &spread->exclusive);
}

size_t
hpm_spreads_of(const struct hpm_study *study, uint32_t row,
               const struct hpm_study_spread **ret_first)
{
    size_t low = 0, high = study->n_spreads, n = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (study->spreads[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + n < study->n_spreads && study->spreads[low + n].row == row)
        n++;
    *ret_first = n > 0 ? &study->spreads[low] : NULL;
    return n;
}

const struct hpm_study_spread *
hpm_spreads_find(const struct hpm_study *study, uint32_t row, uint32_t column)
{
    const struct hpm_study_spread *spreads;
    size_t n = study->n_spreads > 0 ? hpm_spreads_of(study, row, &spreads) : 0;

    for (size_t i = 0; i < n; i++) {
        if (spreads[i].column == column)
            return &spreads[i];
    }
    return NULL;
}

bool
hpm_spreads_move_row(struct hpm_study *to, const struct hpm_study *from,
                     uint32_t row, uint32_t to_row, const uint32_t *columns)
{
    const struct hpm_study_spread *spreads;
    size_t n = hpm_spreads_of(from, row, &spreads);

    for (size_t i = 0; i < n; i++) {
        struct hpm_study_spread spread = spreads[i];

        spread.row = to_row;
        spread.column = columns[spread.column];
        if (!hpm_spreads_own(to, &spread) || !hpm_spreads_add(to, &spread))
            return false;
    }
    return true;
}
