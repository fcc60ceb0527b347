/* SPDX-License-Identifier: BSD-3-Clause
 * Events that belong to the process: of PAPI components that know no threads.
 *
 * PAPI_start sets software-defined (SDE) counters back for the whole process,
 * whatever thread calls it.  So there is one running set per component, which
 * all meters of the process read. */
#ifndef HPM_SOURCE_PAPISHARED_H
#define HPM_SOURCE_PAPISHARED_H

#include "source/eventset.h"

struct hpm_papishared;

/* Why an event of it gives no value any more. */
enum hpm_papishared_trouble {
    HPM_PAPISHARED_FINE,
    HPM_PAPISHARED_IS_REAL,   /* the bits of a floating-point number */
    HPM_PAPISHARED_WENT_BACK, /* a count does not */
    HPM_PAPISHARED_FAILED,    /* PAPI_read did */
};

/* The running set with the events of `events` that belong to `component`,
 * started by the first to ask.  NULL when it cannot be had.  With PAPI's lock
 * held, as for closing. */
struct hpm_papishared *hpm_papishared_open(const struct hpm_eventset *events,
                                           int component, struct hpm_error *err)
    __attribute__((cold));

/* Nobody reads through it any more; the last one ends it. */
void hpm_papishared_close(struct hpm_papishared *shared) __attribute__((cold));

/* The counts of this instant, each into its slot of a meter's sample.  True
 * while all is fine.  Any thread; waits for another one that reads. */
bool hpm_papishared_read(struct hpm_papishared *shared, uint64_t *slots);

/* May reading it wait, and so be a point of cancellation?  Software-defined
 * events are read from memory; a program's function that PAPI asks for a count
 * must not be one itself, for PAPI's own lock is taken then. */
bool hpm_papishared_may_wait(const struct hpm_papishared *shared);

/* The n-th event of it: its place in the events, SIZE_MAX beyond the last. */
size_t hpm_papishared_event(const struct hpm_papishared *shared, size_t n,
                            enum hpm_papishared_trouble *ret_trouble)
    __attribute__((cold));

/* The sentence for it, in a buffer of the caller. */
void hpm_papishared_explain(const struct hpm_papishared *shared,
                            enum hpm_papishared_trouble trouble,
                            struct hpm_error *err) __attribute__((cold));

#endif
