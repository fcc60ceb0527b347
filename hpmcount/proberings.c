/* SPDX-License-Identifier: BSD-3-Clause
 * What the kernel writes when a program enters or leaves a probed function. */
#include "hpmcount/proberings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/obstacle.h"
#include "source/perf.h"
#include "source/ring.h"
#include "source/source.h"

enum { MOST_BYTES = 4 << 20, LEAST_BYTES = 64 << 10, RECORD_BYTES = 1 << 16 };

/* Which record does the own event number i make?  The events of each file come first:
 * its entries, and its returns if they are recorded. */
static enum proberings_kind
kind_of(const struct proberings *rings, size_t i)
{
    size_t each = rings->extent == PROBERINGS_CALLS ? 1 : 2;

    if (i >= each * rings->n_files)
        return PROBERINGS_SWITCH;
    return i % each == 0 ? PROBERINGS_ENTRY : PROBERINGS_BACK;
}

static bool
is_read(const struct proberings *rings)
{
    return rings->extent == PROBERINGS_COUNTS;
}

/* ---- opening ----------------------------------------------------------- */

/* All members must agree in these, or the kernel refuses the group.  Each record
 * has the group's counts of this thread on this processor: with `inherit` since
 * Linux 6.13. */
static void
fill_attr(struct perf_event_attr *attr, const struct hpm_event *event,
          bool has_counts)
{
    memset(attr, 0, sizeof *attr);
    attr->size = sizeof *attr;
    attr->type = event->encoding.type;
    attr->config = event->encoding.config;
    attr->config1 = event->encoding.config1;
    attr->config2 = event->encoding.config2;
    attr->exclude_kernel = event->domain == HPM_DOMAIN_USER;
    attr->exclude_user = event->domain == HPM_DOMAIN_KERNEL;
    attr->exclude_hv = event->domain != HPM_DOMAIN_ALL;
    attr->inherit = 1;
    attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
                        PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr->sample_type =
        PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    if (has_counts)
        attr->sample_type |= PERF_SAMPLE_READ;
    attr->sample_id_all = 1;
    attr->use_clockid = 1;
    attr->clockid = CLOCK_MONOTONIC;
}

static bool
open_member(struct proberings_ring *ring, struct perf_event_attr *attr,
            pid_t pid, int cpu, bool now)
{
    int leader = ring->n_fds > 0 ? ring->fds[0] : -1, fd;

    attr->disabled = leader < 0;
    attr->enable_on_exec = leader < 0 && !now;
    /* a group that took turns with others would miss calls */
    attr->pinned = leader < 0;
    fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, leader,
                      PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return false;
    ring->fds[ring->n_fds++] = fd;
    return true;
}

static bool
open_counters(struct proberings *rings, struct proberings_ring *ring, pid_t pid,
              int cpu, bool now)
{
    for (size_t i = 0; i < rings->set->n_events; i++) {
        struct perf_event_attr attr;

        if (!rings->is_counted[i])
            continue;
        fill_attr(&attr, &rings->set->events[i], true);
        if (!open_member(ring, &attr, pid, cpu, now))
            return false;
    }
    return true;
}

/* Each switch away from a thread leaves a reading: so what the thread counted on
 * this processor is known when it goes on at another one.  So does its end: a
 * function that calls exit has no return.  Who may not hear of what the kernel does
 * is told of the probes, which are hit in the program. */
static void
list_own(const struct proberings *rings, const struct tracefs *tracefs,
         struct hpm_event *ret_events)
{
    const uint64_t others[] = {PERF_COUNT_SW_CONTEXT_SWITCHES, tracefs->end,
                               tracefs->exec};
    size_t n_probes = rings->n_files, n = 0;

    for (size_t k = 0; k < n_probes; k++) {
        ret_events[n++].encoding.config = tracefs->files[k].entry;
        if (rings->extent != PROBERINGS_CALLS)
            ret_events[n++].encoding.config = tracefs->files[k].back;
    }
    for (size_t k = 0; n < rings->n_own; k++)
        ret_events[n++].encoding.config = others[k];
    for (size_t i = 0; i < n; i++) {
        ret_events[i].domain =
            is_read(rings) ? HPM_DOMAIN_ALL : HPM_DOMAIN_USER;
        ret_events[i].encoding.type = PERF_TYPE_TRACEPOINT;
        if (is_read(rings) && i == n - 3)
            ret_events[i].encoding.type = PERF_TYPE_SOFTWARE;
    }
}

static bool
open_own(const struct proberings *rings, struct proberings_ring *ring,
         const struct tracefs *tracefs, pid_t pid, int cpu, bool now)
{
    struct hpm_event events[PROBERINGS_OWN] = {{.name = NULL}};

    list_own(rings, tracefs, events);
    for (size_t i = 0; i < rings->n_own; i++) {
        struct perf_event_attr attr;

        fill_attr(&attr, &events[i], is_read(rings));
        attr.sample_period = 1;
        if (kind_of(rings, i) != PROBERINGS_SWITCH)
            attr.sample_type |= PERF_SAMPLE_RAW;
        attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task =
            i == 0;
        if (!open_member(ring, &attr, pid, cpu, now))
            return false;
        ring->identities[i] = hpm_perf_identity(ring->fds[ring->n_fds - 1]);
    }
    return true;
}

static bool
map(struct proberings_ring *ring, size_t n_own)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t first_own = ring->n_fds - n_own;
    void *memory = MAP_FAILED;

    for (ring->bytes = MOST_BYTES;
         memory == MAP_FAILED && ring->bytes >= LEAST_BYTES; ring->bytes /= 2)
        memory = mmap(NULL, page + ring->bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED, ring->fds[first_own], 0);
    if (memory == MAP_FAILED)
        return false;
    ring->bytes *= 2; /* the loop went one step further */
    ring->page = memory;
    for (size_t i = first_own + 1; i < ring->n_fds; i++) {
        if (ioctl(ring->fds[i], PERF_EVENT_IOC_SET_OUTPUT,
                  ring->fds[first_own]) != 0)
            return false;
    }
    return true;
}

static void
close_ring(struct proberings_ring *ring)
{
    if (ring->page != NULL)
        munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->bytes);
    for (size_t i = ring->n_fds; i-- > 0;)
        close(ring->fds[i]);
    *ring = (struct proberings_ring){.page = NULL};
}

static bool
explain(int error, struct hpm_error *err)
{
    struct hpm_error why;

    if (error == EINVAL)
        return hpm_error_set(err, "--section: this kernel does not read "
                                  "counters at probes of programs with "
                                  "threads; Linux 6.13 does");
    hpm_obstacle_explain(error, &why);
    return hpm_error_set(err, "--section: %s", why.text);
}

/* An offline processor gets no ring. */
static bool
open_ring(struct proberings *rings, const struct tracefs *tracefs, pid_t pid,
          int cpu, bool now, struct hpm_error *err)
{
    struct proberings_ring *ring = &rings->rings[rings->n_rings];

    if (!open_counters(rings, ring, pid, cpu, now) ||
        !open_own(rings, ring, tracefs, pid, cpu, now)) {
        int error = errno;

        close_ring(ring);
        return error == ENODEV || explain(error, err);
    }
    rings->n_rings++;
    if (!map(ring, rings->n_own))
        return hpm_error_set(err, "--section: no memory for records: %s",
                             strerror(errno));
    if (now)
        ioctl(ring->fds[0], PERF_EVENT_IOC_ENABLE, 0);
    return true;
}

bool
proberings_open(struct proberings *rings, const struct hpm_eventset *set,
                const struct tracefs *tracefs, pid_t pid, bool now,
                enum proberings_extent extent, struct hpm_error *err)
{
    long n_cpus = sysconf(_SC_NPROCESSORS_CONF);

    *rings = (struct proberings){.n_rings = 0};
    if (extent == PROBERINGS_COUNTS &&
        (tracefs->end == 0 || tracefs->exec == 0))
        return hpm_error_set(err, "--section: the ends of programs cannot be "
                                  "seen (in tracefs the tracepoints "
                                  "sched_process_exit, sched_prepare_exec)");
    *rings = (struct proberings){
        .set = set, .extent = extent, .n_files = tracefs->n_files};
    rings->n_own = tracefs->n_files * (extent == PROBERINGS_CALLS ? 1 : 2) +
                   (is_read(rings) ? 3 : 0);
    for (size_t i = 0; i < set->n_events; i++) {
        rings->is_counted[i] = is_read(rings) &&
                               set->events[i].source == &hpm_source_kernel &&
                               set->events[i].encoding.leader == 0 &&
                               set->events[i].encoding.config3 == 0;
        rings->n_counted += rings->is_counted[i];
    }
    rings->rings = hpm_memory_new((size_t)n_cpus, sizeof *rings->rings);
    rings->record = hpm_memory_new(1, RECORD_BYTES);
    if (rings->rings == NULL || rings->record == NULL)
        return hpm_error_no_memory(err);
    for (int cpu = 0; cpu < n_cpus; cpu++) {
        if (!open_ring(rings, tracefs, pid, cpu, now, err))
            return false;
    }
    return true;
}

void
proberings_close(struct proberings *rings)
{
    for (size_t i = 0; i < rings->n_rings; i++)
        close_ring(&rings->rings[i]);
    hpm_memory_free(rings->rings);
    hpm_memory_free(rings->record);
    rings->rings = NULL;
    rings->record = NULL;
    rings->n_rings = 0;
}

/* ---- reading ----------------------------------------------------------- */

/* Identity, thread, time; where counters are read the number of counts, time enabled
 * and running, the counts;
 * of a probe then the bytes of the event: 8 of the kernel's, the address of the
 * probe, of a return the address it returns to, the stack pointer, and of an entry
 * the return address. */
static void
read_sample(const struct proberings *rings, const struct proberings_ring *ring,
            struct proberings_record *record, const uint64_t *words)
{
    const uint64_t *end = is_read(rings) ? words + 6 + words[3] : words + 3;
    const char *raw = (const char *)end + 4 + 8;
    size_t sp_at = 8;

    record->pid = ((const uint32_t *)(words + 1))[0];
    record->tid = ((const uint32_t *)(words + 1))[1];
    record->ns = words[2];
    record->counts = words + 6;
    record->kind = PROBERINGS_SWITCH;
    for (size_t i = 0; i < rings->n_own; i++) {
        if (words[0] == ring->identities[i])
            record->kind = kind_of(rings, i);
    }
    if (record->kind == PROBERINGS_BACK)
        sp_at = 16;
    if (record->kind == PROBERINGS_SWITCH)
        return;
    memcpy(&record->address, raw, sizeof record->address);
    memcpy(&record->stack, raw + sp_at, sizeof record->stack);
    if (record->kind == PROBERINGS_ENTRY)
        memcpy(&record->caller, raw + sp_at + 8, sizeof record->caller);
}

static void
read_other(struct proberings_record *record, uint32_t type, uint16_t misc,
           const uint64_t *words, size_t n)
{
    const uint64_t *ids = words + n - 3;

    record->kind = PROBERINGS_OTHER;
    record->pid = ((const uint32_t *)ids)[0];
    record->tid = ((const uint32_t *)ids)[1];
    record->ns = ids[1];
    record->other = (struct cpuring_record){.type = type,
                                            .misc = misc,
                                            .words = words,
                                            .n_words = n,
                                            .pid = record->pid,
                                            .tid = record->tid,
                                            .ns = record->ns};
}

static void
read_ring(struct proberings *rings, size_t cpu,
          void (*take)(void *context, const struct proberings_record *record),
          void *context)
{
    struct proberings_ring *ring = &rings->rings[cpu];
    uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = ring->page->data_tail;

    while (tail != head) {
        struct proberings_record record = {.cpu = cpu};
        struct perf_event_header top;
        size_t n;

        hpm_ring_copy(ring->page, ring->bytes, tail, &top, sizeof top);
        if (top.size < sizeof top + 3 * sizeof(uint64_t))
            break; /* no kernel writes such a record */
        n = top.size - sizeof top;
        hpm_ring_copy(ring->page, ring->bytes, tail + sizeof top, rings->record,
                      n);
        tail += top.size;
        if (top.type == PERF_RECORD_LOST)
            continue; /* see proberings_lost */
        if (top.type == PERF_RECORD_SAMPLE)
            read_sample(rings, ring, &record, rings->record);
        else
            read_other(&record, top.type, top.misc, rings->record,
                       n / sizeof(uint64_t));
        rings->n_hits += record.kind <= PROBERINGS_BACK;
        take(context, &record);
    }
    __atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void
proberings_read(struct proberings *rings,
                void (*take)(void *context,
                             const struct proberings_record *record),
                void *context)
{
    for (size_t i = 0; i < rings->n_rings; i++)
        read_ring(rings, i, take, context);
}

uint64_t
proberings_lost(const struct proberings *rings)
{
    uint64_t reading[3 + HPM_MAX_ALL_EVENTS + PROBERINGS_OWN], n = 0;

    for (size_t i = 0; i < rings->n_rings; i++) {
        const uint64_t *own = reading + 3 + rings->n_counted;
        ssize_t size = read(rings->rings[i].fds[0], reading, sizeof reading);

        if (size <
            (ssize_t)((3 + rings->n_counted + rings->n_own) * sizeof *reading))
            continue;
        for (size_t k = 0; kind_of(rings, k) != PROBERINGS_SWITCH; k++)
            n += own[k];
    }
    return n > rings->n_hits ? n - rings->n_hits : 0;
}

bool
proberings_failed(const struct proberings *rings)
{
    uint64_t reading[3 + HPM_MAX_ALL_EVENTS + PROBERINGS_OWN];

    for (size_t i = 0; i < rings->n_rings; i++) {
        if (read(rings->rings[i].fds[0], reading, sizeof reading) <= 0)
            return true;
    }
    return false;
}
