/* SPDX-License-Identifier: BSD-3-Clause
 * 100 children that compute and touch memory; prints the resources that wait4
 * gives for them and this process: "CPU-nanoseconds page-faults".  They compute
 * for several milliseconds, because kernels from 6.16 on stop counting a
 * process before they release its memory, and this time is in wait4 but not in
 * the counters. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CHILDREN = 100, N_PAGES = 100 };

static void
work(void)
{
    volatile unsigned long sink = 0;
    char *memory = mmap(NULL, N_PAGES * 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int i = 0; i < N_PAGES; i++)
        memory[i * 4096] = 1;
    for (unsigned long i = 0; i < 20000000; i++)
        sink = sink + i;
}

static void
add(const struct rusage *usage, unsigned long long *ns, unsigned long *faults)
{
    *ns +=
        (unsigned long long)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) *
            1000000000u +
        (unsigned long long)(usage->ru_utime.tv_usec +
                             usage->ru_stime.tv_usec) *
            1000u;
    *faults += (unsigned long)(usage->ru_minflt + usage->ru_majflt);
}

int
main(void)
{
    unsigned long long ns = 0;
    unsigned long faults = 0;
    struct rusage usage;

    for (int i = 0; i < N_CHILDREN; i++) {
        if (fork() == 0) {
            work();
            _exit(0);
        }
        if (i % 4 == 3) {
            wait4(-1, NULL, 0, &usage);
            add(&usage, &ns, &faults);
        }
    }
    while (wait4(-1, NULL, 0, &usage) > 0)
        add(&usage, &ns, &faults);
    getrusage(RUSAGE_SELF, &usage);
    add(&usage, &ns, &faults);
    printf("%llu %lu\n", ns, faults);
    fflush(stdout);
    _exit(0); /* the work of exit would come after the sum */
}
