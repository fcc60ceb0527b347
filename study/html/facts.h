/* SPDX-License-Identifier: BSD-3-Clause
 * What a page says of an experiment beside its tables, as JSON. */
#ifndef HPM_STUDY_HTML_FACTS_H
#define HPM_STUDY_HTML_FACTS_H

#include "base/string.h"
#include "study/html/experiment.h"

/* The experiment's object: head, notes, calibrations, quantities with their
 * limits, sections, call paths, what all of it together has, hints. */
void hpm_html_add_experiment(struct hpm_string *json,
                             const struct hpm_html_experiment *experiment);

/* What hpm report --format json has beside its data, packed: of many tasks
 * that is long, and few ask for it. */
void hpm_html_add_details(struct hpm_string *page, struct hpm_survey *survey);

/* A number of JSON; null for none. */
void hpm_html_add_real(struct hpm_string *json, double value);

#endif
