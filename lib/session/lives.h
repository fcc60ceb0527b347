/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what each thread that comes, measures and goes adds to a process
 * section around it.
 *
 * A thread charges all that it does between the opening and the last reading of
 * its counters.  What it does before and after that, and what the C library
 * does because of us when a thread ends, no counter of the thread can see.  It
 * is the same number of instructions each time: so trial threads show it, some
 * that measure and some that do not. */
#ifndef HPM_SESSION_LIVES_H
#define HPM_SESSION_LIVES_H

#include "record/recorder.h"

/* How a new thread becomes one of `trial`, which nobody else uses: it calls
 * `join` first. */
struct hpm_lives {
    struct hpm_recorder *trial;
    void (*join)(void *context);
    void *context;
};

/* A recorder for trial threads, which knows all that `recorder` knows; the
 * caller frees it.  NULL when memory runs out. */
struct hpm_recorder *hpm_lives_new_trial(const struct hpm_recorder *recorder);

/* Let threads come and go, and write what that costs into process->threads;
 * what the trial threads add to the counts of the process is charged.  Call it
 * in `thread`, with its signals blocked.  False, and nothing written, if other
 * threads of the program run meanwhile, so that no event gives the same count
 * twice. */
bool hpm_lives_measure(const struct hpm_lives *lives,
                       struct hpm_process *process, struct hpm_thread *thread);

#endif
