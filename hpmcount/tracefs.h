/* SPDX-License-Identifier: BSD-3-Clause
 * The probes of a run: events of tracefs (uprobe_events), which root defines for one
 * run, or has defined for other users before. */
#ifndef HPMCOUNT_TRACEFS_H
#define HPMCOUNT_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* One event for all entries and one for all returns: the kernel takes 85 ms to
 * remove an event that was in use, however many probes it has.  Of those that root
 * has defined before there are as many for each file. */
enum { TRACEFS_MOST_FILES = 16 };

struct tracefs_place {
    const char *path;
    uint64_t offset;
    bool is_missing; /* set by tracefs_use */
};

struct tracefs {
    char group[32];  /* of this run's own; it has the number of hpmcount's
                     * process, so that what a killed hpmcount leaves behind is
                     * known */
    bool is_defined; /* by this run */
    struct tracefs_events {
        uint64_t entry, back; /* numbers for perf_event_open */
    } files[TRACEFS_MOST_FILES];
    size_t n_files;
    uint64_t end, exec; /* the kernel's own: a thread ends, a program begins; 0:
                         * not to be found */
    /* what the events of other users' probes hit, too: probes in the same files
     * that were not asked for; the paths are those of the places */
    struct tracefs_place *others;
    size_t n_others, others_capacity;
};

/* Do the rights of this process suffice to define probes? */
bool tracefs_is_writable(void);

/* Define the probes at these places, of entries and returns or (`is_entry_only`) of
 * entries.  First remove those that an hpmcount which is no more has left.  False
 * with the reason and what to do. */
bool tracefs_define(struct tracefs *tracefs, const struct tracefs_place *places,
                    size_t n, bool is_entry_only, struct hpm_error *err);

/* Use the probes that root has defined before (hpm probes); which places have none
 * is marked in them.  False with the reason and what to do where none has one. */
bool tracefs_use(struct tracefs *tracefs, struct tracefs_place *places,
                 size_t n, bool is_entry_only, struct hpm_error *err);

/* Remove what was defined for this run, if anything, and free the rest. */
void tracefs_remove(struct tracefs *tracefs);

#endif
