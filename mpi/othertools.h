/* SPDX-License-Identifier: BSD-3-Clause
 * Other tools that take calls of MPI, as this library does: of several definitions of
 * MPI_Send the program calls the first, which calls PMPI_Send, the MPI itself. */
#ifndef HPM_MPI_OTHERTOOLS_H
#define HPM_MPI_OTHERTOOLS_H

/* The file of a library that takes this call ("MPI_Send"), in C or Fortran, before this
 * one, which does not see it then; NULL: none does. */
const char *hpm_othertools_before(const char *call);

/* After MPI_Init: by task 0 one line where another tool stands behind this library, and
 * so does not see the calls that this one takes. */
void hpm_othertools_say_behind(void);

/* At the end of a process whose MPI_Init this library has not seen: one line, if it was
 * preloaded to measure the run and another tool took that call. */
void hpm_othertools_say_unseen(void);

#endif
