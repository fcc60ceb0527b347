/* SPDX-License-Identifier: BSD-3-Clause
 * The maximum likelihood fit of factors to correlations: the uniquenesses psi
 * for which f(psi), the sum over all but the m largest eigenvalues e of
 * psi^-1/2 R psi^-1/2 of e - log(e) - 1, is least (K. G. Joereskog,
 * Psychometrika 32, 1967), as R's factanal has it, each psi from 0.005 to 1. */
#ifndef HPM_STUDY_MULTIVARIATE_LIKELIHOOD_H
#define HPM_STUDY_MULTIVARIATE_LIKELIHOOD_H

#include <stdbool.h>
#include <stddef.h>

#define HPM_LIKELIHOOD_LEAST 0.005

struct hpm_likelihood {
    const double *correlations; /* n * n, not singular */
    size_t n, m;
    double f;                 /* of the last psi that was tried */
    double *psi;              /* n */
    double *values, *vectors; /* eigenvalues there, as hpm_jacobi has them */
    double *room;
};

/* False, and nothing to clear, when there is no memory. */
bool hpm_likelihood_init(struct hpm_likelihood *likelihood,
                         const double *correlations, size_t n, size_t m);
void hpm_likelihood_clear(struct hpm_likelihood *likelihood);

/* Go from likelihood->psi to the nearest minimum, by Newton's method within the
 * bounds. */
void hpm_likelihood_minimise(struct hpm_likelihood *likelihood);

/* The loadings at likelihood->psi: ret_loadings[j * m + k], of column j on
 * factor k, before any rotation. */
void hpm_likelihood_loadings(const struct hpm_likelihood *likelihood,
                             double *ret_loadings);

#endif
