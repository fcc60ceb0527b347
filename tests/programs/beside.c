/* SPDX-License-Identifier: BSD-3-Clause
 * A process section in which one thread works without any call of the library,
 * while other threads come, measure and go.  At the starts and stops after them
 * the library measures the cost of such threads with threads of its own, beside
 * the busy one.
 *
 *     beside    prints the processor time of the busy thread, in nanoseconds */
#include <libhpm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum { N_COMING = 4 };

static atomic_bool is_over;

static void *
work(void *ret_ns)
{
    struct timespec used;

    while (!atomic_load(&is_over))
        continue;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    *(long long *)ret_ns = used.tv_sec * 1000000000LL + used.tv_nsec;
    return NULL;
}

static void *
measure(void *unused)
{
    hpmTstart(1, "coming");
    hpmTstop(1);
    return unused;
}

static void
let_come(void)
{
    pthread_t thread;

    for (int i = 0; i < N_COMING; i++) {
        if (pthread_create(&thread, NULL, measure, NULL) == 0)
            pthread_join(thread, NULL);
        hpmStart(2, "edge");
        hpmStop(2);
    }
}

int
main(void)
{
    long long ns = 0;
    pthread_t busy;

    hpmInit(0, "beside");
    hpmStart(3, "first");
    hpmStop(3);
    hpmStart(4, "all");
    if (pthread_create(&busy, NULL, work, &ns) != 0)
        return 1;
    let_come();
    atomic_store(&is_over, true);
    pthread_join(busy, NULL);
    hpmStop(4);
    printf("%lld\n", ns);
    hpmTerminate(0);
    return 0;
}
