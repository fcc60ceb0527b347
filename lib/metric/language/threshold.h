/* SPDX-License-Identifier: BSD-3-Clause
 * From which value on a metric is bad, or good. */
#ifndef HPM_METRIC_LANGUAGE_THRESHOLD_H
#define HPM_METRIC_LANGUAGE_THRESHOLD_H

#include <stdbool.h>
#include <stdint.h>

/* Limits are given for single and for double precision arithmetic. */
enum hpm_precision { HPM_PRECISION_SINGLE, HPM_PRECISION_DOUBLE };

struct hpm_limit {
    bool is_given;
    bool is_above; /* values above it are meant, else those below */
    double value;  /* > 0, in the unit the metric is shown in */
};

struct hpm_limits {
    struct hpm_limit bad;
    struct hpm_limit good;
};

enum hpm_verdict {
    HPM_VERDICT_NONE,
    HPM_VERDICT_BAD,
    HPM_VERDICT_NEUTRAL,
    HPM_VERDICT_GOOD
};

/* Why a value gets no verdict, and "?" instead; of several reasons the last of
 * these is told. */
enum hpm_doubt {
    HPM_DOUBT_NONE,
    HPM_DOUBT_FEW,   /* it is divided by what is off by a tenth, or by fewer
                      * than HPM_FEW_EVENTS events */
    HPM_DOUBT_SMALL, /* without limits: its inputs are off by more than it is */
    HPM_DOUBT_COARSE,  /* a limit is nearer than its inputs are exact */
    HPM_DOUBT_ERROR,   /* an input is off by more than a tenth */
    HPM_DOUBT_SHARE,   /* an input was counted for less than 0.9 of the time */
    HPM_DOUBT_SHORT,   /* a call takes less than a few times its measuring */
    HPM_DOUBT_RANGE,   /* it cannot be: outside the definition's range */
    HPM_DOUBT_SLOWEST, /* in the mean of runs: of several threads, each may
                        * have been the slowest */
    HPM_DOUBT_MEANS,   /* it combines means over different runs, which differ */
    HPM_DOUBT_RUNS,    /* its inputs were counted in different runs */
    HPM_DOUBT_WRONG    /* an event counts wrongly on this machine */
};

/* A value to be judged, in the unit its limits are in. */
struct hpm_judged {
    double value;         /* NAN for none */
    double error;         /* what it may be off by, >= 0 */
    double least, most;   /* its range; NAN where not given */
    enum hpm_doubt doubt; /* of its inputs */
    bool is_partial;
};

/* The verdicts on the rows of a section: each thread, or process, by itself. */
struct hpm_rows {
    uint32_t n_judged, n_bad, n_good;
    enum hpm_doubt doubt; /* the worst of those that were not judged */
};

/* The one of those rows that is worst: of the bad ones that farthest beyond its
 * limit, else the one that comes nearest to it. */
struct hpm_worst {
    enum hpm_verdict verdict; /* NONE: no row was judged */
    double value;             /* as it was judged */
    double excess;            /* see hpm_limits_excess */
    uint32_t who;             /* of several equal ones the first */
    bool has_limits;          /* some row has */
};

/* What limits say about a value.  One equal to a limit has not crossed it;
 * without limits, or for NAN, there is no verdict. */
enum hpm_verdict hpm_limits_judge(const struct hpm_limits *limits,
                                  double value);

/* The limit as the performance file writes it (the paper's Figure 3): -1.0
 * stands for "below 1.0", +1.0 for "above 1.0". */
double hpm_limit_to_file(const struct hpm_limit *limit);

/* The same, but none where the value is partial or there is a doubt; and that
 * doubt, which asks the limits of both precisions.  All that judges values
 * does it by these. */
enum hpm_verdict hpm_judged_verdict(const struct hpm_judged *judged,
                                    const struct hpm_limits limits[2],
                                    enum hpm_precision precision);
enum hpm_doubt hpm_judged_doubt(const struct hpm_judged *judged,
                                const struct hpm_limits limits[2]);

/* The doubt of a count by its share, 0 to 1, and its standard error; NAN where
 * it has none. */
enum hpm_doubt hpm_doubt_of_share(double share, double value, double error);

/* A counted time of which nothing was taken off, while measuring added so many
 * seconds to the section's own time: so much of it may be ours.  NAN where what
 * was added is not known.  Or one of which so many seconds may be missing. */
enum hpm_doubt hpm_doubt_of_time(const char *unit, bool is_corrected,
                                 double overhead, double missing, double value);

/* What a count may be off by for how coarsely it is counted, in seconds: a few
 * of the kernel's ticks for the two times of getrusage, "TICK_NS=4000000" in
 * the machine's facts, which may be NULL; 0 of all others. */
double hpm_count_resolution(const char *name, const char *facts);

/* Does this event count wrongly on the machine of these facts (NULL: not known),
 * by what hpm doctor --verify has found there: "WRONG:NAME"? */
bool hpm_count_is_wrong(const char *name, const char *facts);

/* "outside the range of its definition"; "" for none. */
const char *hpm_doubt_text(enum hpm_doubt doubt);

/* Start from {0}, and add each row. */
void hpm_rows_add(struct hpm_rows *rows, enum hpm_verdict verdict,
                  enum hpm_doubt doubt);

/* How far a value is on the bad side of its limit: positive beyond the limit
 * "bad", up to 1 where more is bad; 0 at it; the more negative the farther away
 * on the other side.  Without that limit, how far it falls short of "good".
 * There must be one of them. */
double hpm_limits_excess(const struct hpm_limits *limits, double value);
bool hpm_limits_are_given(const struct hpm_limits *limits);

/* Start from {0}, and add each row that has limits. */
void hpm_worst_add(struct hpm_worst *worst, enum hpm_verdict verdict,
                   double excess, double value, uint32_t who);

/* A section is as bad as its worst row: bad with one that is, good if all
 * are. */
enum hpm_verdict hpm_rows_verdict(const struct hpm_rows *rows);

/* "bad", "neutral", "good", "" for none. */
const char *hpm_verdict_name(enum hpm_verdict verdict);

#endif
