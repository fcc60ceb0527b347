/* SPDX-License-Identifier: BSD-3-Clause
 * A program of OpenMP, without any call of libhpm, whose threads wait for one another:
 * each function plants one wait of a twentieth of a second.  It prints lines
 * "THREAD STATE SECONDS" with what its own clock said of the time in each state, and
 * "threads N".  The argument says what else happens:
 *
 *     nested   teams inside teams
 *     exit     a thread leaves the program within a region
 *     fork     a thread forks within a region
 *     try      a thread tries to take a lock, and naps
 *     threads  two threads of the program's own begin regions at once
 *     regions  a thousand empty regions; says how many */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, N_REGIONS = 1000 };

enum state {
    TASK,
    REGION_BARRIER,
    LOOP_BARRIER,
    SINGLE_BARRIER,
    BARRIER,
    TASKWAIT,
    CRITICAL,
    LOCK,
    ORDERED,
    SERIAL_IDLE,
    N_STATES
};

static const char *const words[] = {"task",
                                    "region_barrier",
                                    "loop_barrier",
                                    "single_barrier",
                                    "explicit_barrier",
                                    "taskwait",
                                    "critical",
                                    "lock",
                                    "ordered",
                                    "serial_idle"};

static double spent[MOST][N_STATES];
static double left[MOST]; /* when each thread was through the region's work */
static double last_end;   /* of a region; 0: there was none */
static int n_threads;

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
nap(void)
{
    const struct timespec twentieth = {0, 50000000};

    nanosleep(&twentieth, NULL);
}

static void
add(enum state state, double since)
{
    spent[omp_get_thread_num()][state] += seconds() - since;
}

/* The first and the last thing that each thread does in a region. */
static void
enter(void)
{
    int me = omp_get_thread_num();

    if (me > 0 && last_end > 0)
        spent[me][SERIAL_IDLE] += seconds() - last_end;
}

static void
leave(void)
{
    left[omp_get_thread_num()] = seconds();
}

/* After each region, by the thread that began it. */
static void
end_region(void)
{
    last_end = seconds();
    for (int i = 0; i < n_threads; i++)
        spent[i][REGION_BARRIER] += last_end - left[i];
}

static void
explicit_barrier(int late)
{
#pragma omp parallel
    {
        double since;

        enter();
        if (omp_get_thread_num() == late)
            nap();
        since = seconds();
#pragma omp barrier
        add(BARRIER, since);
        leave();
    }
    end_region();
}

static void
end_of_region(int late)
{
#pragma omp parallel
    {
        enter();
        if (omp_get_thread_num() == late)
            nap();
        leave();
    }
    end_region();
}

/* One iteration is longer than the others, whoever gets it. */
static void
loop(void)
{
#pragma omp parallel
    {
        double since;

        enter();
        since = seconds(); /* stays where it gets no iteration */
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n_threads; i++) {
            if (i == 0)
                nap();
            since = seconds();
        }
        add(LOOP_BARRIER, since);
        leave();
    }
    end_region();
}

static void
single(void)
{
#pragma omp parallel
    {
        double since;

        enter();
        since = seconds();
#pragma omp single
        {
            nap();
            since = seconds();
        }
        add(SINGLE_BARRIER, since);
        leave();
    }
    end_region();
}

static void
critical(void)
{
#pragma omp parallel
    {
        double since;

        enter();
        since = seconds();
#pragma omp critical
        {
            add(CRITICAL, since);
            nap();
        }
        leave();
    }
    end_region();
}

static void
lock(void)
{
    omp_lock_t one;
    omp_nest_lock_t other;

    omp_init_lock(&one);
    omp_init_nest_lock(&other);
#pragma omp parallel
    {
        double since;

        enter();
        since = seconds();
        omp_set_lock(&one);
        add(LOCK, since);
        nap();
        omp_unset_lock(&one);
        since = seconds();
        omp_set_nest_lock(&other);
        omp_set_nest_lock(&other);
        add(LOCK, since);
        omp_unset_nest_lock(&other);
        omp_unset_nest_lock(&other);
        leave();
    }
    end_region();
    omp_destroy_lock(&one);
    omp_destroy_nest_lock(&other);
}

static void
ordered(void)
{
#pragma omp parallel
    {
        enter();
#pragma omp for ordered schedule(static, 1) nowait
        for (int i = 0; i < n_threads; i++) {
            double since = seconds();

#pragma omp ordered
            {
                add(ORDERED, since);
                nap();
            }
        }
        leave();
    }
    end_region();
}

static void
work_in_task(atomic_int *executor)
{
    double since = seconds();

    atomic_store(executor, omp_get_thread_num());
    nap();
    add(TASK, since);
}

/* Another thread, which waits in the barrier, gets the task. */
static void
task(void)
{
    static atomic_int executor;

    atomic_store(&executor, -1);
#pragma omp parallel
    {
        double since;

        enter();
        if (omp_get_thread_num() == 0) {
#pragma omp task
            work_in_task(&executor);
            while (atomic_load(&executor) < 0)
                sched_yield();
            since = seconds();
#pragma omp taskwait
            add(TASKWAIT, since);
        }
        since = seconds();
#pragma omp barrier
        add(BARRIER, since);
        leave();
    }
    end_region();
    spent[atomic_load(&executor)][BARRIER] -=
        spent[atomic_load(&executor)][TASK];
}

static void
plant(void)
{
    end_of_region(0);
    end_of_region(n_threads - 1);
    nap(); /* the serial part */
    explicit_barrier(0);
    explicit_barrier(n_threads - 1);
    loop();
    single();
    critical();
    lock();
    ordered();
    if (n_threads > 1)
        task();
}

/* ---- what else happens --------------------------------------------------- */

static void
nest(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1)
                nap();
        }
        if (omp_get_thread_num() == 1)
            nap();
    }
}

static void
exit_within(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == n_threads - 1) {
            nap();
            exit(7);
        }
#pragma omp barrier
    }
}

static void
fork_within(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            pid_t child = fork();
            int status;

            if (child == 0)
                _exit(3);
            waitpid(child, &status, 0);
            printf("child %d\n", WEXITSTATUS(status));
        }
    }
}

/* Thrice, each time in vain. */
static void
try_lock(void)
{
    omp_lock_t lock;
    int n_taken = 0;

    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel reduction(+ : n_taken)
    {
        for (int i = 0; i < 3 && omp_get_thread_num() == 1; i++) {
            n_taken += omp_test_lock(&lock);
            nap();
        }
    }
    omp_unset_lock(&lock);
    printf("taken %d\n", n_taken);
}

static void *
begin_regions(void *context)
{
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2)
        atomic_fetch_add((atomic_int *)context, 1);
    }
    return NULL;
}

static void
have_threads(void)
{
    static atomic_int n;
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, begin_regions, &n);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("regions %d\n", atomic_load(&n));
}

static void
have_regions(void)
{
    atomic_int n = 0;

    for (int i = 0; i < N_REGIONS; i++) {
#pragma omp parallel
        atomic_fetch_add(&n, 1);
    }
    printf("regions %d\n", atomic_load(&n));
}

static const struct {
    const char *name;
    void (*happen)(void);
} ways[] = {{"", plant},
            {"nested", nest},
            {"exit", exit_within},
            {"fork", fork_within},
            {"try", try_lock},
            {"threads", have_threads},
            {"regions", have_regions}};

int
main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            n_threads = omp_get_num_threads();
        leave();
    }
    end_region();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(name, ways[i].name) == 0)
            ways[i].happen();
    }
    for (int i = 0; i < n_threads && *name == '\0'; i++) {
        for (int state = 0; state < N_STATES; state++)
            printf("%d %s %.9f\n", i, words[state], spent[i][state]);
    }
    printf("threads %d\n", n_threads);
    return 0;
}
