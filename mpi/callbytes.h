/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes that calls of MPI move, as their counts and types tell. */
#ifndef HPM_MPI_CALLBYTES_H
#define HPM_MPI_CALLBYTES_H

#include <mpi.h>
#include <stdbool.h>

#include "mpi/calltime.h"

/* Add `count` times the size of the type. */
void hpm_callbytes_add(struct hpm_calltime *own, enum hpm_callclass class,
                       MPI_Count count, MPI_Datatype type);

/* The count is that of each task of the communicator. */
void hpm_callbytes_add_of_each(struct hpm_calltime *own,
                               enum hpm_callclass class, MPI_Count count,
                               MPI_Datatype type, MPI_Comm comm);

/* There is a count for each task. */
void hpm_callbytes_add_of_all(struct hpm_calltime *own,
                              enum hpm_callclass class, const int *counts,
                              MPI_Datatype type, MPI_Comm comm);
void hpm_callbytes_add_of_large(struct hpm_calltime *own,
                                enum hpm_callclass class,
                                const MPI_Count *counts, MPI_Datatype type,
                                MPI_Comm comm);

/* A call of the class does not tell what it moves: the class's bytes have no value
 * any more. */
void hpm_callbytes_lose(struct hpm_calltime *own, enum hpm_callclass class);
bool hpm_callbytes_are_lost(enum hpm_callclass class);

/* Is the buffer MPI_IN_PLACE, of C or of Fortran? */
bool hpm_callbytes_is_in_place(const void *buffer);

#endif
