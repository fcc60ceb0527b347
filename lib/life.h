/* SPDX-License-Identifier: BSD-3-Clause
 * The library's life in a process: init, forks, threads that enter and leave,
 * the end.  The calls at sections (hpm.c) ask it for the calling thread. */
#ifndef HPM_LIFE_H
#define HPM_LIFE_H

#include <stdatomic.h>

#include "record/recorder.h"

/* NULL where nothing is recorded. */
extern struct hpm_recorder *_Atomic hpm_life_recorder
    __attribute__((visibility("hidden")));

/* A call was not let in with the part `refused`.  Is it the thread's first one,
 * and now it has entered? */
bool hpm_life_enter(const struct hpm_thread *refused, enum hpm_first_call call);

/* At a thread's first process section: open the process's counters, or wait
 * until another thread has. */
void hpm_life_enter_process(struct hpm_thread *thread);

/* How many counters threads have; 0 before init. */
size_t hpm_life_n_counters(void);

#endif
