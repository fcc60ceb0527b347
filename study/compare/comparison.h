/* SPDX-License-Identifier: BSD-3-Clause
 * Do two sides differ in a metric, and how far? */
#ifndef HPM_STUDY_COMPARE_COMPARISON_H
#define HPM_STUDY_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "study/compare/samples.h"

/* The highest probability that any of the tests together reports a difference
 * where there is none.  The promise is 5 %: with a level of exactly 5 %, half
 * of all people who count such errors over some hundred comparisons would find
 * more. */
#define HPM_COMPARISON_LEVEL 0.035

/* A count that repeats is exact if each side has at least so many runs.  If a
 * count has two equally likely values, 1 in 32 comparisons has by chance one
 * value on each side. */
enum { HPM_COMPARISON_EXACT = 3 };

/* Runs of all sides are mixed in random order in blocks of so many runs of each
 * side. */
enum { HPM_COMPARISON_BLOCK = 5 };

enum hpm_compare_finding {
    HPM_FINDING_NONE,      /* a side has no value */
    HPM_FINDING_TOO_FEW,   /* with so few runs no difference can be found */
    HPM_FINDING_SAME,      /* every run of both sides has the same count */
    HPM_FINDING_UNDECIDED, /* no difference was found */
    HPM_FINDING_EXACT,     /* all runs of a have one count, all of b another */
    HPM_FINDING_DIFFERS    /* the test found a difference */
};

/* One metric of one subject: side b compared with side 0, which is a. */
struct hpm_comparison {
    size_t subject, metric, side;
    size_t n_a, n_b;           /* runs with a value */
    double median_a, median_b; /* NAN for none */
    double noise;              /* median distance of the runs of a side from its
                                * median, relative to the median: the larger of
                                * both */
    double ratio;              /* of the medians, b / a; NAN where a is 0 */
    double low, high;          /* 95 % interval of the ratio; the ratio where
                                * exact */
    double p;                  /* of this test alone; NAN: no test */
    double adjusted;           /* adjusted for the number of all tests */
    double seen; /* relative to a: the smallest difference found with 90 %
                  * probability; INFINITY for none, NAN: no test */
    enum hpm_compare_finding finding;
};

struct hpm_comparisons {
    struct hpm_comparison *all; /* by subject, then metric, then side */
    size_t n, capacity;
    size_t n_tests; /* how many of them are tests */
    size_t n_looks; /* how often the same runs may be tested, at least 1: each
                     * look gets its share of the level */
};

/* Compare each side with the first one, in all subjects and metrics that both
 * have.  The same seed gives the same intervals.  False when there is no
 * memory. */
bool hpm_comparisons_make(struct hpm_comparisons *comparisons,
                          const struct hpm_samples *samples, size_t n_looks,
                          uint64_t seed, struct hpm_error *err);
void hpm_comparisons_clear(struct hpm_comparisons *comparisons);

/* The smallest p of all tests must be below this level. */
double hpm_comparisons_level(const struct hpm_comparisons *comparisons);

/* The first comparison of a subject; *ret_n comparisons of it follow each
 * other. */
const struct hpm_comparison *
hpm_comparisons_of(const struct hpm_comparisons *comparisons, size_t subject,
                   size_t *ret_n);

/* The comparison of a subject, metric and side; NULL where there is none. */
const struct hpm_comparison *
hpm_comparisons_find(const struct hpm_comparisons *comparisons, size_t subject,
                     size_t metric, size_t side);

static inline bool
hpm_finding_is_difference(enum hpm_compare_finding finding)
{
    return finding == HPM_FINDING_EXACT || finding == HPM_FINDING_DIFFERS;
}

#endif
