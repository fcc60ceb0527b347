/* SPDX-License-Identifier: BSD-3-Clause
 * The counters a benchmark counts. */
#include "config.h"

#include "counters.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef BENCH_HAVE_PAPI
#include <sde_lib.h>
#endif

long long bench_sde[BENCH_SDE_COUNTERS];

bool
bench_sde_register(void)
{
#ifdef BENCH_HAVE_PAPI
    papi_handle_t library = papi_sde_init("Bench");

    for (int i = 0; i < BENCH_SDE_COUNTERS; i++) {
        char name[16];

        snprintf(name, sizeof name, "c%d", i);
        if (papi_sde_register_counter(library, name,
                                      PAPI_SDE_RO | PAPI_SDE_DELTA,
                                      PAPI_SDE_long_long, &bench_sde[i]) != 0)
            return false;
    }
    return true;
#else
    return false;
#endif
}

static int
open_event(uint64_t event, int leader, uint64_t read_format)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = event;
    attr.read_format = read_format;
    attr.disabled = leader < 0;
    attr.exclude_kernel = geteuid() != 0;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader,
                        PERF_FLAG_FD_CLOEXEC);
}

int
bench_kernel_group(bool is_plain)
{
    static const uint64_t events[] = {
        PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS,
        PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS};
    uint64_t format = PERF_FORMAT_GROUP;
    int leader;

    if (!is_plain)
        format |=
            PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    leader = open_event(events[0], -1, format);
    for (size_t i = 1; leader >= 0 && i < sizeof events / sizeof events[0];
         i++) {
        if (open_event(events[i], leader, format) < 0)
            return -1;
    }
    if (leader >= 0)
        ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
    return leader;
}
