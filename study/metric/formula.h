/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of metrics as readable formulas. */
#ifndef HPM_STUDY_METRIC_FORMULA_H
#define HPM_STUDY_METRIC_FORMULA_H

#include "base/string.h"
#include "metric/metrics.h"

/* Append a rule's right side: "100 * BRANCH_MISP / BRANCH", "P + Q",
 * "PAPI_TOT_CYC | perf::cycles"; with no more brackets than needed, and
 * constants as their values. */
void hpm_formula_add(struct hpm_string *string,
                     const struct hpm_metrics *metrics, size_t rule);

/* The same with the meanings of the names, in brackets: "100 * [branches
 * mispredicted] / [branches]". */
void hpm_formula_add_words(struct hpm_string *string,
                           const struct hpm_metrics *metrics, size_t rule);

#endif
