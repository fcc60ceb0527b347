/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a job that make a common report (hpmcount -a).
 *
 * Each task puts its performance file, and then a mark that it is done, into a
 * folder of the job beside the result.  The task that finds all marks makes the
 * common report, with `hpm merge` and `hpm report`.  Task 0 waits until some
 * task does so, and reports missing tasks when this takes too long.
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
    char *result;      /* the file of all tasks; it may be in the folder */
    bool keeps_result; /* the user wants the result */
};

/* Before the program starts: make the folder, and remove this task's old marks.
 * `outputs` are those of the job; its file becomes this task's own file.  False
 * where no launcher tells this task's number and the number of tasks, or the
 * folder cannot be made. */
bool job_begin(struct job *ret_job, struct outputs *outputs,
               struct hpm_error *err);

/* After this task's file was written, or could not be written: make the report
 * of the job, unless another task makes it. */
void job_end(struct job *job, const struct outputs *outputs);

void job_clear(struct job *job);

#endif
