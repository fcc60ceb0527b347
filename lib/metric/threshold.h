/* SPDX-License-Identifier: BSD-3-Clause
 * From which value on a metric is bad, or good. */
#ifndef HPM_METRIC_THRESHOLD_H
#define HPM_METRIC_THRESHOLD_H

#include <stdbool.h>

/* Limits are given for single and for double precision arithmetic. */
enum hpm_precision { HPM_PRECISION_SINGLE, HPM_PRECISION_DOUBLE };

struct hpm_limit {
    bool is_given;
    bool is_above; /* values above it are meant, else those below */
    double value;  /* > 0, in the unit the metric is shown in */
};

struct hpm_limits {
    struct hpm_limit bad;
    struct hpm_limit good;
};

enum hpm_verdict {
    HPM_VERDICT_NONE,
    HPM_VERDICT_BAD,
    HPM_VERDICT_NEUTRAL,
    HPM_VERDICT_GOOD
};

/* What limits say about a value.  One equal to a limit has not crossed it;
 * without limits, or for NAN, there is no verdict. */
enum hpm_verdict hpm_limits_judge(const struct hpm_limits *limits,
                                  double value);

/* The limit as the performance file writes it (the paper's Figure 3): -1.0
 * stands for "below 1.0", +1.0 for "above 1.0". */
double hpm_limit_to_file(const struct hpm_limit *limit);

/* "bad", "neutral", "good", "" for none. */
const char *hpm_verdict_name(enum hpm_verdict verdict);

#endif
