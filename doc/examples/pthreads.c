/* SPDX-License-Identifier: BSD-3-Clause
 * Compute pi with POSIX threads: a section in every thread, and one of the
 * whole process around them. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libhpm.h>

enum { DEFAULT_THREADS = 4, MAX_THREADS = 64, STEPS = 40000000 };

/* Numbers of the sections. */
enum { PARALLEL, INTEGRATE };

struct part {
    pthread_t thread;
    int first, end; /* steps of this thread */
    double integral;
};

/* Midpoint rule for 4 / (1 + x^2); from 0 to 1 that is pi. */
static double
integrate(int first, int end)
{
    const double h = 1.0 / STEPS;
    double sum = 0.0;

    for (int i = first; i < end; i++) {
        double x = h * (i + 0.5);

        sum += 4.0 / (1.0 + x * x);
    }
    return h * sum;
}

static void *
run_part(void *argument)
{
    struct part *part = argument;

    hpmTstart(INTEGRATE, "integrate");
    part->integral = integrate(part->first, part->end);
    hpmTstop(INTEGRATE);
    return NULL;
}

static void
start_part(struct part *part)
{
    int code = pthread_create(&part->thread, NULL, run_part, part);

    if (code != 0) {
        fprintf(stderr, "pthreads: cannot start a thread: %s\n",
                strerror(code));
        exit(1);
    }
}

static double
run_parallel(int n_threads)
{
    struct part parts[MAX_THREADS];
    double pi = 0.0;

    hpmStart(PARALLEL, "parallel");
    for (int i = 0; i < n_threads; i++) {
        parts[i].first = (int)((long long)STEPS * i / n_threads);
        parts[i].end = (int)((long long)STEPS * (i + 1) / n_threads);
        start_part(&parts[i]);
    }
    for (int i = 0; i < n_threads; i++) {
        pthread_join(parts[i].thread, NULL);
        pi += parts[i].integral;
    }
    hpmStop(PARALLEL);
    return pi;
}

static int
read_threads(int argc, char **argv)
{
    char *end;
    long n;

    if (argc < 2)
        return DEFAULT_THREADS;
    n = strtol(argv[1], &end, 10);
    if (argc == 2 && end != argv[1] && *end == '\0' && n >= 1 &&
        n <= MAX_THREADS)
        return (int)n;
    fprintf(stderr, "pthreads: unexpected '%s'; expected 1 to %d threads\n",
            argv[argc > 2 ? 2 : 1], MAX_THREADS);
    exit(2);
}

int
main(int argc, char **argv)
{
    int n_threads = read_threads(argc, argv);
    double pi = run_parallel(n_threads);
    double error = fabs(pi - 3.14159265358979323846);

    if (!(error < 1e-10)) {
        fprintf(stderr, "pthreads: pi is off by %g\n", error);
        return 1;
    }
    printf("pthreads: pi = %.10f with %d thread%s\n", pi, n_threads,
           n_threads == 1 ? "" : "s");
    return 0;
}
