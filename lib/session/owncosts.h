/* SPDX-License-Identifier: BSD-3-Clause
 * What calls at sections cost a recorder: found out before anything is measured,
 * and once more at the end, by a thread that makes such calls itself.
 *
 * All are called by `thread`, which is registered with the recorder and is busy,
 * inside a call of the program for which `calm` is held.  While it makes calls of
 * its own it is not busy. */
#ifndef HPM_SESSION_OWNCOSTS_H
#define HPM_SESSION_OWNCOSTS_H

#include "host/calm.h"
#include "record/recorder.h"

/* What the calls of threads cost, unless another thread, or the parent of a
 * forked child, has found it out. */
void hpm_owncosts_find_at_begin(struct hpm_recorder *recorder,
                                struct hpm_thread *thread,
                                const struct hpm_calm *calm);

/* What the calls of process sections cost, at the first one; the thread's own
 * work goes on. */
void hpm_owncosts_find_of_process(struct hpm_recorder *recorder,
                                  struct hpm_thread *thread,
                                  const struct hpm_calm *calm);

/* Both once more. */
void hpm_owncosts_find_at_end(struct hpm_recorder *recorder,
                              struct hpm_thread *thread,
                              const struct hpm_calm *calm);

#endif
