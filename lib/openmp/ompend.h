/* SPDX-License-Identifier: BSD-3-Clause
 * The end of the recording where the program exits while other threads are in parallel
 * regions. */
#ifndef HPM_OPENMP_OMPEND_H
#define HPM_OPENMP_OMPEND_H

/* A runtime begins to tell, whose destructor ends it: if the program exits while other
 * threads use the runtime, end the recording before that.  The first call alone does. */
void hpm_ompend_watch(void);

#endif
