/* SPDX-License-Identifier: BSD-3-Clause
 * From the section tables of a recording to an experiment. */
#include "record/recorder.h"

#include <linux/membarrier.h>
#include <math.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/run.h"
#include "source/usage.h"

/* ---- a quiet moment -------------------------------------------------- */

static void
wait_a_millisecond(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* After this no thread starts a call: those that had not seen is_closing have
 * their mark is_busy visible. */
static void
close_for_calls(struct hpm_recorder *recorder)
{
    atomic_store(&recorder->is_closing, true);
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        wait_a_millisecond(); /* old kernel: store buffers drain long before */
}

static bool
is_quiet(struct hpm_thread *thread)
{
    return !atomic_load_explicit(&thread->is_busy, memory_order_acquire);
}

/* Up to a second for all threads together. */
static bool
wait_until_quiet(struct hpm_thread *thread, int *patience)
{
    while (!is_quiet(thread)) {
        if ((*patience)-- <= 0)
            return false;
        wait_a_millisecond();
    }
    return true;
}

/* ---- values ---------------------------------------------------------- */

static double
deviation(double squares, uint64_t n)
{
    return n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

static uint64_t
to_ns(uint64_t ticks, double ns_per_tick)
{
    return (uint64_t)((double)ticks * ns_per_tick + 0.5);
}

static void
fill_time(struct hpm_value *value, const struct hpm_node *node,
          double ns_per_tick)
{
    *value = (struct hpm_value){.is_present = true,
                                .has_exclusive = true,
                                .state = HPM_STATE_COUNTED,
                                .total = to_ns(node->inclusive[0], ns_per_tick),
                                .exclusive =
                                    to_ns(node->exclusive[0], ns_per_tick),
                                .mean = node->mean[0] * ns_per_tick,
                                .deviation = deviation(node->squares[0],
                                                       node->outer) *
                                             ns_per_tick,
                                .share = NAN};
}

static void
fill_count(struct hpm_value *value, const struct hpm_node *node,
           const struct hpm_meter *meter, size_t event)
{
    struct hpm_count total = hpm_meter_count(meter, event, node->inclusive);
    struct hpm_count alone = hpm_meter_count(meter, event, node->exclusive);

    *value = (struct hpm_value){.is_present = true,
                                .state = total.state,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    if (!hpm_state_has_value(total.state))
        return;
    value->total = total.value;
    if (hpm_state_has_value(alone.state)) {
        value->has_exclusive = true;
        value->exclusive = alone.value;
    }
    value->mean = (double)total.value / (double)node->outer;
    if (total.state == HPM_STATE_SHARED)
        value->share = total.share;
    else
        value->deviation = deviation(node->squares[1 + event], node->outer);
}

/* The first reason met stands for the counter in the whole file. */
static bool
keep_reason(struct hpm_counter *counter, enum hpm_state state,
            const struct hpm_metered *metered)
{
    const char *reason = metered->reason;

    if (reason == NULL && state == HPM_STATE_UNSCHEDULED)
        reason = "the hardware never had a free counter for it";
    else if (reason == NULL)
        reason = "only the thread itself can read it, and it was still inside "
                 "a section at the end";
    if (counter->reason != NULL || reason == NULL)
        return true;
    return hpm_experiment_set_text(&counter->reason, reason);
}

/* ---- records --------------------------------------------------------- */

/* What the records of one forest have in common. */
struct bed {
    struct hpm_experiment *experiment;
    const struct hpm_forest *forest;
    const struct hpm_meter *meter;
    enum hpm_scope scope;
    int tid;
    int omp;
    bool is_closed_by_other;
    double ns_per_tick;
};

static bool
fill_values(const struct bed *bed, size_t record, const struct hpm_node *node)
{
    struct hpm_experiment *experiment = bed->experiment;

    for (size_t i = 0; i < bed->meter->n_events; i++) {
        struct hpm_value *value = hpm_experiment_value(experiment, record, i);
        const struct hpm_source *source = bed->meter->set->events[i].source;

        fill_count(value, node, bed->meter, i);
        if (node->is_open && bed->is_closed_by_other && source != NULL &&
            source->is_own_thread_only) {
            value->state = HPM_STATE_LOST;
            value->has_exclusive = false;
        }
        if (!hpm_state_has_value(value->state) &&
            !keep_reason(&experiment->counters[i], value->state,
                         &bed->meter->events[i]))
            return false;
    }
    return true;
}

static bool
add_record(const struct bed *bed, struct hpm_node *node)
{
    struct hpm_experiment *experiment = bed->experiment;
    struct hpm_record *record = hpm_experiment_add_record(experiment);

    if (record == NULL ||
        !hpm_experiment_set_text(&record->label, node->label) ||
        !hpm_experiment_set_text(&record->file, node->file))
        return false;
    node->index = experiment->n_records - 1;
    if (node->parent != NULL)
        record->parent = node->parent->index;
    if (node->within != NULL)
        record->within = node->within->index;
    record->scope = bed->scope;
    record->tid = bed->tid;
    record->omp = bed->omp;
    record->instance = node->instance;
    record->line_start = node->line_start;
    record->line_end = node->line_end;
    record->calls = node->calls;
    record->outer = node->outer;
    record->is_open = node->is_open;
    record->has_overlap = node->has_overlap;
    fill_time(&record->time, node, bed->ns_per_tick);
    return fill_values(bed, node->index, node);
}

/* Nodes come in order of first use, so a parent before its children. */
static bool
add_forest(const struct bed *bed)
{
    for (struct hpm_node *node = bed->forest->first; node; node = node->next) {
        if (node->outer > 0 && !add_record(bed, node))
            return false;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------- */

static bool
add_process(struct hpm_recorder *recorder, struct hpm_experiment *experiment)
{
    const struct hpm_process *process = &recorder->process;
    const struct bed bed = {.experiment = experiment,
                            .forest = process->forest,
                            .meter = process->meter,
                            .scope = HPM_SCOPE_PROCESS,
                            .tid = -1,
                            .omp = -1,
                            .ns_per_tick = recorder->ns_per_tick};

    return process->forest == NULL || add_forest(&bed);
}

static bool
add_thread(const struct hpm_thread *thread, struct hpm_experiment *experiment,
           double ns_per_tick)
{
    const struct bed bed = {.experiment = experiment,
                            .forest = thread->forest,
                            .meter = thread->meter,
                            .scope = HPM_SCOPE_THREAD,
                            .tid = thread->tid,
                            .omp = thread->omp,
                            .is_closed_by_other = thread->is_closed_by_other,
                            .ns_per_tick = ns_per_tick};

    return add_forest(&bed);
}

/* The list has the newest first; the file has the lowest tid first. */
static struct hpm_thread *
next_thread(struct hpm_thread *threads, int after)
{
    struct hpm_thread *best = NULL;

    for (struct hpm_thread *thread = threads; thread; thread = thread->next) {
        if (thread->tid > after && (best == NULL || thread->tid < best->tid))
            best = thread;
    }
    return best;
}

static bool
add_threads(struct hpm_recorder *recorder, const struct hpm_thread *self,
            struct hpm_experiment *experiment)
{
    int patience = 1000;
    int tid = -1;
    struct hpm_thread *thread;

    while ((thread = next_thread(recorder->threads, tid)) != NULL) {
        const struct hpm_place place = {.label = NULL};
        unsigned long n = atomic_load(&thread->n_calls_in_calls);

        tid = thread->tid;
        if (n > 0)
            hpm_problems_add(recorder->problems, HPM_PROBLEM_CALL_INSIDE_CALL,
                             &place, n);
        if (!wait_until_quiet(thread, &patience)) {
            experiment->run.is_complete = false;
            hpm_problems_add(recorder->problems, HPM_PROBLEM_THREAD_RUNNING,
                             &place, 1);
            continue;
        }
        if (!thread->has_ended)
            hpm_thread_close_sections(thread, thread != self);
        if (!add_thread(thread, experiment, recorder->ns_per_tick))
            return false;
    }
    return true;
}

bool
hpm_recorder_harvest(struct hpm_recorder *recorder,
                     const struct hpm_thread *self,
                     struct hpm_experiment *experiment, struct hpm_error *err)
{
    struct hpm_run *run = &experiment->run;
    struct rusage usage;
    struct hpm_instant end;
    bool is_good;

    close_for_calls(recorder);
    end = hpm_clock_instant();
    hpm_usage_of_process(&usage);
    recorder->ns_per_tick = hpm_clock_ns_per_tick(recorder->start, end);
    run->is_complete = true;
    run->ns = end.ns - recorder->start.ns;
    is_good = hpm_run_add_counters(experiment, recorder->set) &&
              hpm_run_add_resources(experiment, &usage);
    if (is_good && hpm_process_close_sections(&recorder->process))
        is_good = add_process(recorder, experiment);
    else
        run->is_complete = false;
    pthread_mutex_lock(&recorder->lock);
    is_good = is_good && add_threads(recorder, self, experiment);
    pthread_mutex_unlock(&recorder->lock);
    is_good = is_good && hpm_problems_harvest(recorder->problems, experiment);
    if (is_good && !run->is_complete)
        is_good = hpm_experiment_set_text(&run->reason,
                                          "a thread was inside a call when "
                                          "the file was written");
    return is_good || hpm_error_no_memory(err);
}
