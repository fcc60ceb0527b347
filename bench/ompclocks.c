/* SPDX-License-Identifier: BSD-3-Clause
 * A bare tool of OpenMP that reads the clock in each call that libhpm_openmp takes, and
 * adds up what passed: the least that a tool which takes times does. */
#include <stddef.h>
#include <stdint.h>

#include "openmp/ompt.h"
#include "source/clock.h"

static __thread uint64_t sum, last;

static void
add(void)
{
    uint64_t now = hpm_clock_read_tick();

    sum += now - last;
    last = now;
}

static int
start(hpm_ompt_lookup lookup, int device, union hpm_ompt_data *data)
{
    static const int events[] = {
        HPM_OMPT_THREAD_BEGIN,   HPM_OMPT_THREAD_END,
        HPM_OMPT_PARALLEL_BEGIN, HPM_OMPT_PARALLEL_END,
        HPM_OMPT_TASK_SCHEDULE,  HPM_OMPT_IMPLICIT_TASK,
        HPM_OMPT_WORK,           HPM_OMPT_SYNC_REGION_WAIT,
        HPM_OMPT_MUTEX_ACQUIRE,  HPM_OMPT_MUTEX_ACQUIRED,
        HPM_OMPT_NEST_LOCK};
    hpm_ompt_set_callback set =
        (hpm_ompt_set_callback)lookup("ompt_set_callback");

    (void)device, (void)data;
    for (size_t i = 0; set != NULL && i < sizeof events / sizeof events[0]; i++)
        set(events[i], add);
    return set != NULL;
}

static void
finish(union hpm_ompt_data *data)
{
    (void)data;
}

struct hpm_ompt_start *ompt_start_tool(unsigned version, const char *runtime);

struct hpm_ompt_start *
ompt_start_tool(unsigned version, const char *runtime)
{
    static struct hpm_ompt_start tool = {start, finish, {0}};

    (void)version, (void)runtime;
    return &tool;
}
