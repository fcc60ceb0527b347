/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of metrics in a measured program. */
#ifndef HPM_SESSION_METRICS_H
#define HPM_SESSION_METRICS_H

#include "inquiry/inquiry.h"

/* Open the inquiry, unless it is open already; the first faults in definitions
 * are said.  False when memory runs out. */
bool hpm_session_inquire(struct hpm_inquiry *inquiry,
                         const struct hpm_source *const *sources,
                         enum hpm_domain domain, struct hpm_error *err);

#endif
