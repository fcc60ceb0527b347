/* SPDX-License-Identifier: BSD-3-Clause
 * Totals without what measuring added to them. */
#ifndef HPM_RECORD_CORRECT_H
#define HPM_RECORD_CORRECT_H

#include "record/calibration.h"
#include "record/forest.h"

/* The costs with which a table was charged, and those that hold in the end. */
struct hpm_correction {
    const struct hpm_costs *charged;
    const struct hpm_costs *final;
    const struct hpm_calibration *calibration; /* for the uncertainty */
};

/* A total, and what was taken off it. */
struct hpm_corrected {
    uint64_t value;
    uint64_t overhead; /* value + overhead is what was read */
    bool is_clamped;   /* it would have been below 0 */
};

/* Slot `slot` (charged ones only) of a sum of rows of that table: inclusive or
 * exclusive. */
struct hpm_corrected hpm_correct(const struct hpm_correction *correction,
                                 const struct hpm_forest *forest,
                                 const uint64_t *sums, size_t slot);

/* How far the overhead in that sum may be off: the median call costs more
 * than the fastest one, which is what is subtracted. */
uint64_t hpm_correct_uncertainty(const struct hpm_correction *correction,
                                 const struct hpm_forest *forest,
                                 const uint64_t *sums, size_t slot);

#endif
