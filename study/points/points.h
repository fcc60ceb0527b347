/* SPDX-License-Identifier: BSD-3-Clause
 * Points: the measurements of each thread of each task in a section, in
 * columns, like Ahn and Vetter's performance metric space.  Section, task and
 * thread are the name of a point, not dimensions; counters, times or metrics
 * are dimensions.
 *
 *     points
 *       all[]        section, task, thread
 *       columns[]    a counter, a time or a metric
 *         values[]     one per point, NAN where it has none
 *
 * A point may also be a single call of a thread (HPM_CALLS): then the survey is
 * one of a study of calls (study/columns/callstudy.h).
 *
 * A value is present only if formulas may use it: a value that is n/a, partial,
 * or of a section too short to be measured, is missing, and each column tells
 * how many of each it lacks.  A missing value is never 0. */
#ifndef HPM_STUDY_POINTS_POINTS_H
#define HPM_STUDY_POINTS_POINTS_H

#include "base/error.h"
#include "study/columns/callstudy.h"
#include "study/survey/survey.h"

/* Kinds of columns. */
enum hpm_points_content {
    HPM_POINTS_METRICS, /* derived: metrics */
    HPM_POINTS_RAW,     /* counters */
};

struct hpm_points_options {
    const char *sections; /* globs of labels; NULL: all sections */
    bool is_of_one;       /* only the subject below, whatever its name */
    size_t subject;
    const char *columns; /* globs of names; NULL: all that `content` chooses */
    enum hpm_points_content content;
    bool is_exclusive; /* exclusive values: without the sections inside */
    const struct hpm_callstudy
        *calls; /* the study of calls that the survey is of; NULL: of threads */
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
    size_t n_estimates; /* estimates, counted only for a part of a call; only
                         * for calls */
};

struct hpm_points {
    struct hpm_survey *survey;         /* both must outlive the points */
    const struct hpm_callstudy *calls; /* NULL: points are threads */
    struct hpm_point *all;
    size_t n;
    struct hpm_points_column *columns;
    size_t n_columns;
    bool is_raw;     /* raw columns replace metrics, since there are none */
    size_t n_folded; /* records shared by threads beyond HPM_MAX_THREADS: they
                      * are no points */
};

/* Make the points of a survey by sections, not of a difference.  False, and
 * nothing to clear, when no section or column matches, or there is no memory.
 * Subjects are in the survey's order; the points of each are ordered by task
 * and thread. */
bool hpm_points_init(struct hpm_points *points, struct hpm_survey *survey,
                     const struct hpm_points_options *options,
                     struct hpm_error *err);
/* Of the sections with these labels (NULL: of all), the one with the most
 * exclusive time: of sections of several threads if there are any, else of
 * sections of several processes; HPM_NO_SUBJECT if there is none.  *ret_n is
 * the number of sections with these labels. */
size_t hpm_points_longest(const struct hpm_survey *survey, const char *sections,
                          size_t *ret_n);

/* The same for a study of calls: the section whose calls took the most time. */
size_t hpm_points_longest_calls(const struct hpm_survey *survey,
                                const struct hpm_callstudy *calls,
                                const char *sections, size_t *ret_n);

void hpm_points_clear(struct hpm_points *points);

#endif
