/* SPDX-License-Identifier: BSD-3-Clause
 * The states of threads in parallel regions, without any runtime of OpenMP and by a clock
 * that stands still: so each sum is known. */
#include "openmp/ompthread.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "openmp/ompplace.h"
#include "openmp/ompregion.h"
#include "openmp/ompwhole.h"
#include "tap.h"

/* ---- what the rest of the library would do ---------------------------------- */

atomic_bool hpm_ompwhole_is_open;
__thread bool hpm_ompwhole_is_inside;
atomic_bool hpm_ompplace_is_on;

void
hpm_ompwhole_add_thread(void)
{
}

void
hpm_ompplace_end(void)
{
}

static struct hpm_ompplace place = {.id = 5};
static int n_entered, n_left;

struct hpm_ompplace *
hpm_ompplace_find(const void *code)
{
    return code != NULL ? &place : NULL;
}

void
hpm_ompplace_enter(struct hpm_ompplace *entered)
{
    n_entered += entered == &place;
}

void
hpm_ompplace_leave(const struct hpm_ompplace *left)
{
    n_left += left == &place;
}

/* ---- the clock, and sums ----------------------------------------------------- */

static _Atomic uint64_t clock_ns = 1000;

static uint64_t
read_clock(void)
{
    return atomic_load(&clock_ns);
}

static void
pass(uint64_t ns)
{
    atomic_fetch_add(&clock_ns, ns);
}

static uint64_t
ticks(const struct hpm_ompthread *thread, int state)
{
    struct hpm_ompsums sums[HPM_N_OMPSUMS];

    memset(sums, 0, sizeof sums);
    if (thread != NULL)
        hpm_ompthread_add(thread, read_clock(), sums);
    else
        hpm_ompthread_add_all(read_clock(), sums);
    return sums[state].ticks;
}

static uint64_t
calls(const struct hpm_ompthread *thread, int state)
{
    struct hpm_ompsums sums[HPM_N_OMPSUMS];

    memset(sums, 0, sizeof sums);
    hpm_ompthread_add(thread, read_clock(), sums);
    return sums[state].calls;
}

#define TICKS(thread, state) ticks(thread, HPM_OMPSTATE_##state)
#define CALLS(thread, state) calls(thread, HPM_OMPSTATE_##state)

/* Is `is_so` true in a forked child? */
static bool
is_in_child(bool (*is_so)(void))
{
    pid_t child = fork();
    int status = -1;

    if (child == 0)
        _exit(is_so() ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* A region of one thread that works so long. */
static void
work_alone(struct hpm_ompthread *own, uint64_t ns)
{
    struct hpm_ompteam *team = hpm_ompregion_begin(own, NULL, NULL);

    pass(1);
    hpm_ompregion_enter(own, team, 0, 1);
    pass(ns);
    hpm_ompregion_arrive(own);
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
}

/* ---- one thread --------------------------------------------------------------- */

static void
test_off(void)
{
    ok(hpm_ompthread_get() == NULL && hpm_ompthread_number() == -1,
       "nothing is kept where nobody asks");
}

static bool
is_lost_without_memory(void)
{
    hpm_memory_fail_at(1, true);
    return hpm_ompthread_get() == NULL && hpm_ompthread_loss() != NULL &&
           !atomic_load(&hpm_ompthread_is_on);
}

static void
test_no_memory(void)
{
    ok(is_in_child(is_lost_without_memory),
       "a thread without memory ends the keeping of times, with the reason");
}

static void
test_region(void)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    struct hpm_ompteam *team;

    pass(100);
    team = hpm_ompregion_begin(own, NULL, NULL);
    pass(2);
    hpm_ompregion_enter(own, team, 0, 1);
    ok(hpm_ompthread_number() == 0, "a thread has its number in a region");
    pass(30);
    ok(TICKS(own, WORK) == 30, "a state counts up to now");
    hpm_ompregion_wait(own, HPM_OMPSTATE_CRITICAL);
    pass(4);
    hpm_ompregion_go_on(own);
    pass(5);
    hpm_ompregion_arrive(own);
    pass(6);
    hpm_ompregion_pass(own);
    pass(7);
    hpm_ompregion_end(own);
    pass(100);
    ok(TICKS(own, FORK) == 9 && TICKS(own, WORK) == 35 &&
           TICKS(own, CRITICAL) == 4 && TICKS(own, REGION_BARRIER) == 6,
       "each state has its time");
    ok(CALLS(own, WORK) == 1 && CALLS(own, CRITICAL) == 1 &&
           CALLS(own, FORK) == 1,
       "work that goes on after a wait is no new one");
    ok(hpm_ompthread_number() == -1, "and the number ends with the region");
}

static void
test_lock(void)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    struct hpm_ompteam *team = hpm_ompregion_begin(own, NULL, NULL);
    uint64_t work = TICKS(own, WORK);

    hpm_ompregion_enter(own, team, 0, 1);
    hpm_ompregion_wait(own, HPM_OMPSTATE_LOCK);
    pass(3);
    hpm_ompregion_go_on(own);
    hpm_ompregion_wait(own, HPM_OMPSTATE_LOCK);
    pass(10);
    ok(TICKS(own, LOCK) == 3 && TICKS(own, WORK) - work == 10,
       "a thread that reads its own times does not wait for a lock");
    hpm_ompregion_wait(own, HPM_OMPSTATE_LOCK);
    pass(20);
    hpm_ompregion_arrive(own);
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
    ok(TICKS(own, LOCK) == 3 && CALLS(own, LOCK) == 1 &&
           TICKS(own, WORK) - work == 30,
       "nor one that does something else, and has not taken the lock");
}

static void
test_nested(void)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    uint64_t work = TICKS(own, WORK);
    struct hpm_ompteam *outer = hpm_ompregion_begin(own, NULL, NULL);

    hpm_ompregion_enter(own, outer, 0, 1);
    pass(10);
    work_alone(own, 20);
    pass(40);
    ok(TICKS(own, WORK) == work + 70 && hpm_ompthread_number() == 0,
       "after a region in a region the outer one goes on");
    hpm_ompregion_arrive(own);
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
}

static void
test_places(void)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    struct hpm_ompteam *outer, *inner;

    n_entered = n_left = 0;
    work_alone(own, 1);
    ok(n_entered == 0, "regions are no sections where nobody asks");
    atomic_store(&hpm_ompplace_is_on, true);
    outer = hpm_ompregion_begin(own, NULL, &place);
    ok(n_entered == 0, "a region's section does not begin with the team");
    hpm_ompregion_enter(own, outer, 0, 1);
    inner = hpm_ompregion_begin(own, NULL, &place);
    hpm_ompregion_enter(own, inner, 0, 1);
    ok(n_entered == 2 && n_left == 0, "but where a thread begins to work");
    hpm_ompregion_arrive(own);
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
    ok(n_left == 1 && own->place == &place,
       "an inner one leaves the outer one open");
    hpm_ompregion_arrive(own);
    ok(n_left == 2, "and each ends where the thread comes to the barrier");
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
    atomic_store(&hpm_ompplace_is_on, false);
    ok(n_entered == 2 && n_left == 2, "once");
}

/* ---- calls of MPI -------------------------------------------------------------- */

static void
test_mpi(void)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    uint64_t work, all = TICKS(own, REGION_BARRIER) + TICKS(own, FORK);
    struct hpm_ompteam *team = hpm_ompregion_begin(own, NULL, NULL);

    hpm_ompregion_enter(own, team, 0, 1);
    work = TICKS(own, WORK);
    pass(10);
    hpm_ompthread_tell_mpi(true, read_clock());
    hpm_ompthread_tell_mpi(true, read_clock());
    pass(20);
    ok(TICKS(own, WORK) == work + 10, "a call of MPI in a region is no work");
    work_alone(own, 40);
    ok(TICKS(own, WORK) == work + 10 &&
           TICKS(own, REGION_BARRIER) + TICKS(own, FORK) == all,
       "nor does a region count that the call begins");
    hpm_ompthread_tell_mpi(false, read_clock());
    pass(80);
    hpm_ompthread_tell_mpi(false, read_clock());
    pass(1);
    ok(TICKS(own, WORK) == work + 91, "after the call the work goes on");
    hpm_ompregion_arrive(own);
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
}

/* ---- a worker ------------------------------------------------------------------- */

static struct {
    struct hpm_ompteam *team;
    struct hpm_ompthread *own;
    sem_t is_waiting, may_go_on;
} worker;

static void *
work_in_team(void *context)
{
    worker.own = hpm_ompthread_get();
    hpm_ompregion_begin_thread(worker.own);
    hpm_ompregion_enter(worker.own, worker.team, 1, 2);
    hpm_ompregion_arrive(worker.own);
    sem_post(&worker.is_waiting);
    sem_wait(&worker.may_go_on);
    hpm_ompregion_pass(worker.own);
    hpm_ompregion_leave(worker.own);
    sem_post(&worker.is_waiting);
    sem_wait(&worker.may_go_on);
    return context;
}

static bool
has_no_worker(void)
{
    uint64_t idle = TICKS(worker.own, SERIAL_IDLE);

    pass(1000);
    return TICKS(worker.own, SERIAL_IDLE) == idle;
}

static void
test_worker(void)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    uint64_t idle;
    pthread_t thread;

    atomic_store(&hpm_ompteam_tells_last, true);
    sem_init(&worker.is_waiting, 0, 0);
    sem_init(&worker.may_go_on, 0, 0);
    worker.team = hpm_ompregion_begin(own, NULL, NULL);
    hpm_ompregion_enter(own, worker.team, 0, 2);
    pthread_create(&thread, NULL, work_in_team, NULL);
    sem_wait(&worker.is_waiting);
    pass(50);
    ok(TICKS(worker.own, REGION_BARRIER) == 50,
       "a worker waits for the team at the region's end");
    hpm_ompregion_arrive(own);
    ok(calls(own, HPM_OMPSUM_COME) == 1 && calls(own, HPM_OMPSUM_LAST) == 1 &&
           ticks(own, HPM_OMPSUM_LAST) == 50 &&
           calls(worker.own, HPM_OMPSUM_COME) == 1 &&
           calls(worker.own, HPM_OMPSUM_LAST) == 0 &&
           ticks(worker.own, HPM_OMPSUM_LAST) == 0,
       "who comes last has what the others have waited");
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
    pass(300);
    ok(TICKS(worker.own, REGION_BARRIER) == 50 &&
           TICKS(worker.own, SERIAL_IDLE) == 300,
       "and has nothing to do after it, before it knows of the end");
    work_alone(own, 1);
    ok(TICKS(worker.own, REGION_BARRIER) == 50, "whatever regions follow");
    sem_post(&worker.may_go_on);
    sem_wait(&worker.is_waiting);
    pass(10);
    ok(TICKS(worker.own, REGION_BARRIER) == 50 &&
           TICKS(worker.own, SERIAL_IDLE) == 312,
       "it is the same when it knows");
    ok(is_in_child(has_no_worker), "a forked child has no workers");
    idle = TICKS(NULL, SERIAL_IDLE);
    sem_post(&worker.may_go_on);
    pthread_join(thread, NULL);
    pass(1000);
    ok(TICKS(NULL, SERIAL_IDLE) == idle,
       "a thread's states end with it, and its sums stay");
}

/* A child of a thread that came later than the main thread, which is at work. */
static struct hpm_ompthread *at_work;

static bool
has_no_main_thread(void)
{
    uint64_t before = TICKS(at_work, WORK);

    pass(1000);
    return TICKS(at_work, WORK) == before;
}

static void *
fork_late(void *context)
{
    bool *is_good = context;

    hpm_ompthread_get();
    *is_good = is_in_child(has_no_main_thread);
    return NULL;
}

static void
test_late_fork(void)
{
    struct hpm_ompteam *team;
    pthread_t thread;
    bool is_good = false;
    uint64_t before;

    at_work = hpm_ompthread_get();
    team = hpm_ompregion_begin(at_work, NULL, NULL);
    hpm_ompregion_enter(at_work, team, 0, 1);
    before = TICKS(at_work, WORK);
    pthread_create(&thread, NULL, fork_late, &is_good);
    pthread_join(thread, NULL);
    ok(is_good, "a forked child has no older threads, either");
    pass(100);
    ok(TICKS(at_work, WORK) == before + 100, "in its parent they go on");
    hpm_ompregion_arrive(at_work);
    hpm_ompregion_pass(at_work);
    hpm_ompregion_end(at_work);
}

/* ---- reading meanwhile ----------------------------------------------------------- */

static atomic_bool is_done;

static void *
change_often(void *context)
{
    int n = is_repeated() ? 20000 : 200000;

    for (int i = 0; i < n; i++) {
        work_alone(hpm_ompthread_get(), 1);
        hpm_ompthread_tell_mpi(i % 2 == 0, read_clock());
    }
    atomic_store(&is_done, true);
    return context;
}

static void
test_reading_meanwhile(void)
{
    uint64_t begin = TICKS(NULL, WORK), last = begin;
    uint64_t begun = read_clock();
    bool only_grows = true;
    pthread_t thread;

    pthread_create(&thread, NULL, change_often, NULL);
    while (!atomic_load(&is_done)) {
        uint64_t now = TICKS(NULL, WORK);

        only_grows &= now + 1 >= last && now <= begin + read_clock() - begun;
        last = now;
    }
    pthread_join(thread, NULL);
    ok(only_grows, "another thread's sums are whole while it changes them");
}

int
main(void)
{
    test_off();
    hpm_ompthread_start(false, read_clock);
    test_no_memory();
    test_region();
    test_lock();
    test_nested();
    test_places();
    test_mpi();
    test_worker();
    test_late_fork();
    test_reading_meanwhile();
    return done();
}
