/* SPDX-License-Identifier: BSD-3-Clause
 * Which task of which parallel job this process is, as its launcher says. */
#ifndef HPM_BASE_LAUNCHER_H
#define HPM_BASE_LAUNCHER_H

#include <stddef.h>

/* The rank the launcher gave (Open MPI, PMIx, PMI, Slurm, in this order), or
 * -1 where none did. */
int hpm_launcher_rank(void);

/* How many tasks of the job are on this node, as Open MPI, MPICH or Slurm says;
 * 1 where none does. */
int hpm_launcher_local_tasks(void);

/* How many tasks it started, or -1 where it does not say. */
int hpm_launcher_size(void);

/* The job's name: HPM_JOB, else Slurm's job.step, PBS, LSF, PMIx; "" where
 * there is none.  Cut to fit. */
void hpm_launcher_job(char *ret_job, size_t size);

#endif
