/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi: libhpm_mpi is loaded into the program, and takes the time of its calls. */
#ifndef HPMCOUNT_PRELOAD_H
#define HPMCOUNT_PRELOAD_H

#include <stdbool.h>

#include "base/error.h"

/* From now on programs that hpmcount starts load libhpm_mpi first, and count what
 * HPM_SET, HPM_METRICS or HPM_EVENTS say, or else HPM_SET=MPI.  The library is the
 * first one in a folder of LD_LIBRARY_PATH, or that of the installation.  False
 * where there is none. */
bool preload_begin(struct hpm_error *err);

/* Programs started from now on load what they loaded before. */
void preload_end(void);

#endif
