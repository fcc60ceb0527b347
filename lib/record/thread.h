/* SPDX-License-Identifier: BSD-3-Clause
 * One thread of the measured program: its counters and its sections. */
#ifndef HPM_RECORD_THREAD_H
#define HPM_RECORD_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/text.h"
#include "file/journal.h"
#include "record/callsite.h"
#include "record/calltree.h"
#include "record/sampler.h"
#include "record/shortclock.h"
#include "source/clock.h"
#include "source/meter.h"

/* tid of the common records of all threads beyond HPM_MAX_THREADS. */
enum { HPM_TID_FOLDED = -2 };

struct hpm_checkpointer;
struct hpm_process;

/* Only its own thread writes it, while `is_busy`; the harvest reads it when the
 * recorder is closing and the thread is not busy. */
struct hpm_thread {
    struct hpm_calltree *tree;
    struct hpm_meter *meter;
    atomic_bool is_busy;
    atomic_bool has_process; /* the process scope is open and nothing is to be
                              * measured first, so the thread may use it */
    bool is_tick_only; /* its samples are one reading of the tick register */
    const atomic_bool *is_closing; /* the recorder's: calls do nothing */
    /* members that the quick path does not touch */
    struct hpm_thread *next;    /* in the list, newest first */
    struct hpm_calltree *shown; /* the table whose overhead other threads read:
                                 * `tree`, except while the thread calibrates */
    struct hpm_problems *problems;
    struct hpm_process *process; /* the process for its process sections */
    uint64_t *first; /* the sample at registration, and the overhead */
    uint64_t *begin; /* samples at the begin and the end of a long way */
    uint64_t *end;
    struct hpm_checkpointer *checkpointer; /* NULL: no checkpoints */
    const hpm_sampler_within *within; /* the process section open now, if any */
    struct hpm_sampler *samples;      /* NULL: not sampled */
    struct hpm_journal_table kept;    /* the copy of its table in the journal */
    struct hpm_shortclock processor;  /* to compare its task-clock with */
    uint64_t missing_ns;              /* processor time missing in the
                                       * task-clock, once the run has ended */
    int tid;
    int omp;                 /* OpenMP's number when tid is another, else -1 */
    bool is_leaving;         /* its destructors run */
    bool folds;              /* its records join those of others when it ends */
    bool has_ended;          /* set under the lock of the list */
    bool is_abandoned;       /* cancelled inside a call */
    bool is_left_out;        /* inside a call while the harvest was made */
    bool is_closed_by_other; /* open sections were read from another thread */
    atomic_ulong n_calls_in_calls; /* from signal handlers; dropped */
};

/* The values that a start or stop needs first, next to each other: a load that
 * waits for another load delays the reading of the clock. */
struct hpm_thread_self {
    struct hpm_thread *thread;
    struct hpm_calltree *tree;     /* the thread's */
    const atomic_bool *is_closing; /* the thread's; NULL if there is no
                                    * thread */
};

/* The calling thread's part; NULL after the thread's end, or if nothing is
 * measured.  Before the thread's first call it is hpm_thread_not_entered. */
extern __thread struct hpm_thread_self hpm_thread_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The part of threads without their own: always busy, so that their calls take
 * the cold path. */
extern struct hpm_thread hpm_thread_not_entered
    __attribute__((visibility("hidden")));

/* Set the calling thread's part, or NULL. */
void hpm_thread_be(struct hpm_thread *thread);

/* From now on the calling thread, which owns this part, records into this
 * table. */
void hpm_thread_use(struct hpm_thread *thread, struct hpm_calltree *tree);

/* Make a part with the calling thread's counters and an empty section table;
 * NULL when there is no memory.  `meter` has the counters if they already run,
 * else NULL; the part owns it in any case. */
struct hpm_thread *hpm_thread_new(const struct hpm_eventset *set,
                                  struct hpm_meter *meter,
                                  const struct hpm_costs *costs,
                                  const struct hpm_filter *filter,
                                  struct hpm_problems *problems);
void hpm_thread_free(struct hpm_thread *thread);

/* The shape of a meter's samples, for a thread or the process. */
static inline struct hpm_shape
hpm_thread_shape(const struct hpm_meter *meter)
{
    return (struct hpm_shape){meter->n_slots, 1 + meter->n_events,
                              hpm_meter_n_charged(meter)};
}

/* Sample the calling thread, which owns this part, from now on.  False, with a
 * reason in err, if it cannot be sampled. */
bool hpm_thread_sample(struct hpm_thread *thread,
                       const struct hpm_sampling *sampling,
                       struct hpm_modules *modules, struct hpm_error *err);

/* Make an empty section table for this thread's samples; NULL when there is no
 * memory. */
struct hpm_calltree *hpm_thread_new_calltree(const struct hpm_thread *thread,
                                             const struct hpm_costs *costs,
                                             const struct hpm_filter *filter);

/* ---- starts and stops: only by the thread itself, marked busy ------- */

/* Begin a path of varying length. */
void hpm_thread_begin_long(struct hpm_thread *thread);

/* Begin and end a piece of work that itself makes calls, which use the memory
 * of hpm_thread_begin_long: `begin` has room for meter->n_slots.  All in
 * between is charged. */
void hpm_thread_begin_own_work(struct hpm_thread *thread, uint64_t *begin);
void hpm_thread_end_own_work(struct hpm_thread *thread, const uint64_t *begin);

/* In between, right before a process section is read: thread->end minus
 * thread->begin is then the cost so far. */
void hpm_thread_reach_reading(struct hpm_thread *thread);

/* End the path: add its cost to the overhead, and `cost` for the rest of the
 * call.  If `row` has a copy of the overhead, that copy is set as well. */
void hpm_thread_end_long(struct hpm_thread *thread, enum hpm_cost cost,
                         uint64_t *row);

/* A start whose node is not known, or that is not an ordinary one.  Returns the
 * row to read, or NULL if nothing is to be read. */
uint64_t *hpm_thread_start_long(struct hpm_thread *thread,
                                struct hpm_node *node, int instance, int parent,
                                const char *label, const char *file, int line);

/* The same for a start by a call site, which may have no number yet. */
uint64_t *hpm_thread_start_site_long(struct hpm_thread *thread,
                                     struct hpm_node *node, int instance,
                                     const struct hpm_callsite *site);

/* Stop a section that is left out; false when no such section with this id is
 * open, or when the stop also closes measured sections. */
bool hpm_thread_stop_excluded(struct hpm_thread *thread, int instance,
                              int line);

/* A stop that needs the long way, after its sample was taken.  `cost` is the
 * part of its cost that it does not measure itself. */
void hpm_thread_stop_long(struct hpm_thread *thread, int instance,
                          const char *file, int line, enum hpm_cost cost)
    __attribute__((cold));

/* The last step of a start.  The clock is read next to the program, the
 * counters outside: so the counts contain the cheap reading of the clock, and
 * the time does not contain the dear reading of the counters. */
static inline __attribute__((always_inline)) void
hpm_thread_read_start(const struct hpm_thread *thread, uint64_t *row)
{
    hpm_meter_read(thread->meter, row);
    row[thread->meter->time_slot] = hpm_clock_read();
}

/* All of a start but the last step; returns the row to read, or NULL if nothing
 * is to be read. */
static inline __attribute__((always_inline)) uint64_t *
hpm_thread_open_at(struct hpm_thread *thread, int instance, int parent,
                   const char *label, const char *file, int line)
{
    struct hpm_calltree *tree = thread->tree;
    struct hpm_node *node = hpm_calltree_find(tree, instance, label, file,
                                              hpm_site_where(line, 0, 0));

    if (__builtin_expect(parent != HPM_PARENT_AUTO ||
                             !hpm_calltree_is_ordinary(tree, node),
                         0))
        return hpm_thread_start_long(thread, node, instance, parent, label,
                                     file, line);
    return hpm_calltree_open(tree, node, instance, HPM_COST_AT_START);
}

/* The same for a call site, if its start is not an ordinary one by a slot:
 * always by the same number of instructions. */
static inline __attribute__((always_inline)) uint64_t *
hpm_thread_open_site(struct hpm_thread *thread, int instance,
                     const struct hpm_callsite *site)
{
    struct hpm_calltree *tree = thread->tree;
    struct hpm_node *node = hpm_calltree_find_in_bucket(
        tree, instance, hpm_callsite_number(site->number));

    if (hpm_calltree_is_ordinary(tree, node))
        return hpm_calltree_open(tree, node, instance, HPM_COST_BUCKET_START);
    return hpm_thread_start_site_long(thread, node, instance, site);
}

/* Before the reading only this is checked: are sections left out at all? */
static inline __attribute__((always_inline)) void
hpm_thread_stop(struct hpm_thread *thread, int instance, const char *file,
                int line)
{
    struct hpm_calltree *tree = thread->tree;
    uint64_t clock;

    if (hpm_calltree_may_stop_excluded(tree, instance) &&
        hpm_thread_stop_excluded(thread, instance, line))
        return;
    clock = hpm_clock_read();
    tree->now[thread->meter->time_slot] = clock;
    hpm_meter_read(thread->meter, tree->now);
    if (!hpm_calltree_closes_top(tree, instance, clock))
        hpm_thread_stop_long(thread, instance, file, line, HPM_COST_LONG_STOP);
    else
        hpm_calltree_close_top(tree, line, HPM_COST_STOP);
}

/* For recordings without counters by the tick register: the compiler knows the
 * length of a row, and need not load or compare it. */
static const struct hpm_shape hpm_thread_tick_only = {1, 1, 1};

/* ---- the same with counted strings ------------------------------------ */

/* The strings of a counted start. */
struct hpm_counted_place {
    int instance;
    struct hpm_counted label, file;
    int line;
};

uint64_t *hpm_thread_start_counted_long(struct hpm_thread *thread,
                                        struct hpm_node *node, int parent,
                                        const struct hpm_counted_place *place)
    __attribute__((cold));
void hpm_thread_stop_counted_long(struct hpm_thread *thread, int instance,
                                  struct hpm_counted file, int line)
    __attribute__((cold));

/* Strings that cannot change are found again by address and length, so that
 * only the long way looks for blanks and copies. */
static inline __attribute__((always_inline)) void
hpm_thread_start_counted(struct hpm_thread *thread, int instance, int parent,
                         struct hpm_counted label, struct hpm_counted file,
                         int line)
{
    struct hpm_calltree *tree = thread->tree;
    struct hpm_node *node = NULL;
    uint64_t *row;

    if (__builtin_expect((label.length | file.length) < HPM_SITE_MAX_LENGTH, 1))
        node =
            hpm_calltree_find(tree, instance, label.bytes, file.bytes,
                              hpm_site_where(line, label.length, file.length));
    if (parent != HPM_PARENT_AUTO || !hpm_calltree_is_ordinary(tree, node)) {
        const struct hpm_counted_place place = {instance, label, file, line};

        row = hpm_thread_start_counted_long(thread, node, parent, &place);
        if (row == NULL)
            return;
    } else {
        row = hpm_calltree_open(tree, node, instance, HPM_COST_COUNTED_START);
    }
    hpm_thread_read_start(thread, row);
}

static inline __attribute__((always_inline)) void
hpm_thread_stop_counted(struct hpm_thread *thread, int instance,
                        struct hpm_counted file, int line)
{
    struct hpm_calltree *tree = thread->tree;
    uint64_t clock;

    if (hpm_calltree_may_stop_excluded(tree, instance) &&
        hpm_thread_stop_excluded(thread, instance, line))
        return;
    clock = hpm_clock_read();
    tree->now[thread->meter->time_slot] = clock;
    hpm_meter_read(thread->meter, tree->now);
    if (__builtin_expect(hpm_calltree_closes_top(tree, instance, clock), 1)) {
        hpm_calltree_add_overhead(tree, HPM_COST_COUNTED_SELF);
        hpm_calltree_close_top(tree, line, HPM_COST_COUNTED_STOP);
    } else {
        hpm_thread_stop_counted_long(thread, instance, file, line);
    }
}

/* ---- other calls ----------------------------------------------------- */

/* What the thread has used since its registration, without overhead, in a row
 * of meter->n_slots. */
void hpm_thread_read(struct hpm_thread *thread, uint64_t *ret_used);

/* Add work to an open section; false when it is not open in this thread. */
bool hpm_thread_add_work(struct hpm_thread *thread, int instance,
                         uint64_t amount, const char *unit);

/* Begin the thread's run: what the thread used until now was preparation. */
void hpm_thread_begin_run(struct hpm_thread *thread);

/* End the thread's run, once, and close its open sections.  The thread itself
 * calls it, or (`is_other`) the harvest when the thread is not busy. */
void hpm_thread_end_run(struct hpm_thread *thread, bool is_other);

/* All counts of the thread until now become overhead, but not its time: counts
 * from now on belong to the program. */
void hpm_thread_settle(struct hpm_thread *thread);

/* Counts of the thread until now that were not charged are never charged. */
void hpm_thread_leave_out(struct hpm_thread *thread);

/* The thread ends: keep its results.  Its counters go on. */
void hpm_thread_end(struct hpm_thread *thread);

#endif
