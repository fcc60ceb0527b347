/* SPDX-License-Identifier: BSD-3-Clause
 * Notes between tasks, on a communicator of their own: a task that waits for another
 * one in a send or a receive tells it, so that the other one knows that it is late.
 *
 *     sender                              receiver
 *       | begins to send                     |
 *       |---- the message waits ------------>|
 *       |---- a note: I wait --------------->|
 *       |                                    | comes to MPI_Recv, sees the message
 *       |<--- the answer: I am here ---------|   and the note: it is late
 *       | waited until now                   |
 *       |==== the message moves ============>|
 *       |                                    |
 *       |                                    | comes to MPI_Recv: no message
 *       |<--- a note: I wait ----------------|
 *       | begins to send, sees the note:     |
 *       | it is late                         |
 *       |==== the message moves ============>|
 *       |<--- a note: I wait no more --------|
 *
 * Who waits reads its own clock alone, so there is no error of clocks that differ: the
 * answer is late by the time that one small message takes. */
#ifndef HPM_MPI_PEERS_H
#define HPM_MPI_PEERS_H

#include <mpi.h>
#include <stdbool.h>

/* A message that a task sends. */
struct hpm_sending {
    MPI_Count count;
    MPI_Datatype type;
    int dest, tag;
    MPI_Comm comm;
};

struct hpm_question;

/* Make the communicator: all tasks of MPI_COMM_WORLD at once. */
bool hpm_peers_begin(void);

/* Take in what nobody has read, and free the communicator: all tasks at once, when
 * they make no other calls. */
void hpm_peers_end(void);

/* Write to the receiver that this thread waits in a send.  NULL where it cannot be
 * asked: it is of another MPI_COMM_WORLD, or too many questions are open. */
struct hpm_question *hpm_peers_ask(const struct hpm_sending *sending);

/* The request that ends when the receiver answers. */
MPI_Request *hpm_question_answer(struct hpm_question *question);

/* Nobody waits for the answer any more. */
void hpm_question_close(struct hpm_question *question);

/* This task receives the message of the status, which is there, as MPI_Probe says.
 * Answer its sender, if that waits; then true. */
bool hpm_peers_answer(const MPI_Status *status, MPI_Comm comm);

/* Write to the sender that this thread waits in a receive, or waits no more.  False
 * where it cannot be told, or the source is any. */
bool hpm_peers_tell_waiting(int source, int tag, MPI_Comm comm);
void hpm_peers_tell_end(int source, MPI_Comm comm);

/* This task begins to send: does the receiver wait for the message already? */
bool hpm_peers_wait_for_this(int dest, int tag, MPI_Comm comm);

#endif
