/* SPDX-License-Identifier: BSD-3-Clause
 * Two names of one event. */
#ifndef HPM_STUDY_METRIC_SAMENAME_H
#define HPM_STUDY_METRIC_SAMENAME_H

#include <stdbool.h>

/* Do both names spell the same event, as page-faults and sw::page-faults do (see
 * metric/alias.h)?  False when memory runs out. */
bool hpm_samename_is(const char *a, const char *b);

#endif
