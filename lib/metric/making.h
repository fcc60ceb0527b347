/* SPDX-License-Identifier: BSD-3-Clause
 * The making of the metrics of one machine: all steps of metric/choose.h. */
#ifndef HPM_METRIC_MAKING_H
#define HPM_METRIC_MAKING_H

#include "metric/metrics.h"

/* Choose what holds for the platform.  What is wrong (a constant that is not
 * one, cycles, limits below 0 ...) is added to the spec's complaints, and what
 * it concerns is left out.  NULL when memory runs out. */
struct hpm_metrics *hpm_metrics_new(struct hpm_spec *spec,
                                    const struct hpm_platform *platform,
                                    struct hpm_error *err);

#endif
