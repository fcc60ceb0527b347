/* SPDX-License-Identifier: BSD-3-Clause
 * Names of PMUs that definitions are for. */
#ifndef HPM_STUDY_TOOL_PMUS_H
#define HPM_STUDY_TOOL_PMUS_H

#include "base/error.h"
#include "base/names.h"
#include "metric/language/spec.h"

/* Add those that statements are for; all but those of one file (HPM_NO_NAME:
 * of all files).  False when memory runs out. */
bool hpm_pmus_add(struct hpm_names *pmus, const struct hpm_spec *spec,
                  uint32_t but_of_file);

/* What was meant by a name that is none of them: the name in another case, one
 * with this as its last word ("zen4" of "amd64_fam19h_zen4"), or one within two
 * edits; NULL for none. */
const char *hpm_pmus_nearest(const struct hpm_names *pmus, const char *name);

/* Is it the name of a processor's identity (`processor`), with definitions or not? */
bool hpm_pmus_is_processor(const struct hpm_spec *spec, const char *name);

/* Is it one of them?  False, with the nearest or all of them. */
bool hpm_pmus_check(const struct hpm_names *pmus, const char *name,
                    struct hpm_error *err);

#endif
