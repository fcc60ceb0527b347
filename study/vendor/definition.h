/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions made of vendors' files, as text. */
#ifndef HPM_STUDY_VENDOR_DEFINITION_H
#define HPM_STUDY_VENDOR_DEFINITION_H

#include "base/string.h"
#include "study/vendor/vendor.h"

/* Append a file of definitions, with what could not be turned in comments.  With
 * `has_words` the vendor's own words about metrics are in it. */
void hpm_definition_add(struct hpm_string *text,
                        const struct hpm_vendor *vendor, bool has_words);

#endif
