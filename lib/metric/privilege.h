/* SPDX-License-Identifier: BSD-3-Clause
 * User or kernel: which domain a counter counts, and which metrics can use
 * it. */
#ifndef HPM_METRIC_PRIVILEGE_H
#define HPM_METRIC_PRIVILEGE_H

#include <stdbool.h>

enum hpm_privilege {
    HPM_PRIVILEGE_ANY, /* combines with all: no counter, or one without
                        * domains */
    HPM_PRIVILEGE_USER,
    HPM_PRIVILEGE_KERNEL,
    HPM_PRIVILEGE_ALL
};

struct hpm_reach {
    enum hpm_privilege privilege;
    bool is_named; /* the counter's name says it: ":k" */
};

/* The domain of a counter with this name and unit.  `domain` is the recorded
 * one ("user", "kernel", "all"); if it is NULL, the name decides.  ANY for
 * times, and for the kernel's software events if they count all. */
struct hpm_reach hpm_reach_of(const char *name, const char *domain,
                              const char *unit);

/* The default domain of a run: call this for each counter; those without a
 * domain in their names tell it.  Begin with ANY; the result is ANY if no
 * counter tells. */
enum hpm_privilege hpm_privilege_learn(enum hpm_privilege so_far,
                                       struct hpm_reach reach);

/* Can a counter serve as this leaf in a run with this default domain (ANY:
 * user)?  A leaf that names a domain takes a counter of that domain; any other
 * leaf takes one of the default domain or of all.  *ret_privilege: which domain
 * it may be combined with. */
bool hpm_reach_serves(struct hpm_reach reach, const char *leaf,
                      enum hpm_privilege base,
                      enum hpm_privilege *ret_privilege);

#endif
