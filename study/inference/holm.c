/* SPDX-License-Identifier: BSD-3-Clause
 * Adjusting the probabilities of several tests. */
#include "study/inference/holm.h"

#include <math.h>

#include "study/statistics/quantile.h"

/* Equal probabilities all get the result of the first of them: later factors
 * are smaller, and a result is never smaller than the one before. */
void
hpm_holm_adjust(double *p, size_t n, double *room)
{
    size_t n_tests = 0;

    for (size_t i = 0; i < n; i++) {
        if (!isnan(p[i]))
            room[n_tests++] = p[i];
    }
    hpm_quantile_sort(room, n_tests);
    for (size_t i = 0; i < n; i++) {
        double raised = 0.0;

        for (size_t j = 0; j < n_tests && room[j] <= p[i]; j++)
            raised = fmax(raised, room[j] * (double)(n_tests - j));
        if (!isnan(p[i]))
            p[i] = fmin(raised, 1.0);
    }
}
