/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as one long table, and so as CSV and JSON. */
#ifndef HPM_STUDY_REPORT_RUNTABLE_H
#define HPM_STUDY_REPORT_RUNTABLE_H

#include "base/string.h"
#include "metric/derived.h"
#include "model/experiment.h"
#include "report/table.h"
#include "study/metric/ranking.h"

/* All there is, one row per record and value, in the columns
 * section,path,inst,file,linestart,lineend,scope,task,thread,metric,kind,unit,
 * value,exclusive,mean,sdev,state,share,error,runs,verdict,remarks,
 * reason,windows,interval,hint,explained.  Rows of scope
 * "run" hold what the whole run used.  Times (IncSec, ExcSec) in seconds,
 * counters in their own unit.  Metrics follow their record's counters, unless
 * `derived` is NULL; their verdict is that of the ranking's precision, of double
 * where that is NULL.  A metric that gives one of the hints of the ranking has its
 * rank and the seconds it explains. */
void hpm_runtable_fill(const struct hpm_experiment *experiment,
                       struct hpm_derived *derived,
                       const struct hpm_ranking *ranking,
                       struct hpm_table *table);

/* The same in each format.  Failure is the string's `failed`. */
void hpm_runtable_add_csv(struct hpm_string *string,
                          const struct hpm_experiment *experiment,
                          struct hpm_derived *derived,
                          const struct hpm_ranking *ranking);
void hpm_runtable_add_json(struct hpm_string *string,
                           const struct hpm_experiment *experiment,
                           struct hpm_derived *derived,
                           const struct hpm_ranking *ranking);

#endif
