/* SPDX-License-Identifier: BSD-3-Clause
 * The user's command that builds and runs a program, and the performance files
 * that come of it.
 *
 * The command is run by /bin/sh in its folder, in a session and process group
 * of its own, without input.  HPM_OUTPUT_NAME names a folder made for this run
 * alone, so that what is in it afterwards is of this run and no other. */
#ifndef HPMVIZ_MEASURE_JOB_H
#define HPMVIZ_MEASURE_JOB_H

#include <gio/gio.h>

#define HPMVIZ_TYPE_JOB (hpmviz_job_get_type())
G_DECLARE_FINAL_TYPE(HpmvizJob, hpmviz_job, HPMVIZ, JOB, GObject)

/* Signals:
 *
 *   "started"           the folder of the files is there, the command runs
 *   "output" (char *)   a line of what the command writes, without its end, in
 *                       valid UTF-8
 *   "ended"             see below; no other signal follows
 *
 * All work on files and all waiting is done elsewhere than in the main loop. */
HpmvizJob *hpmviz_job_new(void);

/* Run the command; once for each job. */
void hpmviz_job_start(HpmvizJob *job, const char *folder, const char *command);

gboolean hpmviz_job_is_running(const HpmvizJob *job);

/* End all processes of the command: SIGTERM, and after three seconds SIGKILL. */
void hpmviz_job_stop(HpmvizJob *job);

/* Where its performance files go; NULL before "started". */
const char *hpmviz_job_output(const HpmvizJob *job);

/* After "ended": the performance files, ended by NULL, none where none came;
 * what became of the command, a sentence; and whether it ended with status 0. */
char *const *hpmviz_job_files(const HpmvizJob *job);
const char *hpmviz_job_result(const HpmvizJob *job);
gboolean hpmviz_job_is_good(const HpmvizJob *job);

#endif
