/* SPDX-License-Identifier: BSD-3-Clause
 * The principal components of a section's points, in words and tables. */
#ifndef HPM_STUDY_ANALYSIS_COMPONENTREPORT_H
#define HPM_STUDY_ANALYSIS_COMPONENTREPORT_H

#include "study/analysis/observations.h"

/* Of at least 2 points and 1 column.  False when there is no memory. */
bool hpm_componentreport_describe(const struct hpm_observations *observations,
                                  struct hpm_account *account,
                                  struct hpm_error *err);

#endif
