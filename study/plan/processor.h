/* SPDX-License-Identifier: BSD-3-Clause
 * A processor as definitions describe it: the events named by the statements
 * for its PMU, and the counters it has for them.  So any machine can tell what
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
    struct hpm_request request; /* it can count what the statements name */
    bool *is_event;             /* by name of the spec: an event of the PMU */
    size_t n_counters;          /* general ones; 0: not known */
    struct hpm_demand *demands; /* by name of the spec */
};

/* The general counters that an event needs. */
struct hpm_demand {
    unsigned char n;   /* number of counters */
    uint64_t counters; /* allowed counters as bits; 0: all */
};

/* Open the processor of a PMU.  The struct must not move, and the spec must
 * live longer.  False when memory runs out. */
bool hpm_processor_open(struct hpm_processor *processor, struct hpm_spec *spec,
                        const char *pmu, struct hpm_error *err);
void hpm_processor_close(struct hpm_processor *processor);

/* Is the statement for this PMU? */
bool hpm_processor_is_for(const struct hpm_spec *spec,
                          const struct hpm_statement *statement,
                          const char *pmu);

/* Does this set describe counters, instead of events counted together? */
bool hpm_processor_is_counter_set(const char *name);

/* Do the statements for the PMU name this event? */
bool hpm_processor_has_event(const struct hpm_processor *processor,
                             const char *event);

/* The number of general counters that these events need together. */
size_t hpm_processor_cost(const struct hpm_processor *processor,
                          const char *const *events, size_t n_events);

/* Can the counters hold these events at once?  Values that exist without being
 * counted need no counter. */
bool hpm_processor_fits(const struct hpm_processor *processor,
                        const char *const *events, size_t n_events);

#endif
