/* SPDX-License-Identifier: BSD-3-Clause
 * How long a section of known work takes, by the lab's clock, which counts all that
 * the processor does, of the kernel too.
 *
 *     rate          prints "N ns" for N_CALLS calls of it
 *     rate PERIOD   the same while the kernel alone samples the program's cycles,
 *                   into memory that nobody reads
 */
#include <libhpm.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { N_CALLS = 1000, ROUNDS = 250000, RING_PAGES = 1 + 16 };

void burn(long rounds); /* loop.S: four instructions a round */

static bool
sample_cycles(uint64_t period)
{
    struct perf_event_attr attr;
    int fd;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_CPU_CYCLES;
    attr.sample_period = period;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER;
    attr.exclude_kernel = attr.exclude_hv = 1;
    fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    return fd >= 0 &&
           mmap(NULL, (size_t)(RING_PAGES * sysconf(_SC_PAGESIZE)),
                PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED;
}

static long long
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void
call(void)
{
    hpmTstart(1, "work");
    burn(ROUNDS);
    hpmTstop(1);
}

int
main(int argc, char **argv)
{
    long long begin;

    hpmInit(0, "rate");
    if (argc > 1 && !sample_cycles(strtoull(argv[1], NULL, 10)))
        return 1;
    for (int i = 0; i < 50; i++)
        call();
    begin = now();
    for (int i = 0; i < N_CALLS; i++)
        call();
    printf("%lld ns\n", now() - begin);
    hpmTerminate(0);
    return 0;
}
