/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what a recorder's calls at sections cost. */
#include "session/owncosts.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "record/checkpoint.h"
#include "session/calibrate.h"

static const atomic_bool is_never_closing;

static void
set_busy(struct hpm_thread *thread, bool is_busy)
{
    atomic_store_explicit(&thread->is_busy, is_busy, memory_order_release);
}

static void
heed(struct hpm_thread *thread, const atomic_bool *is_closing)
{
    thread->is_closing = is_closing;
    hpm_thread_self.is_closing = is_closing;
}

/* The library makes its own public calls as the program would: not inside
 * another call, and with the program's cancellation state, which changes the
 * cost.  But signal handlers and cancellation are kept out meanwhile.  At the
 * program's end the calls of other threads may be closed already. */
static void
begin_own_calls(struct hpm_thread *thread, const struct hpm_calm *calm,
                sigset_t *ret_signals)
{
    sigset_t all;
    int ignored;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, ret_signals);
    pthread_setcancelstate(calm->cancel.state, &ignored);
    heed(thread, &is_never_closing);
    set_busy(thread, false);
}

static void
end_own_calls(const struct hpm_recorder *recorder, struct hpm_thread *thread,
              const sigset_t *signals)
{
    int ignored;

    set_busy(thread, true);
    heed(thread, &recorder->is_closing);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &ignored);
    pthread_sigmask(SIG_SETMASK, signals, NULL);
}

/* Called only if memory ran out. */
static void
note_no_calibration(const struct hpm_recorder *recorder)
{
    hpm_problems_add(recorder->problems, HPM_PROBLEM_NOT_CALIBRATED,
                     &(struct hpm_place){.label = NULL}, 1);
}

/* False if it was done before, or if counts are replayed, which has no
 * costs. */
static bool
calibrate_threads(const struct hpm_recorder *recorder,
                  struct hpm_thread *thread,
                  struct hpm_calibration *calibration,
                  const struct hpm_calm *calm)
{
    uint64_t begin[HPM_MAX_SLOTS];
    sigset_t signals;

    if (calibration->is_done || hpm_meter_is_replayed(thread->meter))
        return false;
    hpm_thread_begin_own_work(thread, begin);
    begin_own_calls(thread, calm, &signals);
    hpm_calibrate_thread(thread, calibration);
    end_own_calls(recorder, thread, &signals);
    hpm_thread_end_own_work(thread, begin);
    return true;
}

void
hpm_owncosts_find_at_begin(struct hpm_recorder *recorder,
                           struct hpm_thread *thread,
                           const struct hpm_calm *calm)
{
    struct hpm_calibration *calibration =
        &recorder->calibrations[HPM_CALIBRATION_THREAD_INIT];

    if (!calibrate_threads(recorder, thread, calibration, calm))
        return;
    if (calibration->is_done)
        memcpy(recorder->costs.amounts, calibration->costs.amounts,
               sizeof recorder->costs.amounts);
    else
        note_no_calibration(recorder);
    hpm_checkpoint_add_calibration(recorder);
}

static void
take_process_costs(struct hpm_recorder *recorder,
                   const struct hpm_calibration *calibration)
{
    for (int i = HPM_COST_PROCESS_START; i <= HPM_COST_PROCESS_STOP; i++)
        memcpy(recorder->costs.amounts[i], calibration->costs.amounts[i],
               sizeof recorder->costs.amounts[i]);
    memcpy(recorder->process.costs.amounts[HPM_COST_SELF],
           calibration->costs.amounts[HPM_COST_SELF],
           sizeof recorder->process.costs.amounts[HPM_COST_SELF]);
}

static void
calibrate_process(struct hpm_recorder *recorder, struct hpm_thread *thread,
                  struct hpm_calibration *calibration,
                  const struct hpm_calm *calm)
{
    sigset_t signals;

    begin_own_calls(thread, calm, &signals);
    hpm_calibrate_process(&recorder->process, thread, calibration);
    end_own_calls(recorder, thread, &signals);
}

void
hpm_owncosts_find_of_process(struct hpm_recorder *recorder,
                             struct hpm_thread *thread,
                             const struct hpm_calm *calm)
{
    struct hpm_calibration *calibration =
        &recorder->calibrations[HPM_CALIBRATION_PROCESS_INIT];

    if (hpm_meter_is_replayed(thread->meter))
        return;
    calibrate_process(recorder, thread, calibration, calm);
    if (calibration->is_done)
        take_process_costs(recorder, calibration);
    else
        note_no_calibration(recorder);
}

/* Skipped if the lock is held for ever: by a thread that was inside a process
 * section's call when a signal handler left it by longjmp. */
static void
calibrate_process_at_end(struct hpm_recorder *recorder,
                         struct hpm_thread *thread, const struct hpm_calm *calm)
{
    uint64_t begin[HPM_MAX_SLOTS];

    if (!recorder->calibrations[HPM_CALIBRATION_PROCESS_INIT].is_done ||
        !hpm_process_is_usable(&recorder->process))
        return;
    thread->has_process = true;
    hpm_thread_begin_own_work(thread, begin);
    calibrate_process(recorder, thread,
                      &recorder->calibrations[HPM_CALIBRATION_PROCESS_END],
                      calm);
    hpm_thread_end_own_work(thread, begin);
}

void
hpm_owncosts_find_at_end(struct hpm_recorder *recorder,
                         struct hpm_thread *thread, const struct hpm_calm *calm)
{
    calibrate_threads(recorder, thread,
                      &recorder->calibrations[HPM_CALIBRATION_THREAD_END],
                      calm);
    calibrate_process_at_end(recorder, thread, calm);
}
