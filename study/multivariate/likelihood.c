/* SPDX-License-Identifier: BSD-3-Clause
 * The maximum likelihood fit of factors.
 *
 * The unknowns are t = log psi.  With w_k the eigenvectors and e_k the
 * eigenvalues of psi^-1/2 R psi^-1/2, sums over the small ones, k > m:
 *
 *   df/dt_i       = sum (1 - e_k) w_ik^2
 *   d2f/dt_i dt_j = (sum w_ik w_jk) (sum e_k w_ik w_jk)
 *                   + sum over k, and over the large ones l, of
 *                     (1 - e_k) (e_l + e_k) / (e_l - e_k) w_ik w_jk w_il w_jl
 *
 * which follows from d(psi^-1/2 R psi^-1/2)/dt_i = -1/2 of it in row and column
 * i.
 * */
#include "study/multivariate/likelihood.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/multivariate/cholesky.h"
#include "study/multivariate/jacobi.h"

enum { MOST_STEPS = 200, MOST_HALVINGS = 50 };

/* Parts of `room`. */
struct steps {
    double *scaled, *hessian; /* n * n */
    double *logs, *gradient, *step, *trial;
};

static struct steps
steps_of(const struct hpm_likelihood *likelihood)
{
    size_t n = likelihood->n;
    double *room = likelihood->room;

    return (struct steps){.scaled = room,
                          .hessian = room + n * n,
                          .logs = room + 2 * n * n,
                          .gradient = room + 2 * n * n + n,
                          .step = room + 2 * n * n + 2 * n,
                          .trial = room + 2 * n * n + 3 * n};
}

bool
hpm_likelihood_init(struct hpm_likelihood *likelihood,
                    const double *correlations, size_t n, size_t m)
{
    *likelihood = (struct hpm_likelihood){
        .correlations = correlations,
        .n = n,
        .m = m,
        .psi = hpm_memory_new(n + 1, sizeof(double)),
        .values = hpm_memory_new(n + 1, sizeof(double)),
        .vectors = hpm_memory_new(n * n + 1, sizeof(double)),
        .room = hpm_memory_new(2 * n * n + 4 * n + 1, sizeof(double))};
    if (likelihood->psi != NULL && likelihood->values != NULL &&
        likelihood->vectors != NULL && likelihood->room != NULL)
        return true;
    hpm_likelihood_clear(likelihood);
    return false;
}

void
hpm_likelihood_clear(struct hpm_likelihood *likelihood)
{
    hpm_memory_free(likelihood->psi);
    hpm_memory_free(likelihood->values);
    hpm_memory_free(likelihood->vectors);
    hpm_memory_free(likelihood->room);
    *likelihood = (struct hpm_likelihood){0};
}

/* ---- f and its derivatives ------------------------------------------ */

static void
evaluate(struct hpm_likelihood *likelihood, const double *logs)
{
    size_t n = likelihood->n;
    double *scaled = likelihood->room;

    for (size_t i = 0; i < n; i++)
        likelihood->psi[i] = exp(logs[i]);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            scaled[i * n + j] = likelihood->correlations[i * n + j] /
                                sqrt(likelihood->psi[i] * likelihood->psi[j]);
    }
    hpm_jacobi(scaled, n, likelihood->values, likelihood->vectors);
    likelihood->f = 0.0;
    for (size_t k = likelihood->m; k < n; k++) {
        double value = likelihood->values[k];

        likelihood->f += value > 0.0 ? value - log(value) - 1.0 : INFINITY;
    }
}

static void
find_gradient(const struct hpm_likelihood *likelihood, double *gradient)
{
    size_t n = likelihood->n;

    memset(gradient, 0, n * sizeof *gradient);
    for (size_t k = likelihood->m; k < n; k++) {
        const double *vector = likelihood->vectors + k * n;

        for (size_t i = 0; i < n; i++)
            gradient[i] +=
                (1.0 - likelihood->values[k]) * vector[i] * vector[i];
    }
}

static double
second(const struct hpm_likelihood *likelihood, size_t i, size_t j)
{
    const double *values = likelihood->values, *vectors = likelihood->vectors;
    size_t n = likelihood->n, m = likelihood->m;
    double plain = 0.0, weighted = 0.0, across = 0.0;

    for (size_t k = m; k < n; k++) {
        double product = vectors[k * n + i] * vectors[k * n + j];
        double sum = 0.0;

        plain += product;
        weighted += values[k] * product;
        for (size_t l = 0; l < m; l++)
            sum += (values[l] + values[k]) /
                   fmax(values[l] - values[k], 1e-12 * values[l]) *
                   vectors[l * n + i] * vectors[l * n + j];
        across += (1.0 - values[k]) * product * sum;
    }
    return plain * weighted + across;
}

/* ---- one step ------------------------------------------------------- */

/* An unknown at a bound stays there while f grows away from the bound. */
static size_t
find_free(const double *logs, const double *gradient, size_t n,
          size_t *free_ones)
{
    double least = log(HPM_LIKELIHOOD_LEAST);
    size_t n_free = 0;

    for (size_t i = 0; i < n; i++) {
        if (!(logs[i] <= least && gradient[i] > 0.0) &&
            !(logs[i] >= 0.0 && gradient[i] < 0.0))
            free_ones[n_free++] = i;
    }
    return n_free;
}

static void
fill_hessian(const struct hpm_likelihood *likelihood, const size_t *free_ones,
             size_t n_free, double *hessian)
{
    for (size_t a = 0; a < n_free; a++) {
        for (size_t b = 0; b <= a; b++)
            hessian[a * n_free + b] =
                second(likelihood, free_ones[a], free_ones[b]);
    }
}

/* Newton's step of the free unknowns; if it leads up, the direction of steepest
 * descent is mixed in more and more. */
static void
find_step(struct hpm_likelihood *likelihood, struct steps *steps,
          const size_t *free_ones, size_t n_free)
{
    double ridge = 0.0;
    bool is_solved = false;

    fill_hessian(likelihood, free_ones, n_free, steps->hessian);
    while (!is_solved && ridge < 1e6) {
        double *trial = steps->scaled; /* not used until the step */

        memcpy(trial, steps->hessian, n_free * n_free * sizeof *trial);
        for (size_t a = 0; a < n_free; a++) {
            trial[a * n_free + a] += ridge;
            steps->step[a] = -steps->gradient[free_ones[a]];
        }
        is_solved = hpm_cholesky_solve(trial, n_free, steps->step);
        ridge = ridge > 0.0 ? 10.0 * ridge : 1e-3;
    }
}

/* Go along the step as far as f decreases; false if it does not. */
static bool
go(struct hpm_likelihood *likelihood, struct steps *steps,
   const size_t *free_ones, size_t n_free)
{
    size_t n = likelihood->n;
    double before = likelihood->f, length = 1.0;

    for (int i = 0; i < MOST_HALVINGS; i++, length /= 2.0) {
        double slope = 0.0;

        memcpy(steps->trial, steps->logs, n * sizeof *steps->trial);
        for (size_t a = 0; a < n_free; a++) {
            size_t j = free_ones[a];
            double to = steps->logs[j] + length * steps->step[a];

            steps->trial[j] = fmin(fmax(to, log(HPM_LIKELIHOOD_LEAST)), 0.0);
            slope += steps->gradient[j] * (steps->trial[j] - steps->logs[j]);
        }
        evaluate(likelihood, steps->trial);
        if (likelihood->f <= before + 1e-4 * slope && slope < 0.0) {
            memcpy(steps->logs, steps->trial, n * sizeof *steps->logs);
            return before - likelihood->f > 1e-15 * before;
        }
    }
    evaluate(likelihood, steps->logs);
    return false;
}

void
hpm_likelihood_minimise(struct hpm_likelihood *likelihood)
{
    struct steps steps = steps_of(likelihood);
    size_t n = likelihood->n;
    size_t *free_ones = hpm_memory_new(n + 1, sizeof *free_ones);
    bool goes_on = free_ones != NULL;

    for (size_t i = 0; i < n; i++)
        steps.logs[i] =
            log(fmin(fmax(likelihood->psi[i], HPM_LIKELIHOOD_LEAST), 1.0));
    evaluate(likelihood, steps.logs);
    for (int i = 0; i < MOST_STEPS && goes_on; i++) {
        size_t n_free;

        find_gradient(likelihood, steps.gradient);
        n_free = find_free(steps.logs, steps.gradient, n, free_ones);
        goes_on = n_free > 0;
        if (goes_on) {
            find_step(likelihood, &steps, free_ones, n_free);
            goes_on = go(likelihood, &steps, free_ones, n_free);
        }
    }
    hpm_memory_free(free_ones);
}

void
hpm_likelihood_loadings(const struct hpm_likelihood *likelihood,
                        double *ret_loadings)
{
    size_t n = likelihood->n, m = likelihood->m;

    for (size_t k = 0; k < m; k++) {
        double root = sqrt(fmax(likelihood->values[k] - 1.0, 0.0));

        for (size_t j = 0; j < n; j++)
            ret_loadings[j * m + k] = sqrt(likelihood->psi[j]) * root *
                                      likelihood->vectors[k * n + j];
    }
}
