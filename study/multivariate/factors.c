/* SPDX-License-Identifier: BSD-3-Clause
 * Factor analysis. */
#include "study/multivariate/factors.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/inference/random.h"
#include "study/multivariate/cholesky.h"
#include "study/multivariate/jacobi.h"
#include "study/multivariate/likelihood.h"
#include "study/multivariate/varimax.h"

/* A column of which less than this part is left is dependent on others. */
#define DEPENDENT 1e-10

/* ---- number of factors ---------------------------------------------- */

size_t
hpm_factors_freedom(size_t n, size_t m)
{
    return ((n - m) * (n - m) - n - m) / 2;
}

size_t
hpm_factors_most(size_t n)
{
    size_t m = 0;

    while (m + 1 < n && (n - m - 1) * (n - m - 1) >= n + m + 1)
        m++;
    return m;
}

/* ---- maximum likelihood --------------------------------------------- */

enum { N_STARTS = 8 };

/* Starting values: for the first start as in R, then two corners, then
 * random. */
static void
choose_start(const struct hpm_factors *factors, const double *inverse,
             int start, struct hpm_random *random, double *psi)
{
    for (size_t j = 0; j < factors->n; j++) {
        double any = (double)(hpm_random_next(random) >> 11) * 0x1p-53;

        if (start == 0)
            psi[j] = (1.0 - 0.5 * (double)factors->m / (double)factors->n) /
                     inverse[j];
        else
            psi[j] = start == 1 ? 0.5 : start == 2 ? 0.1 : any;
    }
}

static void
take_fit(struct hpm_factors *factors, const struct hpm_likelihood *fit)
{
    factors->f = fit->f;
    hpm_likelihood_loadings(fit, factors->loadings);
    for (size_t j = 0; j < factors->n; j++) {
        factors->uniquenesses[j] = fit->psi[j];
        factors->is_bound[j] = fit->psi[j] <= HPM_LIKELIHOOD_LEAST * 1.000001;
    }
}

static bool
fit_likelihood(struct hpm_factors *factors, const double *correlations,
               const double *inverse, uint64_t seed)
{
    struct hpm_random random = {seed};
    struct hpm_likelihood fit;

    if (!hpm_likelihood_init(&fit, correlations, factors->n, factors->m))
        return false;
    factors->f = INFINITY;
    factors->n_starts = N_STARTS;
    for (int i = 0; i < N_STARTS; i++) {
        choose_start(factors, inverse, i, &random, fit.psi);
        hpm_likelihood_minimise(&fit);
        if (fit.f < factors->f - 1e-9)
            factors->n_same = 0;
        if (fit.f < factors->f + 1e-9)
            factors->n_same++;
        if (fit.f < factors->f)
            take_fit(factors, &fit);
    }
    hpm_likelihood_clear(&fit);
    return true;
}

/* ---- principal axis ------------------------------------------------- */

/* Compute the loadings for these communalities; returns the change of the
 * communalities. */
static double
step_axis(struct hpm_factors *factors, const double *correlations,
          double *communalities, double *reduced, double *values,
          double *vectors)
{
    const double most = 0.995;
    size_t n = factors->n, m = factors->m;
    double change = 0.0;

    memcpy(reduced, correlations, n * n * sizeof *reduced);
    for (size_t j = 0; j < n; j++)
        reduced[j * n + j] = communalities[j];
    hpm_jacobi(reduced, n, values, vectors);
    for (size_t j = 0; j < n; j++) {
        double sum = 0.0;

        for (size_t k = 0; k < m; k++) {
            double loading = sqrt(fmax(values[k], 0.0)) * vectors[k * n + j];

            factors->loadings[j * m + k] = loading;
            sum += loading * loading;
        }
        factors->is_bound[j] = sum >= most;
        sum = fmin(sum, most);
        change = fmax(change, fabs(sum - communalities[j]));
        communalities[j] = sum;
        factors->uniquenesses[j] = 1.0 - sum;
    }
    return change;
}

static bool
fit_axis(struct hpm_factors *factors, const double *correlations)
{
    enum { MOST_STEPS = 1000 };
    size_t n = factors->n;
    double *room = hpm_memory_new(2 * n * n + 2 * n + 1, sizeof *room);
    double *communalities;

    if (room == NULL)
        return false;
    communalities = room + 2 * n * n + n;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            if (i != j)
                communalities[j] =
                    fmax(communalities[j], fabs(correlations[j * n + i]));
        }
        communalities[j] = fmin(communalities[j], 0.995);
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        if (step_axis(factors, correlations, communalities, room,
                      room + 2 * n * n, room + n * n) < 1e-10)
            break;
    }
    hpm_memory_free(room);
    return true;
}

/* ---- both methods --------------------------------------------------- */

static bool
fit_any(struct hpm_factors *factors, const double *correlations, double *room,
        uint64_t seed)
{
    size_t n = factors->n;
    double *inverse = room + n * n + n;

    memcpy(room, correlations, n * n * sizeof *room);
    factors->n_dependent =
        hpm_cholesky_find_dependent(room, n, DEPENDENT, factors->is_dependent);
    if (factors->n_dependent == 0 &&
        hpm_cholesky_inverse_diagonal(correlations, n, inverse, room))
        return fit_likelihood(factors, correlations, inverse, seed);
    factors->method = HPM_FACTORS_PRINCIPAL_AXIS;
    return fit_axis(factors, correlations);
}

bool
hpm_factors_init(struct hpm_factors *factors, const double *correlations,
                 size_t n, size_t m, uint64_t seed)
{
    double *room = hpm_memory_new(n * n + 2 * n + 1, sizeof *room);
    bool is_good;

    *factors = (struct hpm_factors){
        .n = n,
        .m = m,
        .f = NAN,
        .loadings = hpm_memory_new(n * m + 1, sizeof(double)),
        .uniquenesses = hpm_memory_new(n + 1, sizeof(double)),
        .is_bound = hpm_memory_new(n + 1, sizeof(bool)),
        .is_dependent = hpm_memory_new(n + 1, sizeof(bool))};
    is_good = room != NULL && factors->loadings != NULL &&
              factors->uniquenesses != NULL && factors->is_bound != NULL &&
              factors->is_dependent != NULL &&
              fit_any(factors, correlations, room, seed) &&
              hpm_varimax(factors->loadings, n, m);
    if (!is_good)
        hpm_factors_clear(factors);
    hpm_memory_free(room);
    return is_good;
}

void
hpm_factors_clear(struct hpm_factors *factors)
{
    hpm_memory_free(factors->loadings);
    hpm_memory_free(factors->uniquenesses);
    hpm_memory_free(factors->is_bound);
    hpm_memory_free(factors->is_dependent);
    *factors = (struct hpm_factors){0};
}
