/* SPDX-License-Identifier: BSD-3-Clause
 * An MPI job linked with libhpm_mpi whose tasks have neighbours, and say which.  The
 * ranks in the graph are those of the job backwards, so that one cannot be taken for
 * the other.
 *
 *     graph       a star: the first has all others, the others have the first
 *     adjacent    a ring in which each sends to the next two
 *     dist        a line, in a graph that the first task says
 *
 * Smaller graphs are made before and after.  With a second word they are not, and it
 * kills itself. */
#include <libhpm.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

enum { MOST_LETTERS = 2048 };

/* The program's own words for what the file must have.  The first task prints them all:
 * lines of several tasks may run into each other. */
static void
say(int n_tasks, const int *sources, int n_sources, const int *destinations,
    int n_destinations)
{
    static char lines[MOST][MOST_LETTERS];
    char line[MOST_LETTERS] = "";
    int task, length;

    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    length = sprintf(line, "%d: %d %d,", task, n_sources, n_destinations);
    for (int i = 0; i < n_sources; i++)
        length +=
            sprintf(line + length, " %d", n_tasks - 1 - sources[i] % n_tasks);
    length += sprintf(line + length, ",");
    for (int i = 0; i < n_destinations; i++)
        length += sprintf(line + length, " %d",
                          n_tasks - 1 - destinations[i] % n_tasks);
    MPI_Gather(line, MOST_LETTERS, MPI_CHAR, lines, MOST_LETTERS, MPI_CHAR, 0,
               MPI_COMM_WORLD);
    for (int i = 0; task == 0 && i < n_tasks; i++)
        puts(lines[i]);
}

static void
make_star(MPI_Comm whole, int n_tasks, int rank)
{
    int ends[MOST], edges[2 * MOST];
    MPI_Comm graph;

    for (int i = 0; i < n_tasks; i++)
        ends[i] = n_tasks - 1 + i;
    for (int i = 1; i < n_tasks; i++) {
        edges[i - 1] = i;
        edges[n_tasks - 2 + i] = 0;
    }
    MPI_Graph_create(whole, n_tasks, ends, edges, 0, &graph);
    if (rank == 0)
        say(n_tasks, edges, n_tasks - 1, edges, n_tasks - 1);
    else
        say(n_tasks, (int[]){0}, 1, (int[]){0}, 1);
}

static void
make_ring(MPI_Comm whole, int n_tasks, int rank)
{
    int sources[2] = {(rank + n_tasks - 1) % n_tasks,
                      (rank + n_tasks - 2) % n_tasks},
        destinations[2] = {(rank + 1) % n_tasks, (rank + 2) % n_tasks};
    MPI_Comm graph;

    MPI_Dist_graph_create_adjacent(whole, 2, sources, MPI_UNWEIGHTED, 2,
                                   destinations, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    say(n_tasks, sources, 2, destinations, 2);
}

static void
make_line(MPI_Comm whole, int n_tasks, int rank)
{
    int from[MOST], degrees[MOST], to[MOST], before = rank - 1, next = rank + 1;
    MPI_Comm graph;

    for (int i = 0; i < n_tasks - 1; i++) {
        from[i] = i;
        degrees[i] = 1;
        to[i] = i + 1;
    }
    MPI_Dist_graph_create(whole, rank == 0 ? n_tasks - 1 : 0, from, degrees, to,
                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    say(n_tasks, &before, rank > 0, &next, rank < n_tasks - 1);
}

/* Of this task alone: nobody is its neighbour. */
static void
make_small(void)
{
    MPI_Comm graph;

    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, NULL, MPI_UNWEIGHTED, 0,
                                   NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Comm_free(&graph);
}

int
main(int argc, char **argv)
{
    int n_tasks, rank;
    MPI_Comm backwards;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, n_tasks - rank, &backwards);
    MPI_Comm_rank(backwards, &rank);
    if (argc < 2 || n_tasks > MOST)
        return 2;
    hpmTstart(1, "work");
    if (argc == 2)
        make_small();
    if (strcmp(argv[1], "graph") == 0)
        make_star(backwards, n_tasks, rank);
    else if (strcmp(argv[1], "adjacent") == 0)
        make_ring(backwards, n_tasks, rank);
    else
        make_line(backwards, n_tasks, rank);
    if (argc > 2) {
        fflush(stdout);
        hpmTstart(2, "last");
        raise(SIGKILL);
    }
    make_small();
    hpmTstop(1);
    MPI_Finalize();
    return 0;
}
