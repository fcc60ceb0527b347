/* SPDX-License-Identifier: BSD-3-Clause
 * One set of events of one PAPI component.  All but the reading with PAPI's
 * lock held (hpm_papilib_lock). */
#ifndef HPM_SOURCE_PAPISET_H
#define HPM_SOURCE_PAPISET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "source/event.h"
#include "source/papicounters.h"
#include "source/papilib.h"

struct hpm_papiset {
    int id;   /* PAPI's number of it */
    size_t n; /* events */
    bool is_running;
    bool inherits;
    bool is_known; /* the descriptors below are those of the set */
    struct hpm_papicounters counters, before;
};

/* What is asked of a component that counts for one thread. */
struct hpm_papiset_request {
    int component;
    bool is_attached; /* to thread `tid`; else none of the rest is heeded */
    pid_t tid;
    bool inherits; /* count what it starts, too */
    enum hpm_domain domain;
};

/* An empty set.  What may be called after failure is nothing. */
bool hpm_papiset_open(struct hpm_papiset *set,
                      const struct hpm_papiset_request *request,
                      struct hpm_error *err) __attribute__((cold));

/* Returns PAPI_OK, or why PAPI refuses the event beside those that are in the
 * set; those stay. */
int hpm_papiset_add(struct hpm_papiset *set, const char *name)
    __attribute__((cold));

/* Let it count; after failure it is only to be closed. */
bool hpm_papiset_start(struct hpm_papiset *set, struct hpm_error *err)
    __attribute__((cold));

/* Let it stop, with the counts it had, and start again, from 0; after failure it
 * is only to be closed.  Any thread. */
bool hpm_papiset_rest(struct hpm_papiset *set, long long *ret_values,
                      struct hpm_error *err) __attribute__((cold));
bool hpm_papiset_resume(struct hpm_papiset *set, struct hpm_error *err)
    __attribute__((cold));

/* Are the descriptors still those PAPI opened?  If not, PAPI must not touch
 * the set any more: it would read from, or close, files of the program.
 * Without PAPI's lock. */
bool hpm_papiset_is_there(const struct hpm_papiset *set);

/* PAPI_OK and the counts, in the order in which the events came; without PAPI's
 * lock, but one thread at a time. */
static inline int
hpm_papiset_read(const struct hpm_papiset *set, long long *ret_values)
{
    return hpm_papilib_is_up() ? hpm_papilib.read(set->id, ret_values)
                               : PAPI_ENOINIT;
}

/* End it and give everything back. */
void hpm_papiset_close(struct hpm_papiset *set) __attribute__((cold));

/* Without a word to PAPI: in a forked child, where it is the parent's set. */
void hpm_papiset_abandon(struct hpm_papiset *set);

/* The sentence for an error of PAPI. */
void hpm_papiset_explain(int error, struct hpm_error *err);

#endif
