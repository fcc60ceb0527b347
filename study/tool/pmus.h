/* SPDX-License-Identifier: BSD-3-Clause
 * The PMU names of definitions. */
#ifndef HPM_STUDY_TOOL_PMUS_H
#define HPM_STUDY_TOOL_PMUS_H

#include "base/error.h"
#include "base/names.h"
#include "metric/language/spec.h"

/* Add the names of PMUs that statements are for, without those of files with
 * one name (without folders; NULL: of all files).  False when memory runs out. */
bool hpm_pmus_add(struct hpm_names *pmus, const struct hpm_spec *spec,
                  const char *but_of_file);

/* The name that was probably meant by an unknown name: the same in another
 * case, one with this name as its last word ("zen4" for "amd64_fam19h_zen4"),
 * or one within two edits; NULL where there is none. */
const char *hpm_pmus_nearest(const struct hpm_names *pmus, const char *name);

/* Is this the name of a processor (`processor`), with or without
 * definitions? */
bool hpm_pmus_is_processor(const struct hpm_spec *spec, const char *name);

/* Is this a known name?  False, with the nearest name or all names in err. */
bool hpm_pmus_check(const struct hpm_names *pmus, const char *name,
                    struct hpm_error *err);

#endif
