/* SPDX-License-Identifier: BSD-3-Clause
 * How far the runs behind a mean or a sum are apart: deviation, smallest and
 * largest. */
#ifndef HPM_STUDY_COLUMNS_SPREAD_H
#define HPM_STUDY_COLUMNS_SPREAD_H

#include "study/columns/operand.h"

/* Of the mean of n > 0 values, and of how many runs it is. */
void hpm_spread_over_runs(const struct hpm_operand *inputs, size_t n,
                          struct hpm_datum *datum);

/* Of their sum, where all are means of as many runs: bounds, unless one of them
 * only differs between runs. */
void hpm_spread_of_sum(const struct hpm_operand *inputs, size_t n,
                       struct hpm_datum *datum);

#endif
