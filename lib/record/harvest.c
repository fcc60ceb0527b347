/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment, made from the section tables of a recording. */
#include "record/recorder.h"

#include <time.h>
#include <unistd.h>

#include "host/barrier.h"
#include "record/checkpoint.h"
#include "record/drainer.h"
#include "record/keptcalls.h"
#include "record/lasting.h"
#include "record/profiling.h"
#include "record/records.h"
#include "record/run.h"
#include "source/slicer.h"
#include "source/usage.h"

/* ---- waiting for threads -------------------------------------------- */

static void
wait_a_millisecond(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* After this no thread starts a call: if a thread did not see is_closing, its
 * mark is_busy is visible now. */
static void
close_for_calls(struct hpm_recorder *recorder)
{
    atomic_store(&recorder->is_closing, true);
    hpm_barrier_everywhere();
}

static bool
is_quiet(struct hpm_thread *thread)
{
    return !atomic_load_explicit(&thread->is_busy, memory_order_acquire);
}

void
hpm_recorder_end_others(struct hpm_recorder *recorder,
                        const struct hpm_thread *self)
{
    if (!hpm_lasting_are_there())
        return;
    close_for_calls(recorder);
    pthread_mutex_lock(&recorder->threads.lock);
    for (struct hpm_thread *thread = recorder->threads.list; thread != NULL;
         thread = thread->next) {
        if (thread != self && !thread->is_abandoned && !thread->has_ended &&
            is_quiet(thread))
            hpm_thread_end_run(thread, true);
    }
    pthread_mutex_unlock(&recorder->threads.lock);
}

/* Waits at most a second for all threads together. */
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

/* ---- the parts of a recording ---------------------------------------- */

static bool
add_records(struct hpm_records *records)
{
    if (!hpm_records_add(records))
        return false;
    hpm_keptcalls_add(records);
    return true;
}

static bool
add_process(struct hpm_recorder *recorder, struct hpm_experiment *experiment)
{
    const struct hpm_process *process = &recorder->process;
    const struct hpm_calibration *init =
        &recorder->calibrations[HPM_CALIBRATION_PROCESS_INIT];
    struct hpm_records records = {
        .experiment = experiment,
        .tree = process->tree,
        .meter = process->meter,
        .correction = {&process->costs, &recorder->final_of_process,
                       &recorder->final},
        .is_corrected = init->is_done,
        .first_work = recorder->plan->set->n_events,
        .has_sections = hpm_records_has_sections(process->tree),
        .omits_counts_outside = process->is_late,
        .missing_ns = hpm_children_missing(&process->children, process->meter),
        .scope = HPM_SCOPE_PROCESS,
        .tid = -1,
        .omp = -1,
        .ns_per_tick = recorder->ns_per_tick,
        .begin = recorder->start.ticks};

    hpm_calibration_choose(init,
                           &recorder->calibrations[HPM_CALIBRATION_PROCESS_END],
                           &recorder->final_of_process);
    return process->tree == NULL || add_records(&records);
}

static bool
add_thread(const struct hpm_recorder *recorder, const struct hpm_thread *thread,
           bool has_sections, struct hpm_experiment *experiment)
{
    const struct hpm_calibration *init =
        &recorder->calibrations[HPM_CALIBRATION_THREAD_INIT];
    bool is_folded = thread->tid == HPM_TID_FOLDED;
    struct hpm_records records = {
        .experiment = experiment,
        .tree = thread->tree,
        .meter = thread->meter,
        .correction = {&recorder->costs, &recorder->final, NULL},
        .is_corrected = init->is_done,
        .first_work = recorder->plan->set->n_events,
        .has_sections = has_sections,
        .scope = HPM_SCOPE_THREAD,
        .tid = thread->tid,
        .omp = thread->omp,
        .n_threads = is_folded ? (int)recorder->threads.n_folded : 0,
        .is_closed_by_other = thread->is_closed_by_other,
        .missing_ns = thread->missing_ns,
        .ns_per_tick = recorder->ns_per_tick,
        .begin = recorder->start.ticks};

    return add_records(&records);
}

/* The list begins with the newest thread; the file begins with the lowest
 * tid. */
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

/* Wait for the threads and close their open sections.  False when a thread had
 * to be left out. */
static bool
quiet_threads(struct hpm_recorder *recorder, const struct hpm_thread *self)
{
    const struct hpm_place nowhere = {.label = NULL};
    int patience = 1000;
    bool are_all_quiet = true;

    for (struct hpm_thread *thread = recorder->threads.list; thread != NULL;
         thread = thread->next) {
        unsigned long n = atomic_load(&thread->n_calls_in_calls);

        if (n > 0)
            hpm_problems_add(recorder->problems, HPM_PROBLEM_CALL_INSIDE_CALL,
                             &nowhere, n);
        thread->is_left_out =
            thread->is_abandoned ||
            (thread != self && !wait_until_quiet(thread, &patience));
        are_all_quiet = are_all_quiet && !thread->is_left_out;
        if (thread->is_abandoned)
            continue;
        if (thread->is_left_out) {
            hpm_problems_add(recorder->problems, HPM_PROBLEM_THREAD_RUNNING,
                             &nowhere, 1);
        } else if (!thread->has_ended) {
            hpm_thread_end_run(thread, thread != self);
        }
    }
    return are_all_quiet;
}

static bool
add_all_works(const struct hpm_recorder *recorder, bool has_process,
              struct hpm_experiment *experiment)
{
    const struct hpm_threads *threads = &recorder->threads;
    size_t first = recorder->plan->set->n_events;

    if (has_process && recorder->process.tree != NULL &&
        !hpm_records_add_works(experiment, first, recorder->process.tree))
        return false;
    if (threads->folded != NULL &&
        !hpm_records_add_works(experiment, first, threads->folded->tree))
        return false;
    for (const struct hpm_thread *thread = threads->list; thread != NULL;
         thread = thread->next) {
        if (!thread->is_left_out &&
            !hpm_records_add_works(experiment, first, thread->tree))
            return false;
    }
    return true;
}

/* If no thread has a section, only process sections are wanted: then threads
 * get no record for what no section covers. */
static bool
have_sections(const struct hpm_threads *threads)
{
    if (threads->folded != NULL &&
        hpm_records_has_sections(threads->folded->tree))
        return true;
    for (const struct hpm_thread *thread = threads->list; thread != NULL;
         thread = thread->next) {
        if (!thread->is_left_out && hpm_records_has_sections(thread->tree))
            return true;
    }
    return false;
}

static bool
add_threads(const struct hpm_recorder *recorder,
            struct hpm_experiment *experiment)
{
    struct hpm_thread *list = recorder->threads.list;
    struct hpm_thread *folded = recorder->threads.folded;
    struct hpm_thread *thread = next_thread(list, -1);
    /* with sampling each thread needs a record for its samples */
    bool has_sections =
        recorder->threads.is_sampling || have_sections(&recorder->threads);

    for (; thread != NULL; thread = next_thread(list, thread->tid)) {
        if (!thread->is_left_out &&
            !add_thread(recorder, thread, has_sections, experiment))
            return false;
    }
    return folded == NULL ||
           add_thread(recorder, folded, has_sections, experiment);
}

/* ---- samples --------------------------------------------------------- */

/* Index of the first record of a thread; n_records if the thread has none. */
static size_t
find_records_of(const struct hpm_experiment *experiment, int tid)
{
    size_t i = 0;

    while (i < experiment->n_records &&
           (experiment->records[i].scope != HPM_SCOPE_THREAD ||
            experiment->records[i].tid != tid))
        i++;
    return i;
}

static bool
add_all_samples(struct hpm_recorder *recorder, struct hpm_profiling *profiling)
{
    const struct hpm_thread *thread = recorder->threads.list;
    const struct hpm_thread *folded = recorder->threads.folded;
    const struct hpm_experiment *experiment = profiling->experiment;

    for (; thread != NULL; thread = thread->next) {
        if (!thread->is_left_out &&
            !hpm_profiling_add(profiling, thread->samples,
                               find_records_of(experiment, thread->tid)))
            return false;
    }
    return folded == NULL ||
           hpm_profiling_add(profiling, folded->samples,
                             find_records_of(experiment, folded->tid));
}

static bool
add_profile(struct hpm_recorder *recorder, struct hpm_experiment *experiment)
{
    struct hpm_profiling profiling;
    bool is_good;

    if (!recorder->threads.is_sampling)
        return true;
    hpm_modules_look(&recorder->modules);
    is_good = hpm_profiling_begin(
                  &profiling, experiment, &recorder->plan->sampling,
                  atomic_load(&recorder->n_not_sampled), &recorder->modules) &&
              add_all_samples(recorder, &profiling);
    hpm_profiling_end(&profiling);
    return is_good;
}

/* ---- calibrations ---------------------------------------------------- */

static bool
add_calibration(const struct hpm_recorder *recorder, int which,
                struct hpm_experiment *experiment)
{
    bool is_process = which == HPM_CALIBRATION_PROCESS_INIT ||
                      which == HPM_CALIBRATION_PROCESS_END;
    bool is_init = which == HPM_CALIBRATION_PROCESS_INIT ||
                   which == HPM_CALIBRATION_THREAD_INIT;

    return hpm_records_add_calibration(
        experiment, recorder->plan->set, &recorder->calibrations[which],
        is_process ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD,
        is_init ? "init" : "end", recorder->ns_per_tick);
}

static bool
add_calibrations(struct hpm_recorder *recorder,
                 struct hpm_experiment *experiment)
{
    bool is_good = true;

    hpm_calibration_choose(&recorder->calibrations[HPM_CALIBRATION_THREAD_INIT],
                           &recorder->calibrations[HPM_CALIBRATION_THREAD_END],
                           &recorder->final);
    for (int which = 0; is_good && which < HPM_N_CALIBRATIONS; which++)
        is_good = add_calibration(recorder, which, experiment);
    return is_good;
}

/* ---- the whole ------------------------------------------------------- */

/* Close the calling thread's run first, so that the harvest is not counted.
 * Replayed samples are taken in their own order. */
static void
end_own_run(struct hpm_thread *self)
{
    if (self != NULL && !hpm_meter_is_replayed(self->meter) &&
        !self->has_ended && !self->is_abandoned)
        hpm_thread_end_run(self, false);
}

bool
hpm_recorder_harvest(struct hpm_recorder *recorder, struct hpm_thread *self,
                     struct hpm_experiment *experiment, struct hpm_error *err)
{
    struct hpm_run *run = &experiment->run;
    struct rusage usage;
    struct hpm_instant end;
    bool has_process, is_good;

    close_for_calls(recorder);
    hpm_slicer_end();
    hpm_drainer_end(&recorder->threads);
    end_own_run(self);
    has_process =
        hpm_process_end_run(&recorder->process, self, recorder->begin);
    end = hpm_clock_instant();
    hpm_usage_of_process(&usage);
    recorder->ns_per_tick = hpm_clock_ns_per_tick(recorder->start, end);
    run->ns = end.ns - recorder->start.ns;
    pthread_mutex_lock(&recorder->threads.lock);
    run->is_complete = quiet_threads(recorder, self) && has_process;
    hpm_checkpoint_put_all(recorder, has_process);
    is_good = hpm_run_add_resources(experiment, &usage) &&
              hpm_run_add_counters(experiment, recorder->plan->set) &&
              add_calibrations(recorder, experiment) &&
              add_all_works(recorder, has_process, experiment) &&
              (!has_process || add_process(recorder, experiment)) &&
              add_threads(recorder, experiment) &&
              add_profile(recorder, experiment);
    pthread_mutex_unlock(&recorder->threads.lock);
    hpm_run_settle_counters(experiment);
    is_good = is_good && hpm_run_set_filter(run, &recorder->plan->filter) &&
              hpm_run_set_place(run) &&
              hpm_problems_harvest(recorder->problems, experiment) &&
              (!has_process ||
               hpm_children_judge(&recorder->process.children,
                                  recorder->process.meter, experiment));
    if (is_good && !run->is_complete)
        is_good = hpm_experiment_set_text(&run->reason,
                                          "a thread was inside a call when "
                                          "it or the program ended");
    return is_good || hpm_error_no_memory(err);
}
