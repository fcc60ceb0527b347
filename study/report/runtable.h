/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as one long table, for CSV and JSON. */
#ifndef HPM_STUDY_REPORT_RUNTABLE_H
#define HPM_STUDY_REPORT_RUNTABLE_H

#include "base/string.h"
#include "metric/derived.h"
#include "model/experiment.h"
#include "report/table.h"
#include "study/metric/ranking.h"

/* Fill the table with all values, one row per record and value, in the columns
 * section,path,inst,file,linestart,lineend,scope,task,thread,metric,kind,unit,
 * value,exclusive,mean,sdev,state,share,error,runs,verdict,remarks,
 * reason,windows,interval,hint,explained.  Rows of scope "run" have the
 * resources of the whole run.  Times (IncSec, ExcSec) are in seconds, counters
 * in their own unit.  Metrics follow their record's counters, unless `derived`
 * is NULL; their verdict is that of the ranking's precision, or double
 * precision where `ranking` is NULL.  A metric that gives one of the ranking's
 * hints has the hint's rank and the seconds that it explains. */
void hpm_runtable_fill(const struct hpm_experiment *experiment,
                       struct hpm_derived *derived,
                       const struct hpm_ranking *ranking,
                       struct hpm_table *table);

/* The same in each format.  The only error is the string's `failed`. */
void hpm_runtable_add_csv(struct hpm_string *string,
                          const struct hpm_experiment *experiment,
                          struct hpm_derived *derived,
                          const struct hpm_ranking *ranking);
void hpm_runtable_add_json(struct hpm_string *string,
                           const struct hpm_experiment *experiment,
                           struct hpm_derived *derived,
                           const struct hpm_ranking *ranking);

#endif
