/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of calls, without any MPI: nested and open calls, threads that end, and
 * reading while another thread is in calls. */
#include "mpi/calltime.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "tap.h"

static const enum hpm_callclass SEND = HPM_CALLCLASS_SEND,
                                RECV = HPM_CALLCLASS_RECV,
                                PROBE = HPM_CALLCLASS_PROBE;

static atomic_uint n_clock_readings;

static uint64_t
clock_ns(void)
{
    struct timespec now;

    atomic_fetch_add(&n_clock_readings, 1);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

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

static struct hpm_callsums
sums_of(const struct hpm_calltime *calltime, enum hpm_callclass class)
{
    struct hpm_callsums sums[HPM_N_CALLCLASSES];

    memset(sums, 0, sizeof sums);
    if (calltime != NULL)
        hpm_calltime_add(calltime, hpm_calltime_now(), sums);
    else
        hpm_calltime_add_all(hpm_calltime_now(), sums);
    return sums[class];
}

static void
pass_time(void)
{
    uint64_t begin = hpm_calltime_now();

    while (hpm_calltime_now() - begin < 100000)
        continue;
}

static void
test_off(void)
{
    struct hpm_calltime *own = hpm_calltime_begin(SEND);

    ok(own == NULL && !hpm_calltime_end(own) && hpm_calltime_own == NULL,
       "nothing is kept where nobody asks");
}

static bool
is_lost_without_key(void)
{
    pthread_key_t key;

    for (int i = 0; i < 2 * PTHREAD_KEYS_MAX; i++) {
        if (pthread_key_create(&key, NULL) != 0)
            break;
    }
    hpm_calltime_start(false, clock_ns);
    return hpm_calltime_begin(SEND) == NULL && hpm_calltime_own == NULL &&
           hpm_calltime_are_lost();
}

static void
test_no_key(void)
{
    ok(is_in_child(is_lost_without_key),
       "without a key of its own no thread has sums, and that is kept");
}

static bool
is_lost_without_memory(void)
{
    bool was_lost = hpm_calltime_are_lost();

    hpm_memory_fail_at(1, true);
    return !was_lost && hpm_calltime_begin(SEND) == NULL &&
           hpm_calltime_are_lost();
}

static void
test_no_memory(void)
{
    ok(is_in_child(is_lost_without_memory),
       "a call without memory for its sums is lost, and that is kept");
}

static void
test_one_call(void)
{
    unsigned n_readings = atomic_load(&n_clock_readings);
    struct hpm_calltime *own = hpm_calltime_begin(SEND);
    struct hpm_callsums sums;

    ok(atomic_load(&n_clock_readings) == n_readings + 1,
       "by the clock that was lent");
    pass_time();
    ok(own != NULL && hpm_calltime_end(own), "a call is timed");
    sums = sums_of(own, SEND);
    ok(sums.calls == 1 && sums.ticks >= 100000, "with its time");
    ok(sums_of(own, RECV).calls == 0 && sums_of(own, RECV).ticks == 0,
       "in its class");
    ok(sums_of(own, SEND).ticks == sums.ticks, "that does not go on after it");
}

/* A function of its own, as each function of MPI is. */
static __attribute__((noinline)) bool
is_timed_within(void)
{
    struct hpm_calltime *inner = hpm_calltime_begin(SEND);

    pass_time();
    return hpm_calltime_end(inner);
}

static int n_told[2]; /* ends, begins */
static uint64_t told;

static void
hear(bool begins, uint64_t now)
{
    n_told[begins]++;
    told = now;
}

static void
test_nested(void)
{
    uint64_t calls = sums_of(hpm_calltime_own, SEND).calls;
    uint64_t ticks = sums_of(hpm_calltime_own, RECV).ticks, open;
    struct hpm_calltime *outer = hpm_calltime_begin(RECV);

    ok(!is_timed_within(), "a call in a call has no time of its own");
    open = sums_of(outer, RECV).ticks;
    ok(open >= ticks + 100000, "a call that is open counts so far");
    ok(hpm_calltime_end(outer) && sums_of(outer, RECV).ticks >= open &&
           sums_of(outer, RECV).calls == 1,
       "and at its end once");
    ok(sums_of(outer, SEND).calls == calls, "the inner one does not");
}

/* What libhpm_openmp hears. */
static void
test_listener(void)
{
    struct hpm_calltime *own;
    const struct hpm_handover_listener listener = {.tell = hear};
    uint64_t begin = hpm_calltime_now();

    atomic_store(hpm_calltime_listener, &listener);
    own = hpm_calltime_begin(PROBE);
    ok(!is_timed_within() && n_told[true] == 1 && n_told[false] == 0 &&
           told >= begin,
       "who listens hears of a call, and not of one within it");
    hpm_calltime_end(own);
    ok(n_told[true] == 1 && n_told[false] == 1, "and of its end");
    hpm_calltime_abandon(hpm_calltime_begin(PROBE));
    ok(n_told[true] == 2 && n_told[false] == 2, "also where it is left");
    atomic_store(hpm_calltime_listener, NULL);
}

/* ---- calls that do not return --------------------------------------------- */

static jmp_buf before_call;

static __attribute__((noinline)) void
leave_call(void)
{
    hpm_calltime_begin(RECV);
    pass_time();
    longjmp(before_call, 1);
}

static void
test_left(void)
{
    struct hpm_callsums begin = sums_of(NULL, RECV), first, second;
    struct hpm_calltime *own;

    if (setjmp(before_call) == 0)
        leave_call();
    own = hpm_calltime_begin(SEND);
    first = sums_of(NULL, RECV);
    pass_time();
    second = sums_of(NULL, RECV);
    ok(first.calls == begin.calls + 1 && first.ticks >= begin.ticks + 100000 &&
           second.ticks == first.ticks,
       "the next call ends one that was left by longjmp");
    ok(hpm_calltime_end(own), "and is timed itself");
}

static void
test_left_within(void)
{
    struct hpm_calltime *own = hpm_calltime_begin(SEND);

    if (setjmp(before_call) == 0)
        leave_call();
    ok(hpm_calltime_end(own) && own->depth == 0,
       "a call ends though one within it was left");
    ok(!hpm_calltime_end(own) && own->depth == 0,
       "the end of a call that is over changes nothing");
}

static void
test_torn(void)
{
    uint64_t ticks = sums_of(NULL, SEND).ticks, torn;
    struct hpm_calltime *own = hpm_calltime_begin(SEND);

    pass_time();
    hpm_turn_open(&own->turn);
    torn = sums_of(NULL, SEND).ticks;
    hpm_turn_close(&own->turn);
    hpm_calltime_end(own);
    ok(torn == ticks && sums_of(NULL, SEND).ticks > ticks,
       "a call in the midst of its end is not counted twice");
}

/* ---- threads -------------------------------------------------------------- */

static atomic_int n_to_do;

static void *
call_often(void *context)
{
    struct hpm_calltime **ret_own = context;

    while (atomic_load(&n_to_do) > 0) {
        struct hpm_calltime *own = hpm_calltime_begin(SEND);

        *ret_own = own;
        hpm_calltime_end(own);
        atomic_fetch_sub(&n_to_do, 1);
    }
    return NULL;
}

static void
test_thread_that_ends(void)
{
    struct hpm_calltime *first = NULL, *second = NULL;
    uint64_t calls = sums_of(NULL, SEND).calls;
    pthread_t thread;

    atomic_store(&n_to_do, 10);
    pthread_create(&thread, NULL, call_often, &first);
    pthread_join(thread, NULL);
    ok(sums_of(NULL, SEND).calls == calls + 10,
       "the process keeps the calls of a thread that has ended");
    atomic_store(&n_to_do, 5);
    pthread_create(&thread, NULL, call_often, &second);
    pthread_join(thread, NULL);
    ok(first == second && sums_of(first, SEND).calls == 15,
       "the next thread goes on with its sums");
    hpm_part_hold(&first->part);
    atomic_store(&n_to_do, 1);
    pthread_create(&thread, NULL, call_often, &second);
    pthread_join(thread, NULL);
    ok(first != second, "but not while a counting reads them");
    hpm_part_release(&first->part);
}

static void *
end_in_call(void *context)
{
    (void)context;
    hpm_calltime_begin(RECV);
    return NULL;
}

static void
test_cancelled(void)
{
    uint64_t calls = sums_of(NULL, RECV).calls, ticks;
    pthread_t thread;

    pthread_create(&thread, NULL, end_in_call, NULL);
    pthread_join(thread, NULL);
    ticks = sums_of(NULL, RECV).ticks;
    pass_time();
    ok(sums_of(NULL, RECV).calls == calls + 1 &&
           sums_of(NULL, RECV).ticks == ticks,
       "a call ends with its thread");
}

static struct hpm_calltime *_Atomic in_call;
static atomic_bool may_end;

static void *
stay_in_call(void *context)
{
    struct hpm_calltime *own = hpm_calltime_begin(RECV);

    hpm_turn_open(&own->turn);
    atomic_store(&in_call, own);
    while (!atomic_load(&may_end))
        usleep(1000);
    hpm_turn_close(&own->turn);
    hpm_calltime_end(own);
    return context;
}

static bool
has_ended_in_child(void)
{
    const struct hpm_calltime *other = atomic_load(&in_call);
    uint64_t ticks = sums_of(other, RECV).ticks;

    pass_time();
    return other->turn % 2 == 0 && other->depth == 0 && ticks > 0 &&
           sums_of(other, RECV).ticks == ticks;
}

static void
test_fork(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, stay_in_call, NULL);
    while (atomic_load(&in_call) == NULL)
        usleep(1000);
    ok(is_in_child(has_ended_in_child),
       "a forked child ends the calls of threads that it has not");
    atomic_store(&may_end, true);
    pthread_join(thread, NULL);
}

static void
test_reading_meanwhile(void)
{
    enum { N = 20000 };
    struct hpm_calltime *other = NULL;
    struct hpm_callsums last = sums_of(NULL, SEND), begin = last;
    bool only_grows = true;
    pthread_t thread;

    atomic_store(&n_to_do, N);
    pthread_create(&thread, NULL, call_often, &other);
    while (atomic_load(&n_to_do) > 0) {
        struct hpm_callsums now = sums_of(NULL, SEND);

        only_grows &= now.calls >= last.calls && now.calls <= begin.calls + N;
        last = now;
    }
    pthread_join(thread, NULL);
    ok(only_grows, "another thread's calls only grow");
    ok(sums_of(NULL, SEND).calls == begin.calls + N, "to all there were");
}

int
main(void)
{
    test_off();
    test_no_key();
    hpm_calltime_start(false, clock_ns);
    test_no_memory();
    test_one_call();
    test_nested();
    test_listener();
    test_left();
    test_left_within();
    test_torn();
    test_thread_that_ends();
    test_cancelled();
    test_fork();
    test_reading_meanwhile();
    return done();
}
