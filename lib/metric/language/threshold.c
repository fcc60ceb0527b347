/* SPDX-License-Identifier: BSD-3-Clause
 * From which value on a metric is bad or good. */
#include "metric/language/threshold.h"
#include "base/mark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
is_crossed(const struct hpm_limit *limit, double value)
{
    if (!limit->is_given)
        return false;
    return limit->is_above ? value > limit->value : value < limit->value;
}

enum hpm_verdict
hpm_limits_judge(const struct hpm_limits *limits, double value)
{
    if (isnan(value) || (!limits->bad.is_given && !limits->good.is_given))
        return HPM_VERDICT_NONE;
    if (is_crossed(&limits->bad, value))
        return HPM_VERDICT_BAD;
    return is_crossed(&limits->good, value) ? HPM_VERDICT_GOOD
                                            : HPM_VERDICT_NEUTRAL;
}

/* ---- doubt ----------------------------------------------------------- */

/* The slack keeps a rounding error from putting a value outside. */
static bool
is_outside(const struct hpm_judged *judged)
{
    double least = isnan(judged->least) ? 0 : fabs(judged->least);
    double most = isnan(judged->most) ? 0 : fabs(judged->most);
    double slack = 1e-9 * (least > most ? least : most);

    return judged->value < judged->least - slack ||
           judged->value > judged->most + slack;
}

static bool
is_near(const struct hpm_limit *limit, const struct hpm_judged *judged)
{
    return limit->is_given &&
           fabs(judged->value - limit->value) < judged->error;
}

/* Would another verdict be as likely, or, without limits, another value? */
static enum hpm_doubt
doubt_of_error(const struct hpm_judged *judged,
               const struct hpm_limits limits[2])
{
    bool has_limits = false;

    for (int i = 0; i < 2; i++) {
        has_limits |= limits[i].bad.is_given || limits[i].good.is_given;
        if (is_near(&limits[i].bad, judged) || is_near(&limits[i].good, judged))
            return HPM_DOUBT_COARSE;
    }
    return !has_limits && judged->error > fabs(judged->value) ? HPM_DOUBT_SMALL
                                                              : HPM_DOUBT_NONE;
}

enum hpm_doubt
hpm_judged_doubt(const struct hpm_judged *judged,
                 const struct hpm_limits limits[2])
{
    if (isnan(judged->value))
        return HPM_DOUBT_NONE;
    if (is_outside(judged))
        return judged->doubt > HPM_DOUBT_RANGE ? judged->doubt
                                               : HPM_DOUBT_RANGE;
    return judged->doubt != HPM_DOUBT_NONE ? judged->doubt
                                           : doubt_of_error(judged, limits);
}

enum hpm_verdict
hpm_judged_verdict(const struct hpm_judged *judged,
                   const struct hpm_limits limits[2],
                   enum hpm_precision precision)
{
    if (judged->is_partial ||
        hpm_judged_doubt(judged, limits) != HPM_DOUBT_NONE)
        return HPM_VERDICT_NONE;
    return hpm_limits_judge(&limits[precision], judged->value);
}

static const double least_share = 0.9, most_error = 0.1;

enum hpm_doubt
hpm_doubt_of_share(double share, double value, double error)
{
    if (share < least_share)
        return HPM_DOUBT_SHARE;
    return error > most_error * fabs(value) ? HPM_DOUBT_ERROR : HPM_DOUBT_NONE;
}

enum hpm_doubt
hpm_doubt_of_time(const char *unit, bool is_corrected, double overhead,
                  double missing, double value)
{
    bool is_time = unit != NULL && strcmp(unit, "ns") == 0;
    bool is_off = (!is_corrected && overhead > most_error * value) ||
                  missing > most_error * value;

    return is_time && is_off ? HPM_DOUBT_ERROR : HPM_DOUBT_NONE;
}

/* At each tick the kernel looks once what a processor does, and gives the whole
 * tick to the program or to the kernel.  A difference of three ticks may be
 * chance. */
static const double n_ticks = 3.0;

/* The tick of the slowest usual kernels, for files that do not say theirs. */
static const double usual_tick = 0.01;

double
hpm_count_resolution(const char *name, const char *facts)
{
    static const char word[] = "TICK_NS=";
    const char *tick = facts != NULL ? strstr(facts, word) : NULL;
    double seconds = usual_tick;

    if (strcmp(name, "ru::utime") != 0 && strcmp(name, "ru::stime") != 0)
        return 0.0;
    if (tick != NULL)
        seconds = 1e-9 * (double)strtol(tick + strlen(word), NULL, 10);
    return n_ticks * (seconds > 0.0 ? seconds : usual_tick);
}

static const char wrong_word[] = " WRONG:";

bool
hpm_some_count_is_wrong(const char *facts)
{
    return facts != NULL && strstr(facts, wrong_word) != NULL;
}

bool
hpm_count_is_wrong(const char *name, const char *facts)
{
    size_t length = strlen(name);

    while (facts != NULL && (facts = strstr(facts, wrong_word)) != NULL) {
        facts += sizeof wrong_word - 1;
        if (strncmp(facts, name, length) == 0 &&
            (facts[length] == ' ' || facts[length] == '\0'))
            return true;
    }
    return false;
}

const char *
hpm_doubt_text(enum hpm_doubt doubt)
{
    static const char *const texts[] = {
        [HPM_DOUBT_NONE] = "",
        [HPM_DOUBT_FEW] = N_("its divisor is too small or too uncertain"),
        [HPM_DOUBT_SMALL] = N_("its inputs may be off by more than it is"),
        [HPM_DOUBT_COARSE] =
            N_("too near a limit for how exact its inputs are"),
        [HPM_DOUBT_ERROR] = N_("an input may be off by more than a tenth"),
        [HPM_DOUBT_SHARE] =
            /* xgettext:no-c-format */ N_(
                "an input was counted less than 90 % of the time"),
        [HPM_DOUBT_SHORT] = N_("takes hardly longer than its own measuring"),
        [HPM_DOUBT_SLOWEST] =
            N_("another thread was the slowest in each run, or may have been"),
        [HPM_DOUBT_MEANS] =
            N_("combines means over different runs, which differ"),
        [HPM_DOUBT_RUNS] = N_("no run counted all of its inputs"),
        [HPM_DOUBT_RANGE] = N_("outside the range of its definition"),
        [HPM_DOUBT_WRONG] = (N_(
            "an event counts wrongly on this machine, as hpm doctor --verify "
            "found")),
    };

    return texts[doubt];
}

/* ---- rows ------------------------------------------------------------ */

void
hpm_rows_add(struct hpm_rows *rows, enum hpm_verdict verdict,
             enum hpm_doubt doubt)
{
    rows->n_judged += verdict != HPM_VERDICT_NONE;
    rows->n_bad += verdict == HPM_VERDICT_BAD;
    rows->n_good += verdict == HPM_VERDICT_GOOD;
    if (doubt > rows->doubt)
        rows->doubt = doubt;
}

enum hpm_verdict
hpm_rows_verdict(const struct hpm_rows *rows)
{
    if (rows->n_judged == 0)
        return HPM_VERDICT_NONE;
    if (rows->n_bad > 0)
        return HPM_VERDICT_BAD;
    return rows->n_good == rows->n_judged ? HPM_VERDICT_GOOD
                                          : HPM_VERDICT_NEUTRAL;
}

/* ---- the worst row --------------------------------------------------- */

bool
hpm_limits_are_given(const struct hpm_limits *limits)
{
    return limits->bad.is_given || limits->good.is_given;
}

/* A continuous measure of how far a value is beyond its limit: it grows with
 * the value if the limit is above, and falls if the limit is below.  It is
 * defined for all numbers, also where a quotient is not. */
static double
beyond(const struct hpm_limit *limit, double value)
{
    if (!limit->is_above)
        return 1.0 - value / limit->value;
    return value > limit->value ? 1.0 - limit->value / value
                                : value / limit->value - 1.0;
}

double
hpm_limits_excess(const struct hpm_limits *limits, double value)
{
    return limits->bad.is_given ? beyond(&limits->bad, value)
                                : -beyond(&limits->good, value);
}

/* A verdict depends on more than the limit: order the verdicts first. */
static int
badness(enum hpm_verdict verdict)
{
    static const int order[] = {[HPM_VERDICT_NONE] = 0,
                                [HPM_VERDICT_GOOD] = 1,
                                [HPM_VERDICT_NEUTRAL] = 2,
                                [HPM_VERDICT_BAD] = 3};

    return order[verdict];
}

void
hpm_worst_add(struct hpm_worst *worst, enum hpm_verdict verdict, double excess,
              double value, uint32_t who)
{
    int order = badness(verdict) - badness(worst->verdict);

    worst->has_limits = true;
    if (order < 0 || (order == 0 && !(excess > worst->excess)))
        return;
    worst->verdict = verdict;
    worst->excess = excess;
    worst->value = value;
    worst->who = who;
}

/* ---- words ----------------------------------------------------------- */

double
hpm_limit_to_file(const struct hpm_limit *limit)
{
    return limit->is_above ? limit->value : -limit->value;
}

const char *
hpm_verdict_name(enum hpm_verdict verdict)
{
    static const char *const names[] = {"", "bad", "neutral", "good"};

    return names[verdict];
}
