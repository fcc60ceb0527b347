/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes that calls of MPI move, as their counts and types tell. */
#ifndef HPM_MPI_CALLBYTES_H
#define HPM_MPI_CALLBYTES_H

#include <mpi.h>
#include <stdbool.h>

#include "mpi/calltime.h"

/* Add `count` times the size of the type; lose the class's bytes where the MPI does
 * not tell that size. */
void hpm_callbytes_add(struct hpm_calltime *own, enum hpm_callclass class,
                       MPI_Count count, MPI_Datatype type);

/* The tasks that a task exchanges data with in a collective: those of the
 * communicator, and of an intercommunicator the other group's; and the tasks of its
 * own group. */
MPI_Count hpm_callbytes_tasks(MPI_Comm comm);
MPI_Count hpm_callbytes_own_tasks(MPI_Comm comm);

/* The sum of the counts of `n` tasks, by the type of the counts. */
MPI_Count hpm_callbytes_sum(const int *counts, MPI_Count n);
MPI_Count hpm_callbytes_sum_large(const MPI_Count *counts, MPI_Count n);
MPI_Count hpm_callbytes_sum_fortran(const MPI_Fint *counts, MPI_Count n);

/* A call of the class does not tell what it moves: the class's bytes have no value
 * any more. */
void hpm_callbytes_lose(enum hpm_callclass class);
bool hpm_callbytes_are_lost(enum hpm_callclass class);

/* Is the buffer MPI_IN_PLACE, of C or of Fortran? */
bool hpm_callbytes_is_in_place(const void *buffer);

#endif
