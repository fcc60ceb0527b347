/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's list of probes in programs (uprobe_events of tracefs). */
#ifndef HPM_STUDY_PROBE_PROBELIST_H
#define HPM_STUDY_PROBE_PROBELIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event, "GROUP/EVENT", may have many probes; all are of entries or all of
 * returns. */
struct hpm_probeline {
    bool is_return;
    char group[64], event[64]; /* the kernel's own limits */
    char *path;                /* as it was given */
    uint64_t offset;           /* in the file */
};

/* Start from {0}. */
struct hpm_probelist {
    struct hpm_probeline *lines;
    size_t n;
};

/* Open the list with these flags of open; -1 and errno where that fails: EACCES
 * (only root may), ENOENT (no tracefs, or no such probes in this kernel). */
int hpm_probelist_open(int flags);

/* Read the list.  False, with errno, where it cannot be read (as above; ENOMEM).
 * Clear in any case. */
bool hpm_probelist_read(struct hpm_probelist *list);
void hpm_probelist_clear(struct hpm_probelist *list);

/* Add a probe to an event in a list opened for O_APPEND; of entries it records the
 * stack pointer and the return address, of returns the stack pointer.  False with
 * errno. */
bool hpm_probelist_add(int descriptor, const struct hpm_probeline *line);

/* Remove a group's event with all probes, or with a path only that probe.  False
 * with errno: ENOENT, EBUSY (something uses it now). */
bool hpm_probelist_remove(int descriptor, const char *group, const char *event);
bool hpm_probelist_remove_one(int descriptor, const struct hpm_probeline *line);

#endif
