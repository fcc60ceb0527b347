/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi, --openmp, --functions, --library: libraries of ours are loaded into the
 * program. */
#ifndef HPMCOUNT_PRELOAD_H
#define HPMCOUNT_PRELOAD_H

#include <stdbool.h>

#include "base/error.h"

/* What is wanted. */
struct preload {
    bool takes_mpi;    /* libhpm_mpi, which takes the time of calls of MPI */
    bool takes_openmp; /* libhpm_openmp: that in which threads wait */
    bool has_libomp;   /* LLVM's OpenMP in place of gcc's */
    bool has_regions;  /* each parallel region is a section */
    const char *functions; /* HPM_FUNCTIONS, with libhpm_functions; or NULL */
    const char
        *libraries;     /* HPM_LIBRARY, with the libraries it names; or NULL */
    const char *output; /* HPM_OUTPUT_NAME; NULL leaves it as it is */
};

/* From now on programs that hpmcount starts load these libraries first.  With those of
 * MPI and OpenMP they count what HPM_SET, HPM_METRICS or HPM_EVENTS say, or else the
 * set of what is loaded: MPI, OPENMP or MPI_OPENMP, with HPM_WAITING MPI_WAITING or
 * MPI_WAITING_OPENMP.  A library is the first one in a folder of LD_LIBRARY_PATH, or
 * that of the installation.  False where there is none.  Nothing changes where nothing
 * is wanted. */
bool preload_begin(const struct preload *wanted, struct hpm_error *err);

/* Programs started from now on load what they loaded before. */
void preload_end(void);

#endif
