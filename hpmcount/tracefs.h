/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's list of probes in programs (uprobe_events of tracefs). */
#ifndef HPMCOUNT_TRACEFS_H
#define HPMCOUNT_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* One event for all entries and one for all returns: the kernel takes 85 ms to
 * remove an event that was in use, however many probes it has.  The group has the
 * number of hpmcount's process, so that what a killed hpmcount leaves behind is
 * known. */
struct tracefs {
    char group[32];
    uint64_t entry, back; /* numbers of the events for perf_event_open */
    uint64_t end, exec; /* the kernel's own: a thread ends, a program begins */
    bool is_defined;
};

/* Define the probes at these offsets of files, of entries and returns or
 * (`is_entry_only`) of entries.  First remove those that an
 * hpmcount which is no more has left.  False with the reason and what to do. */
struct tracefs_place {
    const char *path;
    uint64_t offset;
};
bool tracefs_define(struct tracefs *tracefs, const struct tracefs_place *places,
                    size_t n, bool is_entry_only, struct hpm_error *err);

/* Remove them; does nothing where none are defined. */
void tracefs_remove(struct tracefs *tracefs);

#endif
