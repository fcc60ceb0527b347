/* SPDX-License-Identifier: BSD-3-Clause
 * Opens the definitions of metrics in a measured program. */
#ifndef HPM_SESSION_METRICS_H
#define HPM_SESSION_METRICS_H

#include "inquiry/inquiry.h"

/* Open the inquiry, unless it is open already, and say the first faults in
 * definitions.  False when memory runs out. */
bool hpm_session_inquire(struct hpm_inquiry *inquiry,
                         const struct hpm_source *const *sources,
                         enum hpm_domain domain, struct hpm_error *err);

#endif
