/* SPDX-License-Identifier: BSD-3-Clause
 * Follow the heat in a triangular plate with OpenMP: rows of unequal length,
 * shared out in equal numbers, show as waiting time. */
#include <stdio.h>
#include <stdlib.h>

#include <libhpm.h>

enum { DEFAULT_SIZE = 1000, MAX_SIZE = 10000, SWEEPS = 200 };

/* Numbers of the sections. */
enum { PLATE, SWEEP, WAIT };

/* The points (i, j) with 0 <= j <= i < n, row i at `i * n`. */
struct plate {
    double *now, *next;
    int n;
};

/* A sweep puts the mean of its four neighbours in place of every inner point:
 * i^2 + j^2 + t becomes i^2 + j^2 + t + 1.  With these values on the rim too
 * the result is known, and in whole numbers. */
static double
exact(int i, int j, int t)
{
    return (double)i * i + (double)j * j + t;
}

static void
update_row(double *next, const double *now, int n, int i, int t)
{
    const double *here = now + (size_t)i * n;
    double *row = next + (size_t)i * n;

    row[0] = exact(i, 0, t);
    row[i] = exact(i, i, t);
    if (i == n - 1) {
        for (int j = 1; j < i; j++)
            row[j] = exact(i, j, t);
        return;
    }
    for (int j = 1; j < i; j++)
        row[j] = 0.25 * (here[j - n] + here[j + n] + here[j - 1] + here[j + 1]);
}

/* Row i has i + 1 points, but every thread gets as many rows: the last one
 * works longest.  The wait has a section of its own, else it would count as
 * work. */
static void
run_sweeps(const struct plate *plate)
{
    double *now = plate->now, *next = plate->next;
    int n = plate->n;

    for (int t = 1; t <= SWEEPS; t++) {
        double *done = next;

        hpmTstart(SWEEP, "sweep");
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            update_row(next, now, n, i, t);
        hpmTstop(SWEEP);

        hpmTstart(WAIT, "wait");
#pragma omp barrier
        hpmTstop(WAIT);
        next = now;
        now = done;
    }
}

static void
set_plate(const struct plate *plate)
{
    for (int i = 0; i < plate->n; i++) {
        for (int j = 0; j <= i; j++)
            plate->now[(size_t)i * plate->n + j] = exact(i, j, 0);
    }
}

/* After an even number of sweeps the result is where the start was. */
static int
is_right(const struct plate *plate)
{
    for (int i = 0; i < plate->n; i++) {
        for (int j = 0; j <= i; j++) {
            if (plate->now[(size_t)i * plate->n + j] != exact(i, j, SWEEPS))
                return 0;
        }
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
    if (argc == 2 && end != argv[1] && *end == '\0' && n >= 3 && n <= MAX_SIZE)
        return (int)n;
    fprintf(stderr, "openmp: unexpected '%s'; expected one size, 3 to %d\n",
            argv[argc > 2 ? 2 : 1], MAX_SIZE);
    exit(2);
}

int
main(int argc, char **argv)
{
    int n = read_size(argc, argv);
    size_t area = (size_t)n * (size_t)n;
    double *room = malloc(2 * area * sizeof *room);
    struct plate plate;

    if (room == NULL) {
        fprintf(stderr, "openmp: no memory for size %d\n", n);
        return 1;
    }
    plate = (struct plate){room, room + area, n};
    set_plate(&plate);
    hpmInit(-1, "openmp");
    hpmStart(PLATE, "plate");
#pragma omp parallel
    run_sweeps(&plate);
    hpmStop(PLATE);
    hpmTerminate(-1);
    if (!is_right(&plate)) {
        fprintf(stderr, "openmp: the result is wrong\n");
        return 1;
    }
    free(room);
    printf("openmp: %d sweeps over %d rows, result right\n", SWEEPS, n);
    return 0;
}
