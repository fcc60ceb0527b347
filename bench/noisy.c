/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose work differs from run to run by some percent: noisy STEPS.
 * For bench/verdicts.py. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    volatile unsigned long sum = 0;
    struct timespec now;
    double steps;

    if (argc != 2 || (steps = atof(argv[1])) < 1.0) {
        fprintf(stderr, "usage: noisy STEPS\n");
        return 2;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    srand48(now.tv_nsec ^ ((long)getpid() << 16));
    steps *= 0.95 + 0.05 * (drand48() + drand48()); /* deviation: 2 % */
    for (unsigned long i = 0; i < (unsigned long)steps; i++)
        sum += i;
    return 0;
}
