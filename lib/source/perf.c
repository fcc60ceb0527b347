/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's perf_event_open, and the meaning of its errors. */
#include "source/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/descriptor.h"

/* All that the kernel accepts: config3 came with Linux 6.3 and is not in older
 * headers. */
union whole_attr {
    struct perf_event_attr attr;
    uint64_t words[17];
};

enum { CONFIG3 = 16 };

static void
fill_attr(union whole_attr *whole, const struct hpm_event *event, int leader,
          unsigned flags)
{
    struct perf_event_attr *attr = &whole->attr;
    bool is_leader = leader < 0 && (flags & HPM_PERF_GROUP) != 0;

    memset(whole, 0, sizeof *whole);
    attr->size = event->encoding.config3 != 0 ? sizeof *whole : sizeof *attr;
    whole->words[CONFIG3] = event->encoding.config3;
    attr->type = event->encoding.type;
    attr->config = event->encoding.config;
    attr->config1 = event->encoding.config1;
    attr->config2 = event->encoding.config2;
    attr->read_format =
        PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    if (flags & HPM_PERF_GROUP)
        attr->read_format |= PERF_FORMAT_GROUP;
    attr->exclude_kernel = event->domain == HPM_DOMAIN_USER;
    attr->exclude_user = event->domain == HPM_DOMAIN_KERNEL;
    attr->exclude_hv = event->domain != HPM_DOMAIN_ALL;
    attr->inherit = (flags & HPM_PERF_INHERIT) != 0;
    attr->disabled = is_leader || (flags & HPM_PERF_ON_EXEC) != 0;
    /* for a leader this has no effect (the descriptor is closed on exec); but
     * without it Arm's driver ignores the leader when it checks whether a group
     * fits, and accepts a group that never runs */
    attr->enable_on_exec = is_leader || (flags & HPM_PERF_ON_EXEC) != 0;
}

struct hpm_event
hpm_perf_leader(const struct hpm_event *event)
{
    return (struct hpm_event){.domain = event->domain,
                              .encoding.type = event->encoding.type,
                              .encoding.config = event->encoding.leader};
}

static int
open_attr(union whole_attr *whole, pid_t pid, int cpu, int leader,
          unsigned flags)
{
    unsigned long kernel_flags = PERF_FLAG_FD_CLOEXEC;

    if ((flags & HPM_PERF_CGROUP) != 0)
        kernel_flags |= PERF_FLAG_PID_CGROUP;
    return (int)syscall(SYS_perf_event_open, &whole->attr, pid, cpu, leader,
                        kernel_flags);
}

/* Bit 1 of config1 asks Arm's driver to allow that; for other PMUs it may mean
 * something else. */
static bool
can_ask_for_user(const struct hpm_event *event)
{
    uint32_t type = event->encoding.type;

    return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
           type == PERF_TYPE_RAW;
}

/* Move a new descriptor out of the program's way. */
static int
hold(int fd)
{
    fd = hpm_descriptor_hold(fd);
    if (fd >= 0 && hpm_descriptor_is_reserved(fd)) {
        hpm_perf_drop(fd);
        errno = EMFILE;
        return -1;
    }
    return fd;
}

int
hpm_perf_open(const struct hpm_event *event, pid_t pid, int leader,
              unsigned flags)
{
    return hpm_perf_open_on(event, pid, -1, leader, flags);
}

int
hpm_perf_open_on(const struct hpm_event *event, pid_t pid, int cpu, int leader,
                 unsigned flags)
{
    const uint64_t user_access = 2;
    union whole_attr whole;
    int fd = -1;

    fill_attr(&whole, event, leader, flags);
    if ((flags & HPM_PERF_USER) != 0 && can_ask_for_user(event)) {
        whole.attr.config1 |= user_access;
        fd = open_attr(&whole, pid, cpu, leader, flags);
        whole.attr.config1 = event->encoding.config1;
    }
    if (fd < 0)
        fd = open_attr(&whole, pid, cpu, leader, flags);
    return hold(fd);
}

/* Ask for the sampled address to be as near to the event's cause as this
 * processor can tell, for PMUs that can tell it at all. */
static int
open_precisely(union whole_attr *whole, pid_t pid, int cpu)
{
    unsigned precision = whole->attr.type == PERF_TYPE_SOFTWARE ? 0 : 2;
    int fd;

    do {
        whole->attr.precise_ip = precision & 3;
        fd = open_attr(whole, pid, cpu, -1, 0);
    } while (fd < 0 && precision-- > 0);
    return fd;
}

/* Ask for mappings, and for what only newer kernels tell. */
static int
open_telling(union whole_attr *whole, pid_t pid, int cpu, bool tells_mappings)
{
    const uint64_t format_lost = 1u << 4; /* PERF_FORMAT_LOST, Linux 6.0 */
    struct perf_event_attr *attr = &whole->attr;
    int fd;

    attr->mmap = attr->mmap2 = tells_mappings;
    attr->read_format |= format_lost;
#ifdef PERF_RECORD_MISC_MMAP_BUILD_ID
    attr->build_id = tells_mappings; /* Linux 5.12 */
#endif
    fd = open_precisely(whole, pid, cpu);
    if (fd >= 0 || errno != EINVAL)
        return fd;
    attr->read_format &= ~format_lost;
    fd = open_precisely(whole, pid, cpu);
#ifdef PERF_RECORD_MISC_MMAP_BUILD_ID
    if (fd >= 0 || errno != EINVAL)
        return fd;
    attr->build_id = 0;
    fd = open_precisely(whole, pid, cpu);
#endif
    return fd;
}

int
hpm_perf_open_samples(const struct hpm_event *event, uint64_t period,
                      bool tells_mappings, uint32_t n_waking)
{
    union whole_attr whole;
    struct perf_event_attr *attr = &whole.attr;
    int fd;

    fill_attr(&whole, event, -1, 0);
    attr->disabled = 1;
    attr->sample_period = period;
    attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
    attr->watermark = 1;
    attr->wakeup_watermark = n_waking;
    fd = open_telling(&whole, 0, -1, tells_mappings);
    return hold(fd);
}

/* The kernel finds callers by frame pointers; the sampled address itself is one
 * of n_callers + 1. */
static void
ask_for_callers(struct perf_event_attr *attr, unsigned n_callers)
{
    if (n_callers == 0)
        return;
    attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr->exclude_callchain_kernel = 1;
    attr->sample_max_stack = (uint16_t)(n_callers + 1);
}

int
hpm_perf_open_program_samples(const struct hpm_event *event, pid_t pid, int cpu,
                              uint64_t period, unsigned n_callers,
                              bool tells_all)
{
    union whole_attr whole;
    struct perf_event_attr *attr = &whole.attr;

    fill_attr(&whole, event, -1, HPM_PERF_INHERIT | HPM_PERF_ON_EXEC);
    attr->sample_period = period;
    attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
                        PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attr->sample_id_all = 1;
    attr->use_clockid = 1;
    attr->clockid = CLOCK_MONOTONIC;
    attr->comm = attr->comm_exec = attr->task = tells_all;
    ask_for_callers(attr, n_callers);
    return open_telling(&whole, pid, cpu, tells_all);
}

bool
hpm_perf_read_samples(int fd, struct hpm_perf_samples *ret_samples)
{
    uint64_t reading[4]; /* count, enabled, running, lost */
    ssize_t n = read(fd, reading, sizeof reading);

    if (n < (ssize_t)sizeof reading - 8)
        return false;
    *ret_samples = (struct hpm_perf_samples){.count = reading[0]};
    ret_samples->counts_lost = n == sizeof reading;
    if (ret_samples->counts_lost)
        ret_samples->n_lost = reading[3];
    return true;
}

void
hpm_perf_enable(int fd)
{
    int saved_errno = errno;

    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    errno = saved_errno;
}

void
hpm_perf_set_period(int fd, uint64_t period)
{
    int saved_errno = errno;

    ioctl(fd, PERF_EVENT_IOC_PERIOD, &period);
    errno = saved_errno;
}

bool
hpm_perf_counts(int fd)
{
    uint64_t reading[3] = {0}; /* count, enabled, running */
    volatile unsigned long sink = 0;

    for (unsigned long i = 0; i < 100000; i++)
        sink = sink + i;
    /* a counter that never had the hardware shows nothing */
    return read(fd, reading, sizeof reading) == sizeof reading &&
           (reading[0] != 0 || reading[2] == 0);
}

/* Enabling a group before it is complete would be wrong: Linux 6.18 keeps a
 * member of another PMU than the leader's (task-clock and page-faults are of
 * two) off the processor until the thread is switched out once, and yet says
 * that it ran all the time. */
void
hpm_perf_enable_group(int leader)
{
    int saved_errno = errno;

    ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
    errno = saved_errno;
}

/* Only perf has this request number: on any other file it fails. */
uint64_t
hpm_perf_identity(int fd)
{
    uint64_t identity = 0;
    int saved_errno = errno;

    if (ioctl(fd, PERF_EVENT_IOC_ID, &identity) != 0)
        identity = 0;
    errno = saved_errno;
    return identity;
}

void
hpm_perf_close(int fd, uint64_t identity)
{
    hpm_descriptor_release(fd);
    if (fd >= 0 && hpm_perf_identity(fd) == identity)
        close(fd);
}

void
hpm_perf_drop(int fd)
{
    hpm_descriptor_release(fd);
    close(fd);
}
