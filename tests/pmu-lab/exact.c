/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the sections of exact.S in one thread, or in several at once with a
 * process section around them:
 *
 *     exact [THREADS]   all sections; threads share the many nested pairs
 *     exact functions   sections around the functions of work.c, which callgrind
 *                       counts as well, into a file for each */
#include <libhpm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "join.h"

void empty_section(long n);
void loop_section(long n);
void parent_of_pairs(long n);
void three_deep(long n);
void overlap(long n);
void again(long n);
void sections_with_sites(long n);
void fortran_empty_section(long n);
void fortran_nested(long n);
void fortran_overlap(long n);
void fortran_parent_of_pairs(long n);
void call_burn(long n);
void call_sort_numbers(long n);
void call_write_text(long n);
void call_take_locks(long n);
void dump_counted(long n);

enum { CALLS = 100, LOOPS = 10000, PAIRS = 20000, WORK_CALLS = 10 };

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
        sections_with_sites(LOOPS / 100);
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

static void *
run_in_thread(void *n_pairs)
{
    run_all(n_pairs);
    join_announce();
    return NULL;
}

static void
run_functions(void)
{
    static const struct {
        void (*call)(long n);
        long n;
    } functions[] = {
        {call_burn, LOOPS},
        {call_sort_numbers, 1000},
        {call_write_text, 100},
        {call_take_locks, 100},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        for (int call = 0; call < WORK_CALLS; call++)
            functions[i].call(functions[i].n);
        dump_counted(0);
    }
}

static void
run_in_threads(int n)
{
    pthread_t *threads = calloc((size_t)n, sizeof *threads);

    hpmStart(20, "process empty");
    hpmStop(20);
    hpmStart(21, "process");
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, run_in_thread,
                       (void *)(long)(PAIRS / n));
    join_all(threads, n);
    hpmStop(21);
    hpmStart(20, "process empty");
    hpmStop(20);
    free(threads);
}

int
main(int argc, char **argv)
{
    join_prepare();
    hpmInit(-1, "exact");
    if (argc < 2)
        run_all((void *)(long)PAIRS);
    else if (strcmp(argv[1], "functions") == 0)
        run_functions();
    else
        run_in_threads(atoi(argv[1]));
    return 0;
}
