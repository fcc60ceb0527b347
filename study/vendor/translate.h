/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' metrics, translated to our language. */
#ifndef HPM_STUDY_VENDOR_TRANSLATE_H
#define HPM_STUDY_VENDOR_TRANSLATE_H

#include "study/vendor/vendor.h"

/* Translate all metrics of all processors: each gets a text, or a reason why it
 * has none, and a limit or a reason.  `taken` has names that no metric may get.
 * False when there is no memory. */
bool hpm_translate(struct hpm_vendor *vendor, const struct hpm_names *taken,
                   struct hpm_error *err);

/* Append the name of the constant for an event's latency. */
void hpm_translate_add_latency(struct hpm_string *text,
                               const struct hpm_vendor_processor *processor,
                               const char *event);

/* Find the limits of a processor's metrics, after they were translated. */
bool hpm_limits_find(struct hpm_vendor *vendor,
                     struct hpm_vendor_processor *processor,
                     struct hpm_error *err);

#endif
