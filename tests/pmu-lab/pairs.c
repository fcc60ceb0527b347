/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of a start and a stop, in instructions: counted from outside, by a
 * counter of the program's own.
 *
 *     pairs        prints "N instructions a pair"; with HPM_DISABLE=1 for the
 *                  loop
 *     pairs all    also counts instructions of the kernel */
#include <libhpm.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_PAIRS = 1000 };

static uint64_t
count(int fd)
{
    uint64_t value = 0;

    return read(fd, &value, sizeof value) == sizeof value ? value : 0;
}

int
main(int argc, char **argv)
{
    struct perf_event_attr attr;
    uint64_t before, after;
    int fd;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = argc < 2 || strcmp(argv[1], "all") != 0;
    attr.exclude_hv = 1;
    fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    for (int i = 0; i < 10; i++) {
        hpmTstart(1, "pair");
        hpmTstop(1);
    }
    before = count(fd);
    for (int i = 0; i < N_PAIRS; i++) {
        hpmTstart(1, "pair");
        hpmTstop(1);
    }
    after = count(fd);
    printf("%llu instructions a pair\n",
           (unsigned long long)((after - before + N_PAIRS / 2) / N_PAIRS));
    return fd < 0;
}
