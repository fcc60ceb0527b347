/* SPDX-License-Identifier: BSD-3-Clause
 * Meters of software-defined events, and two parts that PAPI's source needs:
 * the lock and the measuring of the stack. */
#include "source/meter.h"
#include "source/sources.h"

#include <errno.h>
#include <pthread.h>
#include <sde_lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/forklock.h"
#include "host/memory.h"
#include "host/stack.h"
#include "tap.h"

/* For the leak sanitizer: libsde keeps a string for each name that it was asked
 * for, which is no fault of the library. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
    return "leak:libsde.so\nleak:libpapi.so\n";
}

/* ---- the lock -------------------------------------------------------- */

enum { N_ROUNDS = 20000, N_THREADS = 4 };

static struct hpm_forklock lock;
static long guarded;

static void *
add_under_lock(void *context)
{
    for (int i = 0; i < N_ROUNDS; i++) {
        hpm_forklock_take(&lock, getpid());
        guarded++;
        hpm_forklock_give(&lock);
    }
    return context;
}

static void
test_lock(void)
{
    pthread_t threads[N_THREADS];
    int status = -1;
    pid_t child;

    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, add_under_lock, NULL);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    ok(guarded == (long)N_ROUNDS * N_THREADS, "one thread has it at a time");
    hpm_forklock_take(&lock, getpid());
    child = fork();
    if (child == 0) {
        alarm(300);
        hpm_forklock_take(&lock, getpid());
        hpm_forklock_give(&lock);
        _exit(0);
    }
    waitpid(child, &status, 0);
    hpm_forklock_give(&lock);
    ok(status == 0, "a child does not wait for its parent");
}

/* ---- the stack ------------------------------------------------------- */

static size_t found;

static void *
measure_stack(void *context)
{
    found = hpm_stack_free();
    return context;
}

static void
measure_in_handler(int signal)
{
    (void)signal;
    found = hpm_stack_free();
}

static void
test_stack(void)
{
    /* the thread sanitizer uses 0.8 MB of a thread's stack */
    enum { SIZE = 4 << 20 };
    static char room[SIZE];
    const stack_t own = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = measure_in_handler,
                               .sa_flags = SA_ONSTACK};
    pthread_attr_t attributes;
    pthread_t thread;

    ok(hpm_stack_free() > 64 << 10, "the main thread has room");
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SIZE);
    pthread_create(&thread, &attributes, measure_stack, NULL);
    pthread_join(thread, NULL);
    /* the C library may reuse the stack of a thread that has ended, of up to
     * four times the size */
    ok(found > SIZE / 2 && found < 4 * SIZE, "a thread has what it was given");
    sigaltstack(&own, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    ok(found > SIZE / 2 && found < SIZE,
       "a signal handler has the stack it runs on");
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

/* ---- meters ---------------------------------------------------------- */

static long long counter;

static bool
choose(struct hpm_eventset *set)
{
    struct hpm_error err;

    return hpm_eventset_choose(set, "ru::utime,sde:::Own::n,nosuch", NULL,
                               HPM_DOMAIN_USER,
                               hpm_sources_choose("papi", NULL), &err);
}

static struct hpm_count
between(const struct hpm_meter *meter, const uint64_t *first,
        const uint64_t *last)
{
    uint64_t difference[HPM_MAX_SLOTS] = {0};

    for (size_t i = 0; i < meter->n_slots; i++)
        difference[i] = last[i] - first[i];
    return hpm_meter_count(meter, 1, difference);
}

static bool
counts_right(const struct hpm_meter *meter)
{
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    struct hpm_count count;

    hpm_meter_read(meter, first);
    counter += 42;
    hpm_meter_read(meter, last);
    count = between(meter, first, last);
    return !hpm_state_has_value(count.state) ||
           (count.state == HPM_STATE_COUNTED && count.value == 42);
}

static void
test_meters(const struct hpm_eventset *set)
{
    struct hpm_meter *thread = hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL);
    struct hpm_meter *process =
        hpm_meter_open(set, HPM_TARGET_PROCESS, 0, NULL);
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};

    hpm_meter_read(process, first);
    ok(counts_right(thread), "a thread's meter counts");
    hpm_meter_close(thread);
    ok(counts_right(process), "the process's goes on when that is closed");
    thread = hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL);
    errno = 77;
    hpm_meter_read(process, last);
    ok(errno == 77, "reading keeps errno");
    is_count(between(process, first, last).value, 84,
             "a thread's new meter does not set the counter back");
    hpm_meter_close(process);
    ok(counts_right(thread), "nor stops it with the process's");
    hpm_meter_close(thread);
    thread = hpm_meter_open(set, HPM_TARGET_PROGRAM, getpid(), NULL);
    ok(thread->events[1].state == HPM_STATE_UNSUPPORTED &&
           thread->events[1].reason != NULL,
       "another program's events are not counted");
    hpm_meter_close(thread);
}

/* A counter counts from 1000 on, and then the program sets it back. */
static void
test_gone_back(const struct hpm_eventset *set)
{
    uint64_t slots[HPM_MAX_SLOTS] = {0};
    struct hpm_meter *meter;

    counter = 1000;
    meter = hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL);
    counter = 1500;
    hpm_meter_read(meter, slots);
    ok(meter->events[1].state == HPM_STATE_COUNTED, "a counter that goes on");
    counter = 5;
    hpm_meter_read(meter, slots);
    ok(meter->events[1].state == HPM_STATE_LOST &&
           strstr(meter->events[1].reason, "it went back") != NULL,
       "one that is set back is lost, and says why");
    hpm_meter_close(meter);
    counter = 2000;
}

/* Any allocation may fail. */
static void
test_without_memory(const struct hpm_eventset *set)
{
    bool is_right = true;

    for (unsigned long k = 1; k < 40; k++) {
        struct hpm_meter *meter;

        hpm_memory_fail_at(k / 2, k % 2 == 0);
        meter = hpm_meter_open(
            set, k % 3 == 0 ? HPM_TARGET_PROCESS : HPM_TARGET_THREAD, 0, NULL);
        hpm_memory_fail_at(0, false);
        is_right = is_right && (meter == NULL || counts_right(meter));
        hpm_meter_close(meter);
    }
    ok(is_right, "without memory, a meter counts right or not");
}

static void
test_choice_without_memory(void)
{
    bool is_right = true;

    for (unsigned long k = 1; k < 60; k++) {
        struct hpm_eventset set = {0};

        hpm_memory_fail_at(k, false);
        choose(&set);
        hpm_memory_fail_at(0, false);
        for (size_t i = 0; i < set.n_events; i++)
            is_right = is_right && ((set.events[i].source != NULL) ==
                                    (set.events[i].state == HPM_STATE_COUNTED));
        hpm_eventset_clear(&set);
    }
    ok(is_right, "without memory, an event has a source or a state that says "
                 "why not");
}

int
main(void)
{
    struct hpm_eventset set = {0};
    papi_handle_t library = papi_sde_init("Own");

    papi_sde_register_counter(library, "n", PAPI_SDE_RO | PAPI_SDE_DELTA,
                              PAPI_SDE_long_long, &counter);
    test_lock();
    test_stack();
    choose(&set);
    if (set.n_events == 3 && set.events[1].source == &hpm_source_papi) {
        ok(set.events[1].belongs_to_process &&
               !set.events[0].belongs_to_process,
           "a library's counter belongs to the process");
        test_meters(&set);
        test_without_memory(&set);
        test_gone_back(&set);
        test_choice_without_memory();
    } else {
        skip("meters of software-defined events",
             set.n_events > 1 ? set.events[1].reason : "no memory");
    }
    hpm_eventset_clear(&set);
    return done();
}
