/* SPDX-License-Identifier: BSD-3-Clause
 * From which value on a metric is bad, or good. */
#include "metric/threshold.h"

#include <math.h>

static bool
is_crossed(const struct hpm_limit *limit, double value)
{
    if (!limit->is_given)
        return false;
    return limit->is_above ? value > limit->value : value < limit->value;
}

enum hpm_verdict
hpm_limits_judge(const struct hpm_limits *limits, double value)
{
    if (isnan(value) || (!limits->bad.is_given && !limits->good.is_given))
        return HPM_VERDICT_NONE;
    if (is_crossed(&limits->bad, value))
        return HPM_VERDICT_BAD;
    return is_crossed(&limits->good, value) ? HPM_VERDICT_GOOD
                                            : HPM_VERDICT_NEUTRAL;
}

double
hpm_limit_to_file(const struct hpm_limit *limit)
{
    return limit->is_above ? limit->value : -limit->value;
}

const char *
hpm_verdict_name(enum hpm_verdict verdict)
{
    static const char *const names[] = {"", "bad", "neutral", "good"};

    return names[verdict];
}
