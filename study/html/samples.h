/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of an experiment on a page: functions and their lines, of all of the
 * program and of each section. */
#ifndef HPM_STUDY_HTML_SAMPLES_H
#define HPM_STUDY_HTML_SAMPLES_H

#include "base/string.h"
#include "study/survey/survey.h"

/* Append them, packed; of each section the functions with most samples, and of
 * these the lines, and how many more there are:
 *
 *     {"parts": [{"head": text, of all of the program; null of a section,
 *                 "event", "sampled": its number, for one event may have been
 *                 sampled in several ways, "row": of the page's sections; null of all,
 *                 "taken", "lost", "more": functions not shown,
 *                 "functions": [{"name", "module", "n", "low", "high",
 *                                "lines": [["file.c:12", n]], "more"}]}],
 *      "notes": lines of text}
 *
 * `low` and `high` are the 95 % interval of a share, null where there are too few
 * samples for one.  False when there is no memory. */
bool hpm_html_add_samples(struct hpm_string *page,
                          const struct hpm_survey *survey);

#endif
