/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting told from moving: how long a task waits in a call until the last task has
 * come to the same call, or until the message is there. */
#ifndef HPM_MPI_WAITING_H
#define HPM_MPI_WAITING_H

#include <mpi.h>

#include "mpi/calltime.h"

/* Do all tasks of the job tell waiting from moving?  Where one task alone did, its
 * barriers would meet other calls. */
extern atomic_bool hpm_waiting_is_on __attribute__((visibility("hidden")));

/* After MPI_Init: where HPM_WAITING asks for it, agree with all tasks of
 * MPI_COMM_WORLD.  If one does not answer within HPM_TIMEOUT seconds (60), a line
 * says so and the job ends: it has not begun yet, and would hang. */
void hpm_waiting_agree(void);

/* Wait until all tasks of the communicator are here, by a barrier. */
void hpm_waiting_wait_for_all(struct hpm_calltime *own,
                              enum hpm_callclass class, MPI_Comm comm);

/* Wait until there is such a message, by MPI_Probe. */
void hpm_waiting_wait_for_message(struct hpm_calltime *own,
                                  enum hpm_callclass class, int source, int tag,
                                  MPI_Comm comm);

static inline void
hpm_waiting_for_all(struct hpm_calltime *own, enum hpm_callclass class,
                    MPI_Comm comm)
{
    if (atomic_load_explicit(&hpm_waiting_is_on, memory_order_relaxed))
        hpm_waiting_wait_for_all(own, class, comm);
}

static inline void
hpm_waiting_for_message(struct hpm_calltime *own, enum hpm_callclass class,
                        int source, int tag, MPI_Comm comm)
{
    if (atomic_load_explicit(&hpm_waiting_is_on, memory_order_relaxed) &&
        own != NULL)
        hpm_waiting_wait_for_message(own, class, source, tag, comm);
}

#endif
