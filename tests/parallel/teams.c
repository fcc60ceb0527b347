/* SPDX-License-Identifier: BSD-3-Clause
 * OpenMP in ways that are hard for a library: teams of changing size, teams
 * inside teams, tasks that may go on in another thread.  Prints how many calls
 * of each section there were. */
#include <libhpm.h>
#include <omp.h>
#include <stdio.h>

enum { CHANGING = 1, OUTER, INNER, TASK, WHOLE };

static long n_calls[WHOLE + 1];

static void
work(int id, const char *label)
{
    volatile double sum = 0.0;

    hpmTstart(id, label);
    for (int i = 1; i < 2000; i++)
        sum += 1.0 / i;
    hpmTstop(id);
#pragma omp atomic
    n_calls[id]++;
}

static void
change_teams(void)
{
    static const int sizes[] = {4, 2, 3, 1, 5};

    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(sizes[i])
        work(CHANGING, "changing");
    }
}

static void
nest_teams(int n)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(n)
    {
        hpmTstart(OUTER, "outer");
#pragma omp parallel num_threads(2)
        work(INNER, "inner");
        hpmTstop(OUTER);
#pragma omp atomic
        n_calls[OUTER]++;
    }
}

static void
run_tasks(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task untied
        {
            work(TASK, "task");
#pragma omp taskyield
            work(TASK, "task");
        }
    }
}

int
main(void)
{
    int n = omp_get_max_threads();

    hpmStart(WHOLE, "whole");
    change_teams();
    nest_teams(n < 4 ? n : 4);
    run_tasks();
    hpmStop(WHOLE);
    printf("changing %ld\ninner %ld\nouter %ld\ntask %ld\n", n_calls[CHANGING],
           n_calls[INNER], n_calls[OUTER], n_calls[TASK]);
    return hpm_error_count != 0;
}
