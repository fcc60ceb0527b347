/* SPDX-License-Identifier: BSD-3-Clause
 * What a comparison is based on: noise, tests, and the order of the runs. */
#ifndef HPM_STUDY_COMPARE_BASIS_H
#define HPM_STUDY_COMPARE_BASIS_H

#include "base/string.h"
#include "study/compare/view.h"

/* Append this as lines, for all formats that people read. */
void hpm_basis_add(struct hpm_string *string,
                   const struct hpm_compare_view *view);

#endif
