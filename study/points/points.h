/* SPDX-License-Identifier: BSD-3-Clause
 * Points: what each thread of each task measured in a section, in columns, as
 * Ahn and Vetter's performance metric space has it.  Section, task and thread
 * are what a point is called, not dimensions; counters, times or metrics are.
 *
 *     points
 *       all[]        section, task, thread
 *       columns[]    a counter, a time or a metric
 *         values[]     one per point, NAN where it has none
 *
 * A point may as well be a single call of a thread (HPM_CALLS): then the survey is
 * one of a study of calls (study/columns/callstudy.h).
 *
 * A value is there only where it is one that formulas may use: one that is n/a,
 * partial, or of a section too short to be measured, is missing, and each
 * column says how many of each it lacks.  Nothing is ever 0 for want of a
 * value. */
#ifndef HPM_STUDY_POINTS_POINTS_H
#define HPM_STUDY_POINTS_POINTS_H

#include "base/error.h"
#include "study/columns/callstudy.h"
#include "study/survey/survey.h"

/* What columns there are to be. */
enum hpm_points_content {
    HPM_POINTS_METRICS, /* derived: metrics */
    HPM_POINTS_RAW,     /* what was counted */
};

struct hpm_points_options {
    const char *sections; /* globs of labels; NULL: all sections */
    bool is_of_one;       /* only of this subject, whatever it is called */
    size_t subject;
    const char *columns; /* globs of names; NULL: all that `content` says */
    enum hpm_points_content content;
    bool is_exclusive; /* what is the section's own, without those inside it */
    const struct hpm_callstudy
        *calls; /* whose the survey is; NULL: of threads */
};

struct hpm_point {
    size_t subject; /* of the survey */
    int task;       /* its number */
    int thread;     /* -1: the whole process */
    uint32_t place; /* of the study */
    int call;       /* its number in the thread; 0: it is no call */
    double begin;   /* of the call, seconds after the begin of the run */
};

/* Why a point has no value in a column. */
enum hpm_points_lack {
    HPM_POINTS_ABSENT,  /* n/a */
    HPM_POINTS_PARTIAL, /* a part of a sum is missing */
    HPM_POINTS_SHORT,   /* the section is too short for it */
    HPM_POINTS_N_LACKS
};

struct hpm_points_column {
    const char *name, *unit; /* the survey's */
    size_t quantity;         /* of the survey */
    bool is_exact;           /* all values are whole numbers */
    double *values;
    size_t n_lacking[HPM_POINTS_N_LACKS];
    size_t n_estimates; /* values of which a part was counted; of calls only */
};

struct hpm_points {
    struct hpm_survey *survey;         /* both must outlive the points */
    const struct hpm_callstudy *calls; /* NULL: points are threads */
    struct hpm_point *all;
    size_t n;
    struct hpm_points_column *columns;
    size_t n_columns;
    bool is_raw; /* raw columns stand in for metrics, which there are none of */
    size_t n_folded; /* records that threads beyond HPM_MAX_THREADS share: they
                      * are no points */
};

/* Take the points of a survey by sections, of no difference.  False, and
 * nothing to clear, when no section or column fits, or there is no memory.
 * Subjects stand in the survey's order, of each its points by task and thread.
 */
bool hpm_points_init(struct hpm_points *points, struct hpm_survey *survey,
                     const struct hpm_points_options *options,
                     struct hpm_error *err);
/* Of the sections with these labels (NULL: of all) the one with the most time
 * of its own, of those of several threads, if any is, else of those of several
 * processes; HPM_NO_SUBJECT where there is none.  *ret_n is how many there are. */
size_t hpm_points_longest(const struct hpm_survey *survey, const char *sections,
                          size_t *ret_n);

/* The same of a study of calls: the section in whose calls there is the most
 * time. */
size_t hpm_points_longest_calls(const struct hpm_survey *survey,
                                const struct hpm_callstudy *calls,
                                const char *sections, size_t *ret_n);

void hpm_points_clear(struct hpm_points *points);

#endif
