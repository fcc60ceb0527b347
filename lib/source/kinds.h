/* SPDX-License-Identifier: BSD-3-Clause
 * Processors with cores of several kinds, as Intel's with P and E cores: each kind
 * has a PMU of its own, whose counters stand still while the thread is on a core
 * of another kind.
 *
 * The kernel's `enabled` of such a counter goes on there.  To scale a count by it
 * would invent what the cores of the other kind did; so the time in which a counter
 * was wanted is that which the thread spent on its kind of cores. */
#ifndef HPM_SOURCE_KINDS_H
#define HPM_SOURCE_KINDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/event.h"
#include "source/generic.h"

enum { HPM_MAX_KINDS = 4, HPM_NO_KIND = HPM_MAX_KINDS };

/* The kinds of this machine's cores: how many there are, 0 where all are of one. */
size_t hpm_kinds_count(void) __attribute__((cold));

/* That on which an event counts, below hpm_kinds_count(); HPM_NO_KIND for one that
 * counts on all cores. */
size_t hpm_kinds_of(const struct hpm_encoding *encoding) __attribute__((cold));

/* The type (perf_event_attr) of the PMU that counts it, of the kernel's own names,
 * too, where these say which. */
uint32_t hpm_kinds_pmu(const struct hpm_encoding *encoding)
    __attribute__((cold));

/* An event that counts whenever a thread is on that kind: cycles. */
struct hpm_encoding hpm_kinds_cycles(size_t kind) __attribute__((cold));

/* `running` of the groups of each kind, in one reading.  Begin with zeros. */
struct hpm_kinds_reading {
    uint64_t longest[HPM_MAX_KINDS], sum[HPM_MAX_KINDS];
    uint64_t enabled; /* of all */
    size_t n_reads;   /* the calls it took */
};

/* What is known of the readings before.  Begin with zeros; any thread. */
struct hpm_kinds_times {
    struct {
        _Atomic uint64_t longest, sum;
        _Atomic uint64_t waited; /* for counters that others had */
    } kinds[HPM_MAX_KINDS];
};

/* A group of the kind was wanted and ran that long. */
void hpm_kinds_add(struct hpm_kinds_reading *reading, size_t kind,
                   uint64_t enabled, uint64_t running);

/* All groups have been read: the time they waited for counters. */
void hpm_kinds_end(struct hpm_kinds_times *times,
                   const struct hpm_kinds_reading *reading);

/* `enabled` of a group of the kind that ran that long: the time its thread was on
 * that kind, as far as the calls that read tell. */
uint64_t hpm_kinds_wanted(const struct hpm_kinds_times *times,
                          const struct hpm_kinds_reading *reading, size_t kind,
                          uint64_t running);

/* "cycles" and others of the kernel's names mean another event on each kind: write
 * that of one, "cpu_core/cycles/"; false for a name that is none of these. */
bool hpm_kinds_spell(const char *name, size_t kind, char *ret_name, size_t size)
    __attribute__((cold));

/* And back: the event of a name spelled so; false for another name. */
bool hpm_kinds_read_name(const char *name, struct hpm_generic *ret_generic)
    __attribute__((cold));

#endif
