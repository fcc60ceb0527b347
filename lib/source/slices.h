/* SPDX-License-Identifier: BSD-3-Clause
 * Slices: sets of events that count one after the other, as in MPX (J. May,
 * IPDPS 2001), because they cannot count at the same time.
 *
 * The master list has each event once, however many sets have it and however
 * many sections are open: the event's count C and the time S in which it
 * counted, since the begin.  The time T since then is common to all.  A section
 * takes the differences of two readings, so sections may overlap, nest, and
 * begin within a slice.
 *
 * This is bookkeeping only: the caller has the counters and the clock.  One
 * thread at a time. */
#ifndef HPM_SOURCE_SLICES_H
#define HPM_SOURCE_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/event.h"

/* Most sets of one schedule: each has a bit. */
enum { HPM_MAX_SLICE_SETS = 64 };

/* An event of the master list. */
struct hpm_sliced {
    uint64_t sets;    /* a bit for each set that has the event */
    uint64_t count;   /* C, of all slices that are over */
    uint64_t running; /* S, likewise, in nanoseconds */
    long long base;   /* its counter's value when the slice began */
    bool is_lost;     /* its counter went back, or far ahead, in a slice */
};

struct hpm_slices {
    size_t n_events, n_sets;
    size_t current;  /* the set that counts now */
    uint64_t length; /* mean length of a slice */
    uint64_t wanted; /* length of this slice */
    uint64_t random;
    uint64_t opened, since, latest; /* begin of all, of this slice, and the
                                     * latest look at the clock */
    bool is_counting;               /* false between two slices */
    struct hpm_sliced events[HPM_MAX_ALL_EVENTS];
    uint64_t n_ended; /* number of slices that are over */
    uint64_t *log;    /* sums at the ends of slices, see slices.c */
};

/* Begin, with nothing counted.  `sets` has the bits of each event; `now` is the
 * clock's value in nanoseconds.  False when memory runs out. */
bool hpm_slices_init(struct hpm_slices *slices, const uint64_t *sets,
                     size_t n_events, uint64_t length, uint64_t now)
    __attribute__((cold));

void hpm_slices_clear(struct hpm_slices *slices);

/* Does the event count now? */
static inline bool
hpm_slices_has(const struct hpm_slices *slices, size_t event)
{
    return (slices->events[event].sets >> slices->current & 1) != 0;
}

/* The counters of the set `current` run from now on.  `values` has the value of
 * each of the set's events in the order of the events; so it is in
 * hpm_slices_end. */
void hpm_slices_begin(struct hpm_slices *slices, uint64_t now,
                      const long long *values) __attribute__((cold));

/* Is the slice over?  The lengths of slices vary by up to a quarter, so that a
 * program that repeats itself does not stay in step with them. */
bool hpm_slices_is_over(const struct hpm_slices *slices, uint64_t now);

/* The counters have stopped at `values`; the next set becomes `current`. */
void hpm_slices_end(struct hpm_slices *slices, uint64_t now,
                    const long long *values) __attribute__((cold));

/* C, S and T of an event at one instant. */
struct hpm_slices_sum {
    uint64_t count, running, enabled;
};

/* Note the time for hpm_slices_sum.  It is later at each look, so that no
 * interval is empty. */
void hpm_slices_look(struct hpm_slices *slices, uint64_t now);

/* An event's sums at the latest look, when its counter had `value`, which is
 * ignored if the event does not count now. */
struct hpm_slices_sum hpm_slices_sum(struct hpm_slices *slices, size_t event,
                                     long long value);

/* The kept sums at the end of a slice: T, and C and S of each event. */
struct hpm_slices_row {
    uint64_t enabled;
    struct {
        uint64_t count, running;
    } events[];
};

/* The first kept end of a slice with T in `least` <= T < `most`; NULL if there
 * is none.  The ends of the latest slices are all kept, of earlier ones every
 * second, fourth, ...: any interval that ends now has at least 8 kept ends, if
 * it has so many ends. */
const struct hpm_slices_row *hpm_slices_find(const struct hpm_slices *slices,
                                             uint64_t least, uint64_t most)
    __attribute__((cold));

#endif
