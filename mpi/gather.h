/* SPDX-License-Identifier: BSD-3-Clause
 * All tasks of a job send their recordings to one task, which makes one
 * file. */
#ifndef HPM_MPI_GATHER_H
#define HPM_MPI_GATHER_H

#include <stdbool.h>
#include <stddef.h>

/* The recording of this task: a copy of struct hpm_handover. */
struct hpm_gather {
    bool has_text;
    char *text; /* the performance file */
    size_t length;
    char *path;     /* the path of the own file; NULL: not written */
    char *own_name; /* the name it should have */
    char *folder;   /* the folder for the job's file, */
    char *name;     /* and its name */
    bool is_synced;
};

/* Make one file of all tasks.  Every task of MPI_COMM_WORLD must call this,
 * between MPI's init and finalize.  If the job's file is written, the task's
 * own file is removed.  If anything fails, or a task does not come within
 * HPM_TIMEOUT seconds, all own files stay, and one line says why.  The
 * program's error handler gets no error of MPI.  *ret_is_own_gone says whether
 * this task's own file was removed.
 *
 * False if messages may still be under way: then what `mine` points to must not
 * be freed. */
bool hpm_gather(const struct hpm_gather *mine, bool *ret_is_own_gone);

#endif
