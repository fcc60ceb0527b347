/* SPDX-License-Identifier: BSD-3-Clause
 * A witness of a run: two counters of its own that see whether the counting
 * of the others can be believed. */
#include "hpmcount/witness.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "source/event.h"
#include "source/perf.h"

/* What wait4 knows and a counter does not is little: the time before exec, and
 * from Linux 6.16 on that in which a process's memory is taken apart.  Of 300
 * short processes it was 5 %, of a find over a cold /usr 8 %. */
#define SLACK_NS UINT64_C(5000000)
enum { SLACK_PERCENT = 25 };

static int
open_clock(pid_t pid)
{
    struct hpm_event event = {.domain = HPM_DOMAIN_ALL,
                              .encoding = {.type = PERF_TYPE_SOFTWARE,
                                           .config = PERF_COUNT_SW_TASK_CLOCK}};
    int fd =
        hpm_perf_open(&event, pid, -1, HPM_PERF_INHERIT | HPM_PERF_ON_EXEC);

    if (fd >= 0)
        return fd;
    /* it counts the kernel's part as well, but not everybody may say so */
    event.domain = HPM_DOMAIN_USER;
    return hpm_perf_open(&event, pid, -1, HPM_PERF_INHERIT | HPM_PERF_ON_EXEC);
}

/* poll(2) of a counter says "hung up" once the task and all that inherited the
 * counter are gone, but only of one that is mapped; and an inherited counter
 * can be mapped only if it is bound to a processor, no matter which. */
static void
open_presence(struct witness *witness, pid_t pid)
{
    struct perf_event_attr attr;
    int fd;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.inherit = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    witness->size = 2 * (size_t)sysconf(_SC_PAGESIZE);
    fd = (int)syscall(SYS_perf_event_open, &attr, pid, sched_getcpu(), -1,
                      PERF_FLAG_FD_CLOEXEC);
    /* never one of 0, 1 and 2, which may be closed */
    witness->presence = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
    if (fd >= 0)
        close(fd);
    if (witness->presence < 0)
        return;
    witness->page = mmap(NULL, witness->size, PROT_READ | PROT_WRITE,
                         MAP_SHARED, witness->presence, 0);
    if (witness->page != MAP_FAILED)
        return;
    close(witness->presence);
    witness->presence = -1;
}

void
witness_open(struct witness *ret_witness, pid_t pid)
{
    *ret_witness = (struct witness){.clock = open_clock(pid)};
    open_presence(ret_witness, pid);
}

bool
witness_sees_others(const struct witness *witness)
{
    struct pollfd asked = {.fd = witness->presence, .events = POLLIN};

    return witness->presence >= 0 && poll(&asked, 1, 0) >= 0 &&
           (asked.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

static uint64_t
nanoseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000u +
           (uint64_t)time->tv_usec * 1000u;
}

bool
witness_misses_time(const struct witness *witness, const struct rusage *usage,
                    uint64_t *ret_used, uint64_t *ret_seen)
{
    uint64_t used =
        nanoseconds(&usage->ru_utime) + nanoseconds(&usage->ru_stime);
    uint64_t reading[3]; /* count, enabled, running */

    if (witness->clock < 0 ||
        read(witness->clock, reading, sizeof reading) != sizeof reading)
        return false;
    *ret_used = used;
    *ret_seen = reading[0];
    return used > reading[0] + used / 100 * SLACK_PERCENT + SLACK_NS;
}

void
witness_close(struct witness *witness)
{
    if (witness->clock >= 0)
        close(witness->clock);
    if (witness->presence >= 0) {
        munmap(witness->page, witness->size);
        close(witness->presence);
    }
    *witness = (struct witness)WITNESS_BLIND;
}
