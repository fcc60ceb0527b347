/* SPDX-License-Identifier: BSD-3-Clause
 * On which processors and NUMA nodes this process may run. */
#ifndef HPM_SOURCE_MACHINE_AFFINITY_H
#define HPM_SOURCE_MACHINE_AFFINITY_H

#include "base/string.h"

/* Add the processors of the process's first thread, and the NUMA nodes that have
 * one of them, as the kernel writes such lists: "0-3,8".  Nothing is added where
 * it is not known. */
void hpm_affinity_add(struct hpm_string *processors, struct hpm_string *nodes);

#endif
