/* SPDX-License-Identifier: BSD-3-Clause
 * Several runs of one program, and their report. */
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
    struct hpm_experiment **runs; /* all runs that ended, also failed ones */
    double **values; /* by run, by metric: without the scale; NAN: n/a; NULL
                      * with only one run */
    size_t n_runs;
    size_t runs_capacity, values_capacity;
    const struct hpm_metrics *metrics;
    struct series_metric {
        bool is_shown;        /* chosen, or worth showing in some run */
        enum hpm_state state; /* of the last run without a value */
        enum hpm_state worst; /* of the runs with a value */
    } * of_metrics;           /* by metric */
    size_t *bad_runs; /* by metric: number of good, long enough runs in which it
                       * is bad */
    struct hpm_ranking ranking; /* of the hints; places are runs, from 0 on */
    bool has_ranking;
    enum hpm_precision precision; /* the limits used for hints */
    const bool *is_chosen; /* by metric: chosen for the text; NULL: all that are
                            * shown */
    enum extent extent;    /* of the text */
    size_t n_wanted;       /* the user's number; fewer runs if interrupted */
    size_t n_warmups;      /* made before, and not included */
};

/* Add a run, which then belongs to the series; where several runs are wanted,
 * also the values of its metrics.  The definitions are borrowed, and the same
 * for all runs.  False when there is no memory; then the run is freed. */
bool series_add_run(struct series *series, struct hpm_experiment *run,
                    struct hpm_derived *derived);

void series_clear(struct series *series);

/* Did the run end with another exit status than 0? */
bool series_has_failed(const struct hpm_experiment *run);

/* Append, a line each, what a table of values has no place for: the problems of
 * each run, and which runs failed and are left out. */
void series_add_remarks(struct hpm_string *lines, const struct series *series);

/* Append the reports: for each value of the run, and each metric, its mean,
 * deviation, minimum and the 95 % interval of the mean over the good runs; the
 * outliers and the failed runs by number.  The only error is the string's
 * `failed`. */
void series_add_text(struct hpm_string *string, const struct series *series);
void series_add_csv(struct hpm_string *string, const struct series *series);
void series_add_json(struct hpm_string *string, const struct series *series);

#endif
