/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of commands that are compared, run by run.
 *
 *     samples
 *       sides[]      A, B, C ...: a command, or the files of a program
 *       subjects[]   what has values: the whole program, or a section of it
 *       metrics[]    time, peak memory, counters
 *       values       of each subject, metric and side: one a run
 *
 * What a run does not have is NAN.
 */
#ifndef HPM_STUDY_COMPARE_SAMPLES_H
#define HPM_STUDY_COMPARE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

enum { HPM_SAMPLES_MOST_SIDES = 26 }; /* letters */

struct hpm_samples_side {
    char *name; /* the command as it was typed, or its program */
    size_t n_runs;
};

/* What a metric is, which says how it is shown and judged. */
enum hpm_samples_kind {
    HPM_SAMPLES_TIME, /* seconds: never the same twice */
    HPM_SAMPLES_SIZE, /* bytes */
    HPM_SAMPLES_COUNT /* may repeat exactly */
};

struct hpm_samples_metric {
    char *name;
    enum hpm_samples_kind kind;
};

struct hpm_samples_subject {
    char *path; /* labels with slashes between; "" is the whole program */
    struct hpm_samples_cell *cells; /* its values, in no order */
    size_t n_cells, cells_capacity;
};

/* The values of one subject and metric in one side. */
struct hpm_samples_series {
    double *values;
    size_t n, capacity; /* n is that of the last run that has one, plus 1 */
};

struct hpm_samples {
    struct hpm_samples_side *sides;
    size_t n_sides, sides_capacity;
    struct hpm_samples_subject *subjects;
    size_t n_subjects, subjects_capacity;
    struct hpm_samples_metric *metrics;
    size_t n_metrics, metrics_capacity;
    size_t block; /* so many runs of each side were made together, in an order
                     * by chance, then the next so many; 0: sides were
                     * measured apart */
    bool failed;  /* no memory: they are not whole */
};

/* Start from {0}. */
void hpm_samples_clear(struct hpm_samples *samples);

/* Each returns the place of what is there already or is added now; where there
 * is no memory `failed` is set, and the place is 0: check once, at the end. */
size_t hpm_samples_add_side(struct hpm_samples *samples, const char *name);
size_t hpm_samples_add_subject(struct hpm_samples *samples, const char *path);
size_t hpm_samples_add_metric(struct hpm_samples *samples, const char *name,
                              enum hpm_samples_kind kind);

/* The place of a metric of exactly this name; n_metrics for none. */
size_t hpm_samples_find_metric(const struct hpm_samples *samples,
                               const char *name);

/* Set a value; `run` counts from 0. */
void hpm_samples_set(struct hpm_samples *samples, size_t subject, size_t metric,
                     size_t side, size_t run, double value);

/* The values of a subject and metric in a side; NULL where it has none.  There
 * are at most the runs of the side; those behind n have none. */
const struct hpm_samples_series *
hpm_samples_get(const struct hpm_samples *samples, size_t subject,
                size_t metric, size_t side);

/* One of them; NAN where there is none. */
double hpm_samples_value(const struct hpm_samples_series *series, size_t run);

/* Are two names of metrics one?  Upper and lower case, "-" and "_" are alike:
 * PAGE_FAULTS is page-faults. */
bool hpm_samples_same_metric(const char *a, const char *b);

/* Values that differ from run to run whatever the program does: no count that
 * repeats by accident is taken for exact. */
bool hpm_samples_is_scheduling(const char *metric);

/* Is it what samples stand for ("SAMPLED event")?  That is a draw by chance. */
bool hpm_samples_is_drawn(const char *metric);

#endif
