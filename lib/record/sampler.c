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
take_lock(struct hpm_sampler *sampler)
{
    while (
        atomic_flag_test_and_set_explicit(&sampler->lock, memory_order_acquire))
        sched_yield();
}

static void
give_lock(struct hpm_sampler *sampler)
{
    atomic_flag_clear_explicit(&sampler->lock, memory_order_release);
}

/* ---- the table ------------------------------------------------------- */

static size_t
hash(const struct hpm_sample_count *count)
{
    uint64_t mixed =
        count->address + 31 * count->event + UINT64_C(1021) * count->part;

    mixed = (mixed ^ (uintptr_t)count->node) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 29) ^ (uintptr_t)count->within) *
            UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)(mixed ^ (mixed >> 32));
}

static bool
is_same(const struct hpm_sample_count *a, const struct hpm_sample_count *b)
{
    return a->address == b->address && a->node == b->node &&
           a->within == b->within && a->event == b->event && a->part == b->part;
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
static __attribute__((cold)) bool
make_room(struct hpm_sampler *sampler)
{
    size_t n_slots = sampler->n_slots > 0 ? 2 * sampler->n_slots : FIRST_SLOTS;
    struct hpm_sample_count *counts;

    if (2 * (sampler->n_counts + 1) <= sampler->n_slots)
        return true;
    counts = hpm_memory_new(n_slots, sizeof *counts);
    if (counts == NULL)
        return false;
    for (size_t i = 0; i < sampler->n_slots; i++) {
        const struct hpm_sample_count *count = &sampler->counts[i];

        if (count->n > 0)
            *find_slot(counts, n_slots, count) = *count;
    }
    hpm_memory_free(sampler->counts);
    sampler->counts = counts;
    sampler->n_slots = n_slots;
    return true;
}

static void
add(struct hpm_sampler *sampler, const struct hpm_sample_count *count)
{
    struct hpm_sample_count *slot;

    if (!make_room(sampler)) {
        sampler->n_dropped += count->n;
        return;
    }
    slot = find_slot(sampler->counts, sampler->n_slots, count);
    if (slot->n == 0) {
        *slot = *count;
        sampler->n_counts++;
    } else {
        slot->n += count->n;
    }
}

/* ---- what comes out of the ring --------------------------------------- */

static const struct hpm_node *
open_in_process(const struct hpm_sampler *sampler)
{
    return atomic_load_explicit(sampler->within, memory_order_acquire);
}

/* A sample, or samples that were lost; false for anything else, which is dealt
 * with. */
static bool
read_entry(struct hpm_sampler *sampler, const struct hpm_ring_entry *entry,
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
        hpm_modules_add(sampler->modules, &entry->mapped);
        return false;
    }
}

/* The section that the thread has noted for what lies there in the ring; false behind
 * all that it has noted. */
static bool
find_noted(struct hpm_sampler *sampler, uint64_t position,
           const struct hpm_node **ret_node)
{
    while (sampler->n_passed < sampler->n_noted &&
           sampler->noted[sampler->n_passed].head <= position)
        sampler->n_passed++;
    if (sampler->n_passed == sampler->n_noted)
        return false;
    *ret_node = sampler->noted[sampler->n_passed].node;
    return true;
}

/* What is lost has no address. */
static uint32_t
find_part(const struct hpm_sampler *sampler, uint64_t address)
{
    return address != HPM_SAMPLER_LOST
               ? hpm_modules_find_part(sampler->modules, address)
               : HPM_MODULES_NO_PART;
}

static void
count_entry(void *context, const struct hpm_ring_entry *entry)
{
    struct hpm_sampler *sampler = context;
    struct hpm_sample_count count = {.node = sampler->node,
                                     .within = open_in_process(sampler),
                                     .event = (uint32_t)entry->event};

    find_noted(sampler, entry->position, &count.node);
    if (read_entry(sampler, entry, &count.address, &count.n)) {
        count.part = find_part(sampler, count.address);
        add(sampler, &count);
    }
}

/* What is noted is about what lies in the ring until `head` or before. */
static void
read_until(struct hpm_sampler *sampler, uint64_t head,
           void (*take)(void *context, const struct hpm_ring_entry *entry))
{
    hpm_modules_lock(sampler->modules);
    hpm_ring_read(sampler->ring, head, take, sampler);
    hpm_modules_unlock(sampler->modules);
    sampler->n_noted = sampler->n_passed = 0;
}

/* By the thread: what has come is read, and what another one has read is, too. */
static void
read_ring(struct hpm_sampler *sampler,
          void (*take)(void *context, const struct hpm_ring_entry *entry))
{
    atomic_store_explicit(&sampler->n_waiting, 0, memory_order_relaxed);
    sampler->n_known = 0;
    read_until(sampler, hpm_ring_head(sampler->ring), take);
    sampler->ring->cursor->seen = sampler->ring->tail;
}

/* Of what waits, the thread has noted no section for the last ones. */
static __attribute__((cold)) void
count_waiting(struct hpm_sampler *sampler, const struct hpm_node *node)
{
    size_t n = atomic_load_explicit(&sampler->n_waiting, memory_order_relaxed);

    for (size_t i = 0; i < n; i++) {
        const struct hpm_waiting_sample *waiting = &sampler->waiting[i];

        add(sampler, &(struct hpm_sample_count){
                         .node = i < sampler->n_known ? waiting->node : node,
                         .within = waiting->within,
                         .address = waiting->address,
                         .part = waiting->part,
                         .event = waiting->event,
                         .n = waiting->n});
    }
}

/* All that has come belongs to that section, but for what is noted. */
static void
count_all(struct hpm_sampler *sampler, const struct hpm_node *node)
{
    take_lock(sampler);
    sampler->node = node;
    count_waiting(sampler, node);
    read_ring(sampler, count_entry);
    give_lock(sampler);
}

/* What came after the thread's last start or stop stays: its section is not known. */
__attribute__((cold)) void
hpm_sampler_settle(struct hpm_sampler *sampler)
{
    if (sampler == NULL || sampler->ring == NULL ||
        !hpm_ring_is_in_process(sampler->ring))
        return;
    take_lock(sampler);
    if (atomic_load_explicit(&sampler->n_waiting, memory_order_relaxed) ==
        sampler->n_known) {
        count_waiting(sampler, NULL);
        atomic_store_explicit(&sampler->n_waiting, 0, memory_order_relaxed);
        sampler->n_known = 0;
        read_until(sampler, sampler->ring->cursor->seen, count_entry);
    }
    give_lock(sampler);
}

static void
drop_entry(void *context, const struct hpm_ring_entry *entry)
{
    struct hpm_sampler *sampler = context;

    if (entry->kind == HPM_RING_MAPPED)
        hpm_modules_add(sampler->modules, &entry->mapped);
}

static void
drop_all(struct hpm_sampler *sampler)
{
    take_lock(sampler);
    read_ring(sampler, drop_entry);
    give_lock(sampler);
}

static __attribute__((cold)) void
set_aside(void *context, const struct hpm_ring_entry *entry)
{
    struct hpm_sampler *sampler = context;
    size_t n = atomic_load_explicit(&sampler->n_waiting, memory_order_relaxed);
    struct hpm_waiting_sample waiting = {.within = open_in_process(sampler),
                                         .event = (uint32_t)entry->event};
    bool is_known = find_noted(sampler, entry->position, &waiting.node);

    if (!read_entry(sampler, entry, &waiting.address, &waiting.n))
        return;
    if (!hpm_memory_grow(&sampler->waiting, &sampler->waiting_capacity, n + 1,
                         sizeof *sampler->waiting)) {
        sampler->n_dropped += waiting.n;
        return;
    }
    waiting.part = find_part(sampler, waiting.address);
    sampler->waiting[n] = waiting;
    sampler->n_known += is_known;
    atomic_store_explicit(&sampler->n_waiting, n + 1, memory_order_release);
}

static __attribute__((cold)) size_t
collect(struct hpm_sampler *sampler)
{
    struct hpm_ring *ring = sampler->ring;
    uint64_t head = hpm_ring_head(ring);
    size_t half = ring->bytes / 2;
    bool is_pressing = head - ring->tail > half;

    read_until(sampler, head, set_aside);
    is_pressing |= ring->has_mapped;
    ring->has_mapped = false;
    if (is_pressing)
        return 0;
    return ring->is_settled ? half / HPM_RING_SAMPLE_BYTES : 1;
}

__attribute__((cold)) size_t
hpm_sampler_collect(struct hpm_sampler *sampler)
{
    size_t room = SIZE_MAX;

    if (sampler == NULL || !hpm_page_owner_is_here(&sampler->owner))
        return room;
    take_lock(sampler);
    if (sampler->ring != NULL)
        room = collect(sampler);
    give_lock(sampler);
    return room;
}

/* ---- edges ----------------------------------------------------------- */

/* A start reads into the row of its own frame, which is open already: what has
 * come belongs to the section around it.  Before a stop's reading it belongs to the
 * section that is to be closed, whose time goes on.  Other readings are in the
 * middle of a call: false. */
static bool
find_section(const struct hpm_calltree *tree, const uint64_t *row,
             const struct hpm_node **ret_node)
{
    bool is_start = row == tree->top->start && tree->top > tree->frames;

    if (row != tree->now && !is_start)
        return false;
    *ret_node = is_start ? tree->top[-1].node : tree->innermost;
    return true;
}

/* Charge what counting the samples took, which varies: from a reading before the
 * counting to the edge's own reading.  That is one reading more than an edge without
 * samples has; the time of a reading is known. */
static void
add_overhead(struct hpm_sampler *sampler, uint64_t *row)
{
    struct hpm_calltree *tree = sampler->tree;

    for (size_t i = 0; i < tree->n_overheads; i++) {
        if (hpm_meter_is_charged(sampler->meter, i))
            hpm_calltree_add_slot_overhead(tree, i,
                                           row[i] - sampler->begin[i] +
                                               (i == 0 ? sampler->reading : 0));
        if (row != tree->now)
            row[tree->n_slots + i] = hpm_calltree_overhead_of(tree, i);
    }
}

/* A reading leaves the slots of lost events alone: both rows must have the same values
 * there, so that nothing is charged for such an event. */
static __attribute__((cold, noinline)) void
count_and_read(struct hpm_sampler *sampler, const struct hpm_node *node,
               uint64_t *row)
{
    size_t time_slot = sampler->meter->time_slot;

    hpm_meter_read_own(sampler->meter, sampler->begin);
    sampler->begin[time_slot] = hpm_clock_read();
    if (sampler->tree == sampler->own)
        count_all(sampler, node);
    else
        drop_all(sampler);
    memcpy(row, sampler->begin, sampler->meter->n_slots * sizeof *row);
    row[time_slot] = hpm_clock_read();
    hpm_meter_read_own(sampler->meter, row);
    add_overhead(sampler, row);
}

/* Leave a few samples in the ring, and note only in which section they came.  Not while
 * the first samples are placed, for which the kernel waits; nor where another thread has
 * taken some out, or where there are so many that one of them may be a mapping: other
 * threads' addresses need that at once. */
static bool
note_section(struct hpm_sampler *sampler, const struct hpm_node *node,
             uint64_t head)
{
    enum { FEW = 3 * HPM_RING_SAMPLE_BYTES };
    struct hpm_cursor *cursor = sampler->ring->cursor;
    bool is_noted;

    take_lock(sampler);
    is_noted =
        sampler->ring->is_settled && sampler->tree == sampler->own &&
        sampler->n_noted < HPM_SAMPLER_MOST_NOTED &&
        head - cursor->seen <= FEW &&
        atomic_load_explicit(&sampler->n_waiting, memory_order_relaxed) == 0;
    if (is_noted) {
        sampler->noted[sampler->n_noted++] =
            (struct hpm_noted_section){head, node};
        cursor->seen = head;
    }
    give_lock(sampler);
    return is_noted;
}

/* The ring first: what another thread has taken out of it until then is waiting.  Where
 * nothing is, that thread took what is no sample, and what it took up to this head need
 * not be looked for again. */
static __attribute__((cold)) void
read_with_samples(void *context, uint64_t *row)
{
    struct hpm_sampler *sampler = context;
    struct hpm_ring *ring = sampler->ring;
    uint64_t head = HPM_PAGE_LOAD(ring->page->data_head);
    const struct hpm_node *node;

    if (hpm_ring_has_more(ring) ||
        atomic_load_explicit(&sampler->n_waiting, memory_order_relaxed) > 0) {
        if (find_section(sampler->tree, row, &node) &&
            !note_section(sampler, node, head)) {
            count_and_read(sampler, node, row);
            return;
        }
    } else if (hpm_page_is_owned(&ring->owner)) {
        ring->cursor->seen = head;
    }
    hpm_meter_read_own(sampler->meter, row);
}

/* ---- life ------------------------------------------------------------ */

/* How long a reading takes: the least of some tries. */
static void
find_reading(struct hpm_sampler *sampler)
{
    sampler->reading = UINT64_MAX;
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t begin = hpm_clock_read(), ticks;

        hpm_meter_read_own(sampler->meter, sampler->begin);
        ticks = hpm_clock_read() - begin;
        if (ticks < sampler->reading)
            sampler->reading = ticks;
    }
}

__attribute__((cold)) struct hpm_sampler *
hpm_sampler_open(const struct hpm_sampling *sampling, struct hpm_meter *meter,
                 struct hpm_calltree *tree, const hpm_sampler_within *within,
                 struct hpm_modules *modules, struct hpm_error *err)
{
    struct hpm_sampler *sampler = hpm_memory_new(1, sizeof *sampler);

    if (sampler == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    sampler->meter = meter;
    sampler->tree = sampler->own = tree;
    sampler->within = within;
    sampler->modules = modules;
    atomic_flag_clear(&sampler->lock);
    sampler->begin = hpm_memory_new(meter->n_slots, sizeof *sampler->begin);
    if (sampler->begin == NULL) {
        hpm_error_no_memory(err);
        hpm_sampler_free(sampler);
        return NULL;
    }
    sampler->ring = hpm_ring_open(sampling, err);
    if (sampler->ring == NULL) {
        hpm_sampler_free(sampler);
        return NULL;
    }
    sampler->owner = sampler->ring->owner;
    find_reading(sampler);
    sampler->ring->cursor->take = read_with_samples;
    sampler->ring->cursor->context = sampler;
    hpm_meter_set_cursor(meter, sampler->ring->cursor);
    return sampler;
}

__attribute__((cold)) void
hpm_sampler_free(struct hpm_sampler *sampler)
{
    if (sampler == NULL)
        return;
    hpm_ring_close(sampler->ring);
    hpm_memory_free(sampler->begin);
    hpm_memory_free(sampler->waiting);
    hpm_memory_free(sampler->counts);
    hpm_memory_free(sampler);
}

void
hpm_sampler_leave(struct hpm_sampler *sampler)
{
    if (sampler != NULL && sampler->ring != NULL)
        hpm_ring_leave(sampler->ring);
}

/* In a child that was made by clone(2) alone: the memory is not there, and a thread
 * of the parent may have had the lock. */
static void
leave_ring(struct hpm_sampler *sampler)
{
    sampler->ring = NULL;
    hpm_meter_set_cursor(sampler->meter, NULL);
}

__attribute__((cold)) void
hpm_sampler_use(struct hpm_sampler *sampler, struct hpm_calltree *tree)
{
    if (sampler == NULL)
        return;
    /* what has come belongs to what was open until now */
    if (sampler->ring != NULL && !hpm_ring_is_in_process(sampler->ring))
        leave_ring(sampler);
    else if (sampler->ring != NULL && sampler->tree == sampler->own)
        count_all(sampler, sampler->own->innermost);
    else if (sampler->ring != NULL)
        drop_all(sampler);
    sampler->tree = tree;
}

/* The reading with which the run begins has counted what came before it. */
static void
forget_counts(struct hpm_sampler *sampler)
{
    for (size_t i = 0; i < sampler->n_slots; i++)
        sampler->counts[i].n = 0;
    sampler->n_counts = 0;
    sampler->n_dropped = 0;
}

__attribute__((cold)) void
hpm_sampler_begin(struct hpm_sampler *sampler)
{
    if (sampler == NULL || sampler->ring == NULL)
        return;
    drop_all(sampler);
    forget_counts(sampler);
    for (size_t i = 0; i < sampler->ring->sampling->n_events; i++) {
        sampler->totals[i].is_sampled = sampler->ring->events[i].fd >= 0;
        sampler->totals[i].is_known =
            hpm_ring_count(sampler->ring, i, &sampler->totals[i].first);
    }
}

static __attribute__((cold)) void
count_untold(struct hpm_sampler *sampler)
{
    for (size_t i = 0; i < sampler->ring->sampling->n_events; i++) {
        struct hpm_sample_count count = {
            .node = sampler->own->innermost,
            .within = open_in_process(sampler),
            .address = HPM_SAMPLER_LOST,
            .part = HPM_MODULES_NO_PART,
            .event = (uint32_t)i,
            .n = hpm_ring_lost_untold(sampler->ring, i)};

        if (count.n > 0)
            add(sampler, &count);
    }
}

__attribute__((cold)) struct hpm_sample_total
hpm_sampler_total(const struct hpm_sampler *sampler, size_t event)
{
    const struct hpm_ring *ring = sampler->ring;
    struct hpm_sample_total total = sampler->totals[event];
    uint64_t count;

    if (ring == NULL || event >= ring->sampling->n_events)
        return total;
    total.is_known = total.is_known && hpm_ring_count(ring, event, &count);
    if (total.is_known)
        total.count = count - total.first;
    return total;
}

__attribute__((cold)) void
hpm_sampler_end(struct hpm_sampler *sampler)
{
    struct hpm_ring *ring;

    if (sampler == NULL || sampler->ring == NULL)
        return;
    if (!hpm_ring_is_in_process(sampler->ring)) {
        leave_ring(sampler);
        return;
    }
    ring = sampler->ring;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++)
        sampler->totals[i] = hpm_sampler_total(sampler, i);
    count_all(sampler, sampler->own->innermost);
    count_untold(sampler);
    hpm_meter_set_cursor(sampler->meter, NULL);
    take_lock(sampler);
    sampler->ring = NULL;
    give_lock(sampler);
    hpm_ring_close(ring);
}

__attribute__((cold)) void
hpm_sampler_merge(struct hpm_sampler *sampler, const struct hpm_sampler *other)
{
    for (size_t i = 0; i < other->n_slots; i++) {
        struct hpm_sample_count count = other->counts[i];

        if (count.n == 0)
            continue;
        if (count.node != NULL)
            count.node = count.node->merged;
        add(sampler, &count);
    }
    sampler->n_dropped += other->n_dropped;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++) {
        sampler->totals[i].is_known =
            sampler->totals[i].is_known && other->totals[i].is_known;
        sampler->totals[i].is_sampled =
            sampler->totals[i].is_sampled && other->totals[i].is_sampled;
        sampler->totals[i].count += other->totals[i].count;
    }
}

__attribute__((cold)) struct hpm_sampler *
hpm_sampler_new_sum(void)
{
    struct hpm_sampler *sum = hpm_memory_new(1, sizeof *sum);

    for (size_t i = 0; sum != NULL && i < HPM_MAX_SAMPLED; i++)
        sum->totals[i] =
            (struct hpm_sample_total){.is_sampled = true, .is_known = true};
    return sum;
}
