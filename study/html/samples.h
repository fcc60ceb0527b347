/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of an experiment on a page: functions and their lines, of the
 * whole program and of each section. */
#ifndef HPM_STUDY_HTML_SAMPLES_H
#define HPM_STUDY_HTML_SAMPLES_H

#include "base/string.h"
#include "study/survey/survey.h"

/* Append the samples, packed; for each section the functions with most samples,
 * for these their lines, and how many more there are:
 *
 *     {"parts": [{"head": text, for the whole program; null for a section,
 *                 "event", "sampled": its number, because one event may be
 *                 sampled in several ways, "row": section of the page; null for
 *                 the whole, "taken", "lost", "more": functions not shown,
 *                 "functions": [{"name", "module", "n", "low", "high",
 *                                "lines": [["file.c:12", n]], "more"}]}],
 *      "notes": lines of text}
 *
 * `low` and `high` are the 95 % interval of a share, null where there are too
 * few samples.  False when there is no memory. */
bool hpm_html_add_samples(struct hpm_string *page,
                          const struct hpm_survey *survey);

#endif
