/* SPDX-License-Identifier: BSD-3-Clause
 * The resource usage of running targets, from /proc. */
#include "hpmcount/procusage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "source/machine/procfile.h"

static uint64_t
ns_of_ticks(unsigned long long ticks)
{
    return ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* The kernel measures the total exactly, but its parts by sampling. */
static bool
read_processor_ns(const char *folder, pid_t id, bool is_thread,
                  uint64_t *ret_ns)
{
    char path[96], text[128];
    struct timespec time;
    clockid_t clock;

    if (is_thread) {
        snprintf(path, sizeof path, "%s/schedstat", folder);
        if (hpm_procfile_read(path, text, sizeof text) <= 0)
            return false;
        *ret_ns = strtoull(text, NULL, 10);
        return true;
    }
    if (clock_getcpuclockid(id, &clock) != 0 ||
        clock_gettime(clock, &time) != 0)
        return false;
    *ret_ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    return true;
}

/* The peak memory is that of the whole process. */
static void
read_size(const char *folder, struct procusage_reading *reading)
{
    static const char label[] = "\nVmHWM:";
    char path[96], text[4096];
    const char *line;
    uint64_t kb;

    snprintf(path, sizeof path, "%s/status", folder);
    if (hpm_procfile_read(path, text, sizeof text) <= 0 ||
        (line = strstr(text, label)) == NULL)
        return;
    kb = strtoull(line + sizeof label - 1, NULL, 10);
    if (kb > reading->largest_kb)
        reading->largest_kb = kb;
}

static bool
add_task(pid_t id, bool is_thread, struct procusage_reading *reading)
{
    char folder[64], path[96], text[1024];
    unsigned long long minor, major, user, kernel;
    uint64_t ns, system_ns;
    const char *end = NULL;

    if (is_thread)
        snprintf(folder, sizeof folder, "/proc/%ld/task/%ld",
                 (long)targets_process_of(id), (long)id);
    else
        snprintf(folder, sizeof folder, "/proc/%ld", (long)id);
    snprintf(path, sizeof path, "%s/stat", folder);
    if (hpm_procfile_read(path, text, sizeof text) > 0)
        end = strrchr(text, ')');
    /* fields from 10 on; the name is field 2 */
    if (end == NULL ||
        sscanf(end + 1,
               " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu %*u %llu "
               "%llu",
               &minor, &major, &user, &kernel) != 4 ||
        !read_processor_ns(folder, id, is_thread, &ns))
        return false;
    (void)user;
    system_ns = ns_of_ticks(kernel);
    if (system_ns > ns)
        system_ns = ns;
    reading->user_ns += ns - system_ns;
    reading->system_ns += system_ns;
    reading->minor_faults += minor;
    reading->major_faults += major;
    read_size(folder, reading);
    return true;
}

/* A line is "cpu3 user nice system idle iowait irq softirq". */
static bool
add_cpu(const char *stat, int cpu, struct procusage_reading *reading)
{
    unsigned long long user, nice, system, irq, softirq;
    char label[32];
    const char *line;

    snprintf(label, sizeof label, "\ncpu%d ", cpu);
    line = strstr(stat, label);
    if (line == NULL ||
        sscanf(line + strlen(label), "%llu %llu %llu %*u %*u %llu %llu", &user,
               &nice, &system, &irq, &softirq) != 5)
        return false;
    reading->user_ns += ns_of_ticks(user + nice);
    reading->system_ns += ns_of_ticks(system + irq + softirq);
    return true;
}

static bool
add_cpus(const struct targets *targets, struct procusage_reading *reading)
{
    static char stat[1 << 16]; /* the processors' lines come first */
    bool is_known = hpm_procfile_read("/proc/stat", stat, sizeof stat) > 0;

    for (size_t i = 0; i < targets->n && is_known; i++)
        is_known = add_cpu(stat, targets->ids[i], reading);
    return is_known;
}

void
procusage_read(const struct targets *targets,
               struct procusage_reading *ret_reading)
{
    bool is_thread = targets->kind == TARGETS_THREADS;

    *ret_reading = (struct procusage_reading){.is_known = true};
    if (targets->kind == TARGETS_CGROUP)
        ret_reading->is_known = false;
    else if (targets->kind == TARGETS_CPUS)
        ret_reading->is_known = add_cpus(targets, ret_reading);
    else
        for (size_t i = 0; i < targets->n; i++)
            ret_reading->is_known &=
                add_task(targets->ids[i], is_thread, ret_reading);
}

static struct timeval
time_of(uint64_t ns)
{
    return (struct timeval){(time_t)(ns / 1000000000u),
                            (suseconds_t)(ns % 1000000000u / 1000u)};
}

static uint64_t
difference(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

void
procusage_take(const struct procusage_reading *from,
               const struct procusage_reading *to, struct rusage *ret_usage)
{
    *ret_usage = (struct rusage){
        .ru_utime = time_of(difference(from->user_ns, to->user_ns)),
        .ru_stime = time_of(difference(from->system_ns, to->system_ns)),
        .ru_minflt = (long)difference(from->minor_faults, to->minor_faults),
        .ru_majflt = (long)difference(from->major_faults, to->major_faults),
        .ru_maxrss = (long)to->largest_kb};
}

bool
procusage_knows(const struct targets *targets,
                const struct procusage_reading *to, const char *name)
{
    if (!to->is_known)
        return false;
    if (strcmp(name, "ru::utime") == 0 || strcmp(name, "ru::stime") == 0)
        return true;
    if (targets->kind == TARGETS_CPUS)
        return false;
    if (strcmp(name, "ru::maxrss") == 0)
        return to->largest_kb > 0;
    return strcmp(name, "ru::minflt") == 0 || strcmp(name, "ru::majflt") == 0;
}
