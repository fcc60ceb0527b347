/* SPDX-License-Identifier: BSD-3-Clause
 * A module that uses OpenMP, for a program that does not: tasks of all kinds that gcc
 * hands to libgomp in another way than plain ones.  The thread that makes them waits
 * twice for the other one, a tenth of a second each time, within a call. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void run_module(void);

static atomic_int n_here, sum;

/* For five seconds at most. */
static void
wait_for_here(int n)
{
    for (int i = 0; i < 5000 && n_here < n; i++)
        usleep(1000);
}

static void
make_loop(int maker)
{
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 2; i++) {
        n_here++;
        wait_for_here(2);
        if (omp_get_thread_num() != maker)
            usleep(100000);
    }
}

static void
make_dependent(void)
{
    int value = 0;

#pragma omp task depend(out : value) shared(value)
    {
        n_here++;
        usleep(100000);
        value = 5;
    }
    wait_for_here(3);
#pragma omp task if (0) depend(in : value) shared(value)
    sum += value;
}

/* Data whose length nobody knows before are copied by a function, and the event stands
 * at their beginning. */
static void
make_with_event(int n, int is_deferred)
{
    omp_event_handle_t event;
    char data[n];

    memset(data, 1, sizeof data);
#pragma omp task detach(event) firstprivate(data) if (is_deferred)
    {
        omp_fulfill_event(event);
        sum += data[n - 1];
    }
}

void
run_module(void)
{
    int n_threads = 0;

    n_here = sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        n_threads = omp_get_num_threads();
        make_loop(omp_get_thread_num());
        make_dependent();
        for (int i = 0; i < 10; i++)
            make_with_event(100, i % 2);
    }
    printf("%d threads, sum %d\n", n_threads, sum);
}
