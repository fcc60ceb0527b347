/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of one thread. */
#include "record/sampler.h"

#include <sched.h>
#include <string.h>

#include "host/memory.h"
#include "source/clock.h"

enum { FIRST_SLOTS = 256 };

/* Another thread of the process reads the ring for as long as it takes to copy
 * it. */
static void
take_lock(struct hpm_sampler *samples)
{
    while (atomic_flag_test_and_set_explicit(&samples->lock,
                                             memory_order_acquire))
        sched_yield();
}

static void
give_lock(struct hpm_sampler *samples)
{
    atomic_flag_clear_explicit(&samples->lock, memory_order_release);
}

/* ---- the table ------------------------------------------------------- */

static size_t
hash(const struct hpm_sample_count *count)
{
    uint64_t mixed = count->address + 31 * count->event;

    mixed = (mixed ^ (uintptr_t)count->node) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 29) ^ (uintptr_t)count->within) *
            UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)(mixed ^ (mixed >> 32));
}

static bool
is_same(const struct hpm_sample_count *a, const struct hpm_sample_count *b)
{
    return a->address == b->address && a->node == b->node &&
           a->within == b->within && a->event == b->event;
}

/* Its slot, or the empty one in which it is to be. */
static struct hpm_sample_count *
find_slot(struct hpm_sample_count *counts, size_t n_slots,
          const struct hpm_sample_count *wanted)
{
    size_t at = hash(wanted);

    for (;; at++) {
        struct hpm_sample_count *slot = &counts[at & (n_slots - 1)];

        if (slot->n == 0 || is_same(slot, wanted))
            return slot;
    }
}

/* At most half of the slots are in use. */
static bool
make_room(struct hpm_sampler *samples)
{
    size_t n_slots = samples->n_slots > 0 ? 2 * samples->n_slots : FIRST_SLOTS;
    struct hpm_sample_count *counts;

    if (2 * (samples->n_counts + 1) <= samples->n_slots)
        return true;
    counts = hpm_memory_new(n_slots, sizeof *counts);
    if (counts == NULL)
        return false;
    for (size_t i = 0; i < samples->n_slots; i++) {
        const struct hpm_sample_count *count = &samples->counts[i];

        if (count->n > 0)
            *find_slot(counts, n_slots, count) = *count;
    }
    hpm_memory_free(samples->counts);
    samples->counts = counts;
    samples->n_slots = n_slots;
    return true;
}

static void
add(struct hpm_sampler *samples, const struct hpm_sample_count *count)
{
    struct hpm_sample_count *slot;

    if (!make_room(samples)) {
        samples->n_dropped += count->n;
        return;
    }
    slot = find_slot(samples->counts, samples->n_slots, count);
    if (slot->n == 0) {
        *slot = *count;
        samples->n_counts++;
    } else {
        slot->n += count->n;
    }
}

/* ---- what comes out of the ring --------------------------------------- */

static const struct hpm_node *
open_in_process(const struct hpm_sampler *samples)
{
    return atomic_load_explicit(samples->within, memory_order_acquire);
}

/* A sample, or samples that were lost; false for anything else, which is dealt
 * with. */
static bool
read_entry(struct hpm_sampler *samples, const struct hpm_ring_entry *entry,
           uint64_t *ret_address, uint64_t *ret_n)
{
    switch (entry->kind) {
    case HPM_RING_SAMPLE:
        *ret_address = entry->address;
        *ret_n = 1;
        return true;
    case HPM_RING_LOST:
        *ret_address = HPM_SAMPLER_LOST;
        *ret_n = entry->n_lost;
        return *ret_n > 0;
    default:
        hpm_modules_add(samples->modules, &entry->mapped);
        return false;
    }
}

static void
count_entry(void *context, const struct hpm_ring_entry *entry)
{
    struct hpm_sampler *samples = context;
    struct hpm_sample_count count = {.node = samples->node,
                                     .within = open_in_process(samples),
                                     .event = entry->event};

    if (read_entry(samples, entry, &count.address, &count.n))
        add(samples, &count);
}

/* All that has come belongs to that section. */
static void
count_all(struct hpm_sampler *samples, const struct hpm_node *node)
{
    size_t n;

    take_lock(samples);
    samples->node = node;
    n = atomic_load_explicit(&samples->n_waiting, memory_order_relaxed);
    for (size_t i = 0; i < n; i++) {
        const struct hpm_waiting_sample *waiting = &samples->waiting[i];

        add(samples, &(struct hpm_sample_count){node, waiting->within,
                                                waiting->address,
                                                waiting->event, waiting->n});
    }
    atomic_store_explicit(&samples->n_waiting, 0, memory_order_relaxed);
    hpm_ring_read(samples->ring, count_entry, samples);
    give_lock(samples);
}

static void
drop_entry(void *context, const struct hpm_ring_entry *entry)
{
    struct hpm_sampler *samples = context;

    if (entry->kind == HPM_RING_MAPPED)
        hpm_modules_add(samples->modules, &entry->mapped);
}

static void
drop_all(struct hpm_sampler *samples)
{
    take_lock(samples);
    atomic_store_explicit(&samples->n_waiting, 0, memory_order_relaxed);
    hpm_ring_read(samples->ring, drop_entry, samples);
    give_lock(samples);
}

static void
set_aside(void *context, const struct hpm_ring_entry *entry)
{
    struct hpm_sampler *samples = context;
    size_t n = atomic_load_explicit(&samples->n_waiting, memory_order_relaxed);
    struct hpm_waiting_sample waiting = {.within = open_in_process(samples),
                                         .event = entry->event};

    if (!read_entry(samples, entry, &waiting.address, &waiting.n))
        return;
    if (!hpm_memory_grow(&samples->waiting, &samples->waiting_capacity, n + 1,
                         sizeof *samples->waiting)) {
        samples->n_dropped += waiting.n;
        return;
    }
    samples->waiting[n] = waiting;
    atomic_store_explicit(&samples->n_waiting, n + 1, memory_order_release);
}

void
hpm_sampler_collect(struct hpm_sampler *samples)
{
    if (samples == NULL || samples->ring == NULL)
        return;
    take_lock(samples);
    if (samples->ring != NULL && hpm_ring_is_in_process(samples->ring))
        hpm_ring_read(samples->ring, set_aside, samples);
    give_lock(samples);
}

/* ---- edges ----------------------------------------------------------- */

/* Around what is of varying length: as the long way of a thread does
 * (record/thread.h), and the rest of it is known. */
static void
read_begin(struct hpm_sampler *samples)
{
    if (samples->read != NULL)
        samples->read(samples->counting, samples->begin);
    samples->begin[samples->meter->time_slot] = hpm_clock_read();
}

static void
read_end(struct hpm_sampler *samples)
{
    samples->end[samples->meter->time_slot] = hpm_clock_read();
    if (samples->read != NULL)
        samples->read(samples->counting, samples->end);
}

static void
add_overhead(struct hpm_sampler *samples)
{
    struct hpm_calltree *tree = samples->tree;

    for (size_t i = 0; i < tree->n_overheads; i++) {
        if (hpm_meter_is_charged(samples->meter, i))
            hpm_calltree_add_slot_overhead(tree, i,
                                           samples->end[i] - samples->begin[i] +
                                               samples->rest[i]);
    }
}

static __attribute__((noinline)) void
count_measured(struct hpm_sampler *samples, const struct hpm_node *node)
{
    read_begin(samples);
    if (samples->tree == samples->own)
        count_all(samples, node);
    else
        drop_all(samples);
    read_end(samples);
    add_overhead(samples);
}

/* A start reads into the row of its own frame, which is open already: what has
 * come belongs to the section around it.  Before a stop's reading it belongs to the
 * section that is to be closed, whose time goes on.  Other readings are in the
 * middle of a call. */
static __attribute__((cold, noinline)) void
count_at_edge(struct hpm_sampler *samples, uint64_t *row)
{
    struct hpm_calltree *tree = samples->tree;

    if (row == tree->now) {
        count_measured(samples, tree->innermost);
        row[samples->meter->time_slot] = hpm_clock_read();
    } else if (row == tree->top->start && tree->top > tree->frames) {
        count_measured(samples, tree->top[-1].node);
        for (size_t i = 0; i < tree->n_overheads; i++)
            row[tree->n_slots + i] = hpm_calltree_overhead_of(tree, i);
    }
}

static void
read_sampled(void *context, uint64_t *row)
{
    struct hpm_sampler *samples = context;

    if (__builtin_expect(
            hpm_ring_has_more(samples->ring) ||
                atomic_load_explicit(&samples->n_waiting,
                                     memory_order_relaxed) > 0,
            0))
        count_at_edge(samples, row);
    if (samples->read != NULL)
        samples->read(samples->counting, row);
}

/* ---- life ------------------------------------------------------------ */

/* What counting costs besides what it reads of itself: the least of some tries,
 * each of them without a sample. */
static void
find_rest(struct hpm_sampler *samples)
{
    size_t n = 1 + samples->meter->n_events;
    uint64_t *before = samples->rest + samples->meter->n_slots;
    uint64_t *after = before + samples->meter->n_slots;

    for (int attempt = 0; attempt < 16; attempt++) {
        if (samples->read != NULL)
            samples->read(samples->counting, before);
        before[samples->meter->time_slot] = hpm_clock_read();
        read_begin(samples);
        drop_all(samples);
        read_end(samples);
        after[samples->meter->time_slot] = hpm_clock_read();
        if (samples->read != NULL)
            samples->read(samples->counting, after);
        for (size_t i = 0; i < n; i++) {
            uint64_t rest = after[i] - before[i] -
                            (samples->end[i] - samples->begin[i]);

            if (attempt == 0 || rest < samples->rest[i])
                samples->rest[i] = rest;
        }
    }
}

/* Two readings more than the counting makes are in there: one at the begin, and
 * one at the end. */
static void
take_off_reading(struct hpm_sampler *samples)
{
    size_t n = 1 + samples->meter->n_events;

    for (size_t i = 0; i < n; i++)
        samples->rest[i] /= 2;
}

static bool
make_rows(struct hpm_sampler *samples)
{
    size_t n = samples->meter->n_slots;

    samples->begin = hpm_memory_new(5 * n, sizeof *samples->begin);
    if (samples->begin == NULL)
        return false;
    samples->end = samples->begin + n;
    samples->rest = samples->end + n;
    return true;
}

struct hpm_sampler *
hpm_sampler_open(const struct hpm_sampling *sampling, struct hpm_meter *meter,
                 struct hpm_calltree *tree, const hpm_sampler_within *within,
                 struct hpm_modules *modules, struct hpm_error *err)
{
    struct hpm_sampler *samples = hpm_memory_new(1, sizeof *samples);

    if (samples == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    samples->meter = meter;
    samples->tree = samples->own = tree;
    samples->within = within;
    samples->modules = modules;
    atomic_flag_clear(&samples->lock);
    samples->read = atomic_load(&meter->read);
    samples->counting = meter->counting;
    if (!make_rows(samples)) {
        hpm_error_no_memory(err);
        hpm_sampler_free(samples);
        return NULL;
    }
    samples->ring = hpm_ring_open(sampling, err);
    if (samples->ring == NULL) {
        hpm_sampler_free(samples);
        return NULL;
    }
    find_rest(samples);
    take_off_reading(samples);
    meter->counting = samples;
    atomic_store(&meter->read, read_sampled);
    return samples;
}

void
hpm_sampler_free(struct hpm_sampler *samples)
{
    if (samples == NULL)
        return;
    hpm_ring_close(samples->ring);
    hpm_memory_free(samples->begin);
    hpm_memory_free(samples->waiting);
    hpm_memory_free(samples->counts);
    hpm_memory_free(samples);
}

void
hpm_sampler_leave(struct hpm_sampler *samples)
{
    if (samples != NULL && samples->ring != NULL)
        hpm_ring_leave(samples->ring);
}

void
hpm_sampler_use(struct hpm_sampler *samples, struct hpm_calltree *tree)
{
    if (samples == NULL)
        return;
    /* what has come belongs to what was open until now */
    if (samples->ring != NULL && samples->tree == samples->own)
        count_all(samples, samples->own->innermost);
    else if (samples->ring != NULL)
        drop_all(samples);
    samples->tree = tree;
}

void
hpm_sampler_begin(struct hpm_sampler *samples)
{
    if (samples == NULL || samples->ring == NULL)
        return;
    drop_all(samples);
    for (size_t i = 0; i < samples->ring->sampling->n_events; i++) {
        samples->totals[i].is_sampled = samples->ring->events[i].fd >= 0;
        samples->totals[i].is_known =
            hpm_ring_count(samples->ring, i, &samples->totals[i].first);
    }
}

void
hpm_sampler_end(struct hpm_sampler *samples)
{
    struct hpm_ring *ring;

    if (samples == NULL || samples->ring == NULL)
        return;
    ring = samples->ring;
    for (size_t i = 0; i < ring->sampling->n_events; i++) {
        struct hpm_sample_total *total = &samples->totals[i];
        uint64_t count;

        total->is_known =
            total->is_known && hpm_ring_count(ring, i, &count);
        if (total->is_known)
            total->count = count - total->first;
    }
    if (hpm_ring_is_in_process(ring))
        count_all(samples, samples->own->innermost);
    samples->meter->counting = samples->counting;
    atomic_store(&samples->meter->read, samples->read);
    take_lock(samples);
    samples->ring = NULL;
    give_lock(samples);
    hpm_ring_close(ring);
}

void
hpm_sampler_merge(struct hpm_sampler *samples, const struct hpm_sampler *other)
{
    for (size_t i = 0; i < other->n_slots; i++) {
        struct hpm_sample_count count = other->counts[i];

        if (count.n == 0)
            continue;
        if (count.node != NULL)
            count.node = count.node->merged;
        add(samples, &count);
    }
    samples->n_dropped += other->n_dropped;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++) {
        samples->totals[i].is_known =
            samples->totals[i].is_known && other->totals[i].is_known;
        samples->totals[i].count += other->totals[i].count;
    }
}
