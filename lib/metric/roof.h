/* SPDX-License-Identifier: BSD-3-Clause
 * The machine's roofs, measured by hpm doctor --roofs, as formulas use them. */
#ifndef HPM_METRIC_ROOF_H
#define HPM_METRIC_ROOF_H

#include <stdbool.h>

/* Is this a name like "roof::double_one"?  If the machine's roofs were
 * measured, such a name has a value without being counted. */
bool hpm_roof_is_name(const char *event);

/* The roof's value in the machine's facts ("ROOF:double_one=1.3e+11"; NULL: not
 * known); NAN if they have none. */
double hpm_roof_value(const char *event, const char *facts);

/* What to do if a roof has no value, without a full stop. */
extern const char hpm_roof_remedy[];

#endif
