/* SPDX-License-Identifier: BSD-3-Clause
 * The one sentence about kinds of threads, for reports. */
#ifndef HPM_STUDY_ANALYSIS_KINDSENTENCE_H
#define HPM_STUDY_ANALYSIS_KINDSENTENCE_H

#include "base/string.h"
#include "study/analysis/kindpictures.h"
#include "study/points/points.h"

/* Append, without a newline, "Two kinds of threads in section 'x': 8 (thread 0
 * of each task) and 56 ...; they differ most in A (F 490) and B (F 317)" about
 * the section with the most time, where that is beyond doubt: where silhouette,
 * gap and permutation agree (study/multivariate/separation.h), and what the members have
 * in common has a name.  Nothing otherwise, nor of fewer than 12 threads; of more
 * than 600, or 400 columns, that nobody has looked.  `failed` of the string
 * where there was no memory to look.  The survey is by sections, with metrics. */
void hpm_kindsentence_add(struct hpm_string *string, struct hpm_survey *survey);

/* The same, and pictures of what was looked at, also where nothing is said of it;
 * none where nobody has looked. */
void hpm_kindsentence_draw(struct hpm_string *string, struct hpm_survey *survey,
                           struct hpm_kindpictures *pictures);

/* It takes as long as their number squared. */
enum { HPM_KINDSENTENCE_MOST_CALLS = 2000 };

/* The same of these points, of one section: "Three kinds of calls in ..." where
 * they are single calls, of which there may be so many. */
void hpm_kindsentence_add_points(struct hpm_string *string,
                                 const struct hpm_points *points);

#endif
