/* SPDX-License-Identifier: BSD-3-Clause
 * What a journal's copies say: a section table, or the run around them, as
 * words (file/journal.h), complete enough to make the experiment of them.
 *
 * A word below is an unsigned or (int) signed integer, a real the bits of a
 * double, a text its length and its bytes; "n x (...)" is a word n and so
 * many times what follows.  Times are in ticks of the clock except where ns
 * is said; the length of a tick follows from the run's first instant and the
 * latest one of any copy.
 *
 * The first table of a journal is the run:
 *
 *     kind            HPM_SNAPSHOT_RUN
 *     toolkit         text: version
 *     file            text: path of the performance file to be
 *     program, job    texts
 *     task, pid       ints
 *     forked_from     int: pid of the process that forked it, 0 for none
 *     start           text: as in the file
 *     instant         ticks and ns at the start of the recording
 *     is tick         1: a tick is the processor's, 0: a nanosecond
 *     host, system, architecture, cpu, pmu, facts, mhz source, no counters'
 *                     reason: texts
 *     mhz             real; 0 where it is not known, or where it is that of an
 *                     x86 processor's tick
 *     n cpus, n of them allowed (0: not known), is virtual, has hardware
 *                     counters
 *     n x counter     name, source, description, unit, domain, state, reason:
 *                     texts; flags: 1 hidden, 2 charged (see below),
 *                     4 counted in threads, too
 *     instant         ticks and ns of this copy
 *     n x resource    text, value, is known
 *     n x calibration scope, when: texts; n calls;
 *                     n x slot: self and pair (minimum, median, maximum);
 *                     cost self, start, stop;
 *                     3 x time in ticks of a self, a pair, a pair of a section
 *                     that is open: middle, low, high (reals);
 *                     what was charged for the last of these
 *     n x problem     text, count
 *     n x sampled     name, unit: texts; domain: int; period; only where
 *                     something is sampled (n > 0) there follow
 *     n threads that could not be sampled
 *     n x module      path, build id: texts
 *     n x part        of what is or was mapped: start, end, offset in the file,
 *                     number of the module
 *
 * Each other one is a section table, of a thread or the process:
 *
 *     kind            HPM_SNAPSHOT_THREAD, HPM_SNAPSHOT_PROCESS
 *     tid, omp        ints, as in a record; tid -2: n threads together
 *     n threads
 *     instant         ticks and ns of this copy
 *     n slots         of a reading, see source/meter.h
 *     n counts        of these, the first ones: time and events
 *     n charged       of these, the first ones: nothing is charged to others
 *     n x event       clock slot; state, reason: texts
 *     n x section     parent, within: number + 1 of another section here, of
 *                     one of the process; 0 for none (numbers are 0, 1, 2 ...)
 *                     instance, first and last line: ints
 *                     flags: 1 open, 2 overlap, 4 only exclusive, 8 left out,
 *                     16 what is outside all sections, so far, 32 and of that
 *                     only the time
 *                     calls, outermost calls, calls skipped
 *                     label, file: texts
 *                     n x work: text (unit), amount
 *                     inclusive, exclusive: n row words each
 *                     squares: n counts integers of 128 bits, the lower
 *                     word first: sums over the outermost calls, each less
 *                     what was charged inside it
 *     n x total       of what is sampled: is sampled, is known, count; the thread
 *                     is not sampled: n = 0, and there are no samples
 *     n samples dropped, for want of memory
 *     n x sample      section, that of the process around it: number + 1, 0 for
 *                     none; address (all bits: lost ones), number of the part or
 *                     2^32-1, number of what is sampled, how many
 *     n x section     of the first ones: how many of its calls could be kept one
 *                     by one; where that is not 0, n x call kept: its number,
 *                     ticks at its start, n row words that it used; n = 0: this
 *                     copy leaves them out, or there was no room for any
 *
 * n row is n slots + n charged + 2: a reading, what was charged (slot by slot),
 * starts and stops inside (record/calltree.h).  From these and the calibration
 * record/correct.h takes the overhead off.  A section that is open has its
 * present call in all of these, up to the latest reading.
 */
#ifndef HPM_RECORD_SNAPSHOT_H
#define HPM_RECORD_SNAPSHOT_H

#include "base/string.h"
#include "file/journal.h"
#include "model/experiment.h"
#include "record/calibration.h"
#include "record/calltree.h"
#include "record/sampler.h"
#include "source/clock.h"
#include "source/eventset.h"
#include "source/meter.h"
#include "source/modules.h"
#include "source/sampling.h"

enum {
    HPM_SNAPSHOT_RUN = 1,
    HPM_SNAPSHOT_THREAD = 2,
    HPM_SNAPSHOT_PROCESS = 3,
};

/* The fields above, in their order, for who writes them and who reads them: a
 * new field is a line in one of these, and one above. */
extern const struct hpm_journal_field hpm_snapshot_run[];     /* hpm_run */
extern const struct hpm_journal_field hpm_snapshot_place[];   /* hpm_run */
extern const struct hpm_journal_field hpm_snapshot_machine[]; /* hpm_machine */
extern const struct hpm_journal_field hpm_snapshot_counter[]; /* hpm_counter */
extern const struct hpm_journal_field hpm_snapshot_instant[]; /* hpm_instant */
extern const struct hpm_journal_field hpm_snapshot_resource[];
extern const struct hpm_journal_field hpm_snapshot_spread[];
extern const struct hpm_journal_field hpm_snapshot_timecost[];
extern const struct hpm_journal_field hpm_snapshot_problem[];
extern const struct hpm_journal_field hpm_snapshot_event[]; /* hpm_metered */
extern const struct hpm_journal_field hpm_snapshot_section[];
extern const struct hpm_journal_field hpm_snapshot_sampled[];
extern const struct hpm_journal_field hpm_snapshot_total[];

/* A section up to its works. */
struct hpm_snapshot_section {
    uint64_t parent, within;
    int instance, line_start, line_end;
    uint64_t flags, calls, outer, n_skipped;
    char *label, *file;
};

enum {
    HPM_SNAPSHOT_OPEN = 1,
    HPM_SNAPSHOT_OVERLAP = 2,
    HPM_SNAPSHOT_ONLY_EXCLUSIVE = 4,
    HPM_SNAPSHOT_EXCLUDED = 8,
    HPM_SNAPSHOT_OUTSIDE = 16,
    HPM_SNAPSHOT_ONLY_TIME = 32,
};

/* A section table whose owner lets it be read. */
struct hpm_snapshot {
    int kind;
    int tid;
    int omp;
    size_t n_threads;
    uint64_t uncounted; /* ticks of the run before its counting: process.h */
    int opener; /* process: tid of the thread that took the latest reading */
    const struct hpm_calltree *tree; /* the latest reading is in ->now */
    const struct hpm_meter *meter;
    const struct hpm_sampler *samples; /* NULL: of none */
    size_t most_words; /* of single calls: a section has all or none */
};

/* What the words of a sample are. */
enum hpm_snapshot_sample {
    HPM_SNAPSHOT_NODE,
    HPM_SNAPSHOT_WITHIN,
    HPM_SNAPSHOT_ADDRESS,
    HPM_SNAPSHOT_PART,
    HPM_SNAPSHOT_SAMPLED,
    HPM_SNAPSHOT_N,
    HPM_SNAPSHOT_SAMPLE_WORDS
};

/* Append a table. */
void hpm_snapshot_add_table(struct hpm_string *copy,
                            const struct hpm_snapshot *table,
                            struct hpm_instant now);

/* What of a run's copy never changes: run, machine and counters of the
 * experiment, which has nothing else yet.  Everything up to the counters. */
void hpm_snapshot_add_description(struct hpm_string *copy, const char *file,
                                  const struct hpm_experiment *experiment,
                                  const struct hpm_eventset *set,
                                  struct hpm_instant start);

/* The rest, behind it: what is known now, resources and problems from the
 * experiment.  NULL stands for a calibration that is not to be there. */
void hpm_snapshot_add_state(
    struct hpm_string *copy, struct hpm_instant now,
    const struct hpm_calibration *const calibrations[HPM_N_CALIBRATIONS],
    const struct hpm_experiment *experiment);

/* Behind that: what is sampled, and what was mapped where, as far as that is known
 * (hpm_modules_look).  Returns how many parts of modules that were. */
size_t hpm_snapshot_add_sampling(struct hpm_string *copy,
                                 const struct hpm_sampling *sampling,
                                 uint64_t n_without,
                                 struct hpm_modules *modules);

#endif
