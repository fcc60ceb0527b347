/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder: one recording of one process, from init to harvest. */
#include "record/recorder.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/barrier.h"
#include "host/memory.h"
#include "record/checkpointer.h"
#include "record/drainer.h"
#include "source/slicer.h"

bool
hpm_recorder_hold_turns(void)
{
    return hpm_slicer_hold();
}

void
hpm_recorder_release_turns(void)
{
    hpm_slicer_release();
}

void
hpm_recorder_leave_parent(void)
{
    hpm_slicer_leave_parent();
}

struct hpm_recorder *
hpm_recorder_new(const struct hpm_plan *plan, void (*say)(const char *line),
                 int *error_counter, struct hpm_error *err)
{
    struct hpm_recorder *recorder = hpm_memory_new(1, sizeof *recorder);

    if (recorder != NULL)
        recorder->problems = hpm_problems_new(say, error_counter);
    if (recorder == NULL || recorder->problems == NULL) {
        hpm_memory_free(recorder);
        hpm_error_no_memory(err);
        return NULL;
    }
    recorder->plan = plan;
    hpm_threads_init(&recorder->threads, plan->n_thread_records);
    hpm_process_init(&recorder->process, plan->set, &plan->filter,
                     &recorder->threads, recorder->problems);
    hpm_modules_init(&recorder->modules);
    recorder->threads.is_sampling = plan->sampling.n_events > 0;
    hpm_barrier_prepare();
    clock_gettime(CLOCK_REALTIME, &recorder->start_date);
    recorder->start = hpm_clock_instant();
    return recorder;
}

void
hpm_recorder_free(struct hpm_recorder *recorder)
{
    if (recorder == NULL)
        return;
    if (recorder->checkpointer != NULL)
        recorder->checkpointer->free(recorder->checkpointer);
    hpm_process_clear(&recorder->process);
    hpm_threads_clear(&recorder->threads);
    hpm_modules_clear(&recorder->modules);
    hpm_problems_free(recorder->problems);
    hpm_memory_free(recorder);
}

void
hpm_recorder_inherit_costs(struct hpm_recorder *recorder,
                           const struct hpm_recorder *parent)
{
    const struct hpm_calibration *calibration =
        &parent->calibrations[HPM_CALIBRATION_THREAD_INIT];

    if (!calibration->is_done)
        return;
    memcpy(&recorder->calibrations[HPM_CALIBRATION_THREAD_INIT], calibration,
           sizeof *calibration);
    memcpy(&recorder->costs, &parent->costs, sizeof recorder->costs);
}

struct hpm_meter *
hpm_recorder_open_meter(const struct hpm_recorder *recorder)
{
    const struct hpm_eventset *set = recorder->plan->set;

    return hpm_meter_opens_alone(set)
               ? hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL)
               : NULL;
}

void
hpm_recorder_end_entering(struct hpm_recorder *recorder,
                          struct hpm_thread *thread, enum hpm_first_call call)
{
    hpm_thread_settle(thread);
    hpm_threads_count(&recorder->threads, &recorder->threads.n_entered[call]);
}

/* If a thread cannot be sampled, its sections are measured without samples. */
static void
sample_thread(struct hpm_recorder *recorder, struct hpm_thread *thread)
{
    struct hpm_error why;
    bool is_sampled;

    if (recorder->plan->sampling.n_events == 0)
        return;
    is_sampled = hpm_thread_sample(thread, &recorder->plan->sampling,
                                   &recorder->modules, &why);
    if (!is_sampled)
        atomic_fetch_add(&recorder->n_not_sampled, 1);
    if (!is_sampled ||
        !hpm_drainer_start(&recorder->threads, &recorder->plan->sampling, &why))
        hpm_problems_add(recorder->problems, HPM_PROBLEM_NOT_SAMPLED,
                         &(struct hpm_place){.reason = why.text}, 1);
}

struct hpm_thread *
hpm_recorder_enter(struct hpm_recorder *recorder, struct hpm_meter *meter)
{
    const struct hpm_plan *plan = recorder->plan;
    struct hpm_thread *thread = hpm_thread_new(
        plan->set, meter, &recorder->costs, &plan->filter, recorder->problems);

    if (thread == NULL) {
        hpm_problems_add(recorder->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){.label = "thread"}, 1);
        return NULL;
    }
    thread->is_closing = &recorder->is_closing;
    thread->process = &recorder->process;
    thread->within = &recorder->process.innermost;
    sample_thread(recorder, thread);
    hpm_threads_add(&recorder->threads, thread);
    thread->checkpointer = recorder->checkpointer;
    if (recorder->checkpointer != NULL && !thread->folds)
        hpm_calltree_set_due(thread->tree, HPM_CHECKPOINT_AT_ONCE);
    return thread;
}

bool
hpm_recorder_strand(struct hpm_recorder *recorder, struct hpm_thread *thread)
{
    if (!hpm_memory_is_usable() || !hpm_problems_are_usable(recorder->problems))
        return false;
    thread->is_abandoned = true;
    hpm_problems_add(recorder->problems, HPM_PROBLEM_THREAD_ENDS_INSIDE,
                     &(struct hpm_place){.label = NULL}, 1);
    return true;
}

/* The readings of a thread when it began to leave, and its overhead at that
 * time.  They are in the meter's scratch memory, since the thread may be freed
 * meanwhile. */
struct leaving {
    struct hpm_meter *meter;
    size_t n_overheads; /* 0: nothing is read */
    uint64_t *begin, *overhead, *end;
};

static struct leaving
begin_leaving(struct hpm_thread *thread)
{
    struct hpm_meter *meter = thread->meter;
    struct leaving leaving = {.meter = meter,
                              .begin = meter->scratch,
                              .overhead = meter->scratch + 1 + meter->n_events,
                              .end =
                                  meter->scratch + 2 * (1 + meter->n_events)};

    if (hpm_meter_is_replayed(meter))
        return leaving;
    hpm_meter_read(meter, leaving.end);
    leaving.n_overheads = thread->tree->n_overheads;
    for (size_t i = 1; i < leaving.n_overheads; i++) {
        leaving.begin[i] = leaving.end[i];
        leaving.overhead[i] = hpm_calltree_overhead_of(thread->tree, i);
    }
    return leaving;
}

/* The thread charges itself for a part of leaving: this part is not charged
 * again. */
static void
end_charging(const struct hpm_thread *thread, const struct leaving *leaving)
{
    for (size_t i = 1; i < leaving->n_overheads; i++)
        leaving->overhead[i] =
            hpm_calltree_overhead_of(thread->tree, i) - leaving->overhead[i];
}

/* All steps that may wait are done: read the thread's counters, charge the
 * overhead and close them. */
static void
end_leaving(struct hpm_threads *threads, const struct leaving *leaving,
            bool is_meter_left)
{
    struct hpm_meter *meter = leaving->meter;

    if (leaving->n_overheads > 0)
        hpm_meter_read(meter, leaving->end);
    for (size_t i = 1; i < leaving->n_overheads; i++) {
        if (hpm_meter_is_charged(meter, i))
            hpm_threads_add_overhead(threads, i,
                                     leaving->end[i] - leaving->begin[i] -
                                         leaving->overhead[i]);
    }
    hpm_threads_count(threads, &threads->n_left);
    if (is_meter_left)
        hpm_meter_close(meter);
    else
        hpm_meter_stop(meter);
}

/* The thread ended in the middle of a call: its counters are closed, but
 * nothing else of the thread is used any more. */
static void
abandon(struct hpm_recorder *recorder, struct hpm_thread *thread)
{
    thread->is_abandoned = true;
    hpm_problems_add(recorder->problems, HPM_PROBLEM_THREAD_CANCELLED,
                     &(struct hpm_place){.label = NULL}, 1);
}

/* A program that allows cancellation anywhere may have cancelled the thread
 * inside its last call: then its table is half changed. */
void
hpm_recorder_leave(struct hpm_recorder *recorder, struct hpm_thread *thread)
{
    bool was_inside =
        atomic_load_explicit(&thread->is_busy, memory_order_relaxed);
    struct leaving leaving;
    bool is_meter_left;

    atomic_store_explicit(&thread->is_busy, false, memory_order_relaxed);
    if (!hpm_recorder_begin_call(thread))
        return;
    leaving = begin_leaving(thread);
    if (was_inside)
        abandon(recorder, thread);
    else
        hpm_thread_end(thread);
    end_charging(thread, &leaving);
    hpm_recorder_end_call(thread);
    is_meter_left = hpm_threads_retire(&recorder->threads, thread);
    end_leaving(&recorder->threads, &leaving, is_meter_left);
    hpm_drainer_wake();
}
