/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of one PAPI component that take turns in slices of processor time, for
 * one thread or, if the component knows no threads, for the process.
 *
 * Uses only PAPI's standard interface to stop and start sets.
 * doc/design/slices.md says which thread does that and when, and why no signal
 * is used. */
#ifndef HPM_SOURCE_PAPISLICES_H
#define HPM_SOURCE_PAPISLICES_H

#include <time.h>

#include "source/eventset.h"
#include "source/meter.h"
#include "source/papiset.h"

/* In nanoseconds, the same length as in MPX. */
enum { HPM_SLICE_LENGTH = 10000000 };

struct hpm_papislices;

/* Find out which events of the component PAPI can count together, and put them
 * into as few sets as a first fit needs; then fill each set with other events
 * that fit.  Result: encoding.config of each event has a bit for each set it is
 * in; 0 if one set has all events.  An event that PAPI refuses even alone gets
 * its reason.  Needs PAPI's lock, as all functions but the reading do. */
void hpm_papislices_arrange(struct hpm_eventset *events,
                            const struct hpm_papiset_request *request)
    __attribute__((cold));

/* Do events of this component take turns? */
bool hpm_papislices_are_needed(const struct hpm_eventset *events, int component)
    __attribute__((cold));

/* Start to count the component's events among the first `n_events`.  Without a
 * thread (is_attached) all meters of the process share one object.  NULL if
 * that fails. */
struct hpm_papislices *
hpm_papislices_open(const struct hpm_eventset *events, size_t n_events,
                    const struct hpm_papiset_request *request,
                    struct hpm_error *err) __attribute__((cold));

/* This meter reads no more; the last user's call ends the sets.  In a forked
 * child PAPI is not called. */
void hpm_papislices_close(struct hpm_papislices *slices) __attribute__((cold));

/* Give each event slots for its times, if it has none. */
void hpm_papislices_add_slots(const struct hpm_papislices *slices,
                              struct hpm_meter *meter) __attribute__((cold));

/* clear sets the slots of the events to 0; then read adds counts and times, for
 * each object that counts the same events.  Any thread; waits for another one
 * that reads, and for the end of a change of sets. */
void hpm_papislices_clear(const struct hpm_papislices *slices,
                          const struct hpm_meter *meter, uint64_t *slots);
void hpm_papislices_read(struct hpm_papislices *slices, struct hpm_meter *meter,
                         uint64_t *slots);

/* Move the events' slots on, from an earlier instant to the next end of a
 * slice, of some 16 between `from` and `to`; false if none is left before `to`.
 * Only for one thread, or if all meters share the object. */
bool hpm_papislices_step(struct hpm_papislices *slices,
                         const struct hpm_meter *meter, uint64_t *slots,
                         const uint64_t *from, const uint64_t *to)
    __attribute__((cold));

/* Change sets if the slice is over.  True if processor time has passed since
 * the last look.  Only the slicer calls this. */
bool hpm_papislices_look(struct hpm_papislices *slices) __attribute__((cold));

/* The list of all, for the slicer. */
struct hpm_papislices *hpm_papislices_first(void);
struct hpm_papislices *hpm_papislices_next(const struct hpm_papislices *slices);

/* For tests: the function that reads a clock of the kernel, in ns. */
extern uint64_t (*hpm_papislices_clock)(clockid_t clock)
    __attribute__((visibility("hidden")));

/* Is hpm_papislices_clock the kernel's?  If a test has replaced it, no slicer
 * runs, and the test calls hpm_papislices_look. */
bool hpm_papislices_run_by_kernel(void);

#endif
