/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections measure. */
#include "record/filter.h"

#include "base/globs.h"

bool
hpm_filter_takes(const struct hpm_filter *filter, const char *label,
                 int instance)
{
    return hpm_globs_take(filter->only, filter->except, label, instance);
}
