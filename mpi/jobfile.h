/* SPDX-License-Identifier: BSD-3-Clause
 * The performance file of a whole job, merged from the files of its tasks. */
#ifndef HPM_MPI_JOBFILE_H
#define HPM_MPI_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string.h"

struct hpm_jobfile;

/* Begin a job's file, of all tasks or a summary of them (jobsummary.h), which
 * must then be added in ascending order; NULL when memory runs out. */
struct hpm_jobfile *hpm_jobfile_new(bool is_summary, struct hpm_error *err);

void hpm_jobfile_free(struct hpm_jobfile *jobfile);

/* Begin a task's file, add bytes to it, end it.  After a failure, further bytes
 * are ignored; hpm_jobfile_end_task then tells the failure, and the job's file
 * must not be written.  `name` is the task's file in messages and as a
 * source. */
void hpm_jobfile_begin_task(struct hpm_jobfile *jobfile);
void hpm_jobfile_add(struct hpm_jobfile *jobfile, const char *bytes,
                     size_t length);
bool hpm_jobfile_end_task(struct hpm_jobfile *jobfile, const char *name,
                          struct hpm_error *err);

/* How many tasks there are. */
size_t hpm_jobfile_n_tasks(const struct hpm_jobfile *jobfile);

/* The memory that they take, in bytes. */
size_t hpm_jobfile_memory(const struct hpm_jobfile *jobfile);

/* Append all tasks as bytes, for another task of the job; false when memory
 * runs out. */
bool hpm_jobfile_get_columns(const struct hpm_jobfile *jobfile,
                             struct hpm_string *ret_bytes,
                             struct hpm_error *err);

/* Add the tasks that another task sent.  After a failure the job's file must
 * not be written. */
bool hpm_jobfile_add_columns(struct hpm_jobfile *jobfile, const char *bytes,
                             size_t length, struct hpm_error *err);

/* Write the tasks, sorted whatever the order in which they were added, to the
 * file `name` in `folder`, or, if that name is taken, to NAME.1 and so on;
 * *ret_path is the file's path, for the caller to free.  A part of the job's
 * tasks gets their numbers into its name.  *ret_name, which is empty, becomes
 * the name that the file should have.  All tasks must be of one job.  A file
 * with only one task is not the file of a job. */
bool hpm_jobfile_write(struct hpm_jobfile *jobfile, const char *folder,
                       const char *name, bool is_part, bool is_synced,
                       char **ret_path, struct hpm_string *ret_name,
                       struct hpm_error *err);

/* Rename the file at `path` to `name`, or NAME.1 and so on, if that name is
 * free by now; if it is not `name` in the end, say so. */
void hpm_jobfile_rename(const char *path, const char *name);

#endif
