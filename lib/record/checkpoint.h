/* SPDX-License-Identifier: BSD-3-Clause
 * Putting aside, in a journal, what a recording has so far, for the case that
 * the program stops without its end.
 *
 * Nobody wakes up for it.  Each section table has an instant from which on it
 * is *due*.  The stop of a section reads the clock anyway and compares; when
 * the table is due the stop takes the long way, which measures itself, puts the
 * table aside and with it that of the process and the run, where they are due,
 * too.  So do starts that take the long way anyway.  The first start of a
 * section puts the table aside in any case, with the section in it: what was
 * never put is lost as a whole.  A thread puts its own table aside and no
 * other: only it knows when nothing in there is changing.
 *
 * The tables know of it only what is in record/checkpointer.h.
 *
 * Any thread, as said; what is put is under a lock of its own.  Signals and
 * cancellation wait meanwhile, and errno is kept.
 */
#ifndef HPM_RECORD_CHECKPOINT_H
#define HPM_RECORD_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "file/journal.h"
#include "record/recorder.h"

/* How often, and how well. */
struct hpm_checkpoint_plan {
    uint64_t interval_ns;          /* 0: at each stop */
    bool is_synced;                /* to the disk, not only to the system */
    void (*say)(const char *line); /* one line, when it fails first */
};

/* Put aside from now on: threads that enter the recorder, and its process.
 * `file` is the path of the performance file to be, `run` names the run.  The
 * recorder owns the checkpoint, and that the journal (also on failure).  False
 * when not even the run could be put. */
bool hpm_checkpoint_begin(struct hpm_recorder *recorder,
                          struct hpm_journal *journal,
                          const struct hpm_checkpoint_plan *plan,
                          const char *file, const struct hpm_run *run,
                          struct hpm_error *err);

/* The threads are calibrated: the run is due again. */
void hpm_checkpoint_add_calibration(const struct hpm_recorder *recorder);

/* The process scope is open and calibrated. */
void hpm_checkpoint_add_process(struct hpm_recorder *recorder);

/* The harvest: put aside everything, all of it closed; not the process's table
 * where that could not be (`has_process`).  With the lock of the threads
 * held. */
void hpm_checkpoint_put_all(struct hpm_recorder *recorder, bool has_process);

/* Is there a journal? */
bool hpm_checkpoint_is_there(const struct hpm_recorder *recorder);

/* The journal's path; NULL without one or without memory.  For the caller to
 * free. */
char *hpm_checkpoint_path(const struct hpm_recorder *recorder);

/* Has the journal all that the harvest could read?  Not where a copy could not
 * be written, and not before a harvest. */
bool hpm_checkpoint_has_all(const struct hpm_recorder *recorder);

/* All of it is in the performance file: remove the journal.  False when that
 * cannot be. */
bool hpm_checkpoint_remove(struct hpm_recorder *recorder,
                           struct hpm_error *err);

/* In a forked child: leave the journal to the parent. */
void hpm_checkpoint_forget(struct hpm_recorder *recorder);

#endif
