/* SPDX-License-Identifier: BSD-3-Clause
 * The library's life in a process: init, forks, threads that enter and leave,
 * the end.  hpm.c, which has the calls at sections, gets the calling thread
 * from here. */
#ifndef HPM_LIFE_H
#define HPM_LIFE_H

#include <stdatomic.h>

#include "record/recorder.h"

/* NULL if nothing is recorded. */
extern struct hpm_recorder *_Atomic hpm_life_recorder
    __attribute__((visibility("hidden")));

/* A call could not begin with the part `refused`.  If this is the thread's
 * first call, register the thread; true if it is registered now. */
bool hpm_life_enter(const struct hpm_thread *refused, enum hpm_first_call call);

/* Call this at a thread's first process section: it opens the process's
 * counters, or waits until another thread has opened them. */
void hpm_life_enter_process(struct hpm_thread *thread);

/* Number of counters of a thread; 0 before init. */
size_t hpm_life_n_counters(void);

#endif
