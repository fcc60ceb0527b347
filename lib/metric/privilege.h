/* SPDX-License-Identifier: BSD-3-Clause
 * User or kernel: what a counter counts, and which metrics that serves. */
#ifndef HPM_METRIC_PRIVILEGE_H
#define HPM_METRIC_PRIVILEGE_H

#include <stdbool.h>

enum hpm_privilege {
    HPM_PRIVILEGE_ANY, /* goes with all: no counter, or one that cannot tell */
    HPM_PRIVILEGE_USER,
    HPM_PRIVILEGE_KERNEL,
    HPM_PRIVILEGE_ALL
};

struct hpm_reach {
    enum hpm_privilege privilege;
    bool is_named; /* by the counter's name: ":k" */
};

/* Of a counter of this name and unit, recorded as counting `domain` ("user",
 * "kernel", "all"); NULL: not recorded, the name decides.  Times, and the
 * kernel's software events where they count all, go with any. */
struct hpm_reach hpm_reach_of(const char *name, const char *domain,
                              const char *unit);

/* The default domain of a run, from its counters one after the other: that of
 * those whose names say none.  ANY, to begin with, where none tells. */
enum hpm_privilege hpm_privilege_learn(enum hpm_privilege so_far,
                                       struct hpm_reach reach);

/* May a counter serve as a leaf in a run of this default domain (ANY: user)?
 * A leaf that names a domain takes a counter of it, any other one of the
 * default domain or of all.  *ret_privilege: what it may be combined with. */
bool hpm_reach_serves(struct hpm_reach reach, const char *leaf,
                      enum hpm_privilege base,
                      enum hpm_privilege *ret_privilege);

#endif
