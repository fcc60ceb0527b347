/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses what to sample: each time so much of an event has happened, the place
 * in the program is recorded. */
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
    struct hpm_event event; /* its domain is the samples' domain */
    uint64_t period;        /* for a clock in nanoseconds */
    uint64_t least;         /* a random first period is not shorter (phase.h) */
};

struct hpm_sampling {
    struct hpm_sampled events[HPM_MAX_SAMPLED];
    size_t n_events; /* 0: no sampling */
    unsigned
        n_callers; /* most callers per sample, found by frame pointers; 0: no
                    * callers */
};

/* Choose the events of a list: "cycles@1000003,cpu-clock@997us".  The default
 * period is 997 us for clocks, 1000003 for hardware events, 1 for other events
 * of the kernel.  Faulty entries and events that cannot be sampled are left
 * out, each with a line in `lines` that says why and what to do. */
void hpm_sampling_choose(struct hpm_sampling *sampling, const char *list,
                         enum hpm_domain domain, struct hpm_string *lines)
    __attribute__((cold));

void hpm_sampling_clear(struct hpm_sampling *sampling);

#endif
