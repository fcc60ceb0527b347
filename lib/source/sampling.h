/* SPDX-License-Identifier: BSD-3-Clause
 * What to sample: after how much of which event the place in the program is
 * noted at which that happened. */
#ifndef HPM_SOURCE_SAMPLING_H
#define HPM_SOURCE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string.h"
#include "source/event.h"

enum { HPM_MAX_SAMPLED = 4 };

struct hpm_sampled {
    struct hpm_event event; /* its domain is that of its samples */
    uint64_t period;        /* of a clock in nanoseconds */
    uint64_t least; /* a first period by chance is no shorter (phase.h) */
};

struct hpm_sampling {
    struct hpm_sampled events[HPM_MAX_SAMPLED];
    size_t n_events; /* 0: nothing is sampled */
    unsigned
        n_callers; /* the most that a sample has, found by frame pointers; 0:
                           callers are not asked for */
};

/* Choose what a list says: "cycles@1000003,cpu-clock@997us".  Without a period
 * clocks have 997 us, events of hardware 1000003, others of the kernel 1.  An
 * event that cannot be sampled is left out, with a line in `lines` that says why
 * and what to do, and so is what is wrong in the list. */
void hpm_sampling_choose(struct hpm_sampling *sampling, const char *list,
                         enum hpm_domain domain, struct hpm_string *lines)
    __attribute__((cold));

void hpm_sampling_clear(struct hpm_sampling *sampling);

#endif
