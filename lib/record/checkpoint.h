/* SPDX-License-Identifier: BSD-3-Clause
 * Putting aside, in a journal, what a recording has so far, for the case that
 * the program stops without its end.
 *
 * Nobody wakes up for it.  Each section table has an instant from which on it
 * is *due*.  The stop of a section reads the clock anyway and compares; when
 * the table is due the stop takes the long way, which measures itself, puts
 * the table aside and with it that of the process and the run, where they are
 * due, too.  So do starts that take the long way anyway.  The first start of a
 * section puts the table aside in any case, with the section in it: what was
 * never put is lost as a whole.  A thread puts its own table aside and no other:
 * only it knows when nothing in there is changing.
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
#include "record/process.h"
#include "record/recorder.h"
#include "record/thread.h"

struct hpm_checkpoint;

/* The instant of a table that is due already.  Where no clock was read, which
 * is 0, nothing is. */
enum { HPM_CHECKPOINT_AT_ONCE = 1 };

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
void hpm_checkpoint_free(struct hpm_checkpoint *checkpoint);

/* The threads are calibrated: the run is due again. */
void hpm_checkpoint_add_calibration(struct hpm_checkpoint *checkpoint);

/* The process scope is open and calibrated. */
void hpm_checkpoint_add_process(struct hpm_checkpoint *checkpoint);

/* Is a table due at that reading of the clock? */
static inline bool
hpm_checkpoint_is_due(const struct hpm_thread *thread,
                      const struct hpm_forest *forest, uint64_t clock)
{
    return thread->checkpoint != NULL && clock >= forest->due;
}

/* Has a table sections that were never put aside, and is that to be done at the
 * start whose clock this is?  With many of them a sixteenth has to be new, or
 * putting all of them again and again would take longer and longer. */
static inline bool
hpm_checkpoint_is_wanted(const struct hpm_thread *thread,
                         const struct hpm_forest *forest, uint64_t clock)
{
    enum { FEW = 256, PART = 16 };
    size_t n_new = forest->nodes.n - forest->n_put;

    return thread->checkpoint != NULL && forest->due != UINT64_MAX &&
           clock != 0 && n_new > 0 &&
           (forest->nodes.n <= FEW || n_new >= forest->nodes.n / PART);
}

/* Put aside the calling thread's table, and the process's and the run where
 * they are due.  The thread is on the long way, which began with its reading
 * `begin`. */
void hpm_checkpoint_make(struct hpm_thread *thread, const uint64_t *begin);

/* The same because of sections that were never put aside: without waiting for
 * the disk. */
void hpm_checkpoint_add_new(struct hpm_thread *thread, const uint64_t *begin);

/* Put aside the process's table, and the run where it is due, with the lock of
 * the process held and the sample of this instant, taken by `thread`, in
 * forest->now. */
void hpm_checkpoint_put_process(struct hpm_process *process,
                                const struct hpm_thread *thread);

/* Put aside, if that is due, what folded threads have together; with the lock
 * of the threads held. */
void hpm_checkpoint_put_folded(struct hpm_threads *threads);

/* The harvest: put aside everything, all of it closed; not the process's table
 * where that could not be (`has_process`).  With the lock of the threads
 * held. */
void hpm_checkpoint_put_all(struct hpm_recorder *recorder, bool has_process);

/* The journal's path; NULL without one or without memory.  For the caller to
 * free. */
char *hpm_checkpoint_path(const struct hpm_recorder *recorder);

/* All of it is in the performance file: remove the journal. */
void hpm_checkpoint_remove(struct hpm_recorder *recorder);

/* In a forked child: leave the journal to the parent. */
void hpm_checkpoint_forget(struct hpm_recorder *recorder);

#endif
