/* SPDX-License-Identifier: BSD-3-Clause
 * Loaded before tasks of MPICH that are more than there are processors.  A task that
 * waits asks UCX again and again whether something has come, and keeps its processor
 * from the task that it waits for until the kernel takes it away: this gives it to
 * others when nothing has come.  An MPI that does without UCX does not notice it. */
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

unsigned ucp_worker_progress(void *worker);

unsigned
ucp_worker_progress(void *worker)
{
    typedef unsigned progress(void *);
    static progress *real; /* the same for all threads that look for it */
    progress *found = __atomic_load_n(&real, __ATOMIC_RELAXED);
    unsigned n = 0;

    if (found == NULL) {
        found = (progress *)dlsym(RTLD_NEXT, "ucp_worker_progress");
        __atomic_store_n(&real, found, __ATOMIC_RELAXED);
    }
    if (found != NULL)
        n = found(worker);
    if (n == 0)
        sched_yield();
    return n;
}
