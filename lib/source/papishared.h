/* SPDX-License-Identifier: BSD-3-Clause
 * Events that belong to the process: those of PAPI components that know no
 * threads.
 *
 * PAPI_start resets software-defined (SDE) counters for the whole process,
 * whichever thread calls it.  So all meters of the process share running sets,
 * which are started once. */
#ifndef HPM_SOURCE_PAPISHARED_H
#define HPM_SOURCE_PAPISHARED_H

#include "source/eventset.h"

struct hpm_papishared;

/* Why an event has no value any more. */
enum hpm_papishared_trouble {
    HPM_PAPISHARED_FINE,
    HPM_PAPISHARED_IS_REAL,   /* its value is the bits of a floating-point
                               * number */
    HPM_PAPISHARED_WENT_BACK, /* it went back, which no count does */
    HPM_PAPISHARED_FAILED,    /* PAPI_read failed */
};

/* A running set with the events of `events` that belong to `component`; the
 * first call starts the sets.  NULL if that fails.  Call open and close with
 * PAPI's lock held. */
struct hpm_papishared *hpm_papishared_open(const struct hpm_eventset *events,
                                           int component, struct hpm_error *err)
    __attribute__((cold));

/* This meter reads no more; the last user's call stops the sets. */
void hpm_papishared_close(struct hpm_papishared *shared) __attribute__((cold));

/* Read the counts now, each into its slot of a meter's sample.  True while all
 * is well.  Any thread; waits while another thread reads. */
bool hpm_papishared_read(struct hpm_papishared *shared, uint64_t *slots);

/* May reading wait, and so be a cancellation point?  Software-defined events
 * are read from memory.  A function of the program that PAPI asks for a count
 * must not be a cancellation point, because PAPI holds a lock of its own
 * then. */
bool hpm_papishared_may_wait(const struct hpm_papishared *shared);

/* The place of the set's n-th event in the events; SIZE_MAX beyond the last. */
size_t hpm_papishared_event(const struct hpm_papishared *shared, size_t n,
                            enum hpm_papishared_trouble *ret_trouble)
    __attribute__((cold));

/* Describe the trouble in one sentence. */
void hpm_papishared_explain(const struct hpm_papishared *shared,
                            enum hpm_papishared_trouble trouble,
                            struct hpm_error *err) __attribute__((cold));

#endif
