/* SPDX-License-Identifier: BSD-3-Clause
 * Measure how fast memory is with a vector triad, a = b + s * c, on vectors
 * larger than the caches. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libhpm.h>

enum { DEFAULT_SIZE = 4000000, MAX_SIZE = 100000000, REPETITIONS = 10 };

/* Numbers of the sections. */
enum { FILL, TRIAD };

static const double scale = 3.0;

struct vectors {
    double *a, *b, *c;
    int n;
};

/* a is written too, so that the pages of all three are there before the first
 * triad. */
static void
fill(const struct vectors *v)
{
    for (int i = 0; i < v->n; i++) {
        v->a[i] = 0.0;
        v->b[i] = i;
        v->c[i] = i % 1000;
    }
}

static void
triad(double *restrict a, const double *restrict b, const double *restrict c,
      int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + scale * c[i];
}

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The result of one repetition is the b of the next: none can be left out.
 * The result of the last is in b.  Returns the seconds spent in triads. */
static double
repeat(struct vectors *v, double *ret_best)
{
    double total = 0.0;

    *ret_best = 1e30;
    for (int r = 0; r < REPETITIONS; r++) {
        double *result = v->a;
        double seconds;

        hpmTstart(TRIAD, "triad");
        seconds = -now();
        triad(v->a, v->b, v->c, v->n);
        seconds += now();
        hpmTstop(TRIAD);
        v->a = v->b;
        v->b = result;
        total += seconds;
        if (seconds < *ret_best)
            *ret_best = seconds;
    }
    return total;
}

/* Whole numbers below 2^53 all the way: no rounding to allow for. */
static int
is_right(const struct vectors *v)
{
    for (int i = 0; i < v->n; i++) {
        if (v->b[i] != i + REPETITIONS * scale * (i % 1000))
            return 0;
    }
    return 1;
}

static int
read_size(int argc, char **argv)
{
    char *end;
    long n;

    if (argc < 2)
        return DEFAULT_SIZE;
    n = strtol(argv[1], &end, 10);
    if (argc == 2 && end != argv[1] && *end == '\0' && n >= 1 && n <= MAX_SIZE)
        return (int)n;
    fprintf(stderr, "triad: unexpected '%s'; expected one size, 1 to %d\n",
            argv[argc > 2 ? 2 : 1], MAX_SIZE);
    exit(2);
}

int
main(int argc, char **argv)
{
    int n = read_size(argc, argv);
    double *room = malloc(3 * (size_t)n * sizeof *room);
    double megabytes = 3e-6 * (double)sizeof *room * n;
    double total, best;
    struct vectors v;

    if (room == NULL) {
        fprintf(stderr, "triad: no memory for size %d\n", n);
        return 1;
    }
    v = (struct vectors){room, room + n, room + 2 * (size_t)n, n};
    hpmTstart(FILL, "fill");
    fill(&v);
    hpmTstop(FILL);
    total = repeat(&v, &best);
    if (!is_right(&v)) {
        fprintf(stderr, "triad: the result is wrong\n");
        return 1;
    }
    free(room);
    printf("triad: %.1f MB, mean %.2f GB/s, best %.2f GB/s\n", megabytes,
           1e-3 * megabytes * REPETITIONS / total, 1e-3 * megabytes / best);
    return 0;
}
