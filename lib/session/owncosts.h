/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what a recorder's calls at sections cost: before anything is
 * measured, and again at the end, in a thread that makes such calls itself.
 *
 * All functions are called by `thread`, which is registered with the recorder
 * and busy (inside a call of the program), with `calm` held.  While it makes
 * calls of its own, it is not busy. */
#ifndef HPM_SESSION_OWNCOSTS_H
#define HPM_SESSION_OWNCOSTS_H

#include "host/calm.h"
#include "record/recorder.h"

/* Measure the calls of threads, unless another thread, or the parent of a
 * forked child, has done so. */
void hpm_owncosts_find_at_begin(struct hpm_recorder *recorder,
                                struct hpm_thread *thread,
                                const struct hpm_calm *calm)
    __attribute__((cold));

/* Measure the calls of process sections, at the first one; the caller begins
 * and ends the own work of the thread (hpm_thread_begin_own_work). */
void hpm_owncosts_find_of_process(struct hpm_recorder *recorder,
                                  struct hpm_thread *thread,
                                  const struct hpm_calm *calm)
    __attribute__((cold));

/* Measure both again. */
void hpm_owncosts_find_at_end(struct hpm_recorder *recorder,
                              struct hpm_thread *thread,
                              const struct hpm_calm *calm)
    __attribute__((cold));

#endif
