/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's samples of a program and of all it starts. */
#include "hpmcount/cpurings.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/obstacle.h"
#include "source/perf.h"
#include "source/ring.h"

/* The kernel allows an ordinary user 512 KiB and a page for each processor
 * (kernel.perf_event_mlock_kb): 13,000 samples. */
enum { MOST_BYTES = 512 << 10, LEAST_BYTES = 16 << 10, RECORD_BYTES = 1 << 16 };

static size_t
page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- opening --------------------------------------------------------- */

/* The first event also records what processes do.  An offline processor gets no
 * ring. */
static bool
open_events(struct cpuring *ring, const struct hpm_sampling *sampling,
            pid_t pid, int cpu)
{
    for (size_t i = 0; i < sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &sampling->events[i];

        ring->fds[i] = hpm_perf_open_program_samples(
            &sampled->event, pid, cpu, sampled->period, sampling->n_callers,
            i == 0);
        if (ring->fds[i] < 0)
            return false;
        ring->identities[i] = hpm_perf_identity(ring->fds[i]);
    }
    return true;
}

static bool
map(struct cpuring *ring)
{
    void *memory = MAP_FAILED;

    for (ring->bytes = MOST_BYTES; ring->bytes >= LEAST_BYTES;
         ring->bytes /= 2) {
        memory = mmap(NULL, page_bytes() + ring->bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED, ring->fds[0], 0);
        if (memory != MAP_FAILED || errno != EPERM)
            break;
    }
    ring->page = memory != MAP_FAILED ? memory : NULL;
    return ring->page != NULL;
}

static bool
join(struct cpuring *ring, size_t n_events)
{
    for (size_t i = 1; i < n_events; i++) {
        if (ioctl(ring->fds[i], PERF_EVENT_IOC_SET_OUTPUT, ring->fds[0]) != 0)
            return false;
    }
    return true;
}

static void
close_ring(struct cpuring *ring)
{
    if (ring->page != NULL)
        munmap(ring->page, page_bytes() + ring->bytes);
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++) {
        if (ring->fds[i] >= 0)
            hpm_perf_drop(ring->fds[i]);
    }
}

static bool
open_ring(struct cpurings *rings, pid_t pid, int cpu, struct hpm_error *err)
{
    struct cpuring *ring = &rings->rings[rings->n_rings];

    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++)
        ring->fds[i] = -1;
    if (!open_events(ring, rings->sampling, pid, cpu)) {
        bool is_off = errno == ENODEV || (errno == EINVAL && cpu > 0);

        hpm_obstacle_explain(errno, err);
        close_ring(ring);
        return is_off;
    }
    rings->n_rings++;
    if (map(ring) && join(ring, rings->sampling->n_events))
        return true;
    return hpm_error_set(
        err, "no memory for samples: %s",
        errno == EPERM ? "this user may lock no more; raise 'ulimit -l', or as "
                         "root kernel.perf_event_mlock_kb"
                       : strerror(errno));
}

bool
cpurings_open(struct cpurings *rings, const struct hpm_sampling *sampling,
              pid_t pid, struct hpm_error *err)
{
    long n_cpus = sysconf(_SC_NPROCESSORS_CONF);

    *rings = (struct cpurings){.sampling = sampling};
    rings->rings = hpm_memory_new((size_t)n_cpus, sizeof *rings->rings);
    rings->record = hpm_memory_new(1, RECORD_BYTES);
    if (rings->rings == NULL || rings->record == NULL) {
        cpurings_close(rings);
        return hpm_error_no_memory(err);
    }
    for (int cpu = 0; cpu < n_cpus; cpu++) {
        if (!open_ring(rings, pid, cpu, err)) {
            cpurings_close(rings);
            return false;
        }
    }
    return rings->n_rings > 0;
}

void
cpurings_stop(struct cpurings *rings)
{
    for (size_t i = 0; i < rings->n_rings; i++) {
        for (size_t k = 0; k < rings->sampling->n_events; k++)
            ioctl(rings->rings[i].fds[k], PERF_EVENT_IOC_DISABLE, 0);
    }
}

void
cpurings_close(struct cpurings *rings)
{
    for (size_t i = 0; i < rings->n_rings; i++)
        close_ring(&rings->rings[i]);
    hpm_memory_free(rings->rings);
    hpm_memory_free(rings->record);
    *rings = (struct cpurings){0};
}

/* ---- reading --------------------------------------------------------- */

static size_t
find_event(const struct cpurings *rings, const struct cpuring *ring,
           uint64_t identity)
{
    size_t i = 0;

    while (i < rings->sampling->n_events && ring->identities[i] != identity)
        i++;
    return i;
}

/* A sample begins with identity, address, thread and time; other records end
 * with thread, time and identity. */
static void
find_ids(const struct cpurings *rings, const struct cpuring *ring,
         struct cpuring_record *record)
{
    bool is_sample = record->type == PERF_RECORD_SAMPLE;
    const uint64_t *words = record->words;
    const uint64_t *ids = is_sample ? words + 2 : words + record->n_words - 3;

    record->event = find_event(rings, ring, is_sample ? words[0] : ids[2]);
    record->pid = ((const uint32_t *)ids)[0];
    record->tid = ((const uint32_t *)ids)[1];
    record->ns = ids[1];
}

static void
read_ring(struct cpurings *rings, struct cpuring *ring,
          void (*take)(void *context, const struct cpuring_record *record),
          void *context)
{
    uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = ring->page->data_tail;

    while (tail != head) {
        struct perf_event_header top;
        struct cpuring_record record = {.words = rings->record};
        size_t n;

        hpm_ring_copy(ring->page, ring->bytes, tail, &top, sizeof top);
        if (top.size < sizeof top + 3 * sizeof(uint64_t)) {
            tail = head; /* no kernel writes such a record */
            break;
        }
        n = top.size - sizeof top;
        hpm_ring_copy(ring->page, ring->bytes, tail + sizeof top, rings->record,
                      n);
        record.type = top.type;
        record.misc = top.misc;
        record.n_words = n / sizeof(uint64_t);
        find_ids(rings, ring, &record);
        take(context, &record);
        tail += top.size;
    }
    __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

void
cpurings_read(struct cpurings *rings,
              void (*take)(void *context, const struct cpuring_record *record),
              void *context)
{
    for (size_t i = 0; i < rings->n_rings; i++)
        read_ring(rings, &rings->rings[i], take, context);
}

bool
cpurings_count(const struct cpurings *rings, size_t event,
               struct hpm_perf_samples *ret_samples)
{
    *ret_samples = (struct hpm_perf_samples){.counts_lost = true};
    for (size_t i = 0; i < rings->n_rings; i++) {
        struct hpm_perf_samples samples;

        if (!hpm_perf_read_samples(rings->rings[i].fds[event], &samples))
            return false;
        ret_samples->count += samples.count;
        ret_samples->n_lost += samples.n_lost;
        ret_samples->counts_lost =
            ret_samples->counts_lost && samples.counts_lost;
    }
    return true;
}
