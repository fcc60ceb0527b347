/* SPDX-License-Identifier: BSD-3-Clause
 * The limits that a run without a hint crossed, or may have crossed. */
#ifndef HPMCOUNT_CROSSINGS_H
#define HPMCOUNT_CROSSINGS_H

#include <stdbool.h>

#include "base/string.h"
#include "metric/evaluate.h"

/* Add one phrase for the values of a whole run, of the metrics that are chosen
 * (`is_chosen` NULL: all): that no measured value is beyond its limit; or
 * which values are, where so little of the time is theirs that no hint is given;
 * or which values are beyond a limit that is nearer than they are exact, so that
 * they have no verdict. */
void crossings_add(struct hpm_string *string, const struct hpm_metrics *metrics,
                   const struct hpm_metric_value *values, const bool *is_chosen,
                   enum hpm_precision precision);

#endif
