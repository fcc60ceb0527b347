/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the metrics of one machine: all steps of metric/choose.h. */
#ifndef HPM_METRIC_MAKING_H
#define HPM_METRIC_MAKING_H

#include "metric/metrics.h"

/* Choose the definitions that hold on the platform.  Faults (a constant that is
 * none, cycles, limits below 0 ...) are added to the spec's complaints, and the
 * faulty part is left out.  NULL when memory runs out. */
struct hpm_metrics *hpm_metrics_new(struct hpm_spec *spec,
                                    const struct hpm_platform *platform,
                                    struct hpm_error *err);

#endif
