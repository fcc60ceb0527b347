/* SPDX-License-Identifier: BSD-3-Clause
 * Limits that were crossed, or possibly crossed, in a run without a hint. */
#ifndef HPMCOUNT_CROSSINGS_H
#define HPMCOUNT_CROSSINGS_H

#include <stdbool.h>

#include "base/string.h"
#include "metric/evaluate.h"

/* Add one phrase about the values of a whole run, for the chosen metrics
 * (`is_chosen` NULL: all): that no measured value is beyond its limit; or which
 * values are beyond, where they explain too little time for a hint; or which
 * values are so close beyond a limit that their errors allow no verdict. */
void crossings_add(struct hpm_string *string, const struct hpm_metrics *metrics,
                   const struct hpm_metric_value *values, const bool *is_chosen,
                   enum hpm_precision precision);

#endif
