/* SPDX-License-Identifier: BSD-3-Clause
 * The public calls: thin, over the recorder. */
#include "libhpm.h"

#include "counted.h"
#include "host/calm.h"
#include "life.h"

_Static_assert((int)HPM_NO_PARENT == (int)HPM_PARENT_NONE &&
                   (int)HPM_AUTO_PARENT == (int)HPM_PARENT_AUTO &&
                   (int)HPM_ONLY_EXCLUSIVE == (int)HPM_PARENT_EXCLUSIVE,
               "the public constants are the table's");
_Static_assert((int)HPM_SCOPE_END == (int)HPM_LINE_OF_SCOPE,
               "the public line is the node's");

/* The calling thread's part, busy until hpm_recorder_end_call; NULL when the
 * call must do nothing. */
static inline struct hpm_thread *
begin_call(void)
{
    struct hpm_thread *thread = hpm_thread_self.thread;

    if (thread == NULL)
        return NULL;
    if (__builtin_expect(!hpm_recorder_begin_call(thread), 0)) {
        if (!hpm_life_enter(thread, HPM_FIRST_COUNTED) ||
            !hpm_recorder_begin_call(hpm_thread_self.thread))
            return NULL;
        thread = hpm_thread_self.thread;
    }
    return thread;
}

/* ---- starts and stops ----------------------------------------------- */

/* If nothing is measured, a call returns at once; else it goes on here, with
 * its arguments in the same registers. */
static void start(int id, const char *label, const char *file, int line,
                  struct hpm_thread *thread, int parent)
    __attribute__((noinline));
static void start_site_of_counts(int id, struct hpm_call_site *site,
                                 struct hpm_thread *thread,
                                 const struct hpm_slot *slot)
    __attribute__((noinline));

/* Apart, so that not every call saves the registers that a thread's first call
 * needs.  They end in a jump: after the registration a first call does the same
 * as all others. */
static __attribute__((cold, noinline)) void
start_first(int id, const char *label, const char *file, int line,
            const struct hpm_thread *refused, int parent)
{
    if (hpm_life_enter(refused, HPM_FIRST_PLAIN))
        start(id, label, file, line, hpm_thread_self.thread, parent);
}

static __attribute__((cold, noinline)) void
start_site_first(int id, struct hpm_call_site *site,
                 const struct hpm_thread *refused)
{
    if (hpm_life_enter(refused, HPM_FIRST_BY_SITE))
        hpmTstartSite(id, site);
}

static __attribute__((cold, noinline)) void
stop_first(int id, const char *file, int line, const struct hpm_thread *refused)
{
    if (hpm_life_enter(refused, HPM_FIRST_PLAIN))
        hpmTstopAt(id, file, line);
}

/* The last step of all starts is one function, so that the same code is inside
 * a section, whichever call started it. */
static __attribute__((noinline)) void
finish_start_of_counts(struct hpm_thread *thread, uint64_t *row)
{
    hpm_thread_read_start(thread, row);
    hpm_recorder_end_call(thread);
}

static inline __attribute__((always_inline)) void
finish_start_of_tick(struct hpm_thread *thread, uint64_t *row)
{
    row[0] = hpm_clock_read_tick();
    hpm_recorder_end_call(thread);
}

static __attribute__((noinline)) void
finish_start(struct hpm_thread *thread, uint64_t *row)
{
    if (thread->is_tick_only)
        finish_start_of_tick(thread, row);
    else
        finish_start_of_counts(thread, row);
}

static void
start(int id, const char *label, const char *file, int line,
      struct hpm_thread *thread, int parent)
{
    uint64_t *row;

    if (!hpm_recorder_begin_call(thread)) {
        start_first(id, label, file, line, thread, parent);
        return;
    }
    row = hpm_thread_open_at(thread, id, parent, label, file, line);
    if (row != NULL)
        finish_start(thread, row);
    else
        hpm_recorder_end_call(thread);
}

/* The row of a start that is not found in a slot.  Apart, since it needs the
 * stack, and a function with something on its stack cannot end in a jump. */
static __attribute__((noinline)) uint64_t *
open_site(int id, struct hpm_call_site *site, struct hpm_thread *thread)
{
    const struct hpm_callsite callsite = {site->label, site->file, site->line,
                                          &site->number};

    return hpm_thread_open_site(thread, id, &callsite);
}

static __attribute__((noinline)) void
start_site_further(int id, struct hpm_call_site *site,
                   struct hpm_thread *thread)
{
    uint64_t *row = open_site(id, site, thread);

    if (row != NULL)
        finish_start(thread, row);
    else
        hpm_recorder_end_call(thread);
}

static inline __attribute__((always_inline)) uint64_t *
open_slot(struct hpm_calltree *tree, const struct hpm_slot *slot, int id,
          enum hpm_cost cost, struct hpm_shape shape)
{
    return hpm_calltree_open_shaped(tree, slot->node, slot->salt, id, cost,
                                    shape);
}

/* The second slot is read whatever the first one had: all starts that are not
 * quick must take the same number of instructions. */
static __attribute__((noinline)) void
start_site_second(int id, struct hpm_call_site *site, struct hpm_thread *thread)
{
    struct hpm_calltree *tree = thread->tree;
    unsigned number = hpm_callsite_number(&site->number);
    const struct hpm_slot *slot = hpm_calltree_second_slot(tree, id, number);

    if (hpm_calltree_has_slot(tree, slot, id, number))
        finish_start_of_tick(thread,
                             open_slot(tree, slot, id, HPM_COST_SECOND_START,
                                       hpm_thread_tick_only));
    else
        start_site_further(id, site, thread);
}

/* `slot` is the site's first slot. */
static void
start_site_of_counts(int id, struct hpm_call_site *site,
                     struct hpm_thread *thread, const struct hpm_slot *slot)
{
    struct hpm_calltree *tree = thread->tree;
    unsigned number = hpm_callsite_number(&site->number);
    enum hpm_cost cost = HPM_COST_START;

    if (!hpm_calltree_has_slot(tree, slot, id, number)) {
        slot = hpm_calltree_second_slot(tree, id, number);
        cost = HPM_COST_SECOND_START;
        if (!hpm_calltree_has_slot(tree, slot, id, number)) {
            start_site_further(id, site, thread);
            return;
        }
    }
    finish_start(thread,
                 open_slot(tree, slot, id, cost, hpm_calltree_shape(tree)));
}

static inline __attribute__((always_inline)) void
start_site(int id, struct hpm_call_site *site, struct hpm_thread *thread)
{
    struct hpm_calltree *tree = hpm_thread_self.tree;
    const struct hpm_slot *slot;
    unsigned number;

    if (!hpm_recorder_begin_edge(thread, hpm_thread_self.is_closing)) {
        start_site_first(id, site, thread);
        return;
    }
    number = hpm_callsite_number(&site->number);
    slot = hpm_calltree_slot(tree, id, number);
    if (!thread->is_tick_only)
        start_site_of_counts(id, site, thread, slot);
    else if (__builtin_expect(hpm_calltree_has_slot(tree, slot, id, number), 1))
        finish_start_of_tick(thread, open_slot(tree, slot, id, HPM_COST_START,
                                               hpm_thread_tick_only));
    else
        start_site_second(id, site, thread);
}

/* The quick path keeps no register across a call: longer paths are reached by
 * jumps. */
static __attribute__((cold, noinline)) void
stop_tick_long(int id, const char *file, int line, struct hpm_thread *thread)
{
    hpm_thread_stop_long(thread, id, file, line, HPM_COST_LONG_STOP);
    hpm_recorder_end_call(thread);
}

static inline __attribute__((always_inline)) void
stop_tick(int id, const char *file, int line, struct hpm_thread *thread,
          struct hpm_calltree *tree)
{
    uint64_t clock = hpm_clock_read_tick();

    tree->now[0] = clock;
    if (__builtin_expect(!hpm_calltree_closes_top(tree, id, clock), 0)) {
        stop_tick_long(id, file, line, thread);
        return;
    }
    hpm_calltree_close_shaped(tree, line, HPM_COST_STOP, hpm_thread_tick_only);
    hpm_recorder_end_call(thread);
}

static __attribute__((noinline)) void
stop_counts(int id, const char *file, int line, struct hpm_thread *thread)
{
    hpm_thread_stop(thread, id, file, line);
    hpm_recorder_end_call(thread);
}

static inline __attribute__((always_inline)) void
stop(int id, const char *file, int line, struct hpm_thread *thread)
{
    struct hpm_calltree *tree = hpm_thread_self.tree;

    if (!hpm_recorder_begin_edge(thread, hpm_thread_self.is_closing)) {
        stop_first(id, file, line, thread);
        return;
    }
    if (thread->is_tick_only && tree->n_excluded == 0)
        stop_tick(id, file, line, thread, tree);
    else
        stop_counts(id, file, line, thread);
}

void
hpmTstartAt(int id, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = hpm_thread_self.thread;

    if (thread != NULL)
        start(id, label, file, line, thread, HPM_AUTO_PARENT);
}

void
hpmTstartSite(int id, struct hpm_call_site *site)
{
    struct hpm_thread *thread = hpm_thread_self.thread;

    if (thread != NULL)
        start_site(id, site, thread);
}

void
hpmTstartxAt(int id, int parent, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = hpm_thread_self.thread;

    if (thread != NULL)
        start(id, label, file, line, thread, parent);
}

void
hpmTstopAt(int id, const char *file, int line)
{
    struct hpm_thread *thread = hpm_thread_self.thread;

    if (thread != NULL)
        stop(id, file, line, thread);
}

/* ---- long calls ------------------------------------------------------ */

/* A call that takes long in any case, and must not be interrupted. */
struct long_call {
    struct hpm_thread *thread;
    struct hpm_calm calm;
};

/* The calling thread's part, at its first process section; NULL when the call
 * must do nothing. */
static __attribute__((cold, noinline)) struct hpm_thread *
enter_process(void)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return NULL;
    hpm_recorder_end_call(thread);
    if (!thread->has_process)
        hpm_life_enter_process(thread);
    return thread;
}

/* Calm (no signals, no cancellation) begins before the thread is busy and ends
 * after it.  If the program allows cancellation anywhere, a cancellation takes
 * effect as soon as calm ends, and the table of a busy thread would be left
 * out. */
static bool
begin_calm_call(struct long_call *ret_call, struct hpm_thread *thread)
{
    ret_call->calm = hpm_calm_begin();
    ret_call->thread = thread;
    if (hpm_recorder_begin_call(thread))
        return true;
    hpm_calm_end(ret_call->calm);
    return false;
}

/* Begin any long call; false when the call must do nothing. */
static bool
begin_long_call(struct long_call *ret_call, bool is_process)
{
    struct hpm_thread *thread = hpm_thread_self.thread;

    if (thread != NULL && is_process &&
        __builtin_expect(!thread->has_process, 0))
        thread = enter_process();
    if (thread == NULL)
        return false;
    return begin_calm_call(ret_call, thread) ||
           (hpm_life_enter(thread, HPM_FIRST_PLAIN) &&
            begin_calm_call(ret_call, hpm_thread_self.thread));
}

static void
end_long_call(const struct long_call *call)
{
    hpm_recorder_end_call(call->thread);
    hpm_calm_end(call->calm);
}

/* ---- starts and stops of process sections --------------------------- */

void
hpmStartxAt(int id, int parent, const char *label, const char *file, int line)
{
    struct long_call call;

    if (!begin_long_call(&call, true))
        return;
    hpm_process_start(call.thread->process, call.thread, id, parent, label,
                      file, line);
    end_long_call(&call);
}

void
hpmStartAt(int id, const char *label, const char *file, int line)
{
    hpmStartxAt(id, HPM_AUTO_PARENT, label, file, line);
}

void
hpmStopAt(int id, const char *file, int line)
{
    struct long_call call;

    if (!begin_long_call(&call, true))
        return;
    hpm_process_stop(call.thread->process, call.thread, id, file, line);
    end_long_call(&call);
}

void(hpmTstart)(int id, const char *label)
{
    hpmTstartAt(id, label, NULL, 0);
}

void(hpmTstop)(int id)
{
    hpmTstopAt(id, NULL, 0);
}

void(hpmStart)(int id, const char *label)
{
    hpmStartAt(id, label, NULL, 0);
}

void(hpmStop)(int id)
{
    hpmStopAt(id, NULL, 0);
}

void(hpmTstartx)(int id, int parent, const char *label)
{
    hpmTstartxAt(id, parent, label, NULL, 0);
}

void(hpmStartx)(int id, int parent, const char *label)
{
    hpmStartxAt(id, parent, label, NULL, 0);
}

/* ---- starts and stops with counted strings -------------------------- */

void
hpm_counted_tstart(int id, int parent, struct hpm_counted label,
                   struct hpm_counted file, int line)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return;
    hpm_thread_start_counted(thread, id, parent, label, file, line);
    hpm_recorder_end_call(thread);
}

void
hpm_counted_tstop(int id, struct hpm_counted file, int line)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return;
    hpm_thread_stop_counted(thread, id, file, line);
    hpm_recorder_end_call(thread);
}

/* The strings of a process section are copied every time, inside the call,
 * since that may take memory. */
void
hpm_counted_start(int id, int parent, struct hpm_counted label,
                  struct hpm_counted file, int line)
{
    struct hpm_text label_text, file_text;
    struct long_call call;

    if (!begin_long_call(&call, true))
        return;
    hpm_text_init(&label_text, label);
    hpm_text_init(&file_text, file);
    hpm_process_start(call.thread->process, call.thread, id, parent,
                      label_text.text, file_text.text, line);
    hpm_text_clear(&label_text);
    hpm_text_clear(&file_text);
    end_long_call(&call);
}

void
hpm_counted_stop(int id, struct hpm_counted file, int line)
{
    struct hpm_text file_text;
    struct long_call call;

    if (!begin_long_call(&call, true))
        return;
    hpm_text_init(&file_text, file);
    hpm_process_stop(call.thread->process, call.thread, id, file_text.text,
                     line);
    hpm_text_clear(&file_text);
    end_long_call(&call);
}

/* ---- work and readings ----------------------------------------------- */

void
hpmWork(int id, long long amount, const char *unit)
{
    const char *word = unit != NULL && unit[0] != '\0' ? unit : "work";
    const struct hpm_place place = {.instance = id};
    struct hpm_problems *problems;
    struct long_call call;

    if (!begin_long_call(&call, false))
        return;
    problems = call.thread->tree->problems; /* or those of a calibration */
    if (amount < 0)
        hpm_problems_add(problems, HPM_PROBLEM_NEGATIVE_WORK, &place, 1);
    else if (!hpm_thread_add_work(call.thread, id, (uint64_t)amount, word) &&
             !hpm_process_add_work(call.thread->process, id, (uint64_t)amount,
                                   word))
        hpm_problems_add(problems, HPM_PROBLEM_WORK_NOT_OPEN, &place, 1);
    end_long_call(&call);
}

static long long
value_of(const struct hpm_meter *meter, size_t event, const uint64_t *used)
{
    struct hpm_count count = hpm_meter_count(meter, event, used);

    return hpm_state_has_value(count.state) ? (long long)count.value : -1;
}

static double
seconds_of(uint64_t ticks)
{
    double ns_per_tick =
        hpm_clock_ns_per_tick(hpm_life_recorder->start, hpm_clock_instant());

    return (double)ticks * ns_per_tick / 1e9;
}

/* Read as many values as there are counters, at most `n`; returns their
 * number. */
static int
read_counters(int n, double *time, long long *values)
{
    uint64_t used[HPM_MAX_SLOTS] = {0};
    const struct hpm_meter *meter;
    struct long_call call;
    int n_values = 0;

    if (time != NULL)
        *time = 0.0;
    if (!begin_long_call(&call, false))
        return 0;
    meter = call.thread->meter;
    hpm_thread_read(call.thread, used);
    if (time != NULL)
        *time = seconds_of(used[0]);
    for (; n_values < n && (size_t)n_values < meter->n_events; n_values++)
        values[n_values] = value_of(meter, (size_t)n_values, used);
    end_long_call(&call);
    return n_values;
}

void
hpmGetTimeAndCounters(int n, double *time, long long *values)
{
    for (int i = read_counters(values != NULL ? n : 0, time, values);
         values != NULL && i < n; i++)
        values[i] = -1;
}

void
hpmGetCounters(long long *values)
{
    int n_values = 0;

    if (values == NULL)
        return;
    n_values = read_counters(HPM_MAX_EVENTS, NULL, values);
    for (size_t i = (size_t)n_values; i < hpm_life_n_counters(); i++)
        values[i] = -1;
}

int(hpmVersion)(void)
{
    return LIBHPM_VERSION;
}
