/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that count by themselves and tell PAPI (software-defined events).
 *
 *     sde threads N   N threads, each increments its own counters
 *     sde shapes N    N threads, sections in every position to each other
 *     sde kinds       every kind of counter by known amounts
 *     sde fork        parent and child
 *     sde level       a counter that goes down
 *     sde late        the library starts after hpmInit
 *     sde turns N     N threads count for 0.2 s of processor time in all;
 *                     prints what a program could notice of turns
 *     sde leaves N    the same, and the main thread ends before them */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sde_lib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libhpm.h>

enum { MAX_THREADS = 8, N_CALLS = 20 };

static papi_handle_t library;
static long long counts[MAX_THREADS];
static pthread_barrier_t barrier;

static void
add_counter(const char *name, int mode, int type, void *counter)
{
    papi_sde_register_counter(library, name, PAPI_SDE_RO | mode, type, counter);
}

static void
add_counts(void)
{
    char name[16];

    for (int i = 0; i < MAX_THREADS; i++) {
        snprintf(name, sizeof name, "c%d", i);
        add_counter(name, PAPI_SDE_DELTA, PAPI_SDE_long_long, &counts[i]);
    }
    papi_sde_describe_counter(library, "c0", "what the first thread did");
}

/* ---- threads --------------------------------------------------------- */

static void *
work(void *argument)
{
    long me = (long)argument;

    for (int call = 0; call < N_CALLS; call++) {
        hpmTstart(1, "mine");
        for (int i = 0; i <= me; i++)
            counts[me] += 1000;
        hpmTstop(1);
        if (call == 0) /* no thread starts after others have counted already */
            pthread_barrier_wait(&barrier);
    }
    hpmTstart(2, "nothing");
    hpmTstop(2);
    return NULL;
}

static int
way_threads(long n)
{
    pthread_t threads[MAX_THREADS];

    add_counts();
    counts[0] = 12345; /* the count before must not be included */
    hpmInit(-1, "sde");
    pthread_barrier_init(&barrier, NULL, (unsigned)n);
    hpmStart(3, "all");
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    hpmStop(3);
    return 0;
}

/* ---- shapes ---------------------------------------------------------- */

/* Add to this thread's own counter; the decimal places tell where it was
 * counted. */
static void
count(long me, long long amount)
{
    counts[me] += amount * (me + 1);
}

static void
recurse(long me, int depth)
{
    hpmTstart(5, "recursive");
    count(me, 10000);
    if (depth > 0)
        recurse(me, depth - 1);
    hpmTstop(5);
}

/* These names tell whose counter is in a record. */
static const char *const names[MAX_THREADS] = {"0", "1", "2", "3",
                                               "4", "5", "6", "7"};

static void *
walk(void *argument)
{
    long me = (long)argument;

    hpmTstart(8, names[me]);
    hpmTstop(8);
    pthread_barrier_wait(&barrier);
    for (int call = 0; call < N_CALLS; call++) {
        hpmTstart(1, "outer");
        count(me, 1);
        for (int i = 0; i < 2; i++) {
            hpmTstart(2, "inner");
            count(me, 5);
            hpmTstart(3, "innermost");
            count(me, 50);
            hpmTstop(3);
            hpmTstop(2);
        }
        hpmTstart(4, "nothing");
        hpmTstop(4);
        recurse(me, 3);
        hpmTstart(6, "earlier");
        count(me, 100000);
        hpmTstart(7, "later");
        count(me, 200000);
        hpmTstop(6);
        count(me, 400000);
        hpmTstop(7);
        hpmTstop(1);
    }
    return NULL;
}

static int
way_shapes(long n)
{
    pthread_t threads[MAX_THREADS];

    add_counts();
    hpmInit(-1, "sde");
    pthread_barrier_init(&barrier, NULL, (unsigned)n);
    hpmStart(10, "all");
    hpmStart(11, "walks");
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, walk, (void *)i);
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    hpmStop(11);
    hpmStart(12, "nothing at all");
    hpmStop(12);
    counts[0] += 5;
    hpmStop(10);
    return 0;
}

/* ---- kinds ----------------------------------------------------------- */

static long long
twice(void *counter)
{
    return 2 * *(long long *)counter;
}

static int
way_kinds(void)
{
    static long long number = 100, level = 70;
    static int small = 5;
    static double real = 1.5;
    double entry = 3;
    void *made, *recorder;

    add_counter("number", PAPI_SDE_DELTA, PAPI_SDE_long_long, &number);
    add_counter("small", PAPI_SDE_DELTA, PAPI_SDE_int, &small);
    add_counter("level", PAPI_SDE_INSTANT, PAPI_SDE_long_long, &level);
    add_counter("real", PAPI_SDE_DELTA, PAPI_SDE_double, &real);
    add_counter("real-level", PAPI_SDE_INSTANT, PAPI_SDE_double, &real);
    papi_sde_register_counter_cb(library, "twice", PAPI_SDE_RO | PAPI_SDE_DELTA,
                                 PAPI_SDE_long_long, twice, &number);
    papi_sde_create_counter(library, "made", PAPI_SDE_DELTA, &made);
    papi_sde_create_recorder(library, "list", sizeof entry,
                             papi_sde_compare_double, &recorder);
    hpmInit(-1, "sde");
    for (int call = 1; call <= 3; call++) {
        hpmTstart(1, "kinds");
        number += 10 * call;
        small += 1;
        level += 7;
        real += 0.25;
        papi_sde_inc_counter(made, 4);
        papi_sde_record(recorder, sizeof entry, &entry);
        hpmTstop(1);
        number += 1000; /* between the sections */
    }
    return 0;
}

/* ---- others ---------------------------------------------------------- */

static void
measure(int id, const char *label, long long amount)
{
    hpmTstart(id, label);
    counts[0] += amount;
    hpmTstop(id);
}

static int
way_fork(void)
{
    int status = -1;
    pid_t child;

    add_counts();
    hpmInit(-1, "sde");
    measure(1, "before", 10);
    hpmTstart(2, "around");
    child = fork();
    if (child == 0) {
        measure(3, "child", 500);
        hpmStart(4, "child's process");
        counts[0] += 7;
        hpmStop(4);
        exit(0);
    }
    waitpid(child, &status, 0);
    counts[0] += 20;
    hpmTstop(2);
    measure(5, "after", 30);
    return status;
}

static int
way_level(void)
{
    add_counter("level", PAPI_SDE_INSTANT, PAPI_SDE_long_long, &counts[0]);
    add_counter("other", PAPI_SDE_DELTA, PAPI_SDE_long_long, &counts[1]);
    hpmInit(-1, "sde");
    hpmTstart(1, "up");
    counts[0] += 5;
    counts[1] += 5;
    hpmTstop(1);
    hpmTstart(2, "down");
    counts[0] -= 3;
    counts[1] += 6;
    hpmTstop(2);
    return 0;
}

static int
way_late(void)
{
    hpmInit(-1, "sde");
    add_counts();
    measure(1, "late", 5);
    return 0;
}

/* ---- turns ----------------------------------------------------------- */

static long long
processor_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Each thread counts all four events, one, two, three and four at a time. */
static void *
count_steadily(void *argument)
{
    volatile long long sum = 0;

    hpmTstart(1, "one");
    while (processor_time() < 200000000) {
        for (int i = 0; i < 1000; i++)
            sum = sum + i;
        for (int i = 0; i < 4; i++)
            __atomic_add_fetch(&counts[i], i + 1, __ATOMIC_RELAXED);
    }
    hpmTstop(1);
    return argument;
}

static int
count_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    int n = 0;

    while (folder != NULL && readdir(folder) != NULL)
        n++;
    if (folder != NULL)
        closedir(folder);
    return n - 2;
}

/* Calls that wait, while the other threads count: none of them may be
 * interrupted. */
static int
count_interruptions(void)
{
    int n = 0;

    while (processor_time() < 180000000) {
        if (poll(NULL, 0, 1) != 0)
            n++;
        if (nanosleep(&(struct timespec){0, 100000}, NULL) != 0)
            n++;
    }
    return n;
}

static int
way_turns(long n, bool leaves)
{
    pthread_t threads[MAX_THREADS];

    add_counts();
    hpmInit(-1, "sde");
    hpmStart(2, "all");
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, count_steadily, NULL);
    printf("interrupted %d\n", count_interruptions());
    if (leaves) {
        hpmStop(2);
        pthread_exit(NULL);
    }
    printf("threads %d\n", count_threads() - (int)n);
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    hpmStop(2);
    for (int i = 0; i < 4; i++)
        printf("c%d %lld\n", i, counts[i]);
    return 0;
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";

    library = papi_sde_init("Lib");
    if (strcmp(way, "threads") == 0)
        return way_threads(argc > 2 ? atol(argv[2]) : 1);
    if (strcmp(way, "shapes") == 0)
        return way_shapes(argc > 2 ? atol(argv[2]) : 1);
    if (strcmp(way, "kinds") == 0)
        return way_kinds();
    if (strcmp(way, "fork") == 0)
        return way_fork();
    if (strcmp(way, "level") == 0)
        return way_level();
    if (strcmp(way, "late") == 0)
        return way_late();
    if (strcmp(way, "turns") == 0 || strcmp(way, "leaves") == 0)
        return way_turns(argc > 2 ? atol(argv[2]) : 1,
                         strcmp(way, "leaves") == 0);
    fprintf(stderr, "sde: '%s' is no way\n", way);
    return 2;
}
