/* SPDX-License-Identifier: BSD-3-Clause
 * A memory barrier in all threads of the process at once, so that threads on
 * the fast path need no barrier of their own. */
#ifndef HPM_HOST_BARRIER_H
#define HPM_HOST_BARRIER_H

/* Call this once in each process, forked children too, before
 * hpm_barrier_everywhere. */
void hpm_barrier_prepare(void);

/* From now on the calling thread sees all that any thread has stored before,
 * and all threads see all that the calling thread has stored. */
void hpm_barrier_everywhere(void);

#endif
