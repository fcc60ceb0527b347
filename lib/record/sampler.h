/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of one thread: at which addresses it was how often, in which of its
 * sections, and in which section of the process.
 *
 * What the kernel has put into the ring between two starts or stops belongs to the
 * section that was innermost then: neither a time nor a signal is needed.  A start or
 * stop of the process takes what all threads have in their rings aside (`waiting`),
 * with the section of the process, and leaves it to each thread to say which of its
 * own sections that was.
 *
 * The readings of the thread's meter look whether anything came (hpm_meter_set_cursor):
 * where nothing is sampled, edges know nothing of it. */
#ifndef HPM_RECORD_SAMPLER_H
#define HPM_RECORD_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "record/calltree.h"
#include "source/meter.h"
#include "source/modules.h"
#include "source/ring.h"
#include "source/sampling.h"

/* The process section that is open; NULL there: none. */
typedef _Atomic(const struct hpm_node *) hpm_sampler_within;

/* Where few samples came, the thread leaves them in the ring and notes only whose they
 * are: the section, and the ring's head.  It takes them out when so many sections are
 * noted, and so reads the counters once more only then. */
enum { HPM_SAMPLER_MOST_NOTED = 64 };

/* Of one address in one section, or of what was lost there. */
struct hpm_sample_count {
    const struct hpm_node *node;   /* of the thread; NULL: no section is open */
    const struct hpm_node *within; /* of the process; likewise */
    uint64_t address;              /* HPM_SAMPLER_LOST: samples that are lost */
    uint32_t part; /* of the modules: what was mapped there at that time, as far
                      as it was known */
    uint32_t event;
    uint64_t n; /* 0: an empty slot */
};

#define HPM_SAMPLER_LOST UINT64_MAX

/* What is known of an event for the whole thread. */
struct hpm_sample_total {
    bool is_sampled; /* it could be opened */
    bool is_known;   /* how much of it there was */
    uint64_t first, count;
};

struct hpm_sampler {
    struct hpm_ring *ring;
    struct hpm_page_owner owner; /* the ring's, which is asked before `lock` */
    atomic_size_t n_waiting;
    struct hpm_calltree *tree; /* into which the thread records now */
    struct hpm_meter *meter;
    struct hpm_calltree *own; /* another one calibrates: no samples of it */
    const hpm_sampler_within *within;
    struct hpm_modules *modules;
    atomic_flag
        lock; /* in the owner's process alone: of the ring's reading, and of `waiting` */
    struct hpm_waiting_sample {
        const struct hpm_node *node; /* of the first n_known */
        const struct hpm_node *within;
        uint64_t address; /* or HPM_SAMPLER_LOST */
        uint64_t n;
        uint32_t event, part;
    } * waiting;
    size_t waiting_capacity;
    size_t n_known; /* the first ones of `waiting`, whose node is known */
    struct hpm_noted_section {
        uint64_t head; /* of the ring: samples before it are the section's */
        const struct hpm_node *node;
    } noted[HPM_SAMPLER_MOST_NOTED];
    size_t n_noted;
    size_t n_passed; /* noted sections that end before what is read now */
    const struct hpm_node *node; /* of what is read now behind all of them */
    uint64_t *begin;             /* a reading before that */
    uint64_t reading;            /* how long one takes, in ticks of the clock */
    struct hpm_sample_count *counts; /* open addressing */
    size_t n_counts;
    size_t n_slots;     /* a power of two, or 0 */
    uint64_t n_dropped; /* for which there was no memory */
    struct hpm_sample_total totals[HPM_MAX_SAMPLED];
};

/* Sample the calling thread, whose meter and table these are.  NULL where nothing
 * can be sampled: err says why. */
struct hpm_sampler *
hpm_sampler_open(const struct hpm_sampling *sampling, struct hpm_meter *meter,
                 struct hpm_calltree *tree, const hpm_sampler_within *within,
                 struct hpm_modules *modules, struct hpm_error *err);

/* End it and forget it; NULL is fine. */
void hpm_sampler_free(struct hpm_sampler *sampler);

/* In a forked child: give its descriptors back, and touch nothing else. */
void hpm_sampler_leave(struct hpm_sampler *sampler);

/* From now on the thread records into that table. */
void hpm_sampler_use(struct hpm_sampler *sampler, struct hpm_calltree *tree);

/* The run begins: what came before is nobody's.  By the thread. */
void hpm_sampler_begin(struct hpm_sampler *sampler);

/* The run ends: what came until now belongs to what is open now, and nothing is
 * sampled any more.  By the thread, or by another one of the process while the
 * thread is in no call. */
void hpm_sampler_end(struct hpm_sampler *sampler);

/* What is known of an event until now.  By the thread, or when it has ended. */
struct hpm_sample_total hpm_sampler_total(const struct hpm_sampler *sampler,
                                          size_t event);

/* Take aside what is in the ring, for an edge of the process.  Any thread of the
 * process.  Returns how many samples can come before the ring is half full: SIZE_MAX
 * where none come; 1 where the thread's first samples are not placed yet; 0 where the
 * ring was fuller, or the thread has mapped code, which other threads' samples need. */
size_t hpm_sampler_collect(struct hpm_sampler *sampler);

/* Count what the thread has noted, before its table is copied.  By the thread, or by
 * another one of the process while the thread is in no call; NULL is fine. */
void hpm_sampler_settle(struct hpm_sampler *sampler);

/* Add those of a thread whose table was merged into another one's
 * (hpm_calltree_merge). */
void hpm_sampler_merge(struct hpm_sampler *sampler,
                       const struct hpm_sampler *other);

/* A sum of such, with nothing in it yet: for a table whose thread was not sampled.
 * NULL when there is no memory. */
struct hpm_sampler *hpm_sampler_new_sum(void);

#endif
