/* SPDX-License-Identifier: BSD-3-Clause
 * When enough runs are made. */
#include "study/compare/stopping.h"

#include <math.h>

#include "study/inference/permutation.h"

enum {
    BLOCK = HPM_COMPARISON_BLOCK,
    FIRST = 2 * BLOCK,
    EARLIEST_VAIN = 45,
    MOST_LEAST = 50
};

/* The smallest difference that would be found is itself only an estimate from
 * these runs.  Stopping as soon as it is small enough would stop too early by
 * chance: it must be smaller by this factor, so that in the end the probability
 * is 90 % (measured, see doc/design/hpm.md). */
static const double margin = 0.8;

size_t
hpm_stopping_next(size_t n_runs, size_t most)
{
    size_t next = FIRST;

    if (n_runs >= most)
        return 0;
    while (next <= n_runs)
        next += next / 2 / BLOCK * BLOCK;
    return next < most ? next : most;
}

size_t
hpm_stopping_n_looks(size_t most)
{
    size_t n_looks = 0;

    for (size_t n = 0; (n = hpm_stopping_next(n, most)) != 0;)
        n_looks++;
    return n_looks;
}

/* The error of a median is proportional to 1 / sqrt(number of runs). */
double
hpm_stopping_runs(const struct hpm_comparison *comparison, double until)
{
    double times = comparison->seen / (margin * until);

    if (isnan(times) || isinf(times))
        return INFINITY;
    return ceil((double)comparison->n_b * times * times);
}

enum hpm_stopping
hpm_stopping_judge(const struct hpm_comparison *comparison, double until,
                   size_t most)
{
    switch (comparison->finding) {
    case HPM_FINDING_NONE:
    case HPM_FINDING_SAME:
    case HPM_FINDING_EXACT:
    case HPM_FINDING_DIFFERS:
        return HPM_STOPPING_CLEAR;
    default:
        break;
    }
    if (comparison->seen <= margin * until)
        return HPM_STOPPING_CLEAR;
    if (comparison->n_b >= EARLIEST_VAIN &&
        hpm_stopping_runs(comparison, until) > 4.0 * (double)most)
        return HPM_STOPPING_VAIN;
    return HPM_STOPPING_GO_ON;
}

size_t
hpm_stopping_least(double level, size_t block)
{
    size_t n = 1;

    while (n < MOST_LEAST && hpm_permutation_clearest(n, block) > level)
        n++;
    return n;
}
