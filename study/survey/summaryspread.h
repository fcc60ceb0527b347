/* SPDX-License-Identifier: BSD-3-Clause
 * What the spreads of a summary (study/columns/spreads.h) tell of the threads of a
 * subject, whose values are not there. */
#ifndef HPM_STUDY_SURVEY_SUMMARYSPREAD_H
#define HPM_STUDY_SURVEY_SUMMARYSPREAD_H

#include "study/columns/combine.h"
#include "study/survey/survey.h"

/* The spread of a quantity over the threads that the rows stand for; NULL where
 * none is known, as for a section on several call paths, whose spreads do not tell
 * that of the sum. */
const struct hpm_study_spread *
hpm_summaryspread_find(const struct hpm_survey *survey, size_t quantity,
                       const uint32_t *rows, size_t n);

/* The longest exclusive or inclusive time of these threads in seconds; NAN where
 * it is not known. */
double hpm_summaryspread_longest(const struct hpm_survey *survey,
                                 enum hpm_quantity_kind kind,
                                 const uint32_t *rows, size_t n);

/* Add the spread to what the entry says of its threads; `place` stands for those
 * that have the extremes. */
void hpm_summaryspread_add(struct hpm_entry *entry,
                           const struct hpm_study_spread *spread,
                           uint32_t place);

#endif
