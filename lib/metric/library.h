/* SPDX-License-Identifier: BSD-3-Clause
 * The definitions and what they mean on one machine, in one piece. */
#ifndef HPM_METRIC_LIBRARY_H
#define HPM_METRIC_LIBRARY_H

#include "metric/language/spec.h"
#include "metric/metrics.h"

struct hpm_library {
    struct hpm_spec *spec;
    struct hpm_metrics *metrics; /* NULL: not open */
};

/* Read the definitions that can be for a platform (hpm_definitions_read_for) and
 * choose those that are.
 * The latencies HPM_L2_LATENCY, HPM_L3_LATENCY, HPM_MEM_LATENCY and
 * HPM_TLB_LATENCY of the environment are set, but for those the platform sets.
 * What is wrong with definitions is among library->spec's complaints; all else
 * holds.  False, and nothing to close, when memory runs out. */
bool hpm_library_open(struct hpm_library *library, const char *paths,
                      const struct hpm_platform *platform,
                      struct hpm_error *err);

/* A library that is not open is fine. */
void hpm_library_close(struct hpm_library *library);

#endif
