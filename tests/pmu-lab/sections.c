/* SPDX-License-Identifier: BSD-3-Clause
 * Sections around a loop with a known number of instructions, for judge.py:
 *
 *     sections              thread sections in several threads, a process
 *                           section around all of them
 *     sections LOOPS        one section with that many rounds of the loop */
#include <libhpm.h>
#include <pthread.h>
#include <stdlib.h>

enum { N_THREADS = 3, N_CALLS = 10, ROUNDS = 100000 };

enum section {
    EMPTY = 1,
    ONCE,
    AGAIN,
    OUTER,
    INNER,
    WHOLE,
    ALL,
    PROCESS_EMPTY,
    PROCESS_ONCE
};

void burn(long rounds); /* loop.S */

/* The same instructions for every section, except those of the loop. */
__attribute__((noinline)) static void
measure(int id, const char *label, long rounds)
{
    hpmTstart(id, label);
    burn(rounds);
    hpmTstop(id);
}

/* Starts and stops of a process section take the same instructions from the
 * second section on. */
__attribute__((noinline)) static void
measure_process(int id, const char *label, long rounds)
{
    hpmStart(id, label);
    burn(rounds);
    hpmStop(id);
}

static void *
work(void *argument)
{
    long rounds = (long)argument;

    hpmTstart(WHOLE, "whole");
    for (int i = 0; i < N_CALLS; i++)
        measure(EMPTY, "empty", 0);
    measure(ONCE, "once", rounds);
    for (int i = 0; i < N_CALLS; i++)
        measure(AGAIN, "again", rounds);
    hpmTstart(OUTER, "outer");
    burn(rounds);
    measure(INNER, "inner", 2 * rounds);
    burn(rounds);
    hpmTstop(OUTER);
    hpmTstop(WHOLE);
    return NULL;
}

static void
work_in_threads(void)
{
    pthread_t threads[N_THREADS];

    measure_process(PROCESS_EMPTY, "process empty", 0);
    measure_process(PROCESS_ONCE, "process once", ROUNDS);
    hpmStart(ALL, "all");
    for (long i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)((i + 1) * ROUNDS));
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    hpmStop(ALL);
}

int
main(int argc, char **argv)
{
    hpmInit(-1, "sections");
    if (argc > 1)
        measure(ONCE, "once", atol(argv[1]));
    else
        work_in_threads();
    return 0;
}
