/* SPDX-License-Identifier: BSD-3-Clause
 * The witness of a run: extra counters that show whether the other counts are
 * reliable. */
#include "hpmcount/witness.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "source/event.h"
#include "source/machine/procfile.h"
#include "source/perf.h"
#include "source/usage.h"

/* ---- opening ---------------------------------------------------------- */

static int
open_clock(pid_t pid)
{
    struct hpm_event event = {.domain = HPM_DOMAIN_ALL,
                              .encoding = {.type = PERF_TYPE_SOFTWARE,
                                           .config = PERF_COUNT_SW_TASK_CLOCK}};
    int fd = hpm_perf_open(&event, pid, -1, HPM_PERF_INHERIT);

    if (fd >= 0)
        return fd;
    /* this includes the kernel's part, but not every user may count that */
    event.domain = HPM_DOMAIN_USER;
    return hpm_perf_open(&event, pid, -1, HPM_PERF_INHERIT);
}

static int
open_faults(pid_t pid)
{
    const struct hpm_event event = {
        .domain = HPM_DOMAIN_USER,
        .encoding = {.type = PERF_TYPE_SOFTWARE,
                     .config = PERF_COUNT_SW_PAGE_FAULTS}};

    return hpm_perf_open(&event, pid, -1, HPM_PERF_INHERIT | HPM_PERF_ON_EXEC);
}

static uint64_t
processor_time(pid_t pid)
{
    struct timespec time;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 ||
        clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* poll(2) of a counter returns "hung up" when the task and all that inherited
 * the counter are gone, but only for a mapped counter; and an inherited counter
 * can be mapped only if it is bound to a processor, no matter which one. */
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
    /* never 0, 1 or 2, which may be closed */
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
    *ret_witness = (struct witness){.program = pid,
                                    .clock = open_clock(pid),
                                    .faults = open_faults(pid),
                                    .before_ns = processor_time(pid)};
    open_presence(ret_witness, pid);
}

/* ---- while the program runs ------------------------------------------ */

static bool
has_hung_up(const struct witness *witness)
{
    struct pollfd asked = {.fd = witness->presence, .events = POLLIN};

    return witness->presence >= 0 && poll(&asked, 1, 0) > 0 &&
           (asked.revents & (POLLHUP | POLLERR)) != 0;
}

/* Has the process begun to end?  True also if this is not known. */
static bool
is_ending(pid_t pid)
{
    static const unsigned long exiting = 0x4; /* the kernel's PF_EXITING */
    char path[64], line[512];
    const char *fields = NULL;
    unsigned long flags;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    if (hpm_procfile_line(path, line, sizeof line))
        fields = strrchr(line, ')'); /* the name may contain anything */
    return fields == NULL ||
           sscanf(fields, ") %*c %*d %*d %*d %*d %*d %lu", &flags) != 1 ||
           (flags & exiting) != 0;
}

/* A process that ends shows this before its counters go: a process without
 * counters that is not ending has lost them. */
void
witness_look(struct witness *witness)
{
    if (!witness->is_taken && has_hung_up(witness) &&
        !is_ending(witness->program))
        witness->is_taken = true;
}

/* ---- at the end ------------------------------------------------------ */

bool
witness_sees_others(const struct witness *witness)
{
    struct pollfd asked = {.fd = witness->presence, .events = POLLIN};

    return witness->presence >= 0 && poll(&asked, 1, 0) >= 0 &&
           (asked.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

static bool
read_count(int fd, uint64_t *ret_count)
{
    uint64_t reading[3]; /* count, enabled, running */

    if (fd < 0 || read(fd, reading, sizeof reading) != sizeof reading)
        return false;
    *ret_count = reading[0];
    return true;
}

/* Processor time that the kernel charges but no counter sees can have other
 * causes, too.  From Linux 6.16 on a task loses its counters before its memory
 * is released: for 500 forks of a process of 100 MB this was 52 % of all time,
 * for 5,000 threads 30 %; for a grep that waited for a cold disk 29 % was
 * missing.  So three quarters are a proof, and less is only reported as
 * possible.  But for 1,500 short sleeps on a loaded machine it was 77 %, 37 us
 * each: so it is not a proof where switches and page faults may have taken so
 * much time. */
enum { PROOF_PERCENT = 75, PROOF_TIMES = 4 };

/* Less can come from measuring and chance. */
enum { LEAST_NS = 1000000 };

/* The time that may be missing for each process that ended.  It was 48 us for
 * each of 2,000 subshells, and 122 us for each of 19 processes on a loaded
 * machine.  A program that takes counters away and runs for so short a time
 * cannot be distinguished from an end. */
enum { END_NS = 250000 };

static uint64_t
missing_of(const struct witness_finding *finding)
{
    return finding->used_ns > finding->seen_ns
               ? finding->used_ns - finding->seen_ns
               : 0;
}

/* A tenth is reported as possible where this is more than the ends of processes
 * explain; a hundredth where it is more than switches and page faults
 * explain. */
static enum loss
judge_time(const struct witness_finding *finding, const struct rusage *usage,
           uint64_t n_ends)
{
    uint64_t missing = missing_of(finding);

    if (missing > finding->used_ns / 100 * PROOF_PERCENT &&
        missing > PROOF_TIMES * hpm_usage_uncounted_ns(usage))
        return LOSS_PART;
    if (missing > finding->used_ns / 10 && missing > LEAST_NS &&
        missing > n_ends * END_NS)
        return LOSS_POSSIBLE;
    return missing > finding->used_ns / 100 &&
                   missing > hpm_usage_uncounted_ns(usage)
               ? LOSS_POSSIBLE
               : LOSS_NONE;
}

/* The first instruction of a program causes a page fault in user mode: if there
 * is none, the counters were lost before. */
struct witness_finding
witness_judge(const struct witness *witness, const struct rusage *usage,
              uint64_t n_ends)
{
    struct witness_finding finding = {.loss = LOSS_NONE};
    uint64_t used = hpm_usage_processor_ns(usage);
    uint64_t faults;

    if (!read_count(witness->clock, &finding.seen_ns))
        return finding;
    finding.used_ns = used > witness->before_ns ? used - witness->before_ns : 0;
    finding.is_clock_short =
        hpm_usage_is_clock_short(finding.used_ns, finding.seen_ns);
    if (read_count(witness->faults, &faults) && faults == 0)
        finding.loss = LOSS_ALL;
    else if (witness->is_taken)
        finding.loss = LOSS_PROGRAM;
    else
        finding.loss = judge_time(&finding, usage, n_ends);
    return finding;
}

void
witness_close(struct witness *witness)
{
    if (witness->clock >= 0)
        hpm_perf_drop(witness->clock);
    if (witness->faults >= 0)
        hpm_perf_drop(witness->faults);
    if (witness->presence >= 0) {
        munmap(witness->page, witness->size);
        close(witness->presence);
    }
    *witness = (struct witness)WITNESS_BLIND;
}
