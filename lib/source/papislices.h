/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of one PAPI component that take turns in slices of processor time, for
 * one thread or, where the component knows no threads, for the process.
 *
 * What PAPI's standard interface stops and starts; doc/design/slices.md says who
 * does it when, and why no signal is used. */
#ifndef HPM_SOURCE_PAPISLICES_H
#define HPM_SOURCE_PAPISLICES_H

#include <time.h>

#include "source/eventset.h"
#include "source/meter.h"
#include "source/papiset.h"

/* In nanoseconds, that of MPX. */
enum { HPM_SLICE_LENGTH = 10000000 };

struct hpm_papislices;

/* Find out which events of the component PAPI counts together, put them into
 * as few sets as a first fit needs, and what else fits into each of these: into
 * encoding.config of each event, a bit for each set; 0 where one set has all.
 * An event that PAPI refuses even alone gets its reason.  With PAPI's lock
 * held, as all but the reading. */
void hpm_papislices_arrange(struct hpm_eventset *events,
                            const struct hpm_papiset_request *request)
    __attribute__((cold));

/* Do events of this component take turns? */
bool hpm_papislices_are_needed(const struct hpm_eventset *events, int component)
    __attribute__((cold));

/* Let them count: their first `n_events`.  Without a thread (is_attached) all
 * meters of the process have the same.  NULL when it cannot be. */
struct hpm_papislices *
hpm_papislices_open(const struct hpm_eventset *events, size_t n_events,
                    const struct hpm_papiset_request *request,
                    struct hpm_error *err) __attribute__((cold));

/* Nobody reads through it any more; the last one ends it.  In a forked child
 * PAPI hears nothing of it. */
void hpm_papislices_close(struct hpm_papislices *slices) __attribute__((cold));

/* Give each event slots for its times, if it has none. */
void hpm_papislices_add_slots(const struct hpm_papislices *slices,
                              struct hpm_meter *meter) __attribute__((cold));

/* Slots of its events to 0, and then, of each that counts the same events,
 * counts and times added.  Any thread; waits for another one, and for the end
 * of a change of sets. */
void hpm_papislices_clear(const struct hpm_papislices *slices,
                          const struct hpm_meter *meter, uint64_t *slots);
void hpm_papislices_read(struct hpm_papislices *slices, struct hpm_meter *meter,
                         uint64_t *slots);

/* Slots of its events are put from those of an earlier instant to those of the
 * next end of a slice, of some 16 between `from` and `to`; false when there is
 * none any more before `to`.  For one thread, or where all have the same. */
bool hpm_papislices_step(struct hpm_papislices *slices,
                         const struct hpm_meter *meter, uint64_t *slots,
                         const uint64_t *from, const uint64_t *to)
    __attribute__((cold));

/* Change sets where the slice is over.  Has processor time passed since the
 * last look?  Only by the slicer. */
bool hpm_papislices_look(struct hpm_papislices *slices) __attribute__((cold));

/* The slicer's list. */
struct hpm_papislices *hpm_papislices_first(void);
struct hpm_papislices *hpm_papislices_next(const struct hpm_papislices *slices);

/* For tests: what a clock of the kernel says, in nanoseconds. */
extern uint64_t (*hpm_papislices_clock)(clockid_t clock)
    __attribute__((visibility("hidden")));

/* Is it the kernel's own?  While it is not, no slicer runs, and the test calls
 * hpm_papislices_look. */
bool hpm_papislices_run_by_kernel(void);

#endif
