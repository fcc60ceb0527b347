/* SPDX-License-Identifier: BSD-3-Clause
 * Recorded or scripted samples instead of counters: the same results in every
 * run and on every machine.  HPM_REPLAY names the file.
 *
 * Each reading of a thread's meter takes the next sample of that thread; each
 * reading of the process's meter takes the next sample of the process.  A meter
 * that has no number yet is not read: all counts and the time begin at 0. */
#ifndef HPM_SOURCE_REPLAY_H
#define HPM_SOURCE_REPLAY_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Read the file that HPM_REPLAY names; if it cannot be used, find and offer say
 * why.  From now on the time is that of the samples.  Call this once, before
 * there are other threads and before any meter is opened. */
void hpm_replay_load(void);

/* For tests: forget the file, and the time of its samples. */
void hpm_replay_unload(void);

/* Call `visit` for each thread, and for the process, that was read more often
 * than it has samples: with one sentence, and the number of readings without a
 * sample. */
void hpm_replay_visit_lacks(void (*visit)(const char *sentence,
                                          unsigned n_readings, void *context),
                            void *context);

#endif
