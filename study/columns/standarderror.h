/* SPDX-License-Identifier: BSD-3-Clause
 * Standard errors of counts that were scaled up from a part of the time. */
#ifndef HPM_STUDY_COLUMNS_STANDARDERROR_H
#define HPM_STUDY_COLUMNS_STANDARDERROR_H

#include "study/columns/operand.h"

/* Half of the 95 % confidence interval, from a standard error and its degrees
 * of freedom; NAN where one of the two is not known. */
double hpm_standarderror_reach(struct hpm_number error,
                               struct hpm_number freedom);

/* Set, for the sum of n independent estimates (each with the weight of its runs
 * if `is_weighted`): the standard errors (root of the sum of squares), their
 * degrees of freedom, and the sum of the on-windows.  Sets nothing where a
 * value that was scaled up does not say its error, or where no value has
 * one. */
void hpm_standarderror_of_sum(const struct hpm_operand *inputs, size_t n,
                              bool is_weighted, struct hpm_datum *datum);

#endif
