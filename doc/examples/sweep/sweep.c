/* SPDX-License-Identifier: BSD-3-Clause
 * sweep: particle transport on a square by discrete ordinates, as the Sweep3D
 * benchmark does it in three dimensions.  For every direction particles fly in,
 * a cell needs what flows out of the cells before it, so a wave of work runs
 * over the square from one corner to the opposite one.
 *
 *     sweep [SIZE [ITERATIONS [flat]]]
 *
 * Scheme: diamond differences and source iteration (E. E. Lewis, W. F. Miller,
 * "Computational Methods of Neutron Transport", 1984), isotropic scattering.
 * MPI tasks (-DUSE_MPI) share the square in a grid of blocks; directions go
 * through it in groups, one behind the other (K. R. Koch, R. S. Baker,
 * R. E. Alcouffe, 1992).  The number of tasks does not change a bit of the
 * result: a cell is computed from the same numbers, and sums are made in order
 * by one task. */
#include <libhpm.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

enum { N_QUADRANTS = 4, N_DIRECTIONS = 16, N_GROUP = 4 };

/* Sections; those of the four quadrants follow on QUADRANT. */
enum { ALL = 1, SOURCE, RECEIVE, COMPUTE, SEND, REDUCE, QUADRANT };

static const double width = 10.0;    /* of the square, in mean free paths */
static const double total = 1.0;     /* cross section */
static const double scattered = 0.7; /* of which scatters */
static const double emitted = 1.0;   /* source per volume */

/* One direction of a quadrant; weights of all quadrants add up to 1. */
struct direction {
    double along_x, along_y, weight;
};

/* Who computes what: `first` to `end` in each dimension. */
struct block {
    int task, n_tasks;
    int grid[2], place[2];
    int first[2], end[2];
};

struct problem {
    int size, n_iterations;
    bool is_flat;
    struct block block;
    struct direction directions[N_DIRECTIONS];
    /* per cell of the whole square, 0 in other tasks' cells */
    double *flux, *source;
    /* through which particles leave: west, east, south, north */
    double *leaks[4];
    /* inflow of a column of cells from the side, of a row from before; one
     * number per direction of the group */
    double *from_side, *from_before;
};

/* ---- tasks ------------------------------------------------------------ */

static void
begin_tasks(struct block *block, int *argc, char ***argv)
{
    *block = (struct block){.n_tasks = 1, .grid = {1, 1}};
#ifdef USE_MPI
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &block->task);
    MPI_Comm_size(MPI_COMM_WORLD, &block->n_tasks);
    block->grid[0] = block->grid[1] = 0;
    MPI_Dims_create(block->n_tasks, 2, block->grid);
#else
    (void)argc;
    (void)argv;
#endif
    block->place[0] = block->task % block->grid[0];
    block->place[1] = block->task / block->grid[0];
}

static void
end_tasks(void)
{
#ifdef USE_MPI
    MPI_Finalize();
#endif
}

/* Task 0 gets all numbers; the others' are 0 where they are not their own, so
 * no sum is rounded. */
static void
collect(double *numbers, int n, const struct block *block)
{
#ifdef USE_MPI
    const void *out = block->task == 0 ? MPI_IN_PLACE : numbers;

    MPI_Reduce(out, numbers, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
#else
    (void)numbers;
    (void)n;
    (void)block;
#endif
}

/* The task `step` further on in a dimension, -1 beyond the edge. */
static int
neighbour(const struct block *block, int dimension, int step)
{
    int place[2] = {block->place[0], block->place[1]};

    place[dimension] += step;
    if (place[dimension] < 0 || place[dimension] >= block->grid[dimension])
        return -1;
    return place[1] * block->grid[0] + place[0];
}

static void
receive(double *numbers, int n, int task)
{
#ifdef USE_MPI
    if (task >= 0)
        MPI_Recv(numbers, n, MPI_DOUBLE, task, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#else
    (void)numbers;
    (void)n;
    (void)task;
#endif
}

static void
send(double *numbers, int n, int task)
{
#ifdef USE_MPI
    if (task >= 0)
        MPI_Send(numbers, n, MPI_DOUBLE, task, 0, MPI_COMM_WORLD);
#else
    (void)numbers;
    (void)n;
    (void)task;
#endif
}

/* ---- the problem ------------------------------------------------------- */

/* Gauss-Legendre in the height, four angles each. */
static void
choose_directions(struct direction *directions)
{
    static const double heights[4] = {0.1834346424956498, 0.5255324099163290,
                                      0.7966664774136267, 0.9602898564975363};
    static const double weights[4] = {0.3626837833783620, 0.3137066458778873,
                                      0.2223810344533745, 0.1012285362903763};
    const double quarter = 2.0 * atan(1.0);

    for (int i = 0; i < N_DIRECTIONS; i++) {
        double flat = sqrt(1.0 - heights[i / 4] * heights[i / 4]);
        double angle = quarter * (i % 4 + 0.5) / 4.0;

        directions[i] = (struct direction){flat * cos(angle), flat * sin(angle),
                                           weights[i / 4] / 16.0};
    }
}

static void *
room_for(size_t n)
{
    void *room = calloc(n, sizeof(double));

    if (room == NULL)
        abort();
    return room;
}

static void
set_up(struct problem *problem)
{
    struct block *block = &problem->block;
    size_t size = (size_t)problem->size;

    for (int k = 0; k < 2; k++) {
        block->first[k] = problem->size * block->place[k] / block->grid[k];
        block->end[k] = problem->size * (block->place[k] + 1) / block->grid[k];
    }
    choose_directions(problem->directions);
    problem->flux = room_for(size * size);
    problem->source = room_for(size * size);
    for (int side = 0; side < 4; side++)
        problem->leaks[side] = room_for(size);
    problem->from_side = room_for(size * N_GROUP);
    problem->from_before = room_for(size * N_GROUP);
}

static void
clear_up(struct problem *problem)
{
    free(problem->flux);
    free(problem->source);
    for (int side = 0; side < 4; side++)
        free(problem->leaks[side]);
    free(problem->from_side);
    free(problem->from_before);
}

/* ---- a sweep ----------------------------------------------------------- */

/* What flows in at an edge of the square: nothing, or as much as in a square
 * without end. */
static double
inflow_at_edge(const struct problem *problem)
{
    const struct block *block = &problem->block;

    if (!problem->is_flat)
        return 0.0;
    return problem->source[block->first[1] * problem->size + block->first[0]] /
           total;
}

/* The cells of this task, for the directions of a group that point to x and y
 * (1 or -1 each). */
static void
compute(struct problem *problem, const struct direction *group, const int to[2])
{
    const struct block *block = &problem->block;
    double two_by_h = 2.0 * problem->size / width;

    for (int b = 0; b < block->end[1] - block->first[1]; b++) {
        int j = to[1] > 0 ? block->first[1] + b : block->end[1] - 1 - b;
        double *side = problem->from_side + j * N_GROUP;

        for (int a = 0; a < block->end[0] - block->first[0]; a++) {
            int i = to[0] > 0 ? block->first[0] + a : block->end[0] - 1 - a;
            double *before = problem->from_before + i * N_GROUP;
            size_t cell = (size_t)j * (size_t)problem->size + (size_t)i;

            for (int k = 0; k < N_GROUP; k++) {
                double x = group[k].along_x * two_by_h;
                double y = group[k].along_y * two_by_h;
                double here =
                    (problem->source[cell] + x * side[k] + y * before[k]) /
                    (total + x + y);

                problem->flux[cell] += group[k].weight * here;
                side[k] = 2.0 * here - side[k];
                before[k] = 2.0 * here - before[k];
            }
        }
    }
}

static void
add_leaks(double *leaks, const double *outflow, int n,
          const struct direction *group, bool is_along_x)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < N_GROUP; k++)
            leaks[i] += group[k].weight * outflow[i * N_GROUP + k] *
                        (is_along_x ? group[k].along_x : group[k].along_y);
}

static void
sweep_group(struct problem *problem, const struct direction *group,
            const int to[2])
{
    const struct block *block = &problem->block;
    double *flows[2] = {problem->from_side + block->first[1] * N_GROUP,
                        problem->from_before + block->first[0] * N_GROUP};
    const int n_cells[2] = {block->end[1] - block->first[1],
                            block->end[0] - block->first[0]};

    hpmTstart(RECEIVE, "Receive");
    for (int k = 0; k < 2; k++) {
        int task = neighbour(block, k, -to[k]);

        for (int i = 0; task < 0 && i < n_cells[k] * N_GROUP; i++)
            flows[k][i] = inflow_at_edge(problem);
        receive(flows[k], n_cells[k] * N_GROUP, task);
    }
    hpmTstop(RECEIVE);

    hpmTstart(COMPUTE, "Compute");
    compute(problem, group, to);
    hpmWork(COMPUTE, (long long)n_cells[0] * n_cells[1] * N_GROUP, "cells");
    hpmTstop(COMPUTE);

    hpmTstart(SEND, "Send");
    for (int k = 0; k < 2; k++) {
        int task = neighbour(block, k, to[k]);
        double *leaks = problem->leaks[2 * k + (to[k] > 0)];

        if (task < 0)
            add_leaks(leaks + block->first[1 - k], flows[k], n_cells[k], group,
                      k == 0);
        send(flows[k], n_cells[k] * N_GROUP, task);
    }
    hpmTstop(SEND);
}

static void
sweep(struct problem *problem)
{
    static const int to[N_QUADRANTS][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    static const char *const names[N_QUADRANTS] = {
        "To the north-east", "To the north-west", "To the south-east",
        "To the south-west"};

    for (int quadrant = 0; quadrant < N_QUADRANTS; quadrant++) {
        hpmTstart(QUADRANT + quadrant, names[quadrant]);
        for (int i = 0; i < N_DIRECTIONS; i += N_GROUP)
            sweep_group(problem, problem->directions + i, to[quadrant]);
        hpmTstop(QUADRANT + quadrant);
    }
}

/* ---- iteration and result ------------------------------------------------ */

/* The source of this iteration is made of the flux of the last one. */
static void
scatter(struct problem *problem)
{
    const struct block *block = &problem->block;

    hpmTstart(SOURCE, "Source");
    for (int j = block->first[1]; j < block->end[1]; j++) {
        for (int i = block->first[0]; i < block->end[0]; i++) {
            size_t cell = (size_t)j * (size_t)problem->size + (size_t)i;

            problem->source[cell] = emitted + scattered * problem->flux[cell];
            problem->flux[cell] = 0.0;
        }
    }
    for (int side = 0; side < 4; side++)
        memset(problem->leaks[side], 0, (size_t)problem->size * sizeof(double));
    hpmTstop(SOURCE);
}

static double
sum_of(const double *numbers, int n)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

/* What is emitted and scattered must be absorbed, scattered again or leave; as
 * a part of the former. */
static double
imbalance(const struct problem *problem)
{
    int n = problem->size;
    double h = width / n;
    double in = sum_of(problem->source, n * n) * h * h;
    double out = total * sum_of(problem->flux, n * n) * h * h;

    for (int side = 0; side < 4; side++)
        out += sum_of(problem->leaks[side], n) * h;
    return fabs(in - out) / in;
}

/* With the same inflow as in a square without end, iteration k has everywhere
 * the flux of its limit, less a part of (scattered / total)^k. */
static double
distance_from_exact(const struct problem *problem)
{
    double limit = emitted / (total - scattered);
    double exact =
        limit * (1.0 - pow(scattered / total, problem->n_iterations));
    double distance = 0.0;

    for (int cell = 0; cell < problem->size * problem->size; cell++)
        distance = fmax(distance, fabs(problem->flux[cell] / exact - 1.0));
    return distance;
}

/* The square looks the same from all sides. */
static double
asymmetry(const struct problem *problem)
{
    int n = problem->size;
    double greatest = 0.0;

    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double here = problem->flux[j * n + i];
            double other = problem->flux[(n - 1 - j) * n + i];
            double turned = problem->flux[i * n + n - 1 - j];

            greatest = fmax(
                greatest, fmax(fabs(here - other), fabs(here - turned)) / here);
        }
    }
    return greatest;
}

static bool
report(const struct problem *problem)
{
    int n = problem->size;
    double error;
    bool is_good;

    printf("sweep: %d x %d cells, %d directions, %d iterations\n", n, n,
           N_QUADRANTS * N_DIRECTIONS, problem->n_iterations);
    printf("flux in the middle %.16e, of all cells %.16e\n",
           problem->flux[n / 2 * n + n / 2], sum_of(problem->flux, n * n));
    if (problem->is_flat) {
        error = distance_from_exact(problem);
        printf("distance from the exact flux %.1e\n", error);
    } else {
        error = fmax(imbalance(problem), asymmetry(problem));
        printf("imbalance %.1e, asymmetry %.1e\n", imbalance(problem),
               asymmetry(problem));
    }
    is_good = error < 1e-11;
    if (!is_good)
        fprintf(stderr, "sweep: the result is wrong\n");
    return is_good;
}

static void
iterate(struct problem *problem)
{
    hpmStart(ALL, "All iterations");
    for (int i = 0; i < problem->n_iterations; i++) {
        scatter(problem);
        sweep(problem);
    }
    hpmTstart(REDUCE, "Reduce");
    collect(problem->flux, problem->size * problem->size, &problem->block);
    collect(problem->source, problem->size * problem->size, &problem->block);
    for (int side = 0; side < 4; side++)
        collect(problem->leaks[side], problem->size, &problem->block);
    hpmTstop(REDUCE);
    hpmStop(ALL);
}

int
main(int argc, char **argv)
{
    struct problem problem = {.size = 96, .n_iterations = 20};
    bool is_good = true;

    begin_tasks(&problem.block, &argc, &argv);
    hpmInit(-1, "sweep");
    if (argc > 1)
        problem.size = atoi(argv[1]);
    if (argc > 2)
        problem.n_iterations = atoi(argv[2]);
    problem.is_flat = argc > 3 && strcmp(argv[3], "flat") == 0;
    if (problem.size < problem.block.n_tasks || problem.size > 10000 ||
        problem.n_iterations < 1) {
        fprintf(stderr, "sweep: SIZE must be from the number of tasks to "
                        "10000, ITERATIONS 1 or more\n");
        end_tasks();
        return 2;
    }
    set_up(&problem);
    iterate(&problem);
    if (problem.block.task == 0)
        is_good = report(&problem);
    clear_up(&problem);
    end_tasks();
    hpmTerminate(-1);
    return is_good ? 0 : 1;
}
