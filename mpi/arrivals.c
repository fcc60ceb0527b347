/* SPDX-License-Identifier: BSD-3-Clause
 * Which tasks have come to the end of the job. */
#include "mpi/arrivals.h"

#include <mpi.h>
#include <stddef.h>

#include "host/memory.h"

enum { MOST_NAMED = 8 };

/* The largest tag there may be: a program counts its own ones from below. */
static int
find_tag(void)
{
    int *largest, is_there = 0;

    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &is_there);
    return is_there ? *largest : 32767;
}

static bool
is_alone_in_mpi(void)
{
    int level;

    return PMPI_Query_thread(&level) == MPI_SUCCESS &&
           level <= MPI_THREAD_FUNNELED;
}

static void
tell_task_0(const struct hpm_arrivals *arrivals)
{
    MPI_Request request;

    if (PMPI_Isend(NULL, 0, MPI_BYTE, 0, arrivals->tag, MPI_COMM_WORLD,
                   &request) == MPI_SUCCESS)
        PMPI_Request_free(&request);
}

static void
begin(struct hpm_arrivals *arrivals)
{
    arrivals->is_asked = true;
    arrivals->tag = find_tag();
    if (!is_alone_in_mpi())
        return;
    if (arrivals->rank > 0) {
        tell_task_0(arrivals);
        return;
    }
    arrivals->are_here =
        hpm_memory_new((size_t)arrivals->n, sizeof *arrivals->are_here);
    if (arrivals->are_here != NULL)
        arrivals->are_here[0] = true;
}

/* No receive waits: its message is here. */
static void
take_messages(const struct hpm_arrivals *arrivals)
{
    MPI_Status status;
    int is_there = 0;

    while (PMPI_Iprobe(MPI_ANY_SOURCE, arrivals->tag, MPI_COMM_WORLD, &is_there,
                       &status) == MPI_SUCCESS &&
           is_there) {
        int task = status.MPI_SOURCE;

        if (PMPI_Recv(NULL, 0, MPI_BYTE, task, arrivals->tag, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
        if (arrivals->are_here != NULL && task >= 0 && task < arrivals->n)
            arrivals->are_here[task] = true;
    }
}

void
hpm_arrivals_look(struct hpm_arrivals *arrivals)
{
    if (!arrivals->is_asked)
        begin(arrivals);
    if (arrivals->are_here != NULL)
        take_messages(arrivals);
}

bool
hpm_arrivals_add_missing(const struct hpm_arrivals *arrivals,
                         struct hpm_string *string)
{
    struct hpm_string names = {0};
    int n = 0;

    if (arrivals->are_here == NULL)
        return false;
    for (int task = 0; task < arrivals->n; task++) {
        if (arrivals->are_here[task])
            continue;
        if (n < MOST_NAMED)
            hpm_string_add_format(&names, "%s%d", n > 0 ? ", " : "", task);
        n++;
    }
    if (n > 0)
        hpm_string_add_format(string, "%s %s", n == 1 ? "task" : "tasks",
                              hpm_string_text(&names));
    if (n > MOST_NAMED)
        hpm_string_add_format(string, " and %d more", n - MOST_NAMED);
    string->failed = string->failed || names.failed;
    hpm_string_free(&names);
    return n > 0 && !string->failed;
}

void
hpm_arrivals_end(struct hpm_arrivals *arrivals)
{
    if (arrivals->rank == 0 && is_alone_in_mpi()) {
        arrivals->tag = find_tag();
        take_messages(arrivals);
    }
    hpm_memory_free(arrivals->are_here);
    arrivals->are_here = NULL;
}
