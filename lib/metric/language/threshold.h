/* SPDX-License-Identifier: BSD-3-Clause
 * From which value on a metric is bad or good. */
#ifndef HPM_METRIC_LANGUAGE_THRESHOLD_H
#define HPM_METRIC_LANGUAGE_THRESHOLD_H

#include <stdbool.h>
#include <stdint.h>

/* Limits are given for single and double precision arithmetic. */
enum hpm_precision { HPM_PRECISION_SINGLE, HPM_PRECISION_DOUBLE };

struct hpm_limit {
    bool is_given;
    bool is_above; /* values above it cross it, else values below */
    double value;  /* > 0, in the unit in which the metric is shown */
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

/* Why a value gets "?" instead of a verdict.  Of several reasons the last one
 * in this list is shown. */
enum hpm_doubt {
    HPM_DOUBT_NONE,
    HPM_DOUBT_FEW,     /* its divisor is off by a tenth, or is fewer than
                      * HPM_FEW_EVENTS events */
    HPM_DOUBT_SMALL,   /* without limits: its inputs are off by more than its
                      * value */
    HPM_DOUBT_COARSE,  /* a limit is nearer to it than its error */
    HPM_DOUBT_ERROR,   /* an input is off by more than a tenth */
    HPM_DOUBT_SHARE,   /* an input was counted for less than 0.9 of the time */
    HPM_DOUBT_SHORT,   /* a call takes hardly longer than measuring it */
    HPM_DOUBT_RANGE,   /* it is impossible: outside the definition's range */
    HPM_DOUBT_SLOWEST, /* a mean of runs: any of several threads may have been
                        * the slowest */
    HPM_DOUBT_MEANS,   /* it combines means over different sets of runs, which
                        * differ */
    HPM_DOUBT_RUNS,    /* no run counted all its inputs */
    HPM_DOUBT_WRONG    /* an event counts wrongly on this machine */
};

/* A value to be judged, in the unit of its limits. */
struct hpm_judged {
    double value;         /* NAN: there is none */
    double error;         /* the value may be off by this much, >= 0 */
    double least, most;   /* the metric's range; NAN if not given */
    enum hpm_doubt doubt; /* from its inputs */
    bool is_partial;
};

/* The verdicts on the rows of a section: on each thread or process alone. */
struct hpm_rows {
    uint32_t n_judged, n_bad, n_good;
    enum hpm_doubt doubt; /* the worst doubt of the rows that were not judged */
};

/* The worst row: of the bad ones the one farthest beyond its limit; if no row
 * is bad, the one nearest to its limit. */
struct hpm_worst {
    enum hpm_verdict verdict; /* NONE: no row was judged */
    double value;             /* as judged */
    double excess;            /* see hpm_limits_excess */
    uint32_t who;             /* the row's number; of several equal ones the
                               * first */
    bool has_limits;          /* some row has limits */
};

/* The verdict of the limits on a value.  A value equal to a limit has not
 * crossed it; without limits, or for NAN, there is no verdict. */
enum hpm_verdict hpm_limits_judge(const struct hpm_limits *limits,
                                  double value);

/* The limit as the performance file writes it (the paper's Figure 3): -1.0
 * stands for "below 1.0", +1.0 for "above 1.0". */
double hpm_limit_to_file(const struct hpm_limit *limit);

/* Like hpm_limits_judge, but no verdict if the value is partial or in doubt;
 * and that doubt, which depends on the limits of both precisions.  All code
 * that judges values calls these two. */
enum hpm_verdict hpm_judged_verdict(const struct hpm_judged *judged,
                                    const struct hpm_limits limits[2],
                                    enum hpm_precision precision);
enum hpm_doubt hpm_judged_doubt(const struct hpm_judged *judged,
                                const struct hpm_limits limits[2]);

/* The doubt of a count because of its share of the time (0 to 1) and its
 * standard error; each is NAN if there is none. */
enum hpm_doubt hpm_doubt_of_share(double share, double value, double error);

/* The doubt of a counted time.  If measuring added `overhead` seconds to the
 * section's own time (NAN: not known) and nothing was subtracted, so much of
 * the value may be the library's; or `missing` seconds may be missing. */
enum hpm_doubt hpm_doubt_of_time(const char *unit, bool is_corrected,
                                 double overhead, double missing, double value);

/* By how many seconds a count may be off because its clock is coarse: a few of
 * the kernel's ticks for the two times of getrusage ("TICK_NS=4000000" in the
 * machine's facts; `facts` may be NULL), 0 for all other counts. */
double hpm_count_resolution(const char *name, const char *facts);

/* Is this event wrong on the machine of these facts (NULL: not known), as hpm
 * doctor --verify has found there: "WRONG:NAME"? */
bool hpm_count_is_wrong(const char *name, const char *facts);

/* Is any event?  Facts are some hundred bytes; who asks of many counts of the same
 * facts asks this first. */
bool hpm_some_count_is_wrong(const char *facts);

/* The doubt in words, "outside the range of its definition"; "" for none. */
const char *hpm_doubt_text(enum hpm_doubt doubt);

/* Start from {0}, and add each row. */
void hpm_rows_add(struct hpm_rows *rows, enum hpm_verdict verdict,
                  enum hpm_doubt doubt);

/* How far a value is on the bad side of its limit "bad": positive beyond the
 * limit (at most 1 if more is bad), 0 at it, negative on the good side, the
 * more the farther away.  Without that limit, how far the value falls short of
 * "good".  One of the two limits must be given. */
double hpm_limits_excess(const struct hpm_limits *limits, double value);
bool hpm_limits_are_given(const struct hpm_limits *limits);

/* Start from {0}, and add each row that has limits. */
void hpm_worst_add(struct hpm_worst *worst, enum hpm_verdict verdict,
                   double excess, double value, uint32_t who);

/* The verdict on a section: bad if a row is bad, good if all are good. */
enum hpm_verdict hpm_rows_verdict(const struct hpm_rows *rows);

/* "bad", "neutral", "good", "" for none. */
const char *hpm_verdict_name(enum hpm_verdict verdict);

#endif
