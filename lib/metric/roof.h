/* SPDX-License-Identifier: BSD-3-Clause
 * What hpm doctor --roofs has measured of a machine, as formulas have it. */
#ifndef HPM_METRIC_ROOF_H
#define HPM_METRIC_ROOF_H

#include <stdbool.h>

/* "roof::double_one" and the like: a name that is there without being counted
 * where the machine's roofs were measured. */
bool hpm_roof_is_name(const char *event);

/* Its value by the machine's facts ("ROOF:double_one=1.3e+11"; NULL: not known);
 * NAN where they have none. */
double hpm_roof_value(const char *event, const char *facts);

/* What to do where it has none, without a full stop. */
extern const char hpm_roof_remedy[];

#endif
