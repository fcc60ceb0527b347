/* SPDX-License-Identifier: BSD-3-Clause
 * One set of events of one PAPI component.  All functions but the reading need
 * PAPI's lock (hpm_papilib_lock). */
#ifndef HPM_SOURCE_PAPISET_H
#define HPM_SOURCE_PAPISET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "source/event.h"
#include "source/papicounters.h"
#include "source/papilib.h"

struct hpm_papiset {
    int id;   /* PAPI's number of the set */
    size_t n; /* number of events */
    bool is_running;
    bool inherits;
    bool is_known; /* `counters` are the descriptors of the set */
    struct hpm_papicounters counters, before;
};

/* The properties of a set; only `component` counts unless is_attached. */
struct hpm_papiset_request {
    int component;
    bool is_attached; /* to thread `tid`; if not, the members below are
                       * ignored */
    pid_t tid;
    bool inherits; /* count the threads and children it starts, too */
    enum hpm_domain domain;
};

/* Open an empty set.  After a failure no other function may be called. */
bool hpm_papiset_open(struct hpm_papiset *set,
                      const struct hpm_papiset_request *request,
                      struct hpm_error *err) __attribute__((cold));

/* Returns PAPI_OK, or PAPI's error if it refuses the event beside those in the
 * set, which stay. */
int hpm_papiset_add(struct hpm_papiset *set, const char *name)
    __attribute__((cold));

/* Start counting; after a failure the set may only be closed. */
bool hpm_papiset_start(struct hpm_papiset *set, struct hpm_error *err)
    __attribute__((cold));

/* rest stops the set and gives its counts; resume starts it again, from 0.
 * After a failure the set may only be closed.  Any thread. */
bool hpm_papiset_rest(struct hpm_papiset *set, long long *ret_values,
                      struct hpm_error *err) __attribute__((cold));
bool hpm_papiset_resume(struct hpm_papiset *set, struct hpm_error *err)
    __attribute__((cold));

/* Does PAPI still own the descriptors it opened?  If not, PAPI must not use the
 * set any more: it would read from, or close, files of the program.  Needs no
 * lock. */
bool hpm_papiset_is_there(const struct hpm_papiset *set);

/* Read the counts, in the order in which the events were added; returns PAPI_OK
 * or PAPI's error.  Needs no lock, but one thread at a time. */
static inline int
hpm_papiset_read(const struct hpm_papiset *set, long long *ret_values)
{
    return hpm_papilib_is_up() ? hpm_papilib.read(set->id, ret_values)
                               : PAPI_ENOINIT;
}

/* Stop the set and free all that it holds. */
void hpm_papiset_close(struct hpm_papiset *set) __attribute__((cold));

/* Free the set without calling PAPI: in a forked child, where it is the
 * parent's. */
void hpm_papiset_abandon(struct hpm_papiset *set);

/* Describe an error of PAPI in one sentence. */
void hpm_papiset_explain(int error, struct hpm_error *err);

#endif
