/* SPDX-License-Identifier: BSD-3-Clause
 * Which task of which parallel job this process is, as its launcher says. */
#ifndef HPM_BASE_LAUNCHER_H
#define HPM_BASE_LAUNCHER_H

#include <stddef.h>

/* The rank the launcher gave this process (Open MPI, PMIx, PMI, Slurm, in this
 * order), or -1 if there is none. */
int hpm_launcher_rank(void);

/* How many tasks of the job are on this node, as Open MPI, MPICH or Slurm says;
 * 1 if none of them says. */
int hpm_launcher_local_tasks(void);

/* How many tasks the launcher started, or -1 if the launcher does not say. */
int hpm_launcher_size(void);

/* The job's name: HPM_JOB, else Slurm's job.step, PBS, LSF, PMIx; "" if there
 * is none.  A longer name is cut to fit. */
void hpm_launcher_job(char *ret_job, size_t size);

#endif
