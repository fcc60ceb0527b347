/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions made from vendors' files, as text. */
#ifndef HPM_STUDY_VENDOR_DEFINITION_H
#define HPM_STUDY_VENDOR_DEFINITION_H

#include "base/string.h"
#include "study/vendor/vendor.h"

/* Append a file of definitions; comments tell what could not be converted.
 * With `has_words` it contains the vendor's own words about metrics. */
void hpm_definition_add(struct hpm_string *text,
                        const struct hpm_vendor *vendor, bool has_words);

#endif
