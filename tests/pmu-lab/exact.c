/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the sections of exact.S in one thread, or in several at once with a
 * process section around them:
 *
 *     exact [THREADS]   all sections; threads share the many nested pairs */
#include <libhpm.h>
#include <pthread.h>
#include <stdlib.h>

void empty_section(long n);
void loop_section(long n);
void parent_of_pairs(long n);
void three_deep(long n);
void overlap(long n);
void again(long n);
void fortran_empty_section(long n);
void fortran_nested(long n);
void fortran_overlap(long n);
void fortran_parent_of_pairs(long n);

enum { CALLS = 100, LOOPS = 10000, PAIRS = 100000 };

static void *
run_all(void *n_pairs)
{
    for (int i = 0; i < CALLS; i++)
        empty_section(0);
    for (int i = 0; i < CALLS; i++)
        loop_section(LOOPS);
    for (int i = 0; i < CALLS; i++)
        three_deep(LOOPS);
    for (int i = 0; i < CALLS; i++)
        overlap(LOOPS);
    for (int i = 0; i < CALLS; i++)
        again(LOOPS / 100);
    for (int i = 0; i < CALLS; i++)
        fortran_empty_section(0);
    for (int i = 0; i < CALLS; i++)
        fortran_nested(LOOPS);
    for (int i = 0; i < CALLS; i++)
        fortran_overlap(LOOPS);
    parent_of_pairs((long)n_pairs);
    fortran_parent_of_pairs((long)n_pairs / 10);
    return NULL;
}

static void
run_in_threads(int n)
{
    pthread_t *threads = calloc((size_t)n, sizeof *threads);

    hpmStart(20, "process empty");
    hpmStop(20);
    hpmStart(21, "process");
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, run_all, (void *)(long)(PAIRS / n));
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    hpmStop(21);
    hpmStart(20, "process empty");
    hpmStop(20);
    free(threads);
}

int
main(int argc, char **argv)
{
    hpmInit(-1, "exact");
    if (argc > 1)
        run_in_threads(atoi(argv[1]));
    else
        run_all((void *)(long)PAIRS);
    return 0;
}
