/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes that calls of MPI move, as their counts and types tell. */
#include "mpi/callbytes.h"

static atomic_bool is_lost[HPM_N_CALLCLASSES];

/* The size has the type of large counts: a type of 2 GiB has no size in an int. */
void
hpm_callbytes_add(struct hpm_calltime *own, enum hpm_callclass class,
                  MPI_Count count, MPI_Datatype type)
{
    MPI_Count size;
    uint64_t bytes;

    if (count <= 0)
        return;
    if (type == MPI_DATATYPE_NULL ||
        PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0 ||
        __builtin_mul_overflow(count, size, &bytes)) {
        hpm_callbytes_lose(class);
        return;
    }
    hpm_turn_open(&own->turn);
    hpm_turn_raise(&own->sums[class].bytes, bytes);
    hpm_turn_close(&own->turn);
}

MPI_Count
hpm_callbytes_own_tasks(MPI_Comm comm)
{
    int size = 0;

    PMPI_Comm_size(comm, &size);
    return size;
}

MPI_Count
hpm_callbytes_tasks(MPI_Comm comm)
{
    int is_inter = 0, size = 0;

    PMPI_Comm_test_inter(comm, &is_inter);
    if (!is_inter)
        return hpm_callbytes_own_tasks(comm);
    PMPI_Comm_remote_size(comm, &size);
    return size;
}

#define SUM(counts, n)                                                         \
    MPI_Count sum = 0;                                                         \
                                                                               \
    for (MPI_Count i = 0; i < (n); i++)                                        \
        sum += (counts)[i];                                                    \
    return sum

MPI_Count
hpm_callbytes_sum(const int *counts, MPI_Count n)
{
    SUM(counts, n);
}

MPI_Count
hpm_callbytes_sum_large(const MPI_Count *counts, MPI_Count n)
{
    SUM(counts, n);
}

/* An INTEGER of Fortran may have 8 bytes. */
MPI_Count
hpm_callbytes_sum_fortran(const MPI_Fint *counts, MPI_Count n)
{
    SUM(counts, n);
}

void hpm_callbytes_lose(enum hpm_callclass class)
{
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
