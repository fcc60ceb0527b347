/* SPDX-License-Identifier: BSD-3-Clause
 * Which task comes last to a collective, and how long the others wait for it. */
#ifndef HPM_MPI_LASTCOMER_H
#define HPM_MPI_LASTCOMER_H

#include <mpi.h>
#include <stdbool.h>

#include "mpi/calltime.h"

/* Make what the tasks compare their waiting with.  False where MPI cannot. */
bool hpm_lastcomer_begin(void);

void hpm_lastcomer_end(void);

/* All tasks of the communicator have come, and this one has waited so many ticks for
 * them.  Add to the sums of the task that came last that it did, and what the others
 * waited for it.  `own` is NULL where the call has no time of its own: then the class
 * has lost these values in all tasks of the communicator. */
void hpm_lastcomer_find(struct hpm_calltime *own, enum hpm_callclass class,
                        MPI_Comm comm, uint64_t waited);

/* Is there a call of the class whose last task is not known? */
bool hpm_lastcomer_is_lost(enum hpm_callclass class);

#endif
