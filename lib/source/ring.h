/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of one thread, where the kernel puts them: a ring of memory that the
 * kernel writes and the thread reads, without a signal and without a system
 * call.
 *
 *     head: the kernel writes there        tail: read until there
 *
 * All events of a thread write into one ring, so that one comparison says whether
 * anything came.  Only the process that opened it may read it: in a forked child
 * the memory is not there. */
#ifndef HPM_SOURCE_RING_H
#define HPM_SOURCE_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/page.h"
#include "source/phase.h"
#include "source/sampling.h"
#include "source/cursor.h"

struct hpm_ring {
    const struct perf_event_mmap_page *page;
    uint64_t tail;
    struct hpm_cursor *cursor; /* what its thread's edges look at */
    struct hpm_page_owner owner;
    const struct hpm_sampling *sampling;
    size_t bytes; /* of its data, a power of two */
    struct hpm_ring_event {
        int fd; /* -1: it could not be opened */
        uint64_t identity;
        struct hpm_phase phase;
        bool
            has_come; /* samples, in what is read now, while it is not settled */
        uint64_t last; /* address of the last of them */
        uint64_t n_told_lost;
    } events[HPM_MAX_SAMPLED];
    bool is_settled; /* all events are: each sample is kept, as it came */
    bool has_mapped; /* a mapping was read, until somebody sets it to false */
    uint64_t record[(64 + 4096) / 8]; /* the one that is read now, without its
                                         head: here, for a thread's stack may be
                                         small */
};

/* The build id of an object: of what a linker has made of its content. */
enum { HPM_BUILD_ID_BYTES = 20 };

/* A part of a file that was mapped, so that it can be executed. */
struct hpm_mapped {
    uint64_t start, end; /* addresses */
    uint64_t offset;     /* of its begin in the file */
    const char *path;    /* or a name in brackets: "[vdso]" */
    unsigned char build_id[HPM_BUILD_ID_BYTES];
    size_t n_build_id; /* bytes of it that are known */
};

/* What comes out of a ring. */
enum hpm_ring_kind { HPM_RING_SAMPLE, HPM_RING_LOST, HPM_RING_MAPPED };

struct hpm_ring_entry {
    enum hpm_ring_kind kind;
    uint64_t position; /* of its record in the ring; not where an event is
                        * not settled */
    size_t event;      /* of the sampling; not of what was mapped */
    uint64_t address;  /* of a sample */
    uint64_t n_lost;
    struct hpm_mapped mapped;
};

/* Copy `n` bytes of the `bytes` (a power of two) that follow a ring's first page,
 * from what the kernel wrote as number `position`: they may begin at the end of the
 * memory and go on at its begin. */
void hpm_ring_copy(const struct perf_event_mmap_page *page, size_t bytes,
                   uint64_t position, void *to, size_t n);

/* Sample the calling thread from now on.  NULL where no event can be sampled:
 * err says why. */
struct hpm_ring *hpm_ring_open(const struct hpm_sampling *sampling,
                               struct hpm_error *err);

/* Has anything come?  By its thread. */
static inline __attribute__((always_inline)) bool
hpm_ring_has_more(const struct hpm_ring *ring)
{
    return hpm_page_is_owned(&ring->owner) &&
           HPM_PAGE_LOAD(ring->page->data_head) !=
               __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
}

/* How far the kernel has written. */
static inline uint64_t
hpm_ring_head(const struct hpm_ring *ring)
{
    return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

/* Is this the process that opened it?  In others its memory is not there. */
static inline bool
hpm_ring_is_in_process(const struct hpm_ring *ring)
{
    return hpm_page_owner_is_here(&ring->owner);
}

/* A sample's record has so many bytes; that of a mapping has more than thrice as
 * many. */
enum { HPM_RING_SAMPLE_BYTES = 24 };

/* Hand all that has come before `head` to `take`, in the order in which it came, and
 * make room for more.  By one thread at a time. */
void hpm_ring_read(struct hpm_ring *ring, uint64_t head,
                   void (*take)(void *context,
                                const struct hpm_ring_entry *entry),
                   void *context);

/* How much of an event there was until now; false when it cannot be read. */
bool hpm_ring_count(const struct hpm_ring *ring, size_t event,
                    uint64_t *ret_count);

/* Samples of an event for which there was no room, and which no entry has told: these
 * the kernel tells only with the next sample.  0 before Linux 6.0. */
uint64_t hpm_ring_lost_untold(const struct hpm_ring *ring, size_t event);

/* End it.  NULL is fine. */
void hpm_ring_close(struct hpm_ring *ring);

/* In a forked child: give back the descriptors that it has of its parent's. */
void hpm_ring_leave(struct hpm_ring *ring);

#endif
