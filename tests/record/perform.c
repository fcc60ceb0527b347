/* SPDX-License-Identifier: BSD-3-Clause
 * Does the steps of a sequence. */
#include "perform.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libhpm.h>

#include "model.h"
#include "world.h"

/* The program of this process. */
static const struct sequence *program;
static const struct perform_door *door;
static long long *counter;
static struct perform_report *report;

static int position; /* of the present step, or the next one */
static int done;     /* the last step after which its thread handed on */
static int end;      /* after the process's last step */
static int root;     /* number of the thread that ends the process */
static int leaving;  /* number of the thread that is told to end, -1: none */
static pthread_mutex_t lock;
static pthread_cond_t turned;

static struct worker {
    pthread_t thread;
    bool is_there;
} workers[SEQUENCE_N_THREADS];

static __thread int me;
static __thread bool is_at_step;
static __thread struct world_scopes scopes; /* for languages without scopes */
static __thread char changing[8];

/* ---- calls ----------------------------------------------------------- */

struct perform_call
perform_call_of(const struct sequence_step *step)
{
    static const int constants[] = {[-MODEL_NO_PARENT] = HPM_NO_PARENT,
                                    [-MODEL_AUTO_PARENT] = HPM_AUTO_PARENT,
                                    [-MODEL_EXCLUSIVE] = HPM_ONLY_EXCLUSIVE};
    const char *label = sequence_labels[step->label];

    return (struct perform_call){
        .id = step->id,
        .parent = step->kind == '('   ? HPM_AUTO_PARENT
                  : step->parent >= 0 ? step->parent
                                      : constants[-step->parent],
        .line = 1 + step->line,
        .is_process = step->is_process,
        .label = program->is_changing ? strcpy(changing, label) : label,
        .file = "a.c"};
}

static void
start(const struct sequence_step *step)
{
    struct perform_call call = perform_call_of(step);

    door->start(&call);
}

static void
stop(int id, bool is_process)
{
    const struct perform_call call = {
        .id = id, .line = 9, .is_process = is_process, .file = "a.c"};

    door->stop(&call);
}

static void
begin_scope(const struct sequence_step *step)
{
    scopes.open[scopes.n++] = (struct world_scope){step->id, step->is_process};
    start(step);
}

static void
end_scope(void)
{
    if (scopes.n == 0)
        return;
    scopes.n--;
    stop(scopes.open[scopes.n].id, scopes.open[scopes.n].is_process);
}

/* The child continues after the fork, and the parent where the child ends; but
 * the position stays: a thread that comes to wait must not see the step of the
 * end, which belongs to no thread. */
static void
do_fork(void)
{
    int child_end = sequence_find_end(program, position);
    int child = ++report->n_processes;
    pid_t pid = fork();

    if (pid != 0) {
        waitpid(pid, NULL, 0);
        done = child_end;
        return;
    }
    report->pids[child] = getpid();
    root = me;
    end = child_end;
    memset(workers, 0, sizeof workers);
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&turned, NULL);
}

void
perform_step(const struct sequence_step *step)
{
    switch (step->kind) {
    case '+':
        start(step);
        break;
    case '-':
        stop(step->id, step->is_process);
        break;
    case '(':
        begin_scope(step);
        break;
    case ')':
        end_scope();
        break;
    case '!':
        scopes.n -= step->id < scopes.n ? step->id : scopes.n;
        break;
    case '*':
        hpmWork(step->id, step->amount, "cells");
        break;
    case 'f':
        do_fork();
        break;
    default:
        break;
    }
}

/* ---- turns ----------------------------------------------------------- */

static void *
run_worker(void *number)
{
    me = (int)(long)number;
    door->run();
    return NULL;
}

static void
begin_worker(int number)
{
    if (number == root || workers[number].is_there)
        return;
    workers[number].is_there = true;
    pthread_create(&workers[number].thread, NULL, run_worker,
                   (void *)(long)number);
}

static void
tell(int *place, int value)
{
    pthread_mutex_lock(&lock);
    *place = value;
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&lock);
}

/* Called by the root. */
static void
end_worker(int number)
{
    if (number == root || !workers[number].is_there)
        return;
    tell(&leaving, number);
    pthread_join(workers[number].thread, NULL);
    workers[number].is_there = false;
    tell(&leaving, -1);
}

static _Noreturn void
end_process(void)
{
    for (int i = 0; i < SEQUENCE_N_THREADS; i++)
        end_worker(i);
    exit(0);
}

/* The thread for a step.  A thread does not end itself, so the root does that.
 * Before the first step it is the root's turn. */
static int
whose(int i)
{
    return i < 0 || i >= end || program->steps[i].kind == 'g'
               ? root
               : program->steps[i].thread;
}

/* Steps that belong to no thread are done by the one whose turn it is.  Returns
 * the next step of a thread. */
static int
do_free_steps(int next)
{
    for (; next < end; next++) {
        const struct sequence_step *step = &program->steps[next];

        if (step->kind == 'p')
            *counter += step->amount;
        else if (step->kind != 'e')
            break;
    }
    return next;
}

static void
hand_on(void)
{
    int next = do_free_steps(done + 1);

    begin_worker(whose(next));
    tell(&position, next);
}

static void
wait_for_turn(void)
{
    pthread_mutex_lock(&lock);
    while (leaving != me && (leaving >= 0 || whose(position) != me))
        pthread_cond_wait(&turned, &lock);
    is_at_step = leaving != me;
    pthread_mutex_unlock(&lock);
}

/* Steps are done without the lock, since a step may fork a child. */
const struct sequence_step *
perform_next(void)
{
    for (;;) {
        const struct sequence_step *step;

        if (is_at_step)
            hand_on();
        wait_for_turn();
        if (!is_at_step)
            return NULL;
        if (position >= end)
            end_process();
        done = position;
        step = &program->steps[position];
        if (step->kind != 'g')
            return step;
        end_worker(step->thread);
    }
}

void
perform(const struct sequence *sequence, const struct perform_door *by,
        long long *ticks, struct perform_report *seen)
{
    program = sequence;
    door = by;
    counter = ticks;
    report = seen;
    report->n_processes = 0;
    report->pids[0] = getpid();
    end = sequence->n_steps;
    leaving = -1;
    position = done = -1;
    is_at_step = true;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&turned, NULL);
    hpmInit(-1, "program");
    door->run();
    abort();
}

/* ---- doors ----------------------------------------------------------- */

static void
run(void)
{
    const struct sequence_step *step;

    while ((step = perform_next()) != NULL)
        perform_step(step);
}

static void
start_at(const struct perform_call *call)
{
    if (call->is_process && call->parent == HPM_AUTO_PARENT)
        hpmStartAt(call->id, call->label, call->file, call->line);
    else if (call->is_process)
        hpmStartxAt(call->id, call->parent, call->label, call->file,
                    call->line);
    else if (call->parent == HPM_AUTO_PARENT)
        hpmTstartAt(call->id, call->label, call->file, call->line);
    else
        hpmTstartxAt(call->id, call->parent, call->label, call->file,
                     call->line);
}

static void
stop_at(const struct perform_call *call)
{
    if (call->is_process)
        hpmStopAt(call->id, call->file, call->line);
    else
        hpmTstopAt(call->id, call->file, call->line);
}

static void
start_plain(const struct perform_call *call)
{
    if (call->is_process && call->parent == HPM_AUTO_PARENT)
        (hpmStart)(call->id, call->label);
    else if (call->is_process)
        (hpmStartx)(call->id, call->parent, call->label);
    else if (call->parent == HPM_AUTO_PARENT)
        (hpmTstart)(call->id, call->label);
    else
        (hpmTstartx)(call->id, call->parent, call->label);
}

static void
stop_plain(const struct perform_call *call)
{
    if (call->is_process)
        (hpmStop)(call->id);
    else
        (hpmTstop)(call->id);
}

/* The procedures that Fortran compilers call for f_hpm.h and the module: no NUL
 * ends the strings, and blanks may follow them. */
void f_hpmtstartat_(const int *, const char *, const char *, const int *,
                    size_t, size_t);
void f_hpmtstopat_(const int *, const char *, const int *, size_t);
void f_hpmstartat_(const int *, const char *, const char *, const int *, size_t,
                   size_t);
void f_hpmstopat_(const int *, const char *, const int *, size_t);
void f_hpmtstartxat_(const int *, const int *, const char *, const char *,
                     const int *, size_t, size_t);
void f_hpmstartxat_(const int *, const int *, const char *, const char *,
                    const int *, size_t, size_t);

static const char counted_file[] = "a.c  /";
enum { COUNTED_FILE = sizeof counted_file - 2 };

/* The same label is always at the same address, for every length. */
static const char *
count_label(const char *label, size_t *ret_length)
{
    static const char *const padded[SEQUENCE_N_LABELS] = {"   .", "a .", "b.",
                                                          "c   .", "d."};

    *ret_length = strlen(label);
    for (int i = 0; i < SEQUENCE_N_LABELS; i++) {
        if (label == sequence_labels[i]) {
            *ret_length = strlen(padded[i]) - 1;
            return padded[i];
        }
    }
    return label;
}

static void
start_counted(const struct perform_call *call)
{
    size_t length;
    const char *label = count_label(call->label, &length);

    if (call->is_process && call->parent == HPM_AUTO_PARENT)
        f_hpmstartat_(&call->id, label, counted_file, &call->line, length,
                      COUNTED_FILE);
    else if (call->is_process)
        f_hpmstartxat_(&call->id, &call->parent, label, counted_file,
                       &call->line, length, COUNTED_FILE);
    else if (call->parent == HPM_AUTO_PARENT)
        f_hpmtstartat_(&call->id, label, counted_file, &call->line, length,
                       COUNTED_FILE);
    else
        f_hpmtstartxat_(&call->id, &call->parent, label, counted_file,
                        &call->line, length, COUNTED_FILE);
}

static void
stop_counted(const struct perform_call *call)
{
    if (call->is_process)
        f_hpmstopat_(&call->id, counted_file, &call->line, COUNTED_FILE);
    else
        f_hpmtstopat_(&call->id, counted_file, &call->line, COUNTED_FILE);
}

/* A site for each place, as the macros make them; all threads share it. */
static struct hpm_call_site *
site_of(const struct perform_call *call)
{
#define SITES(label)                                                           \
    {                                                                          \
        {label, "a.c", 1, 0},                                                  \
        {                                                                      \
            label, "a.c", 2, 0                                                 \
        }                                                                      \
    }
    static struct hpm_call_site sites[SEQUENCE_N_LABELS][SEQUENCE_N_LINES] = {
        SITES(""), SITES("a"), SITES("b"), SITES("c"), SITES("d")};
#undef SITES
    int label = 0;

    while (strcmp(sequence_labels[label], call->label) != 0)
        label++;
    return &sites[label][call->line - 1];
}

/* Only sections of a thread whose parent is not chosen have a site; and if
 * labels change, only every other one. */
static void
start_by_site(const struct perform_call *call)
{
    if (call->is_process || call->parent != HPM_AUTO_PARENT ||
        (program->is_changing && call->id % 2 == 1))
        start_at(call);
    else
        hpmTstartSite(call->id, site_of(call));
}

/* The calls use the doors in turn. */
static const struct perform_door *
any_door(void)
{
    static const struct perform_door mixed[] = {
        {.start = start_at, .stop = stop_at},
        {.start = start_counted, .stop = stop_counted},
        {.start = start_by_site, .stop = stop_at}};
    static __thread unsigned n_calls;

    return &mixed[n_calls++ / 3 % 3];
}

static void
start_any(const struct perform_call *call)
{
    any_door()->start(call);
}

static void
stop_any(const struct perform_call *call)
{
    any_door()->stop(call);
}

const struct perform_door perform_doors[] = {
    {"C", true, true, false, start_at, stop_at, run},
    {"sites", true, true, false, start_by_site, stop_at, run},
    {"C-functions", false, true, false, start_plain, stop_plain, run},
    {"counted", true, true, false, start_counted, stop_counted, run},
    {"mixed", true, true, false, start_any, stop_any, run},
    {NULL, false, false, false, NULL, NULL, NULL},
};
