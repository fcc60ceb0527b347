/* SPDX-License-Identifier: BSD-3-Clause
 * OpenMP: teams that change their size, teams inside teams, untied tasks.  The
 * number of calls of each section is known. */
#include <omp.h>

#include <libhpm.h>

static void
section(int id, const char *label)
{
    hpmTstart(id, label);
    hpmTstop(id);
}

int
main(void)
{
    static const int sizes[] = {1, 2, 64, 3, 64};

    omp_set_dynamic(0);
    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(sizes[i])
        section(1, "team"); /* 134 calls */
    }
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        section(2, "outside"); /* 2 calls */
#pragma omp parallel num_threads(3)
        section(3, "inside"); /* 6 calls */
    }
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task untied
        section(4, "task"); /* 100 calls */
    }
#pragma omp parallel
    section(5, "default"); /* OMP_NUM_THREADS calls */
    return 0;
}
