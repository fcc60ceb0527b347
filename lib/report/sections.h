/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as a report: what each section used. */
#ifndef HPM_REPORT_SECTIONS_H
#define HPM_REPORT_SECTIONS_H

#include "base/string.h"
#include "metric/derived.h"
#include "model/experiment.h"
#include "report/table.h"

/* All there is, one row per record and value, in the columns
 * section,path,inst,file,linestart,lineend,scope,task,thread,metric,kind,unit,
 * value,exclusive,mean,sdev,state,share,error,runs,verdict,remarks,
 * reason.  Rows of scope
 * "run" hold what the whole run used.  Times (IncSec, ExcSec) in seconds,
 * counters in their own unit.  Metrics follow their record's counters, unless
 * `derived` is NULL; their verdict is that of double precision. */
void hpm_sections_fill_long_table(const struct hpm_experiment *experiment,
                                  struct hpm_derived *derived,
                                  struct hpm_table *table);

/* The report in each format.  Failure is the string's `failed`. */
void hpm_sections_add_text(struct hpm_string *string,
                           const struct hpm_experiment *experiment);
void hpm_sections_add_csv(struct hpm_string *string,
                          const struct hpm_experiment *experiment,
                          struct hpm_derived *derived);
void hpm_sections_add_json(struct hpm_string *string,
                           const struct hpm_experiment *experiment,
                           struct hpm_derived *derived);

/* The notes under a text report, each a line behind `prefix`: which counters
 * have no value and why, that hardware counters are missing, what went wrong
 * while measuring. */
void hpm_sections_add_notes(struct hpm_string *string,
                            const struct hpm_experiment *experiment,
                            const char *prefix);

#endif
