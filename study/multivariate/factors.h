/* SPDX-License-Identifier: BSD-3-Clause
 * Factor analysis: a few factors that nobody measured, of which each column is
 * a sum (its loadings), but for what is its own (its uniqueness). */
#ifndef HPM_STUDY_MULTIVARIATE_FACTORS_H
#define HPM_STUDY_MULTIVARIATE_FACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hpm_factor_method {
    HPM_FACTORS_LIKELIHOOD,
    HPM_FACTORS_PRINCIPAL_AXIS, /* where the correlations are singular */
};

struct hpm_factors {
    size_t n, m; /* columns, factors */
    enum hpm_factor_method method;
    double *loadings;     /* loadings[j * m + k], turned by varimax */
    double *uniquenesses; /* per column: the part that no factor explains */
    bool *is_bound;     /* it is at its least, so the fit wanted less than there
                           * can be (a Heywood case): do not trust it */
    bool *is_dependent; /* the columns before tell it altogether */
    size_t n_dependent;
    double f;                /* of the likelihood; NAN otherwise */
    size_t n_starts, n_same; /* of the fit, and how many of them led here */
};

/* The most factors that so many columns allow: the fit has something left to be
 * wrong about. */
size_t hpm_factors_most(size_t n);

/* Degrees of freedom of a fit; 0 or more. */
size_t hpm_factors_freedom(size_t n, size_t m);

/* Of the correlations of n >= 3 columns, 1 <= m <= hpm_factors_most(n).  False,
 * and nothing to clear, when there is no memory. */
bool hpm_factors_init(struct hpm_factors *factors, const double *correlations,
                      size_t n, size_t m, uint64_t seed);
void hpm_factors_clear(struct hpm_factors *factors);

#endif
