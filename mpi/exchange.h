/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the tasks at the end of a job: none of them is ever waited
 * for without a limit of time. */
#ifndef HPM_MPI_EXCHANGE_H
#define HPM_MPI_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "mpi/arrivals.h"

struct hpm_exchange {
    MPI_Comm comm; /* of our own; MPI_COMM_NULL until all tasks are here */
    int rank, n;
    unsigned long timeout;        /* of each step, in seconds (HPM_TIMEOUT) */
    bool is_late;                 /* a step took longer than that */
    struct hpm_arrivals arrivals; /* while the tasks meet */
    bool is_meeting;
};

/* Find rank and number of tasks; false where MPI does not say, or where there
 * is one task. */
bool hpm_exchange_begin(struct hpm_exchange *exchange);

/* Wait for all tasks, and make a communicator of our own with them.  Meanwhile
 * MPI returns errors instead of calling the program's error handler.  False if
 * it fails or a task does not come in time: then *ret_missing may say which, and
 * is empty where it is not known. */
bool hpm_exchange_meet(struct hpm_exchange *exchange,
                       struct hpm_string *ret_missing);

/* `status` is the result of the call that began the request.  False if that
 * call or the request failed, or took too long: then the request may go on
 * inside MPI_Finalize, so all that it reads and writes must stay in its
 * place. */
bool hpm_exchange_wait(struct hpm_exchange *exchange, int status,
                       MPI_Request *request);

/* Send and receive bytes, in pieces, for no count of MPI holds all lengths.
 * False as hpm_exchange_wait. */
bool hpm_exchange_send(struct hpm_exchange *exchange, int task,
                       const void *bytes, size_t length);
bool hpm_exchange_receive(struct hpm_exchange *exchange, int task, void *bytes,
                          size_t length);

#endif
