/* SPDX-License-Identifier: BSD-3-Clause
 * A meter: the running counters of one thread, process or program.
 *
 * Counters never stop: a reading is a row of slots, what a section used is the
 * difference of two readings.
 *
 *     slot 0         time, in ticks of the clock
 *     slot 1 + e     count of event e
 *     further slots  pairs (enabled, running): how long the counters of a
 *                    group were wanted and how long they really counted, in
 *                    nanoseconds; events of one group share a pair
 *
 * The clock is read by the caller, into slot `time_slot` of the row: that is
 * 0, but a slot nobody looks at when samples are replayed, which bring the
 * time along.  So edges need not ask which of the two it is.
 */
#ifndef HPM_SOURCE_METER_H
#define HPM_SOURCE_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "model/estimate.h"
#include "source/cursor.h"
#include "source/eventset.h"
#include "source/source.h"
#include "source/tasks.h"

/* Events more that nobody asked for: the leader of a group, and one that tells the
 * time on each kind of cores (kinds.h). */
enum { HPM_METER_HIDDEN = 1 + 4 };
enum { HPM_MAX_SLOTS = 2 + 3 * (HPM_MAX_ALL_EVENTS + HPM_METER_HIDDEN) };

/* The number of a thread that has none yet. */
enum { HPM_METER_UNNUMBERED = -2 };

struct hpm_meter {
    const struct hpm_cursor
        *cursor; /* of a sampled thread, else NULL; the first member, as in the
                  * countings of sources (source.h) */
    const struct hpm_eventset *set;
    enum hpm_target target;
    pid_t pid; /* of the program or thread; of a control group: its folder,
                  open; of a processor: -1 */
    int cpu;   /* -1: all */
    size_t n_events;
    size_t n_slots;
    bool takes_turns; /* counters of it may: set by sources */
    size_t time_slot; /* where the caller puts what its clock says */
    uint64_t
        patience_ns;   /* it is to be read at least so often, or a counter that
                             begins at 0 again has gone round: set by sources;
                             else UINT64_MAX */
    int tid;           /* the thread's number, set by the recorder; else -1 */
    uint64_t *scratch; /* its owner's: a reading and two rows of 1 + n_events;
                          where the stack would be new pages, at the end of a
                          thread */
    struct hpm_meter *next_opened; /* not yet a thread's part: life.c */
    struct hpm_metered {
        uint16_t clock_slot; /* of its `enabled`; 0: counted all the time */
        enum hpm_state state;
        char *reason;
    } * events;
    enum hpm_tasks_end tasks; /* of a process: are all threads counted? */
    /* Reads all parts; NULL: there is no part, and nothing is sampled.  A child that
     * was forked while another thread closed the parts closes the parts that are
     * left. */
    void (*_Atomic read)(void *counting, uint64_t *slots);
    void *counting;
    struct hpm_reading { /* reads all parts, and takes no samples */
        void (*read)(void *counting, uint64_t *slots);
        void *counting;
    } own;
    atomic_size_t n_parts;
    struct hpm_meter_part {
        const struct hpm_source *source;
        void *counting;
    } parts[]; /* room for one of each source, and one that a tool brings */
};

/* Start counting.  Events that cannot be counted for this target have their
 * state and reason in `events`; the others count.  Events may be of one source that
 * is not among HPM_SOURCES, which a tool brings.  `set` must outlive the
 * meter; `pid` matters for a program only.  NULL when there is no memory. */
struct hpm_meter *hpm_meter_open(const struct hpm_eventset *set,
                                 enum hpm_target target, pid_t pid,
                                 struct hpm_error *err);

/* The same of something that runs already, on processor `cpu` (-1: all).  Events
 * of other sources than the kernel's are not counted; those of one that a tool
 * brings not before hpm_meter_open_brought. */
struct hpm_meter *hpm_meter_open_running(const struct hpm_eventset *set,
                                         enum hpm_target target, pid_t pid,
                                         int cpu, struct hpm_error *err);

/* Count the events of a source that a tool has brought, which are of no thread or
 * processor: in one of the meters of what runs already. */
void hpm_meter_open_brought(struct hpm_meter *meter);

/* May a thread open its meter while others open theirs, and without any lock?
 * Then with the same number of instructions each time. */
bool hpm_meter_opens_alone(const struct hpm_eventset *set);

/* End counting; what is known of the events stays. */
void hpm_meter_stop(struct hpm_meter *meter);

/* End counting and free it; NULL is fine. */
void hpm_meter_close(struct hpm_meter *meter);

/* All slots but time (slot 0, too, of replayed samples), at this instant.
 * Slots of events that cannot be counted are left alone. */
static inline void
hpm_meter_read(const struct hpm_meter *meter, uint64_t *slots)
{
    void (*read)(void *, uint64_t *) =
        atomic_load_explicit(&meter->read, memory_order_relaxed);

    if (read != NULL)
        read(meter->counting, slots);
}

/* Like hpm_meter_read, but samples that have come stay in the ring. */
static inline void
hpm_meter_read_own(const struct hpm_meter *meter, uint64_t *slots)
{
    meter->own.read(meter->own.counting, slots);
}

/* From now on readings of the calling thread take its samples, too; with NULL they no
 * longer do. */
void hpm_meter_set_cursor(struct hpm_meter *meter,
                          const struct hpm_cursor *cursor);

/* Are samples replayed?  Then reading costs the program nothing it would see,
 * and every reading takes a sample. */
static inline bool
hpm_meter_is_replayed(const struct hpm_meter *meter)
{
    return meter->time_slot != 0;
}

/* Is what measuring does to a slot (time or an event's) taken off? */
static inline bool
hpm_meter_is_charged(const struct hpm_meter *meter, size_t slot)
{
    return !hpm_meter_is_replayed(meter) &&
           (slot == 0 || hpm_eventset_is_charged(meter->set, slot - 1));
}

/* Nothing is charged to this slot and those behind it; at least 1. */
size_t hpm_meter_n_charged(const struct hpm_meter *meter);

/* For hpm_meter_pass. */
void hpm_meter_pass_sample(const struct hpm_meter *meter);

/* An edge passes without a reading: the sample of it is left out. */
static inline void
hpm_meter_pass(const struct hpm_meter *meter)
{
    if (hpm_meter_is_replayed(meter))
        hpm_meter_pass_sample(meter);
}

/* What a difference of two readings says about one event. */
struct hpm_count {
    enum hpm_state state;
    uint64_t value; /* scaled up where the counter was shared */
    double share;   /* part of the time it counted, 0..1 */
};

/* The same with all that `blocks` tell of it (NULL: nothing). */
void hpm_meter_estimate(const struct hpm_meter *meter, size_t event,
                        const uint64_t *difference,
                        const struct hpm_blocks *blocks,
                        struct hpm_estimate *ret_estimate);

struct hpm_count hpm_meter_count(const struct hpm_meter *meter, size_t event,
                                 const uint64_t *difference);

/* How a counter that takes turns went on between two readings: a row of slots,
 * at first that of `from`, goes on to the end of the next slice, of some;
 * false when there is none any more before `to`.  The thread that reads. */
bool hpm_meter_step(const struct hpm_meter *meter, uint64_t *slots,
                    const uint64_t *from, const uint64_t *to);

/* For sources, while opening: reserve `n` slots, returns the first. */
uint16_t hpm_meter_add_slots(struct hpm_meter *meter, size_t n);

/* For sources: this event gives no value here.  Any thread that reads. */
void hpm_meter_fail(struct hpm_meter *meter, size_t event, enum hpm_state state,
                    const char *reason);

#endif
