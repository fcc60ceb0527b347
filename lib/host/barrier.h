/* SPDX-License-Identifier: BSD-3-Clause
 * A memory barrier in all threads of the process at once, so that threads on a
 * quick way need none of their own. */
#ifndef HPM_HOST_BARRIER_H
#define HPM_HOST_BARRIER_H

/* Once in a process (a forked child is one), before the other. */
void hpm_barrier_prepare(void);

/* What any thread has stored before is seen from now on by this one, and what
 * this one has stored, by any. */
void hpm_barrier_everywhere(void);

#endif
