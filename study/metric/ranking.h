/* SPDX-License-Identifier: BSD-3-Clause
 * Which hints to give: of the metrics that crossed their limits those that
 * cost most.  Values come in, hints go out; how they look is for reports. */
#ifndef HPM_STUDY_METRIC_RANKING_H
#define HPM_STUDY_METRIC_RANKING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "metric/evaluate.h"
#include "metric/metrics.h"

/* More nobody follows. */
enum { HPM_MAX_HINTS = 5, HPM_MAX_EVIDENCE = 6 };

/* What a hint shows of another metric, with the marks that reports give it. */
struct hpm_evidence {
    size_t metric;
    double value; /* as shown */
    bool is_doubtful;
    bool is_partial;
};

/* A metric that crossed its limit "bad", where it did so worst. */
struct hpm_hint {
    size_t metric;
    double value;      /* as it is shown: divided by the scale */
    double seconds;    /* of the place, those that the metric is a part of */
    double distance;   /* from the limit, in (0, 1] */
    double explained;  /* its weight: of those seconds the ones it explains */
    size_t place;      /* as the caller numbers them */
    size_t n_places;   /* at which it, or one with the same hint, was crossed */
    size_t last_place; /* the last of them */
    struct hpm_evidence evidence[HPM_MAX_EVIDENCE];
    size_t n_evidence;
    bool is_next_measured; /* what it says to measure next has been, there */
};

/* One thread at a time. */
struct hpm_ranking {
    const struct hpm_metrics *metrics;
    enum hpm_precision precision;
    struct hpm_hint *worst; /* per metric that has a hint of its own */
    size_t *time_of; /* per metric: the one that is the time it is a part of;
                      * HPM_NO_METRIC for all the time that passed */
    size_t cpu_time, user_time; /* metrics of these names, or HPM_NO_METRIC */
    size_t cycles;              /* likewise */
    double clock;      /* nominal, in cycles a second; NAN: not known */
    size_t *part_of;   /* per metric: the one that is the part of that time, in
                      * percent, which the hint explains; HPM_NO_METRIC: it
                      * weighs by its distance from the limit */
    double *weights;   /* per metric, at the place being added: what its hint
                      * weighs; 0 for none */
    double *stand_ins; /* per metric that crossed its limit there: what the hint
                        * weighs that is given for it; NAN: not decided */
    size_t *crossed;   /* the metrics that did */
    size_t n_crossed;
    bool *is_silent;        /* per metric, there: its hint is not given */
    bool *has_lower;        /* ... one below it crossed its limit */
    bool *is_spoken_for;    /* ... the hint of one below it is given, or another
                          * for that */
    size_t *n_below;        /* ... of how many next below it that is not decided
                             * yet whether they are given */
    size_t least_places;    /* hints of fewer places are not given: what one of
                          * several runs has is no evidence; 0: all are */
    const size_t *bad_runs; /* per metric, where places are runs of one program:
                             * in how many it is bad, with a hint or not; NULL
                             * where places are something else */
    size_t n_runs;          /* of so many */
};

/* The metric that is the time a metric is a part of; HPM_NO_METRIC for all the
 * time that passed. */
size_t hpm_ranking_find_time(const struct hpm_metrics *metrics,
                             const struct hpm_metric *metric);

/* The metric that is the part of that time, in percent, which the hint of a
 * metric explains; HPM_NO_METRIC where only the distance from the limit is
 * known. */
size_t hpm_ranking_find_part(const struct hpm_metrics *metrics,
                             const struct hpm_metric *metric);

/* Nothing crossed yet.  The metrics must outlive it.  False when memory runs
 * out. */
bool hpm_ranking_init(struct hpm_ranking *ranking,
                      const struct hpm_metrics *metrics,
                      enum hpm_precision precision, struct hpm_error *err);

void hpm_ranking_clear(struct hpm_ranking *ranking);

/* How far a value is beyond a limit it has crossed: 1 - limit / value where
 * more is bad, 1 - value / limit where less is; 0 at the limit, at most 1, and
 * the same for a quotient and its reciprocal. */
double hpm_limit_distance(const struct hpm_limit *limit, double value);

/* The values of all metrics at one place: a run, or a section, without the
 * sections inside it where those are added, too.  `is_chosen`, per metric:
 * those that may give hints; NULL for all.
 *
 * A hint weighs the time that it explains: of the time its metric is a part of
 * the percentage that "explains" names, else the distance from the limit.
 * That time is what "timebase" names; else all that passed, for a formula with
 * time::wall; else CPU_TIME, where the definitions have it and it was measured; of
 * counts of the user program alone USER_TIME, else what its CYCLES take.
 * What explains, or without "explains" is a part of, less than a twentieth of
 * the time gives no hint.  Nor does a metric where another one below it does,
 * unless that explains less than half as much, or one it names after "unless" that
 * weighs at least half as much: that says more exactly what is wrong, and is most
 * of it.  Of those that name each other,
 * or one another in a circle, the heaviest gives its hint; and a hint gives way
 * to what is given, or to one for which another is given that weighs half as
 * much, too: a time that something explains is never without a hint. */
void hpm_ranking_add(struct hpm_ranking *ranking,
                     const struct hpm_metric_value *values,
                     const bool *is_chosen, double seconds, size_t place);

/* Add what another ranking of the same metrics has crossed, at places of its
 * own: as if both had been one, whose places come in their order. */
void hpm_ranking_join(struct hpm_ranking *ranking,
                      const struct hpm_ranking *other);

/* The hints to give, the one that weighs most first; of equal
 * ones that of the metric defined first.  Each hint comes once.  Returns how
 * many. */
size_t hpm_ranking_get(const struct hpm_ranking *ranking,
                       struct hpm_hint ret_hints[HPM_MAX_HINTS]);

#endif
