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

/* tid of what all threads beyond HPM_MAX_THREADS have measured together. */
enum { HPM_TID_FOLDED = -2 };

struct hpm_checkpointer;
struct hpm_process;

/* Written by its own thread only, while `is_busy`; read by the harvest once
 * the recorder is closing and the thread is not busy. */
struct hpm_thread {
    struct hpm_calltree *tree;
    struct hpm_meter *meter;
    atomic_bool is_busy;
    atomic_bool has_process; /* it may use the process scope: that is open, and
                                nothing is to be measured first */
    bool is_tick_only; /* its samples are one reading of the tick register */
    const atomic_bool *is_closing; /* the recorder's: calls do nothing */
    /* what the quick path does not touch */
    struct hpm_thread *next;    /* in the list, newest first */
    struct hpm_calltree *shown; /* the same, but while it calibrates: the one
                                 whose overhead other threads read */
    struct hpm_problems *problems;
    struct hpm_process *process; /* of whose scope its process sections are */
    uint64_t *first; /* the sample at registration, and what was charged */
    uint64_t *begin; /* samples at the begin and the end of a long way */
    uint64_t *end;
    struct hpm_checkpointer *checkpointer; /* NULL: nothing is put aside */
    const hpm_sampler_within *within; /* the process section open now, if any */
    struct hpm_sampler *samples;      /* NULL: nothing is sampled */
    struct hpm_journal_table kept;    /* where its sections are put aside */
    struct hpm_shortclock processor;  /* what its task-clock is compared with */
    uint64_t missing_ns;              /* of that, once the run has ended */
    int tid;
    int omp;                 /* OpenMP's number when tid is another, else -1 */
    bool is_leaving;         /* its destructors run */
    bool folds;              /* into one with others when it ends */
    bool has_ended;          /* set under the lock of the list */
    bool is_abandoned;       /* cancelled inside a call */
    bool is_left_out;        /* inside a call while the harvest was made */
    bool is_closed_by_other; /* open sections were read from another thread */
    atomic_ulong n_calls_in_calls; /* from signal handlers; dropped */
};

/* What an edge asks for first, side by side, for each load that waits for
 * another one delays the reading of the clock. */
struct hpm_thread_self {
    struct hpm_thread *thread;
    struct hpm_calltree *tree;     /* the thread's, */
    const atomic_bool *is_closing; /* likewise; NULL where there is no thread */
};

/* The calling thread's part; NULL after its end, or where nothing is measured.
 * Before its first call hpm_thread_not_entered. */
extern __thread struct hpm_thread_self hpm_thread_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* A part that is nobody's: busy, so that calls look no further before they come
 * to the cold path. */
extern struct hpm_thread hpm_thread_not_entered
    __attribute__((visibility("hidden")));

/* From now on the calling thread's part is this one, or NULL. */
void hpm_thread_be(struct hpm_thread *thread);

/* From now on the calling thread, whose part this is, records into the
 * table. */
void hpm_thread_use(struct hpm_thread *thread, struct hpm_calltree *tree);

/* The calling thread's counters and an empty section table; NULL when there is
 * no memory.  `meter` are its counters where they run already, else NULL; they
 * are its own in any case. */
struct hpm_thread *hpm_thread_new(const struct hpm_eventset *set,
                                  struct hpm_meter *meter,
                                  const struct hpm_costs *costs,
                                  const struct hpm_filter *filter,
                                  struct hpm_problems *problems);
void hpm_thread_free(struct hpm_thread *thread);

/* The shape of a meter's samples, a thread's or the process's. */
static inline struct hpm_shape
hpm_thread_shape(const struct hpm_meter *meter)
{
    return (struct hpm_shape){meter->n_slots, 1 + meter->n_events,
                              hpm_meter_n_charged(meter)};
}

/* Sample the calling thread, whose part this is, from now on.  False where
 * nothing can be sampled: err says why. */
bool hpm_thread_sample(struct hpm_thread *thread,
                       const struct hpm_sampling *sampling,
                       struct hpm_modules *modules, struct hpm_error *err);

/* An empty section table for this thread's samples; NULL when there is no
 * memory. */
struct hpm_calltree *hpm_thread_new_calltree(const struct hpm_thread *thread,
                                             const struct hpm_costs *costs,
                                             const struct hpm_filter *filter);

/* ---- edges: only by the thread itself, marked busy -------------------- */

/* The begin of something of varying length. */
void hpm_thread_begin_long(struct hpm_thread *thread);

/* Something that makes calls itself, of which it takes the room of
 * hpm_thread_begin_long: `begin` has room for meter->n_slots.  What passes
 * until its end is charged. */
void hpm_thread_begin_own_work(struct hpm_thread *thread, uint64_t *begin);
void hpm_thread_end_own_work(struct hpm_thread *thread, const uint64_t *begin);

/* In between, right before a process section's reading: what has passed until
 * here is thread->end less thread->begin. */
void hpm_thread_reach_reading(struct hpm_thread *thread);

/* Its end: add what has passed to the overhead, and `cost` for the rest of the
 * call.  With `row`, a row that has a copy of the overhead, in there as well. */
void hpm_thread_end_long(struct hpm_thread *thread, enum hpm_cost cost,
                         uint64_t *row);

/* A start whose place is not known, or is not an ordinary one.  Returns the
 * row to be read, or NULL where nothing is. */
uint64_t *hpm_thread_start_long(struct hpm_thread *thread,
                                struct hpm_node *node, int instance, int parent,
                                const char *label, const char *file, int line);

/* The same for a start by a call site, which may have no number yet. */
uint64_t *hpm_thread_start_site_long(struct hpm_thread *thread,
                                     struct hpm_node *node, int instance,
                                     const struct hpm_callsite *site);

/* The stop of a section that is left out; false when there is none open with
 * that id, or it closes others with it, which are measured. */
bool hpm_thread_stop_excluded(struct hpm_thread *thread, int instance,
                              int line);

/* A stop that is not that of the innermost section; the sample is taken.  What
 * it does not measure itself is `cost`. */
void hpm_thread_stop_long(struct hpm_thread *thread, int instance,
                          const char *file, int line, enum hpm_cost cost)
    __attribute__((cold));

/* The last of a start.  The clock is read next to the program, the counters
 * outside it: the cheaper reading is measured by the dearer one, not the other
 * way round. */
static inline __attribute__((always_inline)) void
hpm_thread_read_start(const struct hpm_thread *thread, uint64_t *row)
{
    hpm_meter_read(thread->meter, row);
    row[thread->meter->time_slot] = hpm_clock_read();
}

/* All but the last of a start: the row to be read, NULL where nothing is. */
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

/* The same by a call site whose start is not an ordinary one in one of its
 * slots: by as many instructions, wherever it is. */
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

/* Nothing is looked at before the reading, but whether sections are left out
 * at all. */
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

/* Where nothing is counted and the clock is the tick register: what the
 * compiler knows of a row is neither loaded nor compared. */
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

/* Strings that cannot change are known again by address and length, so that
 * blanks are looked for and copies made only on the long way. */
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

/* What the thread has used since it was registered, without what was charged,
 * in a row of meter->n_slots. */
void hpm_thread_read(struct hpm_thread *thread, uint64_t *ret_used);

/* Add work to an open section; false when it is not open in this thread. */
bool hpm_thread_add_work(struct hpm_thread *thread, int instance,
                         uint64_t amount, const char *unit);

/* What the thread does from now on is its run: what it used until then is
 * preparation. */
void hpm_thread_begin_run(struct hpm_thread *thread);

/* Its run ends here, once, and what is open is closed.  By the thread itself,
 * or (`is_other`) by the harvest when the thread is not busy. */
void hpm_thread_end_run(struct hpm_thread *thread, bool is_other);

/* All that the thread has done until now is overhead, but its time: what it does
 * from now on the program does. */
void hpm_thread_settle(struct hpm_thread *thread);

/* What it has done until now and not charged is never charged. */
void hpm_thread_leave_out(struct hpm_thread *thread);

/* The thread ends: keep what it measured.  Its counters go on. */
void hpm_thread_end(struct hpm_thread *thread);

#endif
