/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of runs put together, whose inputs are counts of different runs.
 *
 *     run 1 counted a and b    its a - b is of one run
 *     run 2 counted a and c    a of both runs together is a mean of two, so
 *                              a - b of both together mixes the runs
 *
 * Where the runs did not do the same, such a value is wrong. */
#ifndef HPM_STUDY_COLUMNS_MIXTURE_H
#define HPM_STUDY_COLUMNS_MIXTURE_H

#include "base/string.h"
#include "study/columns/study.h"

/* Append to `lines`, a line each: the metrics of the result that no run has
 * counted everything of; and those whose value is further than the tolerance (a
 * part) beyond the values of the runs that have, with the figures of the worst.
 * The result must have its metrics already.  False when memory runs out. */
bool hpm_mixture_describe(const struct hpm_study *result,
                          const struct hpm_study *const *studies, size_t n,
                          double tolerance, struct hpm_string *lines,
                          struct hpm_error *err);

#endif
