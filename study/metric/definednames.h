/* SPDX-License-Identifier: BSD-3-Clause
 * The names that definitions of metrics have, of all processors at once. */
#ifndef HPM_STUDY_METRIC_DEFINEDNAMES_H
#define HPM_STUDY_METRIC_DEFINEDNAMES_H

#include "base/names.h"
#include "metric/language/spec.h"

/* Start from {0}. */
struct hpm_definednames {
    struct hpm_names spellings;
};

/* Add the names of events and metrics, in one spelling each (metric/alias.h).
 * False when memory runs out. */
bool hpm_definednames_add(struct hpm_definednames *names,
                          const struct hpm_spec *spec);

void hpm_definednames_clear(struct hpm_definednames *names);

/* May some definition mean this counter?  If not, it belongs to no metric of any
 * processor (hpm_matching_add).  If so, which processors have that definition
 * only hpm_library_open tells.  True when memory runs out. */
bool hpm_definednames_may_have(const struct hpm_definednames *names,
                               const char *counter);

#endif
