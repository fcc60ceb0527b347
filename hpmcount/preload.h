/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi and --functions: a library of ours is loaded into the program. */
#ifndef HPMCOUNT_PRELOAD_H
#define HPMCOUNT_PRELOAD_H

#include <stdbool.h>

#include "base/error.h"

/* What is wanted. */
struct preload {
    bool takes_mpi; /* libhpm_mpi */
    const char
        *functions; /* libhpm_functions with these HPM_FUNCTIONS; NULL: not */
};

/* From now on programs that hpmcount starts load these libraries first.  With
 * libhpm_mpi they count what HPM_SET, HPM_METRICS or HPM_EVENTS say, or else
 * HPM_SET=MPI.  A library is the first one in a folder of LD_LIBRARY_PATH, or that of
 * the installation.  False where there is none. */
bool preload_begin(const struct preload *wanted, struct hpm_error *err);

/* Programs started from now on load what they loaded before. */
void preload_end(void);

#endif
