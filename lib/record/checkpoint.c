/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints: copies of what was recorded so far, written to a journal. */
#include "record/checkpoint.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "host/floating.h"
#include "host/lock.h"
#include "host/memory.h"
#include "host/ownusage.h"
#include "record/checkpointer.h"
#include "record/run.h"
#include "record/snapshot.h"
#include "source/usage.h"

enum { A_SECOND = 1000 };

/* The most words of single calls in a copy.  Each new section may cause a copy,
 * inside its start, while other threads wait: a copy with few_words takes about
 * a millisecond. */
static const size_t all_words = SIZE_MAX, few_words = 1 << 17;

struct hpm_checkpoint {
    struct hpm_checkpointer calls; /* first member, so that both have one
                                    * address */
    struct hpm_recorder *recorder;
    struct hpm_checkpoint_plan plan;
    struct hpm_journal *journal;
    atomic_bool has_failed; /* set once the failure is reported */
    struct hpm_lock lock;   /* of the journal and the copy */
    struct hpm_string copy;
    struct hpm_journal_table run;
    struct hpm_string description; /* the part about the run that never
                                    * changes */
    _Atomic uint64_t run_due;
    atomic_size_t n_parts;          /* parts of modules in the run's copy */
    _Atomic unsigned long n_behind; /* tables whose newest copy failed */
    atomic_bool has_process;
    bool has_all; /* the journal has all of the harvest */
};

/* NULL if no checkpoints are made. */
static struct hpm_checkpoint *
checkpoint_of(struct hpm_checkpointer *calls)
{
    return (struct hpm_checkpoint *)calls;
}

/* ---- quiet ----------------------------------------------------------- */

/* While locks are held, the program's signal handlers must not leave this code
 * by longjmp, and no thread may be cancelled.  The stop of a section comes here
 * directly from the program, with the program's floating-point environment:
 * computing here must neither trap nor leave a flag. */
struct quiet {
    int saved_errno;
    int cancel_state;
    sigset_t signals;
    struct hpm_floating floating;
};

static void
begin_quiet(struct quiet *quiet)
{
    sigset_t all;

    quiet->saved_errno = errno;
    sigfillset(&all);
    hpm_ownusage_begin();
    pthread_sigmask(SIG_SETMASK, &all, &quiet->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &quiet->cancel_state);
    quiet->floating = hpm_floating_hold();
}

static void
end_quiet(const struct quiet *quiet)
{
    int ignored;

    hpm_floating_release(quiet->floating);
    pthread_setcancelstate(quiet->cancel_state, &ignored);
    pthread_sigmask(SIG_SETMASK, &quiet->signals, NULL);
    hpm_ownusage_end();
    errno = quiet->saved_errno;
}

/* ---- copy of one table ---------------------------------------------- */

static uint64_t
next_due(const struct hpm_checkpoint *checkpoint, struct hpm_instant now)
{
    double ns_per_tick =
        hpm_clock_ns_per_tick(checkpoint->recorder->start, now);
    double interval_ns = (double)checkpoint->plan.interval_ns;

    return hpm_clock_read() +
           (uint64_t)(ns_per_tick > 0.0 ? interval_ns / ns_per_tick : 0.0);
}

/* A failed copy is tried again when it is due again, since a full disk may have
 * room by then; but the failure is reported once. */
static void
say_once(struct hpm_checkpoint *checkpoint, const struct hpm_error *err)
{
    struct hpm_string line = {0};

    if (atomic_exchange(&checkpoint->has_failed, true))
        return;
    hpm_string_add_format(&line,
                          "HPM_CHECKPOINT: %s; if a signal kills the program, "
                          "only earlier checkpoints can be recovered",
                          err->text);
    checkpoint->plan.say(hpm_string_text(&line));
    hpm_string_free(&line);
}

/* A thread that holds the lock may wait for a dead disk: the other threads give
 * up after a second and go on without their copy. */
static bool
begin_copy(struct hpm_checkpoint *checkpoint, struct hpm_error *err)
{
    if (!hpm_lock_wait(&checkpoint->lock, A_SECOND))
        return hpm_error_set(err, "the journal's disk does not answer");
    hpm_journal_begin(&checkpoint->copy);
    return true;
}

static bool
put_copy(struct hpm_checkpoint *checkpoint, struct hpm_journal_table *table,
         struct hpm_error *err)
{
    bool is_good =
        hpm_journal_put(checkpoint->journal, table, &checkpoint->copy, err);

    hpm_lock_give(&checkpoint->lock);
    return is_good;
}

/* The run's copy tells how many tables are behind, so it is due when that
 * number changes. */
static void
note_put(struct hpm_checkpoint *checkpoint, struct hpm_journal_table *table,
         bool is_good)
{
    if (table->is_behind != is_good)
        return;
    table->is_behind = !is_good;
    if (is_good)
        atomic_fetch_sub(&checkpoint->n_behind, 1);
    else
        atomic_fetch_add(&checkpoint->n_behind, 1);
    atomic_store(&checkpoint->run_due, HPM_CHECKPOINT_AT_ONCE);
}

/* A copy because of a new section leaves out single calls, so it does not put
 * off the next checkpoint, which has them all. */
static void
put_table(struct hpm_checkpoint *checkpoint, struct hpm_journal_table *table,
          const struct hpm_snapshot *snapshot, struct hpm_calltree *tree)
{
    struct hpm_instant now = hpm_clock_instant();
    struct hpm_error err;
    bool is_good = begin_copy(checkpoint, &err);

    if (is_good) {
        hpm_snapshot_add_table(&checkpoint->copy, snapshot, now);
        is_good = put_copy(checkpoint, table, &err);
    }
    if (!is_good)
        say_once(checkpoint, &err);
    note_put(checkpoint, table, is_good);
    tree->n_put = tree->nodes.n;
    if (snapshot->most_words == all_words)
        hpm_calltree_set_due(tree, next_due(checkpoint, now));
}

static void
put_thread(struct hpm_checkpoint *checkpoint, struct hpm_thread *thread,
           size_t most_words)
{
    bool is_folded = thread->tid == HPM_TID_FOLDED;
    const struct hpm_threads *threads = &checkpoint->recorder->threads;
    const struct hpm_snapshot snapshot = {.kind = HPM_SNAPSHOT_THREAD,
                                          .tid = thread->tid,
                                          .omp = thread->omp,
                                          .n_threads =
                                              is_folded ? threads->n_folded : 0,
                                          .tree = thread->tree,
                                          .meter = thread->meter,
                                          .samples = thread->samples,
                                          .most_words = most_words};

    hpm_sampler_settle(thread->samples);
    put_table(checkpoint, &thread->kept, &snapshot, thread->tree);
}

static void
put_process(struct hpm_checkpoint *checkpoint, struct hpm_process *process,
            int opener, size_t most_words)
{
    const struct hpm_snapshot snapshot = {
        .kind = HPM_SNAPSHOT_PROCESS,
        .tid = -1,
        .omp = -1,
        .opener = opener,
        .uncounted =
            hpm_process_uncounted(process, checkpoint->recorder->begin),
        .tree = process->tree,
        .meter = process->meter,
        .most_words = most_words};

    put_table(checkpoint, &process->kept, &snapshot, process->tree);
}

/* Other threads may write the run while the calibrations at the end are made:
 * only the last copy has these.  Returns how many parts of modules the copy
 * has. */
static size_t
add_run(struct hpm_checkpoint *checkpoint, struct hpm_instant now,
        const struct hpm_experiment *experiment, bool is_last)
{
    const struct hpm_calibration *all = checkpoint->recorder->calibrations;
    bool has_process =
        atomic_load_explicit(&checkpoint->has_process, memory_order_acquire);
    const struct hpm_calibration *const calibrations[HPM_N_CALIBRATIONS] = {
        [HPM_CALIBRATION_THREAD_INIT] = &all[HPM_CALIBRATION_THREAD_INIT],
        [HPM_CALIBRATION_THREAD_END] =
            is_last ? &all[HPM_CALIBRATION_THREAD_END] : NULL,
        [HPM_CALIBRATION_PROCESS_INIT] =
            has_process ? &all[HPM_CALIBRATION_PROCESS_INIT] : NULL,
    };
    struct hpm_recorder *recorder = checkpoint->recorder;
    const struct hpm_string *description = &checkpoint->description;

    hpm_string_add_bytes(&checkpoint->copy, description->text,
                         description->length);
    hpm_snapshot_add_state(&checkpoint->copy, now, calibrations, experiment);
    return hpm_snapshot_add_sampling(
        &checkpoint->copy, &recorder->plan->sampling,
        atomic_load(&recorder->n_not_sampled), &recorder->modules);
}

/* This problem is written to the journal alone: the journal is read where there
 * is no performance file. */
static bool
add_problem_of_journal(const struct hpm_checkpoint *checkpoint,
                       struct hpm_experiment *experiment)
{
    unsigned long n_behind = atomic_load(&checkpoint->n_behind);
    struct hpm_problem *problem;

    if (n_behind == 0)
        return true;
    problem = hpm_experiment_add_problem(experiment);
    if (problem == NULL)
        return false;
    problem->count = n_behind;
    return hpm_experiment_set_text(
        &problem->text,
        "tables could not be written to the journal, of a thread or of the "
        "process each: their sections are as they were at an earlier "
        "checkpoint, or missing");
}

static bool
put_run(struct hpm_checkpoint *checkpoint, bool is_last, struct hpm_error *err)
{
    struct hpm_recorder *recorder = checkpoint->recorder;
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_instant now = hpm_clock_instant();
    struct rusage usage;
    bool is_good;

    hpm_usage_of_process(&usage);
    atomic_store(&checkpoint->run_due, next_due(checkpoint, now));
    is_good =
        (experiment != NULL && hpm_run_add_resources(experiment, &usage) &&
         hpm_run_set_place(&experiment->run) &&
         hpm_problems_harvest(recorder->problems, experiment) &&
         add_problem_of_journal(checkpoint, experiment)) ||
        hpm_error_no_memory(err);
    if (recorder->plan->sampling.n_events > 0)
        hpm_modules_look(&recorder->modules);
    is_good = is_good && begin_copy(checkpoint, err);
    if (is_good) {
        size_t n_parts = add_run(checkpoint, now, experiment, is_last);

        is_good = put_copy(checkpoint, &checkpoint->run, err);
        if (is_good)
            atomic_store(&checkpoint->n_parts, n_parts);
    }
    hpm_experiment_free(experiment);
    return is_good;
}

/* Sync without the lock: a busy disk takes its time, and other threads need not
 * wait. */
static bool
sync_journal(struct hpm_checkpoint *checkpoint, struct hpm_error *err)
{
    int descriptor;

    if (!checkpoint->plan.is_synced)
        return true;
    if (!hpm_lock_wait(&checkpoint->lock, A_SECOND))
        return hpm_error_set(err, "the journal's disk does not answer");
    descriptor = hpm_journal_descriptor(checkpoint->journal, err);
    hpm_lock_give(&checkpoint->lock);
    return descriptor >= 0 && hpm_journal_sync(descriptor, err);
}

/* ---- calls from tables ---------------------------------------------- */

/* A process section may be open for long without a start or stop of the
 * process, so a thread's start or stop reads the process's counters.  Replayed
 * samples are read only at starts and stops of the process itself. */
static void
put_process_if_due(struct hpm_checkpoint *checkpoint, struct hpm_thread *thread,
                   const uint64_t *begin)
{
    struct hpm_process *process = &checkpoint->recorder->process;

    if (!atomic_load_explicit(&checkpoint->has_process, memory_order_acquire) ||
        hpm_meter_is_replayed(process->meter) ||
        !hpm_lock_wait(process->lock, A_SECOND))
        return;
    if (hpm_clock_read() >= process->tree->put_due) {
        hpm_process_sample(process, thread, begin);
        put_process(checkpoint, process, thread->tid, all_words);
    }
    hpm_lock_give(process->lock);
}

/* Make `begin` the latest sample of the thread's table.  A replay gives a
 * thread samples only at its own starts and stops: false if a section is open,
 * which would need one. */
static bool
take_sample(struct hpm_thread *thread, const uint64_t *begin)
{
    struct hpm_calltree *tree = thread->tree;

    if (begin == tree->now)
        return true;
    if (hpm_meter_is_replayed(thread->meter))
        return hpm_calltree_depth(tree) == 0;
    memcpy(tree->now, begin, tree->n_slots * sizeof *begin);
    return true;
}

/* Samples in the tables may be in modules that were mapped since the last copy
 * of the run: then the run is written again. */
static bool
knows_all_parts(const struct hpm_checkpoint *checkpoint)
{
    return atomic_load(&checkpoint->n_parts) ==
           hpm_modules_count_parts(&checkpoint->recorder->modules);
}

static void
put_run_if_due(struct hpm_checkpoint *checkpoint)
{
    struct hpm_error err;

    if ((hpm_clock_read() >= atomic_load(&checkpoint->run_due) ||
         !knows_all_parts(checkpoint)) &&
        !put_run(checkpoint, false, &err))
        say_once(checkpoint, &err);
}

static void
put_due(struct hpm_thread *thread, const uint64_t *begin)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(thread->checkpointer);
    struct hpm_error err;
    struct quiet quiet;

    begin_quiet(&quiet);
    if (!thread->folds && take_sample(thread, begin))
        put_thread(checkpoint, thread, all_words);
    put_process_if_due(checkpoint, thread, begin);
    put_run_if_due(checkpoint);
    if (!sync_journal(checkpoint, &err))
        say_once(checkpoint, &err);
    end_quiet(&quiet);
}

/* A new section is no reason to wait for the disk: no sync. */
static void
put_new(struct hpm_thread *thread, const uint64_t *begin)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(thread->checkpointer);
    struct quiet quiet;

    begin_quiet(&quiet);
    if (take_sample(thread, begin))
        put_thread(checkpoint, thread, few_words);
    put_run_if_due(checkpoint);
    end_quiet(&quiet);
}

static void
put_sampled_process(struct hpm_process *process,
                    const struct hpm_thread *thread)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(thread->checkpointer);
    struct quiet quiet;

    begin_quiet(&quiet);
    put_process(checkpoint, process, thread->tid,
                hpm_clock_read() >= process->tree->put_due ? all_words
                                                           : few_words);
    put_run_if_due(checkpoint);
    end_quiet(&quiet);
}

static void
put_folded(struct hpm_threads *threads)
{
    struct hpm_thread *folded = threads->folded;
    struct hpm_checkpoint *checkpoint = checkpoint_of(folded->checkpointer);
    struct hpm_error err;
    struct quiet quiet;

    if (threads->n_folded > 1 && hpm_clock_read() < folded->tree->put_due)
        return;
    begin_quiet(&quiet);
    put_thread(checkpoint, folded, all_words);
    put_run_if_due(checkpoint);
    if (!sync_journal(checkpoint, &err))
        say_once(checkpoint, &err);
    end_quiet(&quiet);
}

/* ---- begin and end --------------------------------------------------- */

static bool
describe(struct hpm_checkpoint *checkpoint, const char *file,
         const struct hpm_run *run)
{
    struct hpm_recorder *recorder = checkpoint->recorder;
    const struct hpm_eventset *set = recorder->plan->set;
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_good = experiment != NULL &&
                   hpm_run_describe(&experiment->run, run->program, run->task,
                                    &recorder->start_date) &&
                   hpm_run_describe_machine(&experiment->machine, set, 0.0) &&
                   hpm_run_add_counters(experiment, set);

    if (is_good) {
        experiment->run.forked_from = run->forked_from;
        hpm_snapshot_add_description(&checkpoint->description, file, experiment,
                                     set, recorder->start);
    }
    hpm_experiment_free(experiment);
    return is_good && !checkpoint->description.failed;
}

static void
free_checkpoint(struct hpm_checkpointer *calls)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(calls);

    hpm_journal_free(checkpoint->journal);
    hpm_string_free(&checkpoint->copy);
    hpm_string_free(&checkpoint->description);
    hpm_memory_free(checkpoint);
}

static const struct hpm_checkpointer all_calls = {
    .put_due = put_due,
    .put_new = put_new,
    .put_process = put_sampled_process,
    .put_folded = put_folded,
    .free = free_checkpoint,
};

bool
hpm_checkpoint_begin(struct hpm_recorder *recorder, struct hpm_journal *journal,
                     const struct hpm_checkpoint_plan *plan, const char *file,
                     const struct hpm_run *run, struct hpm_error *err)
{
    struct hpm_checkpoint *checkpoint = hpm_memory_new(1, sizeof *checkpoint);
    struct hpm_error ignored;

    if (checkpoint == NULL) {
        hpm_journal_remove(journal, &ignored);
        hpm_journal_free(journal);
        return hpm_error_no_memory(err);
    }
    checkpoint->calls = all_calls;
    checkpoint->recorder = recorder;
    checkpoint->journal = journal;
    checkpoint->plan = *plan;
    if ((!describe(checkpoint, file, run) && !hpm_error_no_memory(err)) ||
        !put_run(checkpoint, false, err)) {
        hpm_journal_remove(journal, &ignored);
        free_checkpoint(&checkpoint->calls);
        return false;
    }
    recorder->checkpointer = &checkpoint->calls;
    return true;
}

void
hpm_checkpoint_add_calibration(const struct hpm_recorder *recorder)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(recorder->checkpointer);

    if (checkpoint != NULL)
        atomic_store(&checkpoint->run_due, HPM_CHECKPOINT_AT_ONCE);
}

/* Write the run's copy again, now with the calibration of the process. */
void
hpm_checkpoint_add_process(struct hpm_recorder *recorder)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(recorder->checkpointer);

    if (checkpoint == NULL)
        return;
    hpm_calltree_set_due(recorder->process.tree, HPM_CHECKPOINT_AT_ONCE);
    atomic_store_explicit(&checkpoint->has_process, true, memory_order_release);
    hpm_checkpoint_add_calibration(recorder);
}

bool
hpm_checkpoint_is_there(const struct hpm_recorder *recorder)
{
    return checkpoint_of(recorder->checkpointer) != NULL;
}

char *
hpm_checkpoint_path(const struct hpm_recorder *recorder)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(recorder->checkpointer);
    struct hpm_string path = {0};

    if (checkpoint != NULL)
        hpm_journal_add_path(checkpoint->journal, &path);
    if (path.failed)
        hpm_string_free(&path);
    return path.text;
}

bool
hpm_checkpoint_has_all(const struct hpm_recorder *recorder)
{
    const struct hpm_checkpoint *checkpoint =
        checkpoint_of(recorder->checkpointer);

    return checkpoint != NULL && checkpoint->has_all;
}

bool
hpm_checkpoint_remove(struct hpm_recorder *recorder, struct hpm_error *err)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(recorder->checkpointer);

    return checkpoint == NULL || hpm_journal_remove(checkpoint->journal, err);
}

void
hpm_checkpoint_forget(struct hpm_recorder *recorder)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(recorder->checkpointer);

    if (checkpoint != NULL)
        hpm_journal_forget(checkpoint->journal);
}

/* ---- the harvest ----------------------------------------------------- */

/* Not synced: if the power fails now, earlier copies are on the disk. */
void
hpm_checkpoint_put_all(struct hpm_recorder *recorder, bool has_process)
{
    struct hpm_checkpoint *checkpoint = checkpoint_of(recorder->checkpointer);
    struct hpm_error err;
    struct quiet quiet;

    if (checkpoint == NULL)
        return;
    begin_quiet(&quiet);
    for (struct hpm_thread *thread = recorder->threads.list; thread != NULL;
         thread = thread->next) {
        if (!thread->is_left_out)
            put_thread(checkpoint, thread, all_words);
    }
    if (recorder->threads.folded != NULL)
        put_thread(checkpoint, recorder->threads.folded, all_words);
    if (has_process && recorder->process.tree != NULL)
        put_process(checkpoint, &recorder->process, -1, all_words);
    checkpoint->has_all = put_run(checkpoint, true, &err);
    if (!checkpoint->has_all)
        say_once(checkpoint, &err);
    checkpoint->has_all =
        checkpoint->has_all && atomic_load(&checkpoint->n_behind) == 0;
    end_quiet(&quiet);
}
