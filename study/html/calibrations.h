/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of measuring in the tasks of a study, for a page. */
#ifndef HPM_STUDY_HTML_CALIBRATIONS_H
#define HPM_STUDY_HTML_CALIBRATIONS_H

#include "base/string.h"
#include "study/columns/study.h"

/* Append a JSON array with an object for each scope, moment ("init", "end") and
 * quantity: how many tasks calibrated it, with at least how many calls each,
 * and the smallest, median and largest cost in the section and around it, each
 * the largest of all tasks.  Times are in seconds, counts in their own
 * units. */
void hpm_html_add_calibrations(struct hpm_string *json,
                               const struct hpm_study *study);

#endif
