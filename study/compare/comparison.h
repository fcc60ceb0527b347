/* SPDX-License-Identifier: BSD-3-Clause
 * Do two sides differ in a metric, and how far? */
#ifndef HPM_STUDY_COMPARE_COMPARISON_H
#define HPM_STUDY_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "study/compare/samples.h"

/* Together at most so often a difference is said that is none.  5 % is promised;
 * at 5 % itself half of those who count it over some hundred comparisons would
 * find more. */
#define HPM_COMPARISON_LEVEL 0.035

/* As many runs of a side as make a count that repeats exact; of a count with two
 * values as likely, 1 in 32 comparisons has by chance one value on each side. */
enum { HPM_COMPARISON_EXACT = 3 };

/* Runs of all sides that are mixed in one order by chance: so many of each. */
enum { HPM_COMPARISON_BLOCK = 5 };

enum hpm_compare_finding {
    HPM_FINDING_NONE,      /* a side has no value */
    HPM_FINDING_TOO_FEW,   /* so few runs can show nothing */
    HPM_FINDING_SAME,      /* every run of both has this count */
    HPM_FINDING_UNDECIDED, /* no difference was found */
    HPM_FINDING_EXACT,     /* every run of a has one count, of b another */
    HPM_FINDING_DIFFERS    /* by the test */
};

/* One metric of one subject: side b beside side 0, which is a. */
struct hpm_comparison {
    size_t subject, metric, side;
    size_t n_a, n_b;           /* runs with a value */
    double median_a, median_b; /* NAN for none */
    double noise;              /* how far runs of a side are from its median, in
                                * the middle, as a part of it: the larger of both */
    double ratio;              /* of the medians, b / a; NAN where a is 0 */
    double low, high;          /* its 95 % interval; the ratio where exact */
    double p;                  /* of this test alone; NAN for no test */
    double adjusted;           /* of all tests together */
    double seen; /* a part of a: the smallest difference found with 90 %
                      * probability; INFINITY for none, NAN for no test */
    enum hpm_compare_finding finding;
};

struct hpm_comparisons {
    struct hpm_comparison *all; /* by subject, then metric, then side */
    size_t n, capacity;
    size_t n_tests; /* among them */
    size_t n_looks; /* how often the same runs may have been tested, 1 and more:
                     * the level is shared out among these */
};

/* Compare each side with the first, in all they have in common.  The same seed
 * gives the same intervals.  False when there is no memory. */
bool hpm_comparisons_make(struct hpm_comparisons *comparisons,
                          const struct hpm_samples *samples, size_t n_looks,
                          uint64_t seed, struct hpm_error *err);
void hpm_comparisons_clear(struct hpm_comparisons *comparisons);

/* What the p of one test must be below where it is the clearest of all. */
double hpm_comparisons_level(const struct hpm_comparisons *comparisons);

/* The first one of a subject, of which *ret_n stand together. */
const struct hpm_comparison *
hpm_comparisons_of(const struct hpm_comparisons *comparisons, size_t subject,
                   size_t *ret_n);

/* That of a subject, metric and side; NULL for none. */
const struct hpm_comparison *
hpm_comparisons_find(const struct hpm_comparisons *comparisons, size_t subject,
                     size_t metric, size_t side);

static inline bool
hpm_finding_is_difference(enum hpm_compare_finding finding)
{
    return finding == HPM_FINDING_EXACT || finding == HPM_FINDING_DIFFERS;
}

#endif
