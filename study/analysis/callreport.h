/* SPDX-License-Identifier: BSD-3-Clause
 * How single calls of a section differ: quantiles, a histogram, and drift over the
 * run, of each column, in words, tables and bars. */
#ifndef HPM_STUDY_ANALYSIS_CALLREPORT_H
#define HPM_STUDY_ANALYSIS_CALLREPORT_H

#include "study/analysis/account.h"
#include "study/points/points.h"

/* Of points that are calls of one section.  Where several threads have kept other
 * parts of their calls, each call stands for as many as it was drawn from.  False when
 * there is no memory. */
bool hpm_callreport_describe(const struct hpm_points *points,
                             struct hpm_account *account,
                             struct hpm_error *err);

#endif
