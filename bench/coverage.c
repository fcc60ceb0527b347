/* SPDX-License-Identifier: BSD-3-Clause
 * Sections with a known time, for coverage.py:
 *
 *     coverage KIND [PAIRS]
 *
 * Each of the parents has many calls of KIND inside it, then waits until a time
 * has passed by its own clock.  That time, plus the time of the loop around the
 * calls without them, is the parent's time without measuring.  Prints a line
 * for each parent: its label, that time in ns, and whether the thread lost its
 * processor meanwhile (which takes an unknown time). */
#include <libhpm.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { N_PARENTS = 40, WAIT_NS = 10000, N_THREADS = 2, WORK = 60 };
enum { CHILD = 1, PARENTS = 100 };

#define APART __attribute__((noinline))

static volatile uint64_t sink;

static uint64_t
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t
wait_a_while(void)
{
    uint64_t begin = now(), end = begin;

    while (end < begin + WAIT_NS)
        end = now();
    return end - begin;
}

static void
work(void)
{
    uint64_t x = sink | 1;

    for (int i = 0; i < WORK; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
}

/* ---- calls inside a parent ------------------------------------------ */

APART static void
nothing(int n)
{
    for (int i = 0; i < n; i++)
        __asm__ volatile("" ::: "memory");
}

APART static void
only_work(int n)
{
    for (int i = 0; i < n; i++)
        work();
}

APART static void
nested(int n)
{
    for (int i = 0; i < n; i++) {
        hpmTstart(CHILD, "child");
        hpmTstop(CHILD);
    }
}

APART static void
apart(int n)
{
    for (int i = 0; i < n; i++) {
        work();
        hpmTstart(CHILD, "child");
        hpmTstop(CHILD);
    }
}

APART static void
recurse(int n)
{
    hpmTstart(CHILD, "child");
    if (n > 1)
        recurse(n - 1);
    hpmTstop(CHILD);
}

/* Recursion ten deep, repeated until there are n calls. */
APART static void
recursion(int n)
{
    for (int i = 0; i < n; i += 10)
        recurse(10);
}

/* Like the destructor in libhpm.hpp. */
static void
stop_scope(const int *id)
{
    hpmTstopAt(*id, __FILE__, 0);
}

APART static void
scope(int n)
{
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(stop_scope))) int id = CHILD;

        hpmTstartAt(id, "child", __FILE__, __LINE__);
    }
}

APART static void
processes(int n)
{
    for (int i = 0; i < n; i++) {
        hpmStart(CHILD, "child");
        hpmStop(CHILD);
    }
}

static const struct kind {
    const char *name;
    void (*inside)(int n);
    void (*reference)(int n); /* the same without calls */
    int share;                /* the number of calls is divided by this */
    int is_process;           /* the parent is a process section */
    int n_threads;
} kinds[] = {
    {"nested", nested, nothing, 1, 0, 1},
    {"apart", apart, only_work, 1, 0, 1},
    {"recursion", recursion, nothing, 1, 0, 1},
    {"scope", scope, nothing, 1, 0, 1},
    {"process", nested, nothing, 1, 1, 1},
    {"processes", processes, nothing, 10, 1, 1},
    {"threads", nested, nothing, 1, 0, N_THREADS},
    {NULL, NULL, NULL, 0, 0, 0},
};

/* ---- parents ---------------------------------------------------------- */

struct job {
    const struct kind *kind;
    int n;
    uint64_t truth[N_PARENTS];
    long interrupted[N_PARENTS];
    char labels[N_PARENTS][16];
};

static long
n_interrupted(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw + usage.ru_nvcsw;
}

/* The shortest of some runs. */
static uint64_t
time_of_reference(const struct kind *kind, int n)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < 15; i++) {
        uint64_t begin = now();

        kind->reference(n);
        begin = now() - begin;
        if (begin < least)
            least = begin;
    }
    return least;
}

static uint64_t
run_parent(const struct job *job, int i)
{
    const struct kind *kind = job->kind;
    uint64_t waited;

    if (kind->is_process)
        hpmStart(PARENTS + i, job->labels[i]);
    else
        hpmTstart(PARENTS + i, job->labels[i]);
    kind->inside(job->n);
    waited = wait_a_while();
    if (kind->is_process)
        hpmStop(PARENTS + i);
    else
        hpmTstop(PARENTS + i);
    return waited;
}

static void *
run_parents(void *data)
{
    struct job *job = data;
    uint64_t reference = time_of_reference(job->kind, job->n);

    for (int i = 0; i < N_PARENTS; i++) {
        long before = n_interrupted();

        job->truth[i] = reference + run_parent(job, i);
        job->interrupted[i] = n_interrupted() - before;
    }
    return NULL;
}

static void
run(const struct kind *kind, int n_pairs)
{
    static struct job jobs[N_THREADS];
    pthread_t threads[N_THREADS];

    for (int t = 0; t < kind->n_threads; t++) {
        jobs[t].kind = kind;
        jobs[t].n = n_pairs / kind->share;
        for (int i = 0; i < N_PARENTS; i++)
            snprintf(jobs[t].labels[i], sizeof jobs[t].labels[i], "p%d.%d", t,
                     i);
        if (kind->n_threads == 1)
            run_parents(&jobs[t]);
        else
            pthread_create(&threads[t], NULL, run_parents, &jobs[t]);
    }
    for (int t = 0; t < kind->n_threads && kind->n_threads > 1; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < kind->n_threads; t++) {
        for (int i = 0; i < N_PARENTS; i++)
            printf("%s %llu %ld\n", jobs[t].labels[i],
                   (unsigned long long)jobs[t].truth[i],
                   jobs[t].interrupted[i]);
    }
}

int
main(int argc, char **argv)
{
    int n_pairs = argc > 2 ? atoi(argv[2]) : 250;
    const struct kind *kind = kinds;

    while (argc > 1 && kind->name != NULL && strcmp(kind->name, argv[1]) != 0)
        kind++;
    if (argc < 2 || kind->name == NULL) {
        for (kind = kinds; kind->name != NULL; kind++)
            puts(kind->name);
        return argc > 1;
    }
    hpmInit(-1, "coverage");
    run(kind, n_pairs);
    hpmTerminate(-1);
    return 0;
}
