/* SPDX-License-Identifier: BSD-3-Clause
 * A processor as the definitions describe it: the events their statements for
 * its PMU name, and the counters it has for them.  So any machine can tell what
 * another one could measure.
 *
 *     const COUNTERS = 4           general counters of a thread
 *     set FIXED = A B              events counted beside these
 *     set PAIRED = C               events that take two of them
 *     set COUNTER_1 = D E          events that only these counters can hold:
 *     set COUNTER_2 = E            D the first, E the first or the second
 */
#ifndef HPM_STUDY_PLAN_PROCESSOR_H
#define HPM_STUDY_PLAN_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "metric/request.h"

enum { HPM_MAX_MODEL_COUNTERS = 64 };

struct hpm_demand;

struct hpm_processor {
    const char *pmu;
    struct hpm_metrics *metrics;
    struct hpm_request request; /* what it can count is what is known of it */
    bool *is_event;             /* per name of the spec: an event of the PMU */
    size_t n_counters;          /* general ones; 0: nobody says */
    struct hpm_demand *demands; /* per name of the spec */
};

/* What an event takes of the general counters. */
struct hpm_demand {
    unsigned char n;   /* so many of them */
    uint64_t counters; /* as bits: of these, 0: of all */
};

/* The processor of that PMU.  It must stay where it is, and the spec must live
 * as long.  False when memory runs out. */
bool hpm_processor_open(struct hpm_processor *processor, struct hpm_spec *spec,
                        const char *pmu, struct hpm_error *err);
void hpm_processor_close(struct hpm_processor *processor);

/* Is the statement for this PMU? */
bool hpm_processor_is_for(const struct hpm_spec *spec,
                          const struct hpm_statement *statement,
                          const char *pmu);

/* Does this set say something about counters, not what is counted together? */
bool hpm_processor_is_counter_set(const char *name);

/* Do the statements for its PMU name this event? */
bool hpm_processor_has_event(const struct hpm_processor *processor,
                             const char *event);

/* How many general counters these events take together. */
size_t hpm_processor_cost(const struct hpm_processor *processor,
                          const char *const *events, size_t n_events);

/* Can the counters hold these events at once?  Events that are there without
 * being counted take none. */
bool hpm_processor_fits(const struct hpm_processor *processor,
                        const char *const *events, size_t n_events);

#endif
