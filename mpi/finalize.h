/* SPDX-License-Identifier: BSD-3-Clause
 * The end of the job. */
#ifndef HPM_MPI_FINALIZE_H
#define HPM_MPI_FINALIZE_H

/* After MPI_Init: where another tool takes MPI_Finalize, have the MPI itself tell of the
 * end. */
void hpm_finalize_watch(void);

#endif
