/* SPDX-License-Identifier: BSD-3-Clause
 * The definitions and the metrics they make on one machine, together. */
#ifndef HPM_METRIC_LIBRARY_H
#define HPM_METRIC_LIBRARY_H

#include "metric/language/spec.h"
#include "metric/metrics.h"

struct hpm_library {
    struct hpm_spec *spec;
    struct hpm_metrics *metrics; /* NULL: not open */
};

/* Read the definitions that can be for a platform (hpm_definitions_read_for)
 * and choose those that hold there.  The latencies HPM_L2_LATENCY,
 * HPM_L3_LATENCY, HPM_MEM_LATENCY and HPM_TLB_LATENCY of the environment are
 * used, except those that the platform's settings give.  Faults in definitions
 * are in library->spec's complaints; all other definitions are kept.  False,
 * and nothing to close, when memory runs out. */
bool hpm_library_open(struct hpm_library *library, const char *paths,
                      const struct hpm_platform *platform,
                      struct hpm_error *err);

/* The library need not be open. */
void hpm_library_close(struct hpm_library *library);

#endif
