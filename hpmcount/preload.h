/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi, --openmp: libhpm_mpi, libhpm_openmp are loaded into the program, and take
 * the time of calls of MPI, and that in which threads of OpenMP wait. */
#ifndef HPMCOUNT_PRELOAD_H
#define HPMCOUNT_PRELOAD_H

#include <stdbool.h>

#include "base/error.h"

/* From now on programs that hpmcount starts load the libraries first, and count what
 * HPM_SET, HPM_METRICS or HPM_EVENTS say, or else the set of what is loaded: MPI,
 * OPENMP or MPI_OPENMP.  A library is the first one in a folder of LD_LIBRARY_PATH,
 * or that of the installation.  False where there is none.  Nothing changes where
 * neither is wanted. */
bool preload_begin(bool takes_mpi, bool takes_openmp, struct hpm_error *err);

/* Programs started from now on load what they loaded before. */
void preload_end(void);

#endif
