/* SPDX-License-Identifier: BSD-3-Clause
 * Slices: sets of events that count one after the other, as in MPX (J. May,
 * IPDPS 2001), because they cannot count at the same time.
 *
 * The master list has each event once, however many sets it is in and however
 * many sections are open: its count C and the time S in which it counted, since
 * the beginning, while T goes on for all.  A section takes the differences of
 * two readings, so sections may overlap, nest, and begin within a slice.
 *
 * Only bookkeeping: counters and clock are the caller's.  One thread at a time. */
#ifndef HPM_SOURCE_SLICES_H
#define HPM_SOURCE_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/event.h"

/* Sets of one schedule: a bit each. */
enum { HPM_MAX_SLICE_SETS = 64 };

/* An event of the master list. */
struct hpm_sliced {
    uint64_t sets;    /* a bit for each set that it is in */
    uint64_t count;   /* C and S, of all slices that are over */
    uint64_t running; /* in nanoseconds */
    long long base;   /* what its counter said when the slice began */
    bool is_lost;     /* its counter went back, or far ahead, in a slice */
};

struct hpm_slices {
    size_t n_events, n_sets;
    size_t current;  /* the set whose turn it is */
    uint64_t length; /* of a slice, in the middle */
    uint64_t wanted; /* of this one */
    uint64_t random;
    uint64_t opened, since, latest; /* when all began, this slice, the latest */
    bool is_counting;               /* not between two slices */
    struct hpm_sliced events[HPM_MAX_ALL_EVENTS];
    uint64_t n_ended; /* slices */
    uint64_t *log;    /* sums at ends of slices, see slices.c */
};

/* Nothing counts so far.  `sets` has the bits of each event; the clock, of
 * nanoseconds, says `now`.  False when there is no memory. */
bool hpm_slices_init(struct hpm_slices *slices, const uint64_t *sets,
                     size_t n_events, uint64_t length, uint64_t now)
    __attribute__((cold));

void hpm_slices_clear(struct hpm_slices *slices);

/* Is the event one of those that count now? */
static inline bool
hpm_slices_has(const struct hpm_slices *slices, size_t event)
{
    return (slices->events[event].sets >> slices->current & 1) != 0;
}

/* The counters of the set `current` run now, and say `values`: one for each
 * of its events, in their order, here and below. */
void hpm_slices_begin(struct hpm_slices *slices, uint64_t now,
                      const long long *values) __attribute__((cold));

/* Has the slice had its time?  Slices are not equally long, by up to a quarter
 * each way, lest a program that repeats itself keeps step with them. */
bool hpm_slices_is_over(const struct hpm_slices *slices, uint64_t now);

/* The counters have stopped at `values`; it is the turn of the next set. */
void hpm_slices_end(struct hpm_slices *slices, uint64_t now,
                    const long long *values) __attribute__((cold));

/* C, S and T of an event up to an instant. */
struct hpm_slices_sum {
    uint64_t count, running, enabled;
};

/* Look at the clock: what hpm_slices_sum takes for now.  Each time later than
 * before, so that no window is without any time in it. */
void hpm_slices_look(struct hpm_slices *slices, uint64_t now);

/* An event's sums at the latest look, when its counter said `value`, which
 * matters only where it counts now. */
struct hpm_slices_sum hpm_slices_sum(struct hpm_slices *slices, size_t event,
                                     long long value);

/* What was kept of the end of a slice: T of all, C and S of each event. */
struct hpm_slices_row {
    uint64_t enabled;
    struct {
        uint64_t count, running;
    } events[];
};

/* The first end of a slice with T from `least` on, below `most`, of those that
 * are kept; NULL for none.  Of the latest slices each end is kept, of earlier
 * ones every second, fourth, ...: of any window until now there are at least 8,
 * if it has so many. */
const struct hpm_slices_row *hpm_slices_find(const struct hpm_slices *slices,
                                             uint64_t least, uint64_t most)
    __attribute__((cold));

#endif
