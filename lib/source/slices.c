/* SPDX-License-Identifier: BSD-3-Clause
 * Slices: sets of events that count one after the other. */
#include "source/slices.h"

#include "host/memory.h"

/* Level l of the log is a ring of the latest ends of slices whose number is a
 * multiple of 2^l.  That is enough for a day of slices of 10 ms; pages never
 * written take no memory. */
enum { N_LEVELS = 20, N_ENTRIES = 16 };

/* No counter counts so far in one slice: it was reset, or is no count. */
static const uint64_t most_counted = UINT64_C(1) << 61;

static size_t
row_size(const struct hpm_slices *slices)
{
    return 1 + 2 * slices->n_events;
}

static struct hpm_slices_row *
row_at(const struct hpm_slices *slices, unsigned level, uint64_t number)
{
    size_t entry = level * N_ENTRIES + number % N_ENTRIES;

    return (struct hpm_slices_row *)(slices->log + entry * row_size(slices));
}

bool
hpm_slices_init(struct hpm_slices *slices, const uint64_t *sets,
                size_t n_events, uint64_t length, uint64_t now)
{
    uint64_t all = 0;

    *slices = (struct hpm_slices){.n_events = n_events,
                                  .length = length,
                                  .random = 0x9e3779b97f4a7c15,
                                  .opened = now,
                                  .latest = now};
    for (size_t i = 0; i < n_events; i++) {
        slices->events[i].sets = sets[i];
        all |= sets[i];
    }
    while (slices->n_sets < HPM_MAX_SLICE_SETS && all >> slices->n_sets != 0)
        slices->n_sets++;
    slices->log = hpm_memory_new(N_LEVELS * N_ENTRIES,
                                 row_size(slices) * sizeof *slices->log);
    return slices->log != NULL;
}

void
hpm_slices_clear(struct hpm_slices *slices)
{
    hpm_memory_free(slices->log);
    slices->log = NULL;
}

void
hpm_slices_look(struct hpm_slices *slices, uint64_t now)
{
    slices->latest = now > slices->latest ? now : slices->latest + 1;
}

/* Xorshift, with the same lengths in each run. */
static uint64_t
vary(struct hpm_slices *slices)
{
    uint64_t x = slices->random;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    slices->random = x;
    return slices->length * 3 / 4 + x % (slices->length / 2 + 1);
}

void
hpm_slices_begin(struct hpm_slices *slices, uint64_t now,
                 const long long *values)
{
    if (now > slices->latest)
        slices->latest = now;
    slices->since = slices->latest;
    slices->wanted = vary(slices);
    slices->is_counting = true;
    for (size_t i = 0; i < slices->n_events; i++) {
        if (hpm_slices_has(slices, i))
            slices->events[i].base = *values++;
    }
}

bool
hpm_slices_is_over(const struct hpm_slices *slices, uint64_t now)
{
    return now >= slices->since && now - slices->since >= slices->wanted;
}

struct hpm_slices_sum
hpm_slices_sum(struct hpm_slices *slices, size_t event, long long value)
{
    struct hpm_sliced *sliced = &slices->events[event];
    struct hpm_slices_sum sum = {.count = sliced->count,
                                 .running = sliced->running,
                                 .enabled = slices->latest - slices->opened};
    uint64_t step = (uint64_t)value - (uint64_t)sliced->base;

    if (!slices->is_counting || !hpm_slices_has(slices, event))
        return sum;
    if (step > most_counted) {
        sliced->is_lost = true;
        return sum;
    }
    sum.count += step;
    sum.running += slices->latest - slices->since;
    return sum;
}

static void
keep_end(struct hpm_slices *slices)
{
    uint64_t n = ++slices->n_ended;

    for (unsigned level = 0; level < N_LEVELS; level++, n >>= 1) {
        struct hpm_slices_row *row = row_at(slices, level, n);

        row->enabled = slices->latest - slices->opened;
        for (size_t i = 0; i < slices->n_events; i++) {
            row->events[i].count = slices->events[i].count;
            row->events[i].running = slices->events[i].running;
        }
        if (n % 2 != 0)
            return;
    }
}

void
hpm_slices_end(struct hpm_slices *slices, uint64_t now, const long long *values)
{
    hpm_slices_look(slices, now);
    for (size_t i = 0; i < slices->n_events; i++) {
        struct hpm_slices_sum sum;

        if (!hpm_slices_has(slices, i))
            continue;
        sum = hpm_slices_sum(slices, i, *values++);
        slices->events[i].count = sum.count;
        slices->events[i].running = sum.running;
    }
    slices->is_counting = false;
    slices->current = (slices->current + 1) % slices->n_sets;
    keep_end(slices);
}

/* The number of the oldest end of a slice that a level has. */
static uint64_t
oldest(const struct hpm_slices *slices, unsigned level)
{
    uint64_t n = slices->n_ended >> level;

    return n > N_ENTRIES ? n - N_ENTRIES + 1 : 1;
}

const struct hpm_slices_row *
hpm_slices_find(const struct hpm_slices *slices, uint64_t least, uint64_t most)
{
    unsigned level = 0;

    if (slices->n_ended == 0 ||
        row_at(slices, 0, slices->n_ended)->enabled < least)
        return NULL;
    while (level < N_LEVELS - 1 && oldest(slices, level) > 1 &&
           row_at(slices, level, oldest(slices, level))->enabled > least)
        level++;
    for (uint64_t n = oldest(slices, level); n <= slices->n_ended >> level;
         n++) {
        const struct hpm_slices_row *row = row_at(slices, level, n);

        if (row->enabled >= least)
            return row->enabled < most ? row : NULL;
    }
    return NULL;
}
