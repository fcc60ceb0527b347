/* SPDX-License-Identifier: BSD-3-Clause
 * The facts about an experiment on a page, beside its tables, as JSON. */
#ifndef HPM_STUDY_HTML_FACTS_H
#define HPM_STUDY_HTML_FACTS_H

#include "base/string.h"
#include "study/html/experiment.h"

/* Append the experiment's object: head, notes, calibrations, quantities with
 * their limits, sections, call paths, values of the whole, hints. */
void hpm_html_add_experiment(struct hpm_string *json,
                             const struct hpm_html_experiment *experiment);

/* Append what hpm report --format json has beside its data, packed: it is long
 * for many tasks, and few readers need it. */
void hpm_html_add_details(struct hpm_string *page, struct hpm_survey *survey);

/* A JSON number; null for NAN and infinities. */
void hpm_html_add_real(struct hpm_string *json, double value);

#endif
