/* SPDX-License-Identifier: BSD-3-Clause
 * Several runs of one program, and the report on them. */
#ifndef HPMCOUNT_SERIES_H
#define HPMCOUNT_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "hpmcount/look.h"
#include "metric/derived.h"
#include "model/experiment.h"
#include "study/report/hints.h"

struct series {
    struct hpm_experiment **runs; /* all that ended, failed ones too */
    double **values; /* of each, per metric; without the scale, NAN: n/a; NULL
                      * where one run is wanted */
    size_t n_runs;
    size_t runs_capacity, values_capacity;
    const struct hpm_metrics *metrics;
    struct series_metric {
        bool is_shown;        /* asked for, or worth it in some run */
        enum hpm_state state; /* of the last run without a value */
        enum hpm_state worst; /* of the runs with one */
    } * of_metrics;           /* per metric */
    size_t *bad_runs; /* per metric: in how many runs that did not fail, and are
                       * worth a verdict, it is bad */
    struct hpm_ranking ranking; /* of the hints; places are runs from 0 on */
    bool has_ranking;
    enum hpm_precision precision; /* whose limits hints are about */
    const bool *is_chosen; /* per metric: those the text is to have; NULL for
                               * all that are shown */
    enum extent extent;    /* of the text */
    size_t n_wanted;  /* fewer may have been made: the user interrupted them */
    size_t n_warmups; /* made before, and not among them */
};

/* Add a run, which then belongs to the series, and where more than one is wanted
 * the values of its metrics.  Their definitions are borrowed, and the same for all runs.  False when there
 * is no memory; then the run is freed. */
bool series_add_run(struct series *series, struct hpm_experiment *run,
                    struct hpm_derived *derived);

void series_clear(struct series *series);

/* Did the run end with another exit status than 0? */
bool series_has_failed(const struct hpm_experiment *run);

/* What a table of values has no place for: the problems of each run, and which
 * runs failed and are not in it; a line each. */
void series_add_remarks(struct hpm_string *lines, const struct series *series);

/* The reports: for each value of the run, and each metric, its mean, deviation,
 * minimum and the 95 % interval of the mean over the runs that did not fail,
 * the outliers and the failed runs by name.  Failure is the string's `failed`.
 */
void series_add_text(struct hpm_string *string, const struct series *series);
void series_add_csv(struct hpm_string *string, const struct series *series);
void series_add_json(struct hpm_string *string, const struct series *series);

#endif
