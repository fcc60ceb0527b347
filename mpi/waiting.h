/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting told from moving: how long a task waits in a call until the last task has
 * come to the same call, or until the message is there. */
#ifndef HPM_MPI_WAITING_H
#define HPM_MPI_WAITING_H

#include <mpi.h>

#include "mpi/calltime.h"
#include "mpi/peers.h"

/* Do all tasks of the job tell waiting from moving?  Where one task alone did, its
 * barriers would meet other calls. */
extern atomic_bool hpm_waiting_is_on __attribute__((visibility("hidden")));

/* After MPI_Init: where HPM_WAITING asks for it, agree with all tasks of
 * MPI_COMM_WORLD.  If one does not answer within HPM_TIMEOUT seconds (60), a line
 * says so and the job ends: it has not begun yet, and would hang. */
void hpm_waiting_agree(void);

/* Before MPI_Finalize: end it, in all tasks of MPI_COMM_WORLD. */
void hpm_waiting_end(void);

/* Does this call tell them?  A call inside another one has no time of its own. */
static inline bool
hpm_waiting_is_told(const struct hpm_calltime *own)
{
    return atomic_load_explicit(&hpm_waiting_is_on, memory_order_relaxed) &&
           own != NULL && own->depth == 1;
}

/* Wait until all tasks of the communicator are here, by a barrier, and find the one
 * that came last. */
void hpm_waiting_wait_for_all(struct hpm_calltime *own,
                              enum hpm_callclass class, MPI_Comm comm);

/* Wait until there is such a message, by MPI_Probe; one that is there already may be of
 * a sender that waits. */
void hpm_waiting_wait_for_message(struct hpm_calltime *own,
                                  enum hpm_callclass class, int source, int tag,
                                  MPI_Comm comm);

/* A call begins to receive, and does not wait: answer the sender, if there is one. */
void hpm_waiting_answer_sender(struct hpm_calltime *own, int source, int tag,
                               MPI_Comm comm);

/* A call begins to send: is it late, because its receiver waits? */
void hpm_waiting_come_to_send(struct hpm_calltime *own, int dest, int tag,
                              MPI_Comm comm);

/* Wait until the send that has begun ends; until the receiver has come this is
 * waiting.  The answer is the error code of MPI. */
int hpm_waiting_wait_for_receiver(struct hpm_calltime *own,
                                  enum hpm_callclass class, MPI_Request *begun,
                                  const struct hpm_sending *sending);

/* The address in C of what a call of Fortran sends: MPI_BOTTOM has another one
 * there. */
const void *hpm_waiting_address(const void *fortrans);

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
    if (atomic_load_explicit(&hpm_waiting_is_on, memory_order_relaxed))
        hpm_waiting_wait_for_message(own, class, source, tag, comm);
}

static inline void
hpm_waiting_for_sender(struct hpm_calltime *own, int source, int tag,
                       MPI_Comm comm)
{
    if (atomic_load_explicit(&hpm_waiting_is_on, memory_order_relaxed))
        hpm_waiting_answer_sender(own, source, tag, comm);
}

static inline void
hpm_waiting_of_receiver(struct hpm_calltime *own, int dest, int tag,
                        MPI_Comm comm)
{
    if (hpm_waiting_is_told(own))
        hpm_waiting_come_to_send(own, dest, tag, comm);
}

#endif
