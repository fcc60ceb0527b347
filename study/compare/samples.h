/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the compared commands, run by run.
 *
 *     samples
 *       sides[]      A, B, C ...: a command, or the files of a program
 *       subjects[]   the whole program, or a section of it
 *       metrics[]    time, peak memory, counters
 *       values       of each subject, metric and side: one a run
 *
 * A missing value is NAN.
 */
#ifndef HPM_STUDY_COMPARE_SAMPLES_H
#define HPM_STUDY_COMPARE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

enum { HPM_SAMPLES_MOST_SIDES = 26 }; /* letters */

struct hpm_samples_side {
    char *name; /* the command as the user typed it, or the program */
    size_t n_runs;
};

/* The kind of a metric, on which formatting and tests depend. */
enum hpm_samples_kind {
    HPM_SAMPLES_TIME, /* seconds: differ in every run */
    HPM_SAMPLES_SIZE, /* bytes */
    HPM_SAMPLES_COUNT /* may repeat exactly */
};

struct hpm_samples_metric {
    char *name;
    enum hpm_samples_kind kind;
};

struct hpm_samples_subject {
    char *path; /* labels separated by slashes; "": the whole program */
    struct hpm_samples_cell *cells; /* its values, not sorted */
    size_t n_cells, cells_capacity;
};

/* The values of one subject and metric in one side. */
struct hpm_samples_series {
    double *values;
    size_t n, capacity; /* n: the last run with a value, plus 1 */
};

struct hpm_samples {
    struct hpm_samples_side *sides;
    size_t n_sides, sides_capacity;
    struct hpm_samples_subject *subjects;
    size_t n_subjects, subjects_capacity;
    struct hpm_samples_metric *metrics;
    size_t n_metrics, metrics_capacity;
    size_t block; /* so many runs of each side were made together in random
                   * order, then the next so many; 0: each side was measured
                   * separately */
    bool failed;  /* out of memory: values are missing */
};

/* Start from {0}. */
void hpm_samples_clear(struct hpm_samples *samples);

/* Each returns the index of the element, which is added if it is not there yet.
 * Without memory `failed` is set and the index is 0: check once, at the end. */
size_t hpm_samples_add_side(struct hpm_samples *samples, const char *name);
size_t hpm_samples_add_subject(struct hpm_samples *samples, const char *path);
size_t hpm_samples_add_metric(struct hpm_samples *samples, const char *name,
                              enum hpm_samples_kind kind);

/* Index of the metric of exactly this name; n_metrics where there is none. */
size_t hpm_samples_find_metric(const struct hpm_samples *samples,
                               const char *name);

/* Set a value; `run` counts from 0. */
void hpm_samples_set(struct hpm_samples *samples, size_t subject, size_t metric,
                     size_t side, size_t run, double value);

/* The values of a subject and metric on a side; NULL where there are none.
 * There may be fewer values than runs: runs from n on have none. */
const struct hpm_samples_series *
hpm_samples_get(const struct hpm_samples *samples, size_t subject,
                size_t metric, size_t side);

/* The value of one run; NAN where there is none. */
double hpm_samples_value(const struct hpm_samples_series *series, size_t run);

/* Are the two metrics' names the same?  Case does not matter, nor "-" or "_":
 * PAGE_FAULTS is page-faults. */
bool hpm_samples_same_metric(const char *a, const char *b);

/* Does the metric differ from run to run whatever the program does?  Such a
 * count is never exact, even if it repeats by accident. */
bool hpm_samples_is_scheduling(const char *metric);

/* Is this what samples stand for ("SAMPLED event")?  Such a value is random. */
bool hpm_samples_is_drawn(const char *metric);

#endif
