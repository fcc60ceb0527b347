/* SPDX-License-Identifier: BSD-3-Clause
 * Process sections around threads that measure, and around the same threads
 * without measuring:
 *
 *     lives THREADS [CALL]
 *
 * CALL is the call by which the threads make their section: "plain"
 * (hpmTstartAt), "site" (hpmTstart) or "fortran".
 *
 * The two sections of each round differ only by the library's work when threads
 * come and go. */
#include <libhpm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "join.h"

/* The C library keeps up to 40 MiB of stacks for later threads.  It frees
 * further stacks and makes them anew, with a varying number of instructions. */
enum { MAX_THREADS = 8, ROUNDS = 20000, N_REPEATS = 4, STACK = 256 << 10 };

/* exact.S */
void *plain_thread(void *rounds);
void *measuring_thread(void *rounds);
void *thread_with_site(void *rounds);
void *thread_of_fortran(void *rounds);

static const struct {
    const char *call;
    void *(*thread)(void *rounds);
} threads_by[] = {
    {"plain", measuring_thread},
    {"site", thread_with_site},
    {"fortran", thread_of_fortran},
};

enum { N_CALLS = sizeof threads_by / sizeof threads_by[0] };

struct work {
    void *(*work)(void *rounds);
    long rounds;
};

static void *
do_work(void *data)
{
    const struct work *work = data;

    work->work((void *)work->rounds);
    join_announce();
    return NULL;
}

/* Run threads that end together, or one after the other. */
__attribute__((noinline)) static void
run(void *(*work)(void *), int n, int is_staggered)
{
    pthread_t threads[MAX_THREADS];
    struct work works[MAX_THREADS];
    pthread_attr_t small;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (long i = 0; i < n; i++) {
        works[i] = (struct work){work, ROUNDS * (is_staggered ? 1 + i : 1)};
        pthread_create(&threads[i], &small, do_work, &works[i]);
    }
    join_all(threads, n);
    pthread_attr_destroy(&small);
}

__attribute__((noinline)) static void
section(int id, const char *label, void *(*work)(void *), int n,
        int is_staggered)
{
    hpmStart(id, label);
    run(work, n, is_staggered);
    hpmStop(id);
}

int
main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, call = 0;
    void *(*measuring)(void *);

    while (argc > 2 && call < N_CALLS &&
           strcmp(threads_by[call].call, argv[2]) != 0)
        call++;
    if (n < 1 || n > MAX_THREADS || call == N_CALLS)
        return 2;
    measuring = threads_by[call].thread;
    join_prepare();
    hpmInit(-1, "lives");
    run(plain_thread, n, 0); /* the C library keeps their stacks for later
                              * threads */
    section(10, "first", measuring, n, 0);
    run(plain_thread, n, 0); /* also those of the threads made by libhpm */
    for (int i = 0; i < N_REPEATS; i++) {
        section(11, "plain together", plain_thread, n, 0);
        section(12, "measured together", measuring, n, 0);
        section(13, "plain staggered", plain_thread, n, 1);
        section(14, "measured staggered", measuring, n, 1);
    }
    return 0;
}
