/* SPDX-License-Identifier: BSD-3-Clause
 * Which hints to give: of the metrics that crossed their limits, those that
 * cost most time.  Values go in, hints come out; reports decide how to print
 * them. */
#ifndef HPM_STUDY_METRIC_RANKING_H
#define HPM_STUDY_METRIC_RANKING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "metric/evaluate.h"
#include "metric/metrics.h"

/* Nobody follows more hints. */
enum { HPM_MAX_HINTS = 5, HPM_MAX_EVIDENCE = 6 };

enum { HPM_NO_TASK = -1, HPM_NO_THREAD = -1 };

/* Another metric's value shown with a hint, with the marks that reports give
 * it. */
struct hpm_evidence {
    size_t metric;
    double value; /* as shown */
    bool is_doubtful;
    bool is_partial;
};

/* A metric that crossed its limit "bad", at the place where this is worst. */
struct hpm_hint {
    size_t metric;
    double value;      /* as shown: divided by the scale */
    double seconds;    /* seconds of the place that the metric is a part of */
    double distance;   /* from the limit, in (0, 1] */
    double explained;  /* its weight: the part of these seconds that it
                        * explains */
    size_t place;      /* in the caller's numbering */
    int task;          /* whose value it is; HPM_NO_TASK: not of one task */
    int thread;        /* HPM_NO_THREAD: not of one thread */
    size_t n_places;   /* places where this metric, or one with the same hint,
                        * crossed its limit */
    size_t last_place; /* the last of these places */
    struct hpm_evidence evidence[HPM_MAX_EVIDENCE];
    size_t n_evidence;
    bool is_next_measured; /* the next measurement that the hint recommends was
                            * made there */
};

/* One thread at a time. */
struct hpm_ranking {
    const struct hpm_metrics *metrics;
    enum hpm_precision precision;
    struct hpm_hint *worst; /* by metric with a hint of its own */
    size_t *time_of; /* by metric: the metric of the time that it is a part of;
                      * HPM_NO_METRIC: all wall clock time */
    size_t cpu_time, user_time; /* metrics of these names, or HPM_NO_METRIC */
    size_t cycles;              /* the same */
    double clock;      /* nominal, in cycles per second; NAN: not known */
    size_t *part_of;   /* by metric: the metric that is the part of that time,
                        * in percent, which the hint explains; HPM_NO_METRIC:
                        * the hint weighs by the distance from the limit */
    double *weights;   /* by metric, at the present place: weight of its hint; 0
                        * for none */
    double *stand_ins; /* by metric that crossed its limit there: the weight of
                        * the hint given in its place; NAN: not decided */
    size_t *crossed;   /* the metrics that crossed their limits there */
    size_t n_crossed;
    bool *is_silent;        /* by metric, there: its hint is not given */
    bool *has_lower;        /* ... a lower one crossed its limit */
    bool *is_spoken_for;    /* ... the hint of a lower one, or the hint that
                             * replaces it, is given */
    size_t *n_below;        /* ... number of lower ones not decided yet */
    size_t least_places;    /* hints of fewer places are not given: one of
                             * several runs alone is no evidence; 0: all hints
                             * are given */
    const size_t *bad_runs; /* by metric, where places are runs of one program:
                             * number of runs in which it is bad, with or
                             * without a hint; NULL where places are something
                             * else */
    size_t n_runs;          /* number of all runs */
    /* of the values that are added; HPM_NO_TASK and HPM_NO_THREAD at first */
    int task, thread;
};

/* The metric of the time that a metric is a part of; HPM_NO_METRIC: all wall
 * clock time. */
size_t hpm_ranking_find_time(const struct hpm_metrics *metrics,
                             const struct hpm_metric *metric);

/* The metric that is the part of that time, in percent, which the hint of a
 * metric explains; HPM_NO_METRIC where only the distance from the limit is
 * known. */
size_t hpm_ranking_find_part(const struct hpm_metrics *metrics,
                             const struct hpm_metric *metric);

/* Start without crossed limits.  The metrics must live longer than the ranking.
 * False when memory runs out. */
bool hpm_ranking_init(struct hpm_ranking *ranking,
                      const struct hpm_metrics *metrics,
                      enum hpm_precision precision, struct hpm_error *err);

void hpm_ranking_clear(struct hpm_ranking *ranking);

/* How far a value is beyond a limit that it crossed: 1 - limit / value where
 * more is bad, 1 - value / limit where less is bad; 0 at the limit, at most 1,
 * and the same for a quotient and its reciprocal. */
double hpm_limit_distance(const struct hpm_limit *limit, double value);

/* Add the values of all metrics at one place: a run, or a section (without the
 * sections inside it, where those are added, too).  `is_chosen`, by metric:
 * those that may give hints; NULL for all.
 *
 * The weight of a hint is the time that it explains: its metric is a part of a
 * time, and the hint explains the percentage of this time that "explains"
 * names, else the distance from the limit.  The time is what "timebase" names;
 * else the wall clock time, for a formula with time::wall; else CPU_TIME, where
 * the definitions have it and it was measured; for counts of the user program
 * alone USER_TIME, else the time of its CYCLES.
 *
 * A metric gives no hint
 * - if it explains, or without "explains" is a part of, less than a twentieth
 *   of the time;
 * - if a metric below it gives one, unless that one explains less than half as
 *   much;
 * - if a metric named after its "unless" weighs at least half as much: that
 *   metric tells more exactly what is wrong, and is most of it.
 * Of metrics that name each other, or that do so in a circle, the heaviest
 * gives its hint.  A hint also gives way to a metric whose own hint is replaced
 * by one that weighs half as much or more.  So a time that something explains
 * always has a hint. */
void hpm_ranking_add(struct hpm_ranking *ranking,
                     const struct hpm_metric_value *values,
                     const bool *is_chosen, double seconds, size_t place);

/* Add the crossings of another ranking of the same metrics, at other places: as
 * if there had been one ranking, with its own places first. */
void hpm_ranking_join(struct hpm_ranking *ranking,
                      const struct hpm_ranking *other);

/* Get the hints, the heaviest first; of equal ones the metric defined first.
 * Each hint comes once.  Returns their number. */
size_t hpm_ranking_get(const struct hpm_ranking *ranking,
                       struct hpm_hint ret_hints[HPM_MAX_HINTS]);

#endif
