/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of combined runs, whose inputs are counts of different runs.
 *
 *     run 1 counted a and b    its a - b is of one run
 *     run 2 counted a and c    a of both runs together is a mean of two, so
 *                              a - b of both together mixes the runs
 *
 * Where the runs did not do the same work, such a value is wrong. */
#ifndef HPM_STUDY_COLUMNS_MIXTURE_H
#define HPM_STUDY_COLUMNS_MIXTURE_H

#include "base/string.h"
#include "study/columns/study.h"

/* Append to `lines`, a line each: the metrics of the result for which no run
 * counted all inputs; and the metrics whose value is beyond the range of the
 * runs by more than the tolerance (relative), with the figures of the worst
 * one.  The result must have its metrics already.  False when memory runs
 * out. */
bool hpm_mixture_describe(const struct hpm_study *result,
                          const struct hpm_study *const *studies, size_t n,
                          double tolerance, struct hpm_string *lines,
                          struct hpm_error *err);

#endif
