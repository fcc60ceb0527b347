/* SPDX-License-Identifier: BSD-3-Clause
 * An event: something a source can count. */
#ifndef HPM_SOURCE_EVENT_H
#define HPM_SOURCE_EVENT_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"

struct hpm_source;

/* How many events a user may name for one run, and how many there may be with
 * those that process sections add. */
enum { HPM_MAX_EVENTS = 64, HPM_MAX_ALL_EVENTS = 72 };

/* Which instructions are counted: the program's own (user), the kernel's, or
 * both. */
enum hpm_domain { HPM_DOMAIN_USER, HPM_DOMAIN_KERNEL, HPM_DOMAIN_ALL };

/* The domain's name, "user", "kernel", "all"; and the domain of a name (false
 * for another word). */
const char *hpm_domain_name(enum hpm_domain domain);
bool hpm_domain_from_name(const char *name, enum hpm_domain *ret_domain);

/* Split off the domain: ":u", ":k" or ":uk" at the end of an event's name, or
 * "u" ... after the last slash of "pmu/event/u".  Copies the rest of the name
 * into ret_name of `size` bytes.  False if the name has no domain: then the
 * whole name is copied, and *ret_domain unchanged. */
bool hpm_domain_split(const char *name, char *ret_name, size_t size,
                      enum hpm_domain *ret_domain);

/* The event's address in its source. */
struct hpm_encoding {
    uint32_t type; /* kernel: perf_event_attr.type; usage: the file; papi: the
                    * component */
    /* usage: config is the field; papi: config has a bit for each set that has
     * the event, of sets that take turns (papislices.h); 0: counted all the
     * time */
    uint64_t config, config1, config2, config3;
    uint64_t leader; /* kernel: config of the event that must lead its group, as
                      * `slots` for topdown-*; 0: none */
};

struct hpm_event {
    char *name; /* as the user spelled it */
    char *description;
    char *unit; /* "" for a plain number, "ns", "kB", "byte" */
    enum hpm_domain domain;
    enum hpm_domain domain_asked;    /* papi: the one of HPM_DOMAIN, for a whole
                                      * set */
    bool ignores_domain;             /* counts all, whatever the user asks */
    bool belongs_to_process;         /* each thread's value is the whole
                                      * process's; children are not counted */
    bool is_coarse;                  /* grows in steps larger than the cost of
                                      * measuring: no constant costs are
                                      * subtracted */
    bool is_hidden;                  /* recorded, but not shown at first */
    const struct hpm_source *source; /* NULL: no source can count it */
    struct hpm_encoding encoding;
    enum hpm_state state; /* HPM_STATE_COUNTED, _UNSCHEDULED (no counter is left
                           * for it) or _UNSUPPORTED */
    char *reason;         /* if not counted: why, and what to do */
};

/* Mark the event as one that no source can count, for this reason, which is
 * copied. */
void hpm_event_refuse(struct hpm_event *event, const char *reason);

/* Free what the event owns, not the struct itself. */
void hpm_event_clear(struct hpm_event *event);

#endif
