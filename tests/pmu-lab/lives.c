/* SPDX-License-Identifier: BSD-3-Clause
 * Process sections around threads that measure, and around the same threads
 * without:
 *
 *     lives THREADS
 *
 * The two sections of each round differ by what the library does when threads
 * come and go, and by nothing else. */
#include <libhpm.h>
#include <pthread.h>
#include <stdlib.h>

enum { MAX_THREADS = 8, ROUNDS = 20000, N_REPEATS = 4 };

void *plain_thread(void *rounds); /* exact.S */
void *measuring_thread(void *rounds);

/* Threads that end together, or one after the other. */
__attribute__((noinline)) static void
run(void *(*work)(void *), int n, int is_staggered)
{
    pthread_t threads[MAX_THREADS];

    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, work,
                       (void *)(ROUNDS * (is_staggered ? 1 + i : 1)));
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
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
    int n = argc > 1 ? atoi(argv[1]) : 1;

    if (n < 1 || n > MAX_THREADS)
        return 2;
    hpmInit(-1, "lives");
    run(plain_thread, n, 0); /* the C library keeps their stacks for the next */
    section(10, "first", measuring_thread, n, 0);
    for (int i = 0; i < N_REPEATS; i++) {
        section(11, "plain together", plain_thread, n, 0);
        section(12, "measured together", measuring_thread, n, 0);
        section(13, "plain staggered", plain_thread, n, 1);
        section(14, "measured staggered", measuring_thread, n, 1);
    }
    return 0;
}
