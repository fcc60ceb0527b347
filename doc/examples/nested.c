/* SPDX-License-Identifier: BSD-3-Clause
 * Solve a one-dimensional Poisson problem, to see nested and recursive
 * sections and one section on several call paths. */
#include <math.h>
#include <stdio.h>

#include <libhpm.h>

/* -u'' = 2 on (0, 1), u(0) = u(1) = 0.  The solution u = x (1 - x) is a
 * quadratic, so the three-point formula has it as its solution too. */
enum { N = 2000, SWEEPS = 50, MAX_CYCLES = 1000, LEAF = 256 };

static const double h = 1.0 / N;

/* Numbers of the sections. */
enum { SOLVE, ASSEMBLE, SMOOTH, RESIDUAL, INTEGRATE, SUM };

/* Values at the N + 1 points of the grid. */
struct problem {
    double load[N + 1];
    double u[N + 1];
    double work[N + 1]; /* what integrate is given */
};

/* Pairwise, for accuracy.  The section is entered again inside itself: that
 * only counts a call, the time is that of the outermost one. */
static double
sum(const double *y, int n)
{
    double total = 0.0;

    hpmTstart(SUM, "sum");
    if (n > LEAF) {
        total = sum(y, n / 2) + sum(y + n / 2, n - n / 2);
    } else {
        for (int i = 0; i < n; i++)
            total += y[i];
    }
    hpmTstop(SUM);
    return total;
}

/* Trapezoidal rule from 0 to 1. */
static double
integrate(const double *y)
{
    double integral;

    hpmTstart(INTEGRATE, "integrate");
    integral = h * (sum(y, N + 1) - 0.5 * (y[0] + y[N]));
    hpmTstop(INTEGRATE);
    return integral;
}

/* Returns the squared norm of the load. */
static double
assemble(struct problem *p)
{
    double norm;

    hpmTstart(ASSEMBLE, "assemble");
    for (int i = 0; i <= N; i++) {
        p->load[i] = 2.0;
        p->work[i] = 4.0;
        p->u[i] = 0.0;
    }
    norm = integrate(p->work);
    hpmTstop(ASSEMBLE);
    return norm;
}

/* Gauss-Seidel sweeps, over-relaxed with (nearly) the best factor for this
 * problem, 2 / (1 + sin(pi h)). */
static void
smooth(struct problem *p)
{
    const double factor = 2.0 / (1.0 + 3.141592653589793 * h);
    double *u = p->u;

    hpmTstart(SMOOTH, "smooth");
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 1; i < N; i++) {
            double next = 0.5 * (u[i - 1] + u[i + 1] + h * h * p->load[i]);

            u[i] += factor * (next - u[i]);
        }
    }
    hpmTstop(SMOOTH);
}

/* Returns the squared norm of load + u''. */
static double
residual(struct problem *p)
{
    const double *u = p->u;
    double norm;

    hpmTstart(RESIDUAL, "residual");
    for (int i = 1; i < N; i++) {
        double r = p->load[i] + (u[i - 1] - 2.0 * u[i] + u[i + 1]) / (h * h);

        p->work[i] = r * r;
    }
    p->work[0] = p->work[N] = 0.0;
    norm = integrate(p->work);
    hpmTstop(RESIDUAL);
    return norm;
}

/* Returns the number of cycles, MAX_CYCLES for no convergence. */
static int
solve(struct problem *p)
{
    int cycle = 0;
    double goal;

    hpmTstart(SOLVE, "solve");
    goal = 1e-16 * assemble(p);
    do {
        smooth(p);
        cycle++;
    } while (residual(p) > goal && cycle < MAX_CYCLES);
    hpmTstop(SOLVE);
    return cycle;
}

/* The mean distance from x (1 - x). */
static double
find_error(struct problem *p)
{
    for (int i = 0; i <= N; i++)
        p->work[i] = fabs(p->u[i] - i * h * (1.0 - i * h));
    return integrate(p->work);
}

int
main(int argc, char **argv)
{
    struct problem p;
    double error;
    int cycles;

    if (argc > 1) {
        fprintf(stderr, "nested: unexpected '%s'; expected no arguments\n",
                argv[1]);
        return 2;
    }
    cycles = solve(&p);
    error = find_error(&p);
    if (cycles == MAX_CYCLES || !(error < 1e-7)) {
        fprintf(stderr, "nested: off by %g after %d cycles\n", error, cycles);
        return 1;
    }
    printf("nested: solved in %d cycles, mean error %.1e\n", cycles, error);
    return 0;
}
