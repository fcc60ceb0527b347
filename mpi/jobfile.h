/* SPDX-License-Identifier: BSD-3-Clause
 * The performance file of a whole job, merged from those of its tasks. */
#ifndef HPM_MPI_JOBFILE_H
#define HPM_MPI_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct hpm_jobfile;

/* Begin it; NULL when there is no memory. */
struct hpm_jobfile *hpm_jobfile_new(struct hpm_error *err);

void hpm_jobfile_free(struct hpm_jobfile *jobfile);

/* Begin a task's file, add bytes to it, end it.  After a failure more of it may
 * be added, and is dropped; the end then says what was wrong, and the job's
 * file must not be written.  `name` stands for the task's file as a source. */
void hpm_jobfile_begin_task(struct hpm_jobfile *jobfile);
void hpm_jobfile_add(struct hpm_jobfile *jobfile, const char *bytes,
                     size_t length);
bool hpm_jobfile_end_task(struct hpm_jobfile *jobfile, const char *name,
                          struct hpm_error *err);

/* How many tasks there are. */
size_t hpm_jobfile_n_tasks(const struct hpm_jobfile *jobfile);

/* Write the tasks, in an order that is not that of the additions, to the file
 * `name` in `folder`, or where that is taken, to NAME.1 and so on; *ret_path is
 * the path it got, for the caller to free.  Where there is only one task, it
 * is no job.  All tasks are taken for those of one job. */
bool hpm_jobfile_write(struct hpm_jobfile *jobfile, const char *folder,
                       const char *name, bool is_synced, char **ret_path,
                       struct hpm_error *err);

/* Give the file at `path` the name asked for, or NAME.1 and so on, if that is
 * free by now; say so where it is not the one asked for. */
void hpm_jobfile_rename(const char *path, const char *name);

#endif
