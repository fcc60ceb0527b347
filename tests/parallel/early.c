/* SPDX-License-Identifier: BSD-3-Clause
 * A library that has a parallel region before any preloaded library begins, and one when
 * the program ends; and its program. */
#include <stdlib.h>
#include <unistd.h>

void region(void);

#ifdef PROGRAM
int
main(void)
{
    region();
    return 2;
}
#else
static void begin(void) __attribute__((constructor));

void
region(void)
{
#pragma omp parallel num_threads(2)
    usleep(10000);
}

static void
begin(void)
{
    region();
    atexit(region);
}
#endif
