/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of calls, without any MPI: nested and open calls, threads that end, and
 * reading while another thread is in calls. */
#include "mpi/calltime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const enum hpm_callclass SEND = HPM_CALLCLASS_SEND,
                                RECV = HPM_CALLCLASS_RECV;

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

static void
test_one_call(void)
{
    struct hpm_calltime *own = hpm_calltime_begin(SEND);
    struct hpm_callsums sums;

    pass_time();
    ok(own != NULL && hpm_calltime_end(own), "a call is timed");
    sums = sums_of(own, SEND);
    ok(sums.calls == 1 && sums.ticks >= 100000, "with its time");
    ok(sums_of(own, RECV).calls == 0 && sums_of(own, RECV).ticks == 0,
       "in its class");
    ok(sums_of(own, SEND).ticks == sums.ticks, "that does not go on after it");
}

static void
test_nested(void)
{
    uint64_t calls = sums_of(hpm_calltime_own, SEND).calls;
    uint64_t ticks = sums_of(hpm_calltime_own, RECV).ticks, open;
    struct hpm_calltime *outer = hpm_calltime_begin(RECV);
    struct hpm_calltime *inner = hpm_calltime_begin(SEND);

    pass_time();
    ok(!hpm_calltime_end(inner), "a call in a call has no time of its own");
    open = sums_of(outer, RECV).ticks;
    ok(open >= ticks + 100000, "a call that is open counts so far");
    ok(hpm_calltime_end(outer) && sums_of(outer, RECV).ticks >= open &&
           sums_of(outer, RECV).calls == 1,
       "and at its end once");
    ok(sums_of(outer, SEND).calls == calls, "the inner one does not");
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
    hpm_calltime_hold(first);
    atomic_store(&n_to_do, 1);
    pthread_create(&thread, NULL, call_often, &second);
    pthread_join(thread, NULL);
    ok(first != second, "but not while a counting reads them");
    hpm_calltime_release(first);
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
    hpm_calltime_start(false);
    test_one_call();
    test_nested();
    test_thread_that_ends();
    test_cancelled();
    test_reading_meanwhile();
    return done();
}
