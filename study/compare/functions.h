/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of sampled runs, as subjects of a comparison: the value of a
 * function is how much of an event its samples stand for. */
#ifndef HPM_STUDY_COMPARE_FUNCTIONS_H
#define HPM_STUDY_COMPARE_FUNCTIONS_H

#include "base/error.h"
#include "base/names.h"
#include "study/columns/study.h"
#include "study/compare/samples.h"

struct hpm_functions {
    struct hpm_names names;
    struct hpm_functions_run {
        uint32_t event; /* number of a name */
        size_t side, run;
        bool is_clock;
    } * runs; /* in which events were sampled */
    size_t n_runs, runs_capacity;
    struct hpm_functions_value {
        uint32_t function, event;
        size_t side, run;
        uint64_t n; /* samples */
        double amount;
    } * values;
    size_t n_values, values_capacity;
    size_t n_lossy; /* runs left out: they lost more than 1 % of their
                     * samples */
};

/* Start from {0}. */
void hpm_functions_clear(struct hpm_functions *functions);

/* Take the functions of a run; false when there is no memory. */
bool hpm_functions_take(struct hpm_functions *functions,
                        const struct hpm_study *study, size_t side, size_t run,
                        struct hpm_error *err);

/* Add to `samples` the functions that have enough samples in all runs together,
 * with the metric "SAMPLED event", if it is wanted (hpm_intake_is_wanted).  In
 * a run that sampled the event but not the function, the function has 0. */
void hpm_functions_add(struct hpm_functions *functions,
                       struct hpm_samples *samples, const char *metrics);

#endif
