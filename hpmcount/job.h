/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a job that report together (hpmcount -a).
 *
 * Each task puts its performance file, and then a mark that it is done, into a
 * folder of the job beside the file to be.  The task that finds all marks makes
 * the report of all, by `hpm merge` and `hpm report`; task 0 waits until one
 * does, and says who is missing when none does in time.
 */
#ifndef HPMCOUNT_JOB_H
#define HPMCOUNT_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "hpmcount/outputs.h"

struct job {
    int task, n_tasks;
    char *folder;      /* of the job */
    char *own_file;    /* this task's performance file */
    char *result;      /* the file of all tasks, which may be in the folder */
    bool keeps_result; /* it was asked for */
};

/* Before the program starts: make the folder, and forget what this task may
 * have left there earlier.  `outputs` are those of the job; its file becomes
 * this task's own.  False where no launcher says which task of how many this
 * is, or the folder cannot be made. */
bool job_begin(struct job *ret_job, struct outputs *outputs,
               struct hpm_error *err);

/* After the task's file was written, or could not be: the report of the job, or
 * nothing where another task makes it. */
void job_end(struct job *job, const struct outputs *outputs);

void job_clear(struct job *job);

#endif
