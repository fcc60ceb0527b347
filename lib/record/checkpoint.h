/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints: copies of what was recorded so far, written to a journal in case
 * the program stops before its regular end.
 *
 * No thread or timer runs for this.  Each section table has an instant from
 * which on it is *due*.  The stop of a section reads the clock anyway and
 * compares: if the table is due, the stop takes the long way, which measures
 * itself, and writes the table, and the tables of the process and the run if
 * they are due, too.  Starts that take the long way anyway do the same.  The
 * first start of a section writes the table in any case, with the section in
 * it: a section that was never written would be lost as a whole.  Each thread
 * writes its own table and no other thread's: only the thread itself knows when
 * its table is not changing.
 *
 * The tables know only record/checkpointer.h of this.
 *
 * Any thread may call these functions, except as said; a lock of its own guards
 * the journal.  Signals and cancellation are blocked meanwhile, and errno is
 * kept. */
#ifndef HPM_RECORD_CHECKPOINT_H
#define HPM_RECORD_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "file/journal.h"
#include "record/recorder.h"

/* How often checkpoints are made, and how safely. */
struct hpm_checkpoint_plan {
    uint64_t interval_ns;          /* 0: at each stop */
    bool is_synced;                /* written to the disk, not only to the
                                    * kernel */
    void (*say)(const char *line); /* reports the first failure, in one line */
};

/* Make checkpoints from now on, of threads that enter the recorder and of its
 * process.  `file` is the path of the performance file that will be written,
 * `run` names the run.  The recorder owns the checkpoint, and the checkpoint
 * the journal (also on failure).  False if even the run could not be
 * written. */
bool hpm_checkpoint_begin(struct hpm_recorder *recorder,
                          struct hpm_journal *journal,
                          const struct hpm_checkpoint_plan *plan,
                          const char *file, const struct hpm_run *run,
                          struct hpm_error *err);

/* The threads are calibrated: the run is due again. */
void hpm_checkpoint_add_calibration(const struct hpm_recorder *recorder);

/* The process scope is open and calibrated. */
void hpm_checkpoint_add_process(struct hpm_recorder *recorder);

/* Write everything at the harvest, when all sections are closed; the process's
 * table only if `has_process` (its sections could be closed).  Hold the lock of
 * the threads. */
void hpm_checkpoint_put_all(struct hpm_recorder *recorder, bool has_process);

/* Is there a journal? */
bool hpm_checkpoint_is_there(const struct hpm_recorder *recorder);

/* The journal's path, to be freed by the caller; NULL if there is no journal or
 * no memory. */
char *hpm_checkpoint_path(const struct hpm_recorder *recorder);

/* Has the journal all that the harvest could read?  False before the harvest,
 * and if a copy could not be written. */
bool hpm_checkpoint_has_all(const struct hpm_recorder *recorder);

/* Remove the journal, after all of it was written to the performance file.
 * False if that fails. */
bool hpm_checkpoint_remove(struct hpm_recorder *recorder,
                           struct hpm_error *err);

/* In a forked child: leave the journal to the parent. */
void hpm_checkpoint_forget(struct hpm_recorder *recorder);

#endif
