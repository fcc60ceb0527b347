/* SPDX-License-Identifier: BSD-3-Clause
 * Which tasks have come to the end of the job, asked where the others are late.
 *
 * A task that has waited for a while sends task 0 a message of no bytes, on the
 * program's own communicator, since there is no other yet.  A receive of any
 * message that the program has left open may take it: such a receive gets no
 * byte, and nobody looks at it any more, unless other threads are in MPI; then
 * nothing is sent, and the late tasks are not known. */
#ifndef HPM_MPI_ARRIVALS_H
#define HPM_MPI_ARRIVALS_H

#include <stdbool.h>

#include "base/string.h"

struct hpm_arrivals {
    int rank, n, tag;
    bool is_asked;
    bool *are_here; /* by task; NULL but in task 0, or when it is not known */
};

/* Start from {.rank, .n}.  Call this again and again while waiting; MPI must return
 * errors on MPI_COMM_WORLD. */
void hpm_arrivals_look(struct hpm_arrivals *arrivals);

/* Add "task 3" or "tasks 3, 5 and 2 more", those that are not here; false where
 * that is not known. */
bool hpm_arrivals_add_missing(const struct hpm_arrivals *arrivals,
                              struct hpm_string *string);

/* Take all messages that have come, and free the memory. */
void hpm_arrivals_end(struct hpm_arrivals *arrivals);

#endif
