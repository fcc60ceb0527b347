/* SPDX-License-Identifier: BSD-3-Clause
 * How far the runs behind a mean or a sum are apart: deviation, smallest and
 * largest. */
#ifndef HPM_STUDY_COLUMNS_SPREAD_H
#define HPM_STUDY_COLUMNS_SPREAD_H

#include "study/columns/operand.h"

/* The spread of the mean of n > 0 values, and its number of runs. */
void hpm_spread_over_runs(const struct hpm_operand *inputs, size_t n,
                          struct hpm_datum *datum);

/* The spread of their sum, where all are means of the same number of runs:
 * bounds, unless only one of them differs between runs. */
void hpm_spread_of_sum(const struct hpm_operand *inputs, size_t n,
                       struct hpm_datum *datum);

#endif
