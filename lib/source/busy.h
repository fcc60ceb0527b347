/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' events that cannot be 0 in a busy program. */
#ifndef HPM_SOURCE_BUSY_H
#define HPM_SOURCE_BUSY_H

#include <stdbool.h>

/* Does the event, named as libpfm4 does, count cycles, instructions, branches,
 * loads or stores?  A PMU that accepts such an event and reads 0 in a busy loop
 * cannot count it.  With modifiers (":c=1") 0 may be right, and the answer is
 * no. */
bool hpm_busy_must_count(const char *event);

#endif
