/* SPDX-License-Identifier: BSD-3-Clause
 * A program of 50 threads that come and go, for tools that attach to it.
 *
 * A line "N MICROSECONDS" on standard input lets N threads live for so long, 50
 * at a time, each started when an older one has ended; each touches four new
 * pages.  The answer is a line with the sum of their results.  With MICROSECONDS
 * of 0xffffffff they live until another line comes, "end", and are 50 at most.
 * At the end of the input it ends with exit status 7. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AT_A_TIME = 50, PAGES = 4, EXIT_STATUS = 7 };

#define UNTIL_TOLD UINT_MAX

static unsigned pause_us;
static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER;

static void
live_on(void)
{
    if (pause_us == UNTIL_TOLD) {
        pthread_mutex_lock(&told);
        pthread_mutex_unlock(&told);
    } else {
        usleep(pause_us);
    }
}

static void *
live(void *argument)
{
    uint64_t number = (uint64_t)(uintptr_t)argument, sum = 0;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        abort();
    for (size_t i = 0; i < PAGES; i++)
        memory[i * page] = 1;
    for (size_t i = 0; i < PAGES; i++)
        sum += (uint64_t)memory[i * page] * number;
    live_on();
    munmap(memory, PAGES * page);
    return (void *)(uintptr_t)sum;
}

static uint64_t
join(pthread_t thread)
{
    void *result;

    pthread_join(thread, &result);
    return (uint64_t)(uintptr_t)result;
}

static uint64_t
run(unsigned long n)
{
    pthread_t threads[AT_A_TIME];
    uint64_t sum = 0;

    if (pause_us == UNTIL_TOLD)
        pthread_mutex_lock(&told);
    for (unsigned long i = 0; i < n; i++) {
        if (i >= AT_A_TIME)
            sum += join(threads[i % AT_A_TIME]);
        if (pthread_create(&threads[i % AT_A_TIME], NULL, live,
                           (void *)(uintptr_t)i) != 0)
            abort();
    }
    if (pause_us == UNTIL_TOLD) {
        if (scanf(" end") == EOF)
            exit(1);
        pthread_mutex_unlock(&told);
    }
    for (unsigned long i = n > AT_A_TIME ? n - AT_A_TIME : 0; i < n; i++)
        sum += join(threads[i % AT_A_TIME]);
    return sum;
}

int
main(void)
{
    unsigned long n;

    while (scanf("%lu %u", &n, &pause_us) == 2) {
        printf("%llu\n", (unsigned long long)run(n));
        fflush(stdout);
    }
    return EXIT_STATUS;
}
