/* SPDX-License-Identifier: BSD-3-Clause
 * All tasks of a job bring together what each has recorded. */
#ifndef HPM_MPI_GATHER_H
#define HPM_MPI_GATHER_H

#include <stdbool.h>
#include <stddef.h>

/* What this task has recorded: a copy of struct hpm_handover. */
struct hpm_gather {
    bool has_text;
    char *text; /* the performance file */
    size_t length;
    char *path;   /* where it is; NULL: nowhere */
    char *folder; /* where the job's file is to go, */
    char *name;   /* and its name */
    bool is_synced;
};

/* Called by every task of MPI_COMM_WORLD, between MPI's init and finalize:
 * make one file of all.  Where that is there, the task's own file goes; where
 * anything fails, or a task does not come within HPM_TIMEOUT seconds, all own
 * files stay, and one line says why.  No error of MPI reaches the program's
 * error handler. */
void hpm_gather(const struct hpm_gather *mine);

#endif
