/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of one thread, where the kernel puts them. */
#include "source/ring.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/clock.h"
#include "source/obstacle.h"
#include "source/perf.h"

/* A sample takes 24 bytes: 2,700 of them.  Where a user may lock less memory, a
 * smaller ring is better than none. */
enum { MOST_BYTES = 64 << 10, LEAST_BYTES = 8 << 10 };

/* Asked for twice a sample: sysconf takes longer than to copy the sample. */
static size_t
page_bytes(void)
{
    static _Atomic size_t bytes;
    size_t known = atomic_load_explicit(&bytes, memory_order_relaxed);

    if (known == 0) {
        known = (size_t)sysconf(_SC_PAGESIZE);
        atomic_store_explicit(&bytes, known, memory_order_relaxed);
    }
    return known;
}

/* ---- opening --------------------------------------------------------- */

static uint64_t
chance(void)
{
    return hpm_clock_read() ^ (uint64_t)gettid() << 40;
}

/* The first event that can be opened is the one whose file is mapped. */
static int
open_events(struct hpm_ring *ring)
{
    int first = -1;

    for (size_t i = 0; i < ring->sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &ring->sampling->events[i];
        struct hpm_ring_event *event = &ring->events[i];

        hpm_phase_begin(&event->phase, sampled->period, sampled->least,
                        chance());
        event->fd = hpm_perf_open_samples(&sampled->event, event->phase.step,
                                          first < 0, MOST_BYTES / 2);
        if (event->fd < 0)
            continue;
        event->identity = hpm_perf_identity(event->fd);
        if (first < 0)
            first = event->fd;
    }
    return first;
}

static bool
map(struct hpm_ring *ring, int fd)
{
    void *memory = MAP_FAILED;

    for (ring->bytes = MOST_BYTES; ring->bytes >= LEAST_BYTES;
         ring->bytes /= 2) {
        memory = mmap(NULL, page_bytes() + ring->bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED, fd, 0);
        if (memory != MAP_FAILED || errno != EPERM)
            break;
    }
    ring->page = memory != MAP_FAILED ? memory : NULL;
    return ring->page != NULL;
}

/* Those whose samples cannot go there are closed. */
static void
join_events(struct hpm_ring *ring, int first)
{
    for (size_t i = 0; i < ring->sampling->n_events; i++) {
        struct hpm_ring_event *event = &ring->events[i];

        if (event->fd < 0)
            continue;
        if (event->fd != first &&
            ioctl(event->fd, PERF_EVENT_IOC_SET_OUTPUT, first) != 0) {
            hpm_perf_close(event->fd, event->identity);
            event->fd = -1;
        } else {
            hpm_perf_enable(event->fd);
        }
    }
}

static bool
open_ring(struct hpm_ring *ring, struct hpm_error *err)
{
    int first;

    if (!hpm_page_own(&ring->owner))
        return hpm_error_set(err, "this kernel cannot keep a forked child from "
                                  "the samples of its parent (MADV_WIPEONFORK, "
                                  "Linux 4.14)");
    ring->cursor = hpm_page_new_wiped();
    if (ring->cursor == NULL)
        return hpm_error_no_memory(err);
    first = open_events(ring);
    if (first < 0) {
        hpm_obstacle_explain(errno, err);
        return false;
    }
    if (!map(ring, first))
        return hpm_error_set(
            err,
            "no memory for samples: %s; raise 'ulimit -l', or as root "
            "kernel.perf_event_mlock_kb, or sample fewer threads at once",
            errno == EPERM ? "this user may lock no more" : strerror(errno));
    hpm_cursor_point(ring->cursor, &ring->page->data_head);
    join_events(ring, first);
    return true;
}

__attribute__((cold)) struct hpm_ring *
hpm_ring_open(const struct hpm_sampling *sampling, struct hpm_error *err)
{
    struct hpm_ring *ring = hpm_memory_new_apart(sizeof *ring);
    int saved_errno = errno;

    if (ring == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    ring->sampling = sampling;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++)
        ring->events[i].fd = -1;
    if (!open_ring(ring, err)) {
        hpm_ring_close(ring);
        ring = NULL;
    }
    errno = saved_errno;
    return ring;
}

__attribute__((cold)) void
hpm_ring_close(struct hpm_ring *ring)
{
    if (ring == NULL)
        return;
    if (ring->page != NULL && hpm_ring_is_in_process(ring))
        munmap((void *)ring->page, page_bytes() + ring->bytes);
    hpm_page_free_wiped(ring->cursor);
    hpm_ring_leave(ring);
    hpm_memory_free(ring);
}

__attribute__((cold)) void
hpm_ring_leave(struct hpm_ring *ring)
{
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++) {
        hpm_perf_close(ring->events[i].fd, ring->events[i].identity);
        ring->events[i].fd = -1;
    }
}

/* ---- reading --------------------------------------------------------- */

/* Once or twice a sample, and so small rather than quick. */
__attribute__((cold, noinline)) void
hpm_ring_copy(const struct perf_event_mmap_page *page, size_t bytes,
              uint64_t position, void *to, size_t n)
{
    const char *data = (const char *)page + page_bytes();
    size_t at = (size_t)position & (bytes - 1);
    size_t n_first = n < bytes - at ? n : bytes - at;

    memcpy(to, data + at, n_first);
    memcpy((char *)to + n_first, data, n - n_first);
}

static bool
find_event(const struct hpm_ring *ring, uint64_t identity, size_t *ret_event)
{
    for (size_t i = 0; i < ring->sampling->n_events; i++) {
        if (ring->events[i].fd >= 0 && ring->events[i].identity == identity) {
            *ret_event = i;
            return true;
        }
    }
    return false;
}

static bool
read_sample(struct hpm_ring *ring, const uint64_t *words,
            struct hpm_ring_entry *ret_entry)
{
    struct hpm_ring_event *event;

    ret_entry->kind = HPM_RING_SAMPLE;
    ret_entry->address = words[1];
    if (!find_event(ring, words[0], &ret_entry->event))
        return false;
    event = &ring->events[ret_entry->event];
    if (event->phase.is_settled)
        return true;
    event->has_come = true;
    ret_entry->address = event->last;
    event->last = words[1];
    return hpm_phase_keeps_last(&event->phase);
}

static bool
read_lost(struct hpm_ring *ring, const uint64_t *words,
          struct hpm_ring_entry *ret_entry)
{
    ret_entry->kind = HPM_RING_LOST;
    ret_entry->n_lost = words[1];
    if (!find_event(ring, words[0], &ret_entry->event))
        return false;
    ring->events[ret_entry->event].n_told_lost += ret_entry->n_lost;
    return true;
}

/* pid, tid, address, length, offset, then the build id or numbers of a file
 * system (24 bytes), protection and flags, and the path. */
static bool
read_mapped(const struct perf_event_header *head, const uint64_t *words,
            struct hpm_ring_entry *ret_entry)
{
    struct hpm_mapped *mapped = &ret_entry->mapped;

    ret_entry->kind = HPM_RING_MAPPED;
    *mapped = (struct hpm_mapped){.start = words[1],
                                  .end = words[1] + words[2],
                                  .offset = words[3],
                                  .path = (const char *)(words + 8)};
#ifdef PERF_RECORD_MISC_MMAP_BUILD_ID
    if ((head->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
        const unsigned char *bytes = (const unsigned char *)(words + 4);

        mapped->n_build_id =
            bytes[0] <= HPM_BUILD_ID_BYTES ? bytes[0] : HPM_BUILD_ID_BYTES;
        memcpy(mapped->build_id, bytes + 4, mapped->n_build_id);
    }
#else
    (void)head;
#endif
    return true;
}

static bool
read_record(struct hpm_ring *ring, const struct perf_event_header *head,
            const uint64_t *words, struct hpm_ring_entry *ret_entry)
{
    switch (head->type) {
    case PERF_RECORD_SAMPLE:
        return read_sample(ring, words, ret_entry);
    case PERF_RECORD_LOST:
        return read_lost(ring, words, ret_entry);
    case PERF_RECORD_MMAP2:
        ring->has_mapped = true;
        return read_mapped(head, words, ret_entry);
    default: /* that it was throttled shows in what is expected */
        return false;
    }
}

/* Records are whole multiples of its 8 bytes, so it is never in two pieces. */
static const struct perf_event_header *
header_at(const struct hpm_ring *ring, uint64_t position)
{
    const char *data = (const char *)ring->page + page_bytes();

    return (const void *)(data + (position & (ring->bytes - 1)));
}

/* The record that begins there; returns how long it is, or 0 where that is not
 * known: no kernel writes such a one. */
static __attribute__((cold)) size_t
read_at(struct hpm_ring *ring, uint64_t tail,
        void (*take)(void *context, const struct hpm_ring_entry *entry),
        void *context)
{
    const struct perf_event_header *head = header_at(ring, tail);
    struct hpm_ring_entry entry;
    size_t n;

    if (head->size < sizeof *head)
        return 0;
    entry.position = tail;
    n = head->size - sizeof *head;
    if (n > sizeof ring->record)
        n = sizeof ring->record;
    hpm_ring_copy(ring->page, ring->bytes, tail + sizeof *head, ring->record,
                  n);
    if (read_record(ring, head, ring->record, &entry))
        take(context, &entry);
    return head->size;
}

/* An event whose samples were seen goes on with what is left of its period. */
static void
go_on(struct hpm_ring *ring,
      void (*take)(void *context, const struct hpm_ring_entry *entry),
      void *context)
{
    int saved_errno = errno;
    uint64_t count;

    if (ring->is_settled)
        return;
    ring->is_settled = true;
    for (size_t i = 0; i < ring->sampling->n_events; i++) {
        struct hpm_ring_event *event = &ring->events[i];
        struct hpm_ring_entry last = {
            .kind = HPM_RING_SAMPLE, .event = i, .address = event->last};

        ring->is_settled &= event->fd < 0 || event->phase.is_settled;
        if (!event->has_come)
            continue;
        event->has_come = false;
        if (!hpm_ring_count(ring, i, &count))
            continue;
        if (hpm_phase_go_on(&event->phase, count))
            take(context, &last);
        hpm_perf_set_period(event->fd, event->phase.step);
    }
    errno = saved_errno;
}

/* What was taken is told last: until then the ring's thread sees that there is more,
 * and waits for it at its next edge, when another thread reads.  A sample that was
 * handed over after that could belong to a section that has ended. */
void
hpm_ring_read(struct hpm_ring *ring, uint64_t head,
              void (*take)(void *context, const struct hpm_ring_entry *entry),
              void *context)
{
    struct perf_event_mmap_page *page =
        (struct perf_event_mmap_page *)ring->page;
    uint64_t tail = ring->tail;

    while ((int64_t)(head - tail) > 0) {
        size_t n = read_at(ring, tail, take, context);

        tail = n > 0 ? tail + n : head;
    }
    go_on(ring, take, context);
    __atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
    __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

/* The program may have closed the descriptor and opened another file. */
static bool
read_event(const struct hpm_ring *ring, size_t event,
           struct hpm_perf_samples *ret_samples)
{
    int fd = ring->events[event].fd;

    return fd >= 0 && hpm_perf_identity(fd) == ring->events[event].identity &&
           hpm_perf_read_samples(fd, ret_samples);
}

__attribute__((cold)) bool
hpm_ring_count(const struct hpm_ring *ring, size_t event, uint64_t *ret_count)
{
    struct hpm_perf_samples samples;

    if (!read_event(ring, event, &samples))
        return false;
    *ret_count = samples.count;
    return true;
}

__attribute__((cold)) uint64_t
hpm_ring_lost_untold(const struct hpm_ring *ring, size_t event)
{
    uint64_t n_told = ring->events[event].n_told_lost;
    struct hpm_perf_samples samples;

    return read_event(ring, event, &samples) && samples.n_lost > n_told
               ? samples.n_lost - n_told
               : 0;
}
