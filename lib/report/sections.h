/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as a report: what each section used. */
#ifndef HPM_REPORT_SECTIONS_H
#define HPM_REPORT_SECTIONS_H

#include "base/string.h"
#include "model/experiment.h"

/* Append the report as text.  If memory runs out, the string has `failed`. */
void hpm_sections_add_text(struct hpm_string *string,
                           const struct hpm_experiment *experiment);

/* Append the notes under a text report, each line after `prefix`: which
 * counters have no value and why, that hardware counters are missing, what went
 * wrong while measuring. */
void hpm_sections_add_notes(struct hpm_string *string,
                            const struct hpm_experiment *experiment,
                            const char *prefix);

/* Append only the notes on single counters, and on what went wrong. */
void hpm_sections_add_faults(struct hpm_string *string,
                             const struct hpm_experiment *experiment,
                             const char *prefix);

#endif
