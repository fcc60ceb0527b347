/* SPDX-License-Identifier: BSD-3-Clause
 * An event: something a source can count. */
#ifndef HPM_SOURCE_EVENT_H
#define HPM_SOURCE_EVENT_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"

struct hpm_source;

/* How many events of one run a user may name, and with those that process
 * sections add. */
enum { HPM_MAX_EVENTS = 64, HPM_MAX_ALL_EVENTS = 72 };

/* Whose instructions are counted. */
enum hpm_domain { HPM_DOMAIN_USER, HPM_DOMAIN_KERNEL, HPM_DOMAIN_ALL };

/* "user", "kernel", "all"; and back (false for another word). */
const char *hpm_domain_name(enum hpm_domain domain);
bool hpm_domain_from_name(const char *name, enum hpm_domain *ret_domain);

/* ":u", ":k" and ":uk" at the end of an event's name, or of "pmu/event/u" what
 * follows the last slash, choose its domain: copy the name without it into ret_name of `size` bytes.  False, *ret_domain left
 * as it is and the name copied whole, without one. */
bool hpm_domain_split(const char *name, char *ret_name, size_t size,
                      enum hpm_domain *ret_domain);

/* How its source addresses an event. */
struct hpm_encoding {
    uint32_t type; /* kernel: perf_event_attr.type; usage: which file;
                      papi: which component */
    /* usage: config is the field; papi: a bit for each set of those that take
     * turns (papislices.h), 0: it is counted all the time */
    uint64_t config, config1, config2, config3;
    uint64_t leader; /* kernel: config of the event that must lead its group,
                        as `slots` does for topdown-*; 0 for none */
};

struct hpm_event {
    char *name; /* as the user spelled it */
    char *description;
    char *unit; /* "" for a plain number, "ns", "kB", "byte" */
    enum hpm_domain domain;
    enum hpm_domain domain_asked;    /* papi: by HPM_DOMAIN, for a whole set */
    bool ignores_domain;             /* counts all, whatever is asked */
    bool belongs_to_process;         /* a thread's value is the process's, and
                                        its children are not counted */
    bool is_coarse;                  /* comes in steps larger than what
                                        measuring costs: no constants are taken
                                        off */
    bool is_hidden;                  /* recorded, but not shown at first */
    const struct hpm_source *source; /* NULL when nobody can count it */
    struct hpm_encoding encoding;
    enum hpm_state state; /* HPM_STATE_COUNTED, _UNSCHEDULED (no counter is left
                           * for it) or _UNSUPPORTED */
    char *reason;         /* not of the first: why, and what to do */
};

/* Nobody can count it, after all, for that reason, which is copied. */
void hpm_event_refuse(struct hpm_event *event, const char *reason);

/* Free what the event owns, not the struct itself. */
void hpm_event_clear(struct hpm_event *event);

#endif
