/* SPDX-License-Identifier: BSD-3-Clause
 * Each section runs a function that no other section runs, so that a sample in
 * a wrong section is seen: nested, recursive, overlapping, one long, in
 * threads, in a process section and in a forked child.
 *
 *     sampled THREADS ROUNDS
 *     sampled THREADS ROUNDS short    without the long one, which takes 1 s
 *     sampled clone 0          children by clone(2) alone, each with a section
 *     sampled leave 0          the main thread ends first */
#include <pthread.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libhpm.h"

enum { MOST_THREADS = 64 };

static volatile double sink;

/* The name in the assembly prevents compilers from merging all functions. */
#define WORK(name)                                                             \
    static __attribute__((noinline)) void name(long n)                         \
    {                                                                          \
        double sum = 0.0;                                                      \
                                                                               \
        for (long i = 0; i < n; i++) {                                         \
            sum += (double)i;                                                  \
            __asm__ volatile("# " #name : "+m"(sum));                          \
        }                                                                      \
        sink = sum;                                                            \
    }

WORK(in_outer)
WORK(in_inner)
WORK(in_recursive)
WORK(in_first)
WORK(in_both)
WORK(in_second)
WORK(in_none)
WORK(in_serial)
WORK(in_child)
WORK(in_early)
WORK(in_late)

static void
recurse(int depth)
{
    hpmTstart(3, "recursive");
    in_recursive(2000);
    if (depth > 0)
        recurse(depth - 1);
    in_recursive(2000);
    hpmTstop(3);
}

static void *
work(void *context)
{
    int n = *(const int *)context;

    for (int i = 0; i < n; i++) {
        hpmTstart(1, "outer");
        in_outer(20000);
        hpmTstart(2, "inner");
        in_inner(20000);
        hpmTstop(2);
        in_outer(10000);
        hpmTstop(1);
        recurse(4);
        hpmTstart(4, "first");
        in_first(10000);
        hpmTstart(5, "second");
        in_both(10000);
        hpmTstop(4);
        in_second(10000);
        hpmTstop(5);
        in_none(10000);
    }
    return NULL;
}

/* Measured by the processor time of the process, as samples are: longer than a
 * ring has room for. */
static void
work_long(void)
{
    hpmTstart(6, "long");
    for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
        in_early(20000);
    for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
        in_late(20000);
    hpmTstop(6);
}

static int
work_in_child(void)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        for (int i = 0; i < 200; i++) {
            hpmTstart(9, "child");
            in_child(60000);
            hpmTstop(9);
        }
        hpmTerminate(0);
        _exit(3);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

/* The process section leaves samples to be taken by the thread; the child has a
 * copy of the thread, but not of the ring. */
static int
clone_children(void)
{
    for (int i = 0; i < 30; i++) {
        int status = 0;
        long child;

        in_serial(1000000);
        hpmStart(7, "parallel");
        hpmStop(7);
        child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            hpmTstart(9, "child");
            hpmTstop(9);
            _exit(11);
        }
        waitpid((pid_t)child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 11)
            return 1;
    }
    return 3;
}

static void *
work_alone(void *context)
{
    for (int i = 0; i < 20; i++) {
        hpmTstart(1, "outer");
        in_outer(1000000);
        hpmTstop(1);
    }
    return context;
}

int
main(int argc, char **argv)
{
    int n_threads = argc > 2 ? atoi(argv[1]) : 1;
    int n_rounds = argc > 2 ? atoi(argv[2]) : 100;
    pthread_t threads[MOST_THREADS];

    hpmInit(0, "sampled");
    if (argc > 1 && strcmp(argv[1], "clone") == 0)
        return clone_children();
    if (argc > 1 && strcmp(argv[1], "leave") == 0) {
        pthread_create(&threads[0], NULL, work_alone, NULL);
        pthread_exit(NULL);
    }
    hpmStart(7, "parallel");
    for (int i = 0; i < n_threads && i < MOST_THREADS; i++)
        pthread_create(&threads[i], NULL, work, &n_rounds);
    for (int i = 0; i < n_threads && i < MOST_THREADS; i++)
        pthread_join(threads[i], NULL);
    hpmStop(7);
    hpmStart(8, "serial");
    in_serial(20000000);
    hpmStop(8);
    if (argc <= 3)
        work_long();
    return work_in_child();
}
