/* SPDX-License-Identifier: BSD-3-Clause
 * Copies for a journal: a section table, or the run, as words (file/journal.h),
 * complete enough to make the experiment from them.
 *
 * A word below is an unsigned or (int) signed integer, a real the bits of a
 * double, a text its length and its bytes; "n x (...)" is a word n and n
 * times what follows.  Times are in ticks of the clock unless they are called
 * ns; the length of a tick follows from the run's first instant and the
 * latest one of any copy.
 *
 * The first table of a journal is the run:
 *
 *     kind            HPM_SNAPSHOT_RUN
 *     toolkit         text: version
 *     file            text: path of the performance file
 *     program, job    texts
 *     task, pid       ints
 *     forked_from     int: pid of the process that forked this one, or 0
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
 *     dims, periods, coords of the task in a grid of tasks, and its degrees,
 *                     sources, destinations in a graph: texts, or none
 *     n x resource    text, value, is known
 *     n x calibration scope, when: texts; n calls;
 *                     n x slot: self and pair (minimum, median, maximum);
 *                     cost self, start, stop;
 *                     3 x time in ticks of a self, a pair, a pair of a section
 *                     that is open: middle, low, high (reals);
 *                     the cost charged for the last of these
 *     n x problem     text, count
 *     n x sampled     name, unit: texts; domain: int; period; if n > 0
 *                     there follow
 *     n threads that could not be sampled
 *     n x module      path, build id: texts
 *     n x part        mapped now or earlier: start, end, offset in the file,
 *                     number of the module
 *
 * Each other table is a section table, of a thread or the process:
 *
 *     kind            HPM_SNAPSHOT_THREAD, HPM_SNAPSHOT_PROCESS
 *     tid, omp        ints, as in a record; tid -2: n threads together
 *     n threads
 *     instant         ticks and ns of this copy
 *     n slots         of a reading, see source/meter.h
 *     n counts        the first n of these are time and events
 *     n charged       the first n of these are charged with overhead
 *     n x event       clock slot; state, reason: texts
 *     n x section     parent, within: number + 1 of another section here, of
 *                     one of the process; 0 for none (numbers are 0, 1, 2 ...)
 *                     instance, first and last line: ints
 *                     flags: 1 open, 2 overlap, 4 only exclusive, 8 left out,
 *                     16 what no section covers so far, 32 of which only the
 *                     time is known, 64 only the first calls were measured,
 *                     and 128 times the enum hpm_via
 *                     calls, outermost calls, calls skipped
 *                     label, file: texts
 *                     n x work: text (unit), amount
 *                     inclusive, exclusive: n row words each
 *                     squares: n counts integers of 128 bits, the lower
 *                     word first: sums over the outermost calls, each without
 *                     its overhead
 *     n x total       for each sampled event: is sampled, is known, count;
 *                     n = 0: the thread is not sampled, and no samples follow
 *     n samples dropped for lack of memory
 *     n x sample      section, process section around it: number + 1, 0 for
 *                     none; address (all bits: lost samples), number of the
 *                     part or 2^32-1, number of the sampled event, how many
 *     n x section     for the first n sections: how many calls were offered to
 *                     be kept one by one; if not 0, n x call kept: its number,
 *                     ticks at its start, n row words that it used; n = 0: this
 *                     copy leaves them out, or there was no room for any
 *
 * n row is n slots + n charged + 2: a reading, its overhead (slot by slot),
 * starts and stops inside (record/calltree.h).  With these and the calibration
 * record/correct.h subtracts the overhead.  The values of an open section
 * contain its present call, up to the latest reading.
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

/* The fields above, in their order, for the writer and the reader: a new field
 * is a line in one of these tables, and one above. */
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

/* The fields of a section before its works. */
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
    HPM_SNAPSHOT_NOTED = 64, /* times the bits of record/noted.h */
};

/* A section table that its owner allows to be read now. */
struct hpm_snapshot {
    int kind;
    int tid;
    int omp;
    size_t n_threads;
    uint64_t uncounted; /* ticks of the run before its counting: process.h */
    int opener; /* process: tid of the thread that took the latest reading */
    const struct hpm_calltree *tree; /* the latest reading is in ->now */
    const struct hpm_meter *meter;
    const struct hpm_sampler *samples; /* NULL: the thread is not sampled */
    size_t most_words; /* of single calls: a section has all or none */
};

/* The words of a sample. */
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

/* Append the part of a run's copy that never changes, up to the counters: run,
 * machine and counters of the experiment, which has nothing else yet. */
void hpm_snapshot_add_description(struct hpm_string *copy, const char *file,
                                  const struct hpm_experiment *experiment,
                                  const struct hpm_eventset *set,
                                  struct hpm_instant start);

/* Append the present state: resources and problems from the experiment, and
 * calibrations.  NULL: leave this calibration out. */
void hpm_snapshot_add_state(
    struct hpm_string *copy, struct hpm_instant now,
    const struct hpm_calibration *const calibrations[HPM_N_CALIBRATIONS],
    const struct hpm_experiment *experiment);

/* Append the sampled events, and the modules that were mapped, as far as they
 * are known (hpm_modules_look).  Returns the number of parts of modules. */
size_t hpm_snapshot_add_sampling(struct hpm_string *copy,
                                 const struct hpm_sampling *sampling,
                                 uint64_t n_without,
                                 struct hpm_modules *modules);

#endif
