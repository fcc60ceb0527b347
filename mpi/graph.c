/* SPDX-License-Identifier: BSD-3-Clause
 * The neighbours of this task in a graph of tasks.
 *
 * Of MPI_Graph_create a neighbour is both source and destination, as MPI's own
 * collective calls among neighbours take it. */
#include "mpi/graph.h"

#include <stdbool.h>

#include "host/memory.h"
#include "mpi/taskplace.h"

/* Longer lists would make a file that grows with the square of the tasks, if each is
 * a neighbour of each.  The degrees say how many there are. */
enum { MOST_LISTED = 1000 };

static struct hpm_taskplace_size largest;

/* The neighbours, by their ranks in the graph: `sources` first. */
struct neighbours {
    int n_sources, n_destinations;
    int *ranks;
};

static bool
size_of(MPI_Comm graph, int kind, struct neighbours *ret)
{
    int rank, is_weighted;

    if (kind == MPI_DIST_GRAPH)
        return PMPI_Dist_graph_neighbors_count(graph, &ret->n_sources,
                                               &ret->n_destinations,
                                               &is_weighted) == MPI_SUCCESS;
    if (kind != MPI_GRAPH || PMPI_Comm_rank(graph, &rank) != MPI_SUCCESS ||
        PMPI_Graph_neighbors_count(graph, rank, &ret->n_sources) != MPI_SUCCESS)
        return false;
    ret->n_destinations = ret->n_sources;
    return true;
}

/* MPI gives weights, too, which go behind the ranks. */
static bool
find(MPI_Comm graph, int kind, struct neighbours *neighbours)
{
    int n_sources = neighbours->n_sources,
        n_destinations = neighbours->n_destinations,
        n = n_sources + n_destinations, rank, *ranks = neighbours->ranks;

    if (kind == MPI_DIST_GRAPH)
        return PMPI_Dist_graph_neighbors(graph, n_sources, ranks, ranks + n,
                                         n_destinations, ranks + n_sources,
                                         ranks + n + n_sources) == MPI_SUCCESS;
    return PMPI_Comm_rank(graph, &rank) == MPI_SUCCESS &&
           PMPI_Graph_neighbors(graph, rank, n_sources, ranks) == MPI_SUCCESS &&
           PMPI_Graph_neighbors(graph, rank, n_destinations,
                                ranks + n_sources) == MPI_SUCCESS;
}

/* From ranks in the graph to those of the job.  False where a neighbour is of
 * another job (of MPI_Comm_spawn): it has no number in this one. */
static bool
translate(MPI_Comm graph, int n, const int *ranks, int *ret_tasks)
{
    MPI_Group of_graph = MPI_GROUP_NULL, of_job = MPI_GROUP_NULL;
    bool is_good = PMPI_Comm_group(graph, &of_graph) == MPI_SUCCESS &&
                   PMPI_Comm_group(MPI_COMM_WORLD, &of_job) == MPI_SUCCESS &&
                   PMPI_Group_translate_ranks(of_graph, n, ranks, of_job,
                                              ret_tasks) == MPI_SUCCESS;

    if (of_graph != MPI_GROUP_NULL)
        PMPI_Group_free(&of_graph);
    if (of_job != MPI_GROUP_NULL)
        PMPI_Group_free(&of_job);
    for (int i = 0; i < n && is_good; i++)
        is_good = ret_tasks[i] >= 0;
    return is_good;
}

static void
offer(int n_tasks, const struct neighbours *neighbours, const int *tasks)
{
    int n_sources = neighbours->n_sources,
        n_destinations = neighbours->n_destinations;
    int degrees[2] = {n_sources, n_destinations};
    bool is_listed = tasks != NULL && n_sources <= MOST_LISTED &&
                     n_destinations <= MOST_LISTED;
    char *texts[] = {hpm_taskplace_text(degrees, 2),
                     is_listed ? hpm_taskplace_text(tasks, n_sources) : NULL,
                     is_listed
                         ? hpm_taskplace_text(tasks + n_sources, n_destinations)
                         : NULL};

    hpm_taskplace_offer(&largest, n_tasks, 0, HPM_PLACE_DEGREES, texts,
                        is_listed ? 3 : 1);
}

void
hpm_graph_look_at(MPI_Comm graph)
{
    struct neighbours neighbours;
    int kind, n_tasks, n, *numbers;

    if (graph == MPI_COMM_NULL || PMPI_Topo_test(graph, &kind) != MPI_SUCCESS ||
        PMPI_Comm_size(graph, &n_tasks) != MPI_SUCCESS ||
        !size_of(graph, kind, &neighbours))
        return;
    n = neighbours.n_sources + neighbours.n_destinations;
    numbers = hpm_memory_new(2 * (size_t)n + 1, sizeof *numbers);
    neighbours.ranks = numbers;
    if (numbers != NULL && find(graph, kind, &neighbours))
        offer(n_tasks, &neighbours,
              translate(graph, n, numbers, numbers + n) ? numbers + n : NULL);
    hpm_memory_free(numbers);
}
