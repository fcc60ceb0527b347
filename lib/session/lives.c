/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what each thread that comes and goes adds to a process section. */
#include "session/lives.h"

#include <string.h>

#include "host/memory.h"
#include "host/ownusage.h"
#include "libhpm.h"
#include "session/patterns.h"
#include "source/source.h"

enum { N_ROUNDS = 5, WARM_UP = 1, N_ALL_ROUNDS = N_ROUNDS + WARM_UP };
enum { SECTION = 1 };

/* Threads make one section, or two of them.  The calls' surroundings here are
 * twice in a thread with two sections, and never in the program's threads: so
 * the difference removes them. */
enum { ONE, TWO, N_KINDS };

/* A thread of the trial, and what it adds to the counts of the process: up to
 * its middle, and in all. */
struct life {
    const struct hpm_lives *lives;
    struct hpm_process *process;
    struct hpm_thread *caller;
    struct hpm_thread **charging; /* the thread whose charges are kept */
    int n_sections;
    void (*make_section)(void);
    uint64_t middle[HPM_MAX_SLOTS];
    uint64_t charged[HPM_MAX_CHARGED]; /* until the middle */
};

/* What threads add until their middle and in all, in each slot. */
struct amounts {
    uint64_t entering[HPM_MAX_CHARGED], all[HPM_MAX_CHARGED];
};

struct rounds {
    /* of threads with the same first call */
    struct {
        uint64_t entering[HPM_MAX_CHARGED][N_ROUNDS];
        uint64_t all[HPM_MAX_CHARGED][N_ROUNDS];
    } by[HPM_N_FIRST_CALLS];
    /* threads without sections, in all */
    uint64_t without[HPM_MAX_CHARGED][N_ROUNDS];
    bool is_steady[HPM_MAX_CHARGED];
    /* of the latest thread of each kind, and of the latest one without
     * sections */
    struct amounts now[N_KINDS], none;
};

static void
say_nothing(const char *line)
{
    (void)line;
}

/* Makes a recorder in which the trial's threads find all that threads of the
 * program find in theirs. */
struct hpm_recorder *
hpm_lives_new_trial(const struct hpm_recorder *recorder)
{
    static int n_problems;
    struct hpm_recorder *made =
        hpm_recorder_new(recorder->plan, say_nothing, &n_problems, NULL);

    if (made == NULL)
        return NULL;
    hpm_recorder_inherit_costs(made, recorder);
    made->process.is_opened = true;
    made->threads.is_counting = true;
    made->threads.n_tries = recorder->threads.n_tries;
    return made;
}

static void
read_process(struct hpm_process *process, uint64_t *row)
{
    hpm_lock_take(process->lock);
    hpm_meter_read(process->meter, row);
    hpm_lock_give(process->lock);
}

/* Keep what the thread has charged until now.  For a thread that does not
 * measure, keep another one's charges, which takes as many instructions. */
static void
keep_charged(struct life *life)
{
    const struct hpm_calltree *tree = (*life->charging)->tree;

    for (size_t i = 1; i < tree->n_overheads; i++)
        life->charged[i] = hpm_calltree_overhead_of(tree, i);
}

/* Has the form of the functions in patterns.c. */
static __attribute__((noinline)) void
make_section_by_site(void)
{
    hpmTstart(SECTION, "life");
    hpmTstop(SECTION);
    __asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void
make_section_plain(void)
{
    hpmTstartAt(SECTION, "life", __FILE__, 1);
    hpmTstop(SECTION);
    __asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void
make_section_counted(void)
{
    static const int id = SECTION, line = 1;

    f_hpmtstartat_(&id, "life", __FILE__, &line, 4, sizeof __FILE__ - 1);
    f_hpmtstopat_(&id, __FILE__, &line, sizeof __FILE__ - 1);
    __asm__ volatile("" ::: "memory");
}

static void (*const make_section[])(void) = {
    [HPM_FIRST_BY_SITE] = make_section_by_site,
    [HPM_FIRST_PLAIN] = make_section_plain,
    [HPM_FIRST_COUNTED] = make_section_counted,
};

static void *
live(void *data)
{
    struct life *life = data;
    struct hpm_ownusage process;

    hpm_ownusage_mark_thread(&process);
    life->lives->join(life->lives->context);
    for (int i = 0; i < life->n_sections; i++)
        life->make_section();
    read_process(life->process, life->middle);
    keep_charged(life);
    hpm_ownusage_add_thread(&process);
    return NULL;
}

/* Let one thread run. */
static bool
let_live(struct life *life, int n_sections, size_t n,
         struct amounts *ret_amounts)
{
    uint64_t before[HPM_MAX_SLOTS], after[HPM_MAX_SLOTS];
    const uint64_t *ended = life->lives->trial->threads.ended_overhead;
    uint64_t charged[HPM_MAX_CHARGED];
    pthread_t id;

    life->n_sections = n_sections;
    life->charging =
        n_sections > 0 ? &life->lives->trial->threads.list : &life->caller;
    memcpy(charged, ended, sizeof charged);
    read_process(life->process, before);
    if (pthread_create(&id, NULL, live, life) != 0)
        return false;
    pthread_join(id, NULL);
    read_process(life->process, after);
    for (size_t i = 1; i < n; i++) {
        ret_amounts->entering[i] = life->middle[i] - before[i] -
                                   (n_sections > 0 ? life->charged[i] : 0);
        ret_amounts->all[i] = after[i] - before[i] - (ended[i] - charged[i]);
    }
    return true;
}

static bool
let_live_by(struct life *life, int call, int round, size_t n,
            struct rounds *rounds)
{
    const struct amounts *one = &rounds->now[ONE], *two = &rounds->now[TWO];
    const struct amounts *none = &rounds->none;

    life->make_section = make_section[call];
    for (int kind = 0; kind < N_KINDS; kind++) {
        if (!let_live(life, 1 + kind, n, &rounds->now[kind]))
            return false;
    }
    for (size_t i = 1; i < n && round >= 0; i++) {
        rounds->by[call].entering[i][round] =
            2 * one->entering[i] - none->entering[i] - two->entering[i];
        rounds->by[call].all[i][round] =
            2 * one->all[i] - none->all[i] - two->all[i];
    }
    return true;
}

static bool
let_all_live(struct life *life, size_t n, struct rounds *rounds)
{
    for (int round = -WARM_UP; round < N_ROUNDS; round++) {
        if (!let_live(life, 0, n, &rounds->none))
            return false;
        for (size_t i = 1; i < n && round >= 0; i++)
            rounds->without[i][round] = rounds->none.all[i];
        for (int call = 0; call < HPM_N_FIRST_CALLS; call++) {
            if (!let_live_by(life, call, round, n, rounds))
                return false;
        }
    }
    return true;
}

/* Sort the numbers and find the middle one.  True if all are close to it. */
static bool
find_middle(uint64_t *numbers, uint64_t *ret_middle)
{
    for (int i = 1; i < N_ROUNDS; i++) {
        uint64_t number = numbers[i];
        int j = i;

        for (; j > 0 && (int64_t)(numbers[j - 1] - number) > 0; j--)
            numbers[j] = numbers[j - 1];
        numbers[j] = number;
    }
    *ret_middle = numbers[N_ROUNDS / 2];
    return (int64_t)numbers[0] >= 0 &&
           numbers[N_ROUNDS - 1] - numbers[0] <= *ret_middle / 8 + 1;
}

/* If threads of the program run meanwhile, their counts are in those of the
 * process, and differ from one of our threads to the next. */
static bool
is_steady(struct rounds *rounds, size_t slot)
{
    uint64_t middle;

    for (int call = 0; call < HPM_N_FIRST_CALLS; call++) {
        if (!find_middle(rounds->by[call].all[slot], &middle))
            return false;
    }
    return true;
}

/* Which events can be trusted: all, if no other thread has run.  True if there
 * is at least one. */
static bool
find_steady(struct rounds *rounds, size_t n, bool is_alone)
{
    bool is_one = false;

    for (size_t i = 1; i < n; i++) {
        rounds->is_steady[i] = is_alone || is_steady(rounds, i);
        is_one = is_one || rounds->is_steady[i];
    }
    return is_one;
}

/* The middle, but at least 0. */
static uint64_t
middle_of(uint64_t *numbers)
{
    uint64_t middle;

    find_middle(numbers, &middle);
    return (int64_t)middle < 0 ? 0 : middle;
}

/* Leaving costs the same after any first call.  The sum of entering and leaving
 * is more exact than its two parts: at the middle, the thread that waits for
 * the end may still be about to wait. */
static void
keep_costs(struct hpm_threads *threads, size_t n, struct rounds *rounds)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t all = middle_of(rounds->by[HPM_FIRST_BY_SITE].all[i]);
        uint64_t entering =
            middle_of(rounds->by[HPM_FIRST_BY_SITE].entering[i]);
        uint64_t leaving = entering > all ? 0 : all - entering;

        if (!rounds->is_steady[i])
            continue;
        threads->cost_of_leaving[i] = leaving;
        for (int call = 0; call < HPM_N_FIRST_CALLS; call++) {
            all = middle_of(rounds->by[call].all[i]);
            threads->cost_of_entering[call][i] =
                all > leaving ? all - leaving : 0;
        }
    }
}

/* ---- what the trial adds to the process ------------------------------ */

/* Readings of the process at begin and end, and outside them readings of the
 * thread. */
struct bracket {
    uint64_t own[2][HPM_MAX_SLOTS], process[2][HPM_MAX_SLOTS];
};

static void
begin_bracket(struct bracket *bracket, struct hpm_process *process,
              const struct hpm_thread *thread)
{
    hpm_meter_read(thread->meter, bracket->own[0]);
    read_process(process, bracket->process[0]);
}

static void
end_bracket(struct bracket *bracket, struct hpm_process *process,
            const struct hpm_thread *thread)
{
    read_process(process, bracket->process[1]);
    hpm_meter_read(thread->meter, bracket->own[1]);
}

/* What threads other than `thread` counted in a bracket. */
static uint64_t
others_in(const struct bracket *bracket, size_t slot)
{
    return bracket->process[1][slot] - bracket->process[0][slot] -
           (bracket->own[1][slot] - bracket->own[0][slot]);
}

/* What we know of our threads without the counts of the process, which include
 * the program's other threads: their charges, and the costs of every thread
 * that comes and goes. */
static uint64_t
known_of_ours(const struct life *life, size_t slot)
{
    const struct hpm_threads *threads = life->process->threads;
    uint64_t sum = life->lives->trial->threads.ended_overhead[slot];

    for (int call = 0; call < HPM_N_FIRST_CALLS; call++)
        sum += (uint64_t)N_ALL_ROUNDS * N_KINDS *
               (threads->cost_of_entering[call][slot] +
                threads->cost_of_leaving[slot]);
    return sum;
}

/* Can our threads have caused all that others counted?  In addition to the
 * known costs, each thread has what a thread without sections has, which is
 * always the same if no other thread runs. */
static bool
can_be_ours(struct rounds *rounds, size_t slot, uint64_t others, uint64_t known)
{
    uint64_t n_threads =
        (uint64_t)N_ALL_ROUNDS * (1 + HPM_N_FIRST_CALLS * N_KINDS);
    uint64_t middle;

    return rounds->is_steady[slot] &&
           find_middle(rounds->without[slot], &middle) && others >= known &&
           others <= known + n_threads * (middle + middle / 4 + 1);
}

/* The time of our threads: the time of all others, without the program's
 * threads, whose time the kernel tells.  False if the event is no time, or if
 * one of the program's threads has ended. */
static bool
find_our_time(const struct hpm_process *process, size_t slot, uint64_t others,
              const struct hpm_others *program, uint64_t *ret_ours)
{
    uint64_t theirs;

    if (!hpm_source_is_clock(&process->meter->set->events[slot - 1]) ||
        !hpm_others_find_time(program, &theirs) || theirs > others)
        return false;
    *ret_ours = others - theirs;
    return true;
}

/* Charges what our threads added; if unsure, rather too little than the work of
 * the program's threads. */
static void
charge_others(const struct life *life, struct rounds *rounds, size_t n,
              const struct bracket *brackets, const struct hpm_others *program,
              bool is_alone)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t others =
            others_in(&brackets[1], i) - others_in(&brackets[0], i);
        uint64_t ours = known_of_ours(life, i), time;

        if (is_alone || can_be_ours(rounds, i, others, ours))
            ours = others;
        else if (find_our_time(life->process, i, others, program, &time) &&
                 time > ours)
            ours = time;
        hpm_threads_add_overhead(life->process->threads, i, ours);
    }
}

static bool
measure(struct life *life, struct hpm_thread *thread, struct rounds *rounds,
        struct bracket *brackets, struct hpm_ownusage_alone *begin)
{
    struct hpm_process *process = life->process;
    size_t n = thread->tree->n_overheads < process->tree->n_overheads
                   ? thread->tree->n_overheads
                   : process->tree->n_overheads;
    bool is_good, is_alone;

    for (int i = 0; i < WARM_UP; i++) {
        begin_bracket(&brackets[0], process, thread);
        end_bracket(&brackets[0], process, thread);
    }
    hpm_ownusage_begin_alone(begin);
    begin_bracket(&brackets[1], process, thread);
    is_good = let_all_live(life, n, rounds);
    end_bracket(&brackets[1], process, thread);
    is_alone = hpm_ownusage_end_alone(begin);
    is_good = is_good && find_steady(rounds, n, is_alone) &&
              hpm_threads_lock_in_call(process->threads, thread->is_closing);
    if (is_good) {
        keep_costs(process->threads, n, rounds);
        pthread_mutex_unlock(&process->threads->lock);
    }
    charge_others(life, rounds, n, brackets, &begin->others, is_alone);
    return is_good;
}

/* One allocation for all, because the stack may be small. */
struct work {
    struct life life;
    struct rounds rounds;
    struct bracket brackets[2];
    struct hpm_ownusage_alone begin;
};

bool
hpm_lives_measure(const struct hpm_lives *lives, struct hpm_process *process,
                  struct hpm_thread *thread)
{
    struct work *work = hpm_memory_new(1, sizeof *work);
    bool is_good;

    if (work == NULL)
        return false;
    work->life.lives = lives;
    work->life.process = process;
    work->life.caller = thread;
    is_good = measure(&work->life, thread, &work->rounds, work->brackets,
                      &work->begin);
    hpm_memory_free(work);
    return is_good;
}
