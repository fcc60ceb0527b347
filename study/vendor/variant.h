/* SPDX-License-Identifier: BSD-3-Clause
 * Events that vendors' formulas derive from others, by changing fields of their
 * codes: UOPS_RETIRED.MS:c1:e1, cpu@uops_retired.ms,cmask=1@. */
#ifndef HPM_STUDY_VENDOR_VARIANT_H
#define HPM_STUDY_VENDOR_VARIANT_H

#include "study/vendor/vendor.h"

/* The event for a name in a formula, with its code; it is added if it is new.
 * NULL, with the reason, if there is none. */
const struct hpm_vendor_event *
hpm_variant_find(struct hpm_vendor *vendor,
                 struct hpm_vendor_processor *processor, const char *name,
                 struct hpm_error *err);

/* Append "cpu/event=0xc4,umask=0x1/". */
void hpm_variant_add_code(struct hpm_string *text,
                          const struct hpm_vendor_processor *processor,
                          const struct hpm_vendor_code *code);

#endif
