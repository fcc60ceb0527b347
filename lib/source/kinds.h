/* SPDX-License-Identifier: BSD-3-Clause
 * Processors with cores of several kinds, as Intel's P and E cores: each kind
 * has a PMU of its own, whose counters stand still while the thread is on a
 * core of another kind.
 *
 * The kernel's `enabled` of such a counter goes on meanwhile.  A count scaled
 * by it would invent events on the cores of the other kind; so here the time in
 * which a counter was wanted is the time that the thread spent on cores of its
 * kind. */
#ifndef HPM_SOURCE_KINDS_H
#define HPM_SOURCE_KINDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/event.h"
#include "source/generic.h"

enum { HPM_MAX_KINDS = 4, HPM_NO_KIND = HPM_MAX_KINDS };

/* Number of kinds of this machine's cores; 0 if all cores are equal. */
size_t hpm_kinds_count(void) __attribute__((cold));

/* The kind on which an event counts, below hpm_kinds_count(); HPM_NO_KIND for
 * an event that counts on all cores. */
size_t hpm_kinds_of(const struct hpm_encoding *encoding) __attribute__((cold));

/* The type (perf_event_attr) of the PMU that counts the event, also for the
 * kernel's own names if they give it. */
uint32_t hpm_kinds_pmu(const struct hpm_encoding *encoding)
    __attribute__((cold));

/* Cycles: an event that counts whenever a thread is on that kind of core. */
struct hpm_encoding hpm_kinds_cycles(size_t kind) __attribute__((cold));

/* The times `running` of all groups, by kind, in one reading.  Start from
 * {0}. */
struct hpm_kinds_reading {
    uint64_t longest[HPM_MAX_KINDS], sum[HPM_MAX_KINDS];
    uint64_t enabled; /* the largest of all groups */
    size_t n_reads;   /* number of system calls that read */
};

/* What earlier readings told.  Start from {0}.  Any thread. */
struct hpm_kinds_times {
    struct {
        _Atomic uint64_t longest, sum;
        _Atomic uint64_t waited; /* for counters in use by others */
    } kinds[HPM_MAX_KINDS];
};

/* Add a group of this kind: for how long it was wanted and ran. */
void hpm_kinds_add(struct hpm_kinds_reading *reading, size_t kind,
                   uint64_t enabled, uint64_t running);

/* All groups have been read: add the time they waited for counters. */
void hpm_kinds_end(struct hpm_kinds_times *times,
                   const struct hpm_kinds_reading *reading);

/* The time for which a group of this kind, which ran for `running`, was wanted:
 * its thread's time on that kind of core, as far as the readings tell. */
uint64_t hpm_kinds_wanted(const struct hpm_kinds_times *times,
                          const struct hpm_kinds_reading *reading, size_t kind,
                          uint64_t running);

/* "cycles" and other names of the kernel mean another event on each kind: write
 * the name for one kind, "cpu_core/cycles/".  False for any other name. */
bool hpm_kinds_spell(const char *name, size_t kind, char *ret_name, size_t size)
    __attribute__((cold));

/* The event of a name that hpm_kinds_spell has written; false for any other
 * name. */
bool hpm_kinds_read_name(const char *name, struct hpm_generic *ret_generic)
    __attribute__((cold));

#endif
