/* SPDX-License-Identifier: BSD-3-Clause
 * Which points of a section lie apart from the others, in words and tables. */
#ifndef HPM_STUDY_ANALYSIS_OUTLIERREPORT_H
#define HPM_STUDY_ANALYSIS_OUTLIERREPORT_H

#include "study/analysis/observations.h"

/* Of at least 5 points and 1 column.  False when there is no memory. */
bool hpm_outlierreport_describe(const struct hpm_observations *observations,
                                struct hpm_account *account,
                                struct hpm_error *err);

#endif
