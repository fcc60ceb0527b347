/* SPDX-License-Identifier: BSD-3-Clause
 * Recorded or scripted samples in place of counters: the same results in every
 * run and on every machine.  Which file, HPM_REPLAY says.
 *
 * Each reading of a thread's meter takes the next sample of that thread, each
 * reading of the process's the next one of the process.  A meter that has no
 * number yet is not read: all counts and the time begin at 0. */
#ifndef HPM_SOURCE_REPLAY_H
#define HPM_SOURCE_REPLAY_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Read the file HPM_REPLAY names; what is wrong with it, find and
 * offer say.  The time is that of the samples from now on.
 * Once, before other threads and before any meter is opened. */
void hpm_replay_load(void);

/* Forget the file, and the time of its samples; for tests. */
void hpm_replay_unload(void);

/* Call `visit` for each thread, and the process, that was read more often than
 * it has samples: one sentence, and how many readings had none. */
void hpm_replay_visit_lacks(void (*visit)(const char *sentence,
                                          unsigned n_readings, void *context),
                            void *context);

#endif
