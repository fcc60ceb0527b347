/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes that calls of MPI move, as their counts and types tell. */
#include "mpi/callbytes.h"

static atomic_bool is_lost[HPM_N_CALLCLASSES];

static void
add(struct hpm_calltime *own, enum hpm_callclass class, MPI_Count count,
    MPI_Datatype type)
{
    int size;

    if (count <= 0 || type == MPI_DATATYPE_NULL ||
        PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
        return;
    hpm_calltime_open(own);
    hpm_calltime_raise(&own->sums[class].bytes,
                       (uint64_t)count * (uint64_t)size);
    hpm_calltime_close(own);
}

/* Of an intercommunicator the other group's. */
static int
size_of(MPI_Comm comm)
{
    int is_inter = 0, size = 0;

    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter)
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    return size;
}

void
hpm_callbytes_add(struct hpm_calltime *own, enum hpm_callclass class,
                  MPI_Count count, MPI_Datatype type)
{
    add(own, class, count, type);
}

void
hpm_callbytes_add_of_each(struct hpm_calltime *own, enum hpm_callclass class,
                          MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    add(own, class, count * size_of(comm), type);
}

void
hpm_callbytes_add_of_all(struct hpm_calltime *own, enum hpm_callclass class,
                         const int *counts, MPI_Datatype type, MPI_Comm comm)
{
    MPI_Count sum = 0;

    for (int i = 0, n = size_of(comm); i < n; i++)
        sum += counts[i];
    add(own, class, sum, type);
}

void
hpm_callbytes_add_of_large(struct hpm_calltime *own, enum hpm_callclass class,
                           const MPI_Count *counts, MPI_Datatype type,
                           MPI_Comm comm)
{
    MPI_Count sum = 0;

    for (int i = 0, n = size_of(comm); i < n; i++)
        sum += counts[i];
    add(own, class, sum, type);
}

void
hpm_callbytes_lose(struct hpm_calltime *own, enum hpm_callclass class)
{
    (void)own;
    atomic_store_explicit(&is_lost[class], true, memory_order_relaxed);
}

bool hpm_callbytes_are_lost(enum hpm_callclass class)
{
    return atomic_load_explicit(&is_lost[class], memory_order_relaxed);
}

#ifdef OPEN_MPI
/* A variable of Open MPI's library for Fortran, in the spelling of its compiler. */
extern int mpi_fortran_in_place_ __attribute__((weak));
#endif

bool
hpm_callbytes_is_in_place(const void *buffer)
{
#ifdef OPEN_MPI
    if (buffer == &mpi_fortran_in_place_)
        return true;
#endif
    return buffer == MPI_IN_PLACE;
}
