/* SPDX-License-Identifier: BSD-3-Clause
 * Finding out what is in a process section for each thread that comes or goes
 * inside it and measures.
 *
 * A thread charges all that it does between the opening and the last reading of
 * its counters.  What is before and after that, and what the C library does at
 * the end of a thread because of us, no counter of the thread sees.  It is the
 * same number of instructions each time, so threads that are thrown away show
 * it: some that measure, and some that do not. */
#ifndef HPM_SESSION_LIVES_H
#define HPM_SESSION_LIVES_H

#include "record/recorder.h"

/* How such a thread comes to be one of `trial`, which nobody else uses: `join`
 * is called in it first. */
struct hpm_lives {
    struct hpm_recorder *trial;
    void (*join)(void *context);
    void *context;
};

/* A recorder for threads of a trial, which has what `recorder` knows; the caller
 * frees it.  NULL without memory. */
struct hpm_recorder *hpm_lives_new_trial(const struct hpm_recorder *recorder);

/* Let threads come and go, and write what that costs into process->threads;
 * what they are in the counts of the process is charged.  By `thread`, with its
 * signals blocked.  False, with nothing written, where other threads of the
 * program run meanwhile, so that no event is the same for all. */
bool hpm_lives_measure(const struct hpm_lives *lives,
                       struct hpm_process *process, struct hpm_thread *thread);

#endif
