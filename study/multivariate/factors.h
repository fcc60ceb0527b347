/* SPDX-License-Identifier: BSD-3-Clause
 * Factor analysis: each column is a sum of a few factors, which were not
 * measured (with its loadings as weights), and of a part of its own (its
 * uniqueness). */
#ifndef HPM_STUDY_MULTIVARIATE_FACTORS_H
#define HPM_STUDY_MULTIVARIATE_FACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hpm_factor_method {
    HPM_FACTORS_LIKELIHOOD,
    HPM_FACTORS_PRINCIPAL_AXIS, /* used if the correlations are singular */
};

struct hpm_factors {
    size_t n, m; /* columns, factors */
    enum hpm_factor_method method;
    double *loadings;     /* loadings[j * m + k], turned by varimax */
    double *uniquenesses; /* per column: the part that no factor explains */
    bool *is_bound;     /* the uniqueness is at its lower bound: the fit wanted
                         * less than is possible (a Heywood case); do not trust
                         * it */
    bool *is_dependent; /* a linear combination of other columns */
    size_t n_dependent;
    double f;                /* the minimum of the likelihood's f; NAN for the
                              * other method */
    size_t n_starts, n_same; /* starts of the fit, and how many of them gave
                              * this result */
};

/* The largest number of factors for n columns: the fit must have at least 0
 * degrees of freedom. */
size_t hpm_factors_most(size_t n);

/* Degrees of freedom of a fit; 0 or more. */
size_t hpm_factors_freedom(size_t n, size_t m);

/* Needs the correlations of n >= 3 columns, and 1 <= m <= hpm_factors_most(n).
 * False, and nothing to clear, when there is no memory. */
bool hpm_factors_init(struct hpm_factors *factors, const double *correlations,
                      size_t n, size_t m, uint64_t seed);
void hpm_factors_clear(struct hpm_factors *factors);

#endif
