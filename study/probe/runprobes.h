/* SPDX-License-Identifier: BSD-3-Clause
 * Probes that a run of hpmcount has defined for itself: its group of events has the
 * number of its process in its name, so that what a killed one has left is known. */
#ifndef HPM_STUDY_PROBE_RUNPROBES_H
#define HPM_STUDY_PROBE_RUNPROBES_H

#include <stddef.h>

/* Containers share the kernel's list, and have processes of the same numbers: the
 * name has the number of the namespace, too. */
enum { HPM_RUNPROBES_NAME = 48 };

/* The name of this process's group. */
void hpm_runprobes_group(char ret_group[HPM_RUNPROBES_NAME]);

enum hpm_runprobes_state {
    HPM_RUNPROBES_NONE,      /* the group is no run's */
    HPM_RUNPROBES_RUNNING,   /* its hpmcount is there */
    HPM_RUNPROBES_LEFT,      /* it is no more */
    HPM_RUNPROBES_ELSEWHERE, /* it is or was in another container */
};

/* The process number is set unless it is no run's. */
enum hpm_runprobes_state hpm_runprobes_state(const char *group, long *ret_pid);

/* Remove from the list, opened for O_APPEND, the groups that are left; those that
 * something still uses stay.  Returns how many it has removed. */
size_t hpm_runprobes_remove_left(int descriptor);

#endif
