/* SPDX-License-Identifier: BSD-3-Clause
 * Which tables are written to the journal and when, with a journal simulated by
 * the test. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "file/journal.h"
#include "host/lock.h"
#include "host/memory.h"
#include "record/checkpoint.h"
#include "record/checkpointer.h"
#include "record/run.h"
#include "record/snapshot.h"
#include "tap.h"

struct hpm_journal {
    int n_removed, n_freed, n_forgotten;
};

/* The latest copy of each kind, and the behaviour of the simulated journal. */
static struct {
    bool is_broken, is_locked, is_unsynced, is_lost;
    int n_put, n_runs, n_synced, n_said;
    bool was_quiet;
    struct hpm_snapshot table;
    size_t n_problems, n_parts, n_known_parts;
    bool has[HPM_N_CALIBRATIONS];
} play;

static bool
is_quiet(void)
{
    sigset_t blocked;

    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    return sigismember(&blocked, SIGUSR1) == 1;
}

static bool
play_put(struct hpm_journal *journal, struct hpm_journal_table *table,
         struct hpm_string *copy, struct hpm_error *err)
{
    (void)journal;
    (void)table;
    play.was_quiet = is_quiet();
    errno = EIO;
    if (play.is_broken || copy->failed)
        return hpm_error_set(err, "it is broken");
    play.n_put++;
    return true;
}

static void
play_add_table(struct hpm_string *copy, const struct hpm_snapshot *table,
               struct hpm_instant now)
{
    (void)copy;
    (void)now;
    play.table = *table;
}

static void
play_add_state(
    struct hpm_string *copy, struct hpm_instant now,
    const struct hpm_calibration *const calibrations[HPM_N_CALIBRATIONS],
    const struct hpm_experiment *experiment)
{
    (void)copy;
    (void)now;
    play.n_runs++;
    play.n_problems = experiment->n_problems;
    for (size_t i = 0; i < HPM_N_CALIBRATIONS; i++)
        play.has[i] = calibrations[i] != NULL;
}

static size_t
play_add_sampling(struct hpm_string *copy, const struct hpm_sampling *sampling,
                  uint64_t n_without, struct hpm_modules *modules)
{
    (void)copy;
    (void)sampling;
    (void)n_without;
    (void)modules;
    return play.n_parts;
}

static size_t
play_count_parts(struct hpm_modules *modules)
{
    (void)modules;
    return play.n_known_parts;
}

static bool
play_wait(struct hpm_lock *lock, int patience)
{
    (void)patience;
    if (!play.is_locked)
        hpm_lock_take(lock);
    return !play.is_locked;
}

static int
play_descriptor(struct hpm_journal *journal, struct hpm_error *err)
{
    (void)journal;
    if (play.is_lost)
        hpm_error_set(err, "it is lost");
    return play.is_lost ? -1 : 0;
}

static bool
play_sync(int descriptor, struct hpm_error *err)
{
    (void)descriptor;
    play.n_synced++;
    return !play.is_unsynced || hpm_error_set(err, "it is not synced");
}

static void
play_path(const struct hpm_journal *journal, struct hpm_string *string)
{
    (void)journal;
    hpm_string_add(string, "a.journal");
}

static void
play_free(struct hpm_journal *journal)
{
    journal->n_freed++;
}

static bool
play_remove(struct hpm_journal *journal, struct hpm_error *err)
{
    journal->n_removed++;
    return !play.is_lost || hpm_error_set(err, "it is lost");
}

static void
play_forget(struct hpm_journal *journal)
{
    journal->n_forgotten++;
}

#define hpm_journal_put play_put
#define hpm_journal_descriptor play_descriptor
#define hpm_journal_sync play_sync
#define hpm_journal_add_path play_path
#define hpm_journal_free play_free
#define hpm_journal_remove play_remove
#define hpm_journal_forget play_forget
#define hpm_snapshot_add_table play_add_table
#define hpm_snapshot_add_state play_add_state
#define hpm_snapshot_add_sampling play_add_sampling
#define hpm_modules_count_parts play_count_parts
#define hpm_lock_wait play_wait
#include "record/checkpoint.c"

/* So long that nothing is due again during the test. */
#define LONG UINT64_C(1000000000000000)

static struct hpm_eventset set;
static struct hpm_plan plan = {.set = &set, .n_thread_records = 10};
static struct hpm_recorder *recorder;
static struct hpm_journal journal;
static struct hpm_checkpoint *checkpoint;
static struct hpm_thread *first, *second;
static char last_line[400];

static void
say(const char *line)
{
    play.n_said++;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static bool
begin_plan(uint64_t interval_ns, bool is_synced)
{
    const struct hpm_checkpoint_plan how = {interval_ns, is_synced, say};
    const struct hpm_run run = {.program = (char *)"a", .forked_from = -1};
    struct hpm_error err;

    return hpm_checkpoint_begin(recorder, &journal, &how, "a.hpm", &run, &err);
}

static void
begin_with(uint64_t interval_ns, bool is_synced)
{
    static int n_problems;

    memset(&play, 0, sizeof play);
    journal = (struct hpm_journal){0, 0, 0};
    recorder = hpm_recorder_new(&plan, say, &n_problems, NULL);
    ok(begin_plan(interval_ns, is_synced), "a checkpoint begins");
    checkpoint = checkpoint_of(recorder->checkpointer);
    first = hpm_recorder_enter(recorder, NULL);
    second = hpm_recorder_enter(recorder, NULL);
}

static void
begin(void)
{
    begin_with(LONG, false);
}

static void
end(void)
{
    hpm_recorder_free(recorder);
    is_count((uint64_t)journal.n_freed, 1, "the journal is freed once");
}

static void
put(struct hpm_thread *thread)
{
    thread->checkpointer->put_due(thread, thread->begin);
}

static void
open_process(void)
{
    hpm_process_open(&recorder->process);
    hpm_checkpoint_add_process(recorder);
}

/* ---- begin ------------------------------------------------------------ */

static void
test_begin(void)
{
    unsigned long n_lacks = 0;
    bool is_good = false, is_clean = true;
    char *path;

    recorder = hpm_recorder_new(&plan, say, &play.n_said, NULL);
    ok(!hpm_checkpoint_is_there(recorder) && !hpm_checkpoint_has_all(recorder),
       "without a checkpoint there is no journal");
    ok(hpm_checkpoint_path(recorder) == NULL, "nor its path");
    ok(hpm_checkpoint_remove(recorder, NULL), "nor anything to remove,");
    hpm_checkpoint_forget(recorder);
    hpm_checkpoint_add_calibration(recorder);
    hpm_checkpoint_add_process(recorder);
    hpm_checkpoint_put_all(recorder, false);
    ok(play.n_put == 0, "or to put aside");
    play.is_broken = true;
    ok(!begin_plan(LONG, false) && recorder->checkpointer == NULL &&
           journal.n_removed == 1 && journal.n_freed == 1,
       "one that cannot put the run is not begun, and leaves no file");
    play.is_broken = false;
    while (!is_good && n_lacks < 200) {
        journal = (struct hpm_journal){0, 0, 0};
        hpm_memory_fail_at(++n_lacks, true);
        is_good = begin_plan(LONG, false);
        hpm_memory_fail_at(0, false);
        is_clean &= is_good == (recorder->checkpointer != NULL) &&
                    journal.n_removed == !is_good &&
                    journal.n_freed == !is_good;
    }
    ok(is_good && is_clean && n_lacks > 10, "nor without memory");
    ok(play.n_put == 1 && play.n_runs > 0, "the run is put at once");
    path = hpm_checkpoint_path(recorder);
    is_text(path, "a.journal", "the journal has a path");
    hpm_memory_free(path);
    hpm_memory_fail_at(1, true);
    ok(hpm_checkpoint_path(recorder) == NULL, "but for lack of memory");
    hpm_memory_fail_at(0, false);
    ok(hpm_checkpoint_is_there(recorder), "and is there");
    ok(hpm_checkpoint_remove(recorder, NULL) && journal.n_removed == 1,
       "until it is removed");
    hpm_checkpoint_forget(recorder);
    is_count((uint64_t)journal.n_forgotten, 1, "or forgotten");
    play.is_lost = true;
    ok(!hpm_checkpoint_remove(recorder, &(struct hpm_error){{0}}),
       "what cannot be removed is told");
    end();
}

/* ---- due tables ----------------------------------------------------- */

static void
test_thread(void)
{
    begin();
    hpm_calltree_start(first->tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL);
    hpm_calltree_set_due(first->tree, HPM_CHECKPOINT_AT_ONCE);
    errno = 7;
    put(first);
    ok(errno == 7 && play.was_quiet && !is_quiet(),
       "while a thread is put aside no signal comes; errno stays");
    ok(play.n_put == 2 && play.table.kind == HPM_SNAPSHOT_THREAD &&
           play.table.tid == first->tid && play.table.n_threads == 0 &&
           play.table.tree == first->tree && play.table.meter == first->meter &&
           play.table.most_words == all_words,
       "all of its table is put, but not the run again");
    ok(first->tree->n_put == first->tree->nodes.n && first->tree->n_put == 1 &&
           first->tree->put_due > hpm_clock_read(),
       "with its new section; it is due again after the interval");
    hpm_calltree_set_due(first->tree, HPM_CHECKPOINT_AT_ONCE);
    hpm_calltree_start(first->tree, 2, HPM_PARENT_AUTO, "b", "a.c", 2, NULL);
    first->checkpointer->put_new(first, first->begin);
    ok(play.n_put == 3 && play.table.most_words == few_words &&
           first->tree->n_put == 2,
       "for a new section few single calls are put");
    ok(first->tree->put_due == HPM_CHECKPOINT_AT_ONCE && play.n_runs == 1,
       "and the table is as due as before");
    is_count((uint64_t)play.n_synced, 0, "nothing is synced unasked");
    first->folds = true;
    put(first);
    ok(play.n_put == 3, "a thread that folds is not put alone");
    first->folds = false;
    end();
}

/* With an interval of 0 each stop writes all tables. */
static void
test_always(void)
{
    begin_with(0, true);
    hpm_calltree_set_due(first->tree, UINT64_MAX);
    put(first);
    put(first);
    ok(play.n_put == 5 && play.n_runs == 3 && play.n_synced == 2,
       "without an interval the run is always due, and is synced");
    ok(first->tree->put_due <= hpm_clock_read(), "and so is the table");
    first->checkpointer->put_new(first, first->begin);
    ok(play.n_put == 7 && play.n_synced == 2,
       "for a new section nobody waits for the disk");
    play.is_unsynced = true;
    put(first);
    ok(play.n_said == 1 && strstr(last_line, "not synced") != NULL,
       "a sync that failed is said");
    checkpoint->has_failed = false;
    play.is_lost = true;
    put(first);
    ok(play.n_said == 2 && strstr(last_line, "it is lost") != NULL,
       "as is a file that is not there");
    end();
}

static void
test_sample(void)
{
    uint64_t now[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct hpm_calltree *tree;

    begin();
    tree = first->tree;
    first->checkpointer->put_due(first, now);
    ok(memcmp(tree->now, now, tree->n_slots * sizeof *now) == 0 &&
           play.n_put == 2,
       "the reading at its begin is that of the table");
    first->meter->time_slot = 1;
    now[0] = 99;
    first->checkpointer->put_due(first, now);
    ok(tree->now[0] == 1 && play.n_put == 3,
       "a replayed one is not: nothing is open, so none is needed");
    hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL);
    first->checkpointer->put_due(first, now);
    first->checkpointer->put_new(first, now);
    ok(tree->now[0] == 1 && play.n_put == 3,
       "where something is open, such a table waits");
    first->checkpointer->put_due(first, tree->now);
    ok(play.n_put == 4, "for its own stop");
    first->meter->time_slot = 0;
    end();
}

static void
test_parts(void)
{
    begin();
    put(first);
    ok(play.n_runs == 1, "the run is put when it is due");
    play.n_known_parts = play.n_parts = 3;
    put(first);
    ok(play.n_runs == 2, "or samples may be in what was mapped since");
    put(first);
    ok(play.n_runs == 2, "which it has then");
    hpm_checkpoint_add_calibration(recorder);
    put(second);
    ok(play.n_runs == 3, "or its threads are calibrated");
    end();
}

/* ---- the process ------------------------------------------------------ */

static void
test_process(void)
{
    struct hpm_process *process;

    begin();
    process = &recorder->process;
    hpm_process_open(process);
    hpm_calltree_set_due(process->tree, HPM_CHECKPOINT_AT_ONCE);
    put(first);
    ok(play.n_put == 2 && !play.has[HPM_CALIBRATION_PROCESS_INIT],
       "a process that is not calibrated is not put");
    hpm_checkpoint_add_process(recorder);
    process->tree->now[0] = 0;
    put(second);
    ok(play.n_put == 5 && play.table.kind == HPM_SNAPSHOT_PROCESS &&
           play.table.tid == -1 && play.table.opener == second->tid &&
           play.table.tree == process->tree &&
           play.table.meter == process->meter &&
           play.table.most_words == all_words,
       "then it is, with the thread's");
    ok(process->tree->now[0] > 0, "with a reading of its own");
    ok(play.n_runs == 2 && play.has[HPM_CALIBRATION_THREAD_INIT] &&
           play.has[HPM_CALIBRATION_PROCESS_INIT] &&
           !play.has[HPM_CALIBRATION_THREAD_END],
       "and the run, with its calibration");
    put(second);
    ok(play.n_put == 6, "but not before it is due again");
    hpm_calltree_set_due(process->tree, HPM_CHECKPOINT_AT_ONCE);
    process->meter->time_slot = 1;
    put(second);
    ok(play.n_put == 7, "nor where a reading would take a replayed sample");
    process->meter->time_slot = 0;
    end();
}

static void
test_sampled_process(void)
{
    struct hpm_process *process;

    begin();
    open_process();
    process = &recorder->process;
    first->checkpointer->put_process(process, first);
    ok(play.n_put == 3 && play.table.opener == first->tid &&
           play.table.most_words == all_words && play.n_runs == 2,
       "at its own edge a process that is due is put, and the run");
    first->checkpointer->put_process(process, first);
    ok(play.n_put == 4 && play.table.most_words == few_words,
       "with few single calls where it is not due");
    play.is_locked = true;
    hpm_calltree_set_due(process->tree, HPM_CHECKPOINT_AT_ONCE);
    put(first);
    ok(play.n_put == 4 && play.n_said == 1 &&
           strstr(last_line, "does not answer") != NULL,
       "what waits too long for a lock is left out");
    end();
}

/* ---- failures --------------------------------------------------------- */

static void
test_broken(void)
{
    begin();
    play.is_broken = true;
    put(first);
    put(first);
    ok(play.n_said == 1 &&
           strstr(last_line, "HPM_CHECKPOINT: it is broken") != NULL,
       "what cannot be put is said once");
    ok(first->kept.is_behind && atomic_load(&checkpoint->n_behind) == 1,
       "that table is behind");
    put(second);
    ok(atomic_load(&checkpoint->n_behind) == 2, "and so is the next");
    play.is_broken = false;
    put(first);
    ok(!first->kept.is_behind && atomic_load(&checkpoint->n_behind) == 1 &&
           play.n_runs > 1 && play.n_problems == 1,
       "until it is put; the run says that one is behind");
    put(second);
    ok(play.n_problems == 0 && play.n_said == 1, "or none");
    play.n_runs = 0;
    hpm_checkpoint_add_calibration(recorder);
    hpm_memory_fail_at(1, true);
    put_run_if_due(checkpoint);
    hpm_memory_fail_at(0, false);
    ok(play.n_runs == 0, "without memory the run is not put");
    end();
}

/* ---- folded threads --------------------------------------------------- */

static void
test_folded(void)
{
    struct hpm_threads *threads;

    begin_with(LONG, true);
    threads = &recorder->threads;
    second->tid = HPM_TID_FOLDED;
    threads->folded = second;
    threads->n_folded = 1;
    second->checkpointer->put_folded(threads);
    ok(play.n_put == 2 && play.n_synced == 1 &&
           play.table.tid == HPM_TID_FOLDED && play.table.n_threads == 1,
       "the first thread that folds is put at once, and synced");
    threads->n_folded = 2;
    second->checkpointer->put_folded(threads);
    ok(play.n_put == 2 && play.n_synced == 1, "the next when that is due");
    hpm_calltree_set_due(second->tree, HPM_CHECKPOINT_AT_ONCE);
    second->checkpointer->put_folded(threads);
    ok(play.n_put == 3 && play.table.n_threads == 2, "with the ones before");
    play.is_unsynced = true;
    hpm_calltree_set_due(second->tree, HPM_CHECKPOINT_AT_ONCE);
    second->checkpointer->put_folded(threads);
    ok(play.n_said == 1, "what fails is said");
    threads->folded = NULL;
    end();
}

/* ---- the harvest ------------------------------------------------------ */

static void
test_all(void)
{
    begin();
    open_process();
    ok(!hpm_checkpoint_has_all(recorder), "before a harvest not all is there");
    hpm_checkpoint_put_all(recorder, true);
    ok(play.n_put == 1 + 2 + 1 + 1 && play.was_quiet && !is_quiet() &&
           play.table.kind == HPM_SNAPSHOT_PROCESS && play.table.opener == -1 &&
           play.table.most_words == all_words &&
           play.has[HPM_CALIBRATION_THREAD_END],
       "then both threads, the process and the run are put");
    ok(hpm_checkpoint_has_all(recorder), "and it is");
    second->is_left_out = true;
    recorder->threads.folded = first;
    hpm_checkpoint_put_all(recorder, false);
    ok(play.n_put == 8 && play.table.kind == HPM_SNAPSHOT_THREAD,
       "but for a thread that is left out, and a process; folded ones as well");
    recorder->threads.folded = NULL;
    second->is_left_out = false;
    play.is_broken = true;
    hpm_checkpoint_put_all(recorder, false);
    ok(!hpm_checkpoint_has_all(recorder) && play.n_said == 1,
       "it is not where the run could not be put,");
    play.is_broken = false;
    second->is_left_out = true;
    hpm_checkpoint_put_all(recorder, false);
    ok(!hpm_checkpoint_has_all(recorder), "or a table is behind");
    second->is_left_out = false;
    hpm_checkpoint_put_all(recorder, false);
    ok(hpm_checkpoint_has_all(recorder), "until that is put as well");
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_begin();
    test_thread();
    test_always();
    test_sample();
    test_parts();
    test_process();
    test_sampled_process();
    test_broken();
    test_folded();
    test_all();
    hpm_eventset_clear(&set);
    return done();
}
